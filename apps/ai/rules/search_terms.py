"""The text that knowledge is looked for by: the visitor's question, with what it follows.

"And to Kazan?" says little by itself. Its object takes the place of that of the question before, where both have the
same preposition; else both are looked for. No model is asked: a wrong guess only adds words to look for.
"""

import re
from collections.abc import Sequence

from apps.ai.rules.handover_rules import is_social
from apps.chats.rules.phrases import folded

MOST_MESSAGES, MOST_TOPIC = 8, 400
# A longer question stands for itself.
MOST_WORDS = 8

# The beginnings of a question that goes on from another, in the seven languages.
_OPENER = re.compile(
    r"\s*(?:[¿¡]\s*)?(?:(?:ну\s+)?(?:а\s+)?(?:что\s+насчет|насчет|как\s+насчет|если)\s+"
    r"|(?:ну\s+)?(?:а|и|но|тогда|еще)\s+(?:если\s+)?"
    r"|(?:and|but|or|then|also|ok|so)\s+(?:if\s+|what\s+about\s+|how\s+about\s+)?|(?:what|how)\s+about\s+"
    r"|(?:und|aber|oder|dann)\s+(?:wenn\s+)?|was\s+ist\s+mit\s+|wie\s+sieht\s+es\s+mit\s+"
    r"|(?:y|pero|o|entonces)\s+(?:si\s+)?|(?:que\s+tal|que\s+pasa\s+con)\s+|(?:και|αλλα|η)\s+"
    r"|(?:وماذا\s+عن|ماذا\s+عن)\s+|那么?|还有)",
)
_POINTING = """
это этот эта эти этого этой этих этому он она оно они его ее их ему ей им него нее них нем ней там туда оттуда
такой такая такое такие тоже
it its they them that those these
das dies diese dieser dort dahin davon dafur damit
eso esto ese esa alli ello
αυτο αυτη αυτος εκει
هذا هذه ذلك هناك
"""
# Words that ask, and name nothing.
_ASKING = """
сколько когда почему зачем где куда откуда как какой какая какие кто стоит стоят цена точно можно нужно
how much many when why where which who long far is are does do what price
wie viel wann warum wo wohin welche kostet
cuanto cuando por que donde cual cuesta
"""
_POINTS_BACK, _ASK_ALONE = frozenset(_POINTING.split()), frozenset(_ASKING.split())
_PREPOSITIONS = {
    **dict.fromkeys(("в", "во"), "в"), **dict.fromkeys(("к", "ко"), "к"), **dict.fromkeys(("с", "со"), "с"),
    **{one: one for one in ["на", "из", "до", "для", "по", "от", "через", "без", "за"]},
    **{one: one for one in ["to", "in", "from", "for", "at", "with", "on", "by"]},
    **{one: one for one in ["nach", "aus", "fur", "mit", "bei", "von"]},
    **{one: one for one in ["a", "en", "de", "para", "con", "desde"]},
}  # fmt: skip
_WORD = re.compile(r"\w+")
# A word, and what stands behind it: a word, with those in capitals that go on its name.
_PAIR = re.compile(r"\b(\w+)\s+(?=(\w+(?:[ -][A-ZА-ЯЁ]\w*)*))")
_FOLLOWS_IN_CHINESE = re.compile(r"^.{1,12}呢[?？]?$")


def searched(before: Sequence[str], question: str) -> str:
    """The text to look for: the question, with what it follows of the visitor's messages before, oldest first.

    A courtesy, which answers a question of ours here, is about what was asked before.
    """
    topic = ""
    for text in before[-MOST_MESSAGES:]:
        if not is_social(text):
            topic = (condensed(topic, text) if topic and follows(text) else text)[:MOST_TOPIC]
    if topic and is_social(question):
        return topic
    return condensed(topic, question) if topic and follows(question) else question


def follows(question: str) -> bool:
    """Whether a question can only be understood by the one before it."""
    text = folded(question[:MOST_TOPIC]).strip()
    words = _WORD.findall(text)
    if not words or len(words) > MOST_WORDS:
        return False
    if _OPENER.match(text) or _FOLLOWS_IN_CHINESE.match(text) or not _POINTS_BACK.isdisjoint(words):
        return True
    return (words[0] in _PREPOSITIONS and len(words) <= 3) or _ASK_ALONE.issuperset(words)


def condensed(topic: str, question: str) -> str:
    """One text of a question and the one that it follows."""
    rest = _without_opener(question)
    place = _place(rest)
    if place is not None:
        preposition, wanted = place
        for match in _PAIR.finditer(topic):
            if _PREPOSITIONS.get(folded(match[1])) == preposition:
                return f"{topic[: match.start(2)]}{wanted}{topic[match.end(2) :]}"
    return f"{rest}\n{topic}"


def _without_opener(question: str) -> str:
    """The question less its beginning; folding keeps the length of the scripts that have openers."""
    plain = folded(question)
    match = _OPENER.match(plain)
    return question[match.end() :] if match and len(plain) == len(question) else question


def _place(rest: str) -> tuple[str, str] | None:
    """The preposition that a question is about, and its object; None where it is about more."""
    words = _WORD.findall(rest)
    if not 2 <= len(words) <= 4 or (preposition := _PREPOSITIONS.get(folded(words[0]))) is None:
        return None
    return preposition, rest[rest.index(words[0]) + len(words[0]) :].strip(" ?!.,")
