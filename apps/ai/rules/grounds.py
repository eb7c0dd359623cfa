"""Whether an answer rests on a text: its facts and words are compared by code, and no model is asked.

Words of the question are no answer, and neither are words that any text has. An answer in another language than the
text can share facts with it alone.
"""

import re
from collections.abc import Sequence

from apps.ai.rules.evaluations import is_refusal
from apps.ai.rules.facts import FactKind, KnownFacts, TextFact, sentences_of
from apps.ai.rules.languages import language_of
from apps.chats.rules.phrases import folded
from apps.core.parsing.normal_forms import normalize

MAX_READ = 8_000
FEWEST_WORDS, LEAST_OF_WORDS, LEAST_BESIDE_FACTS, LEAST_OF_FACTS = 2, 0.4, 0.25, 0.5
# Another text has nearly all of an answer, this one clearly less: the answer is of the other.
WHOLE, PARTLY = 0.9, 0.7
FACT_WEIGHT = 2

_WORD = re.compile(r"[^\W\d_]+")
# Scripts that put no spaces between words: two letters in a row are compared.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff]{2,}")
_LONG, _BEGINNING, _SHORTEST = 6, 5, 3
# Words that any text has, folded.
_EMPTY = frozenset(
    folded("""
    это этот эта эти этого как так что чтобы для при или если еще уже вас вам вами ваш ваша ваше ваши наш наша наше наши
    нас нам нами мне меня они она оно его ему все всех всем вся весь был была было были быть есть нет тоже также только
    можно нужно могут может можете который которая которое которые здравствуйте привет добрый день спасибо пожалуйста
    конечно вот там тут здесь под над про без между через после перед того тому чем где когда кто мой моя мое
    the and for are was were with that this these those from have has had you your yours our ours their them they will
    would can could may about into out not but all any also only hello hi thanks thank please sure here there what when
    where which who how its his her she him been being than then
    der die das den dem des ein eine einen einem einer eines und oder aber mit von vom zum zur bei auf aus nach fur uber
    ist sind war waren wird werden kann konnen hat haben sie ihr ihre ihnen wir uns unser unsere ich mir mich nicht kein
    keine auch nur noch sehr bitte danke hallo guten tag gerne hier dort was wann wie wer als wenn dass
    los las una uno unos unas del con por para que como pero sin sus nos nuestro nuestra usted ustedes esta este estos
    son era ser hay muy mas tambien solo gracias hola buenos dias favor aqui
    και του της των στο στη στην για από απο που ειναι είναι θα να με σε τα τι το τον την σας μας δεν
    هذا هذه ذلك التي الذي من على الى إلى عن في مع أن ان هو هي نحن لكم لنا
""").split()
)
_YES_OR_NO = re.compile(r"\s*(?:да|нет|yes|no|yep|ja|nein|si|sí|ναι|οχι|όχι|نعم|لا)\b[\s,.!:—–-]", re.IGNORECASE)
_ASKS_FOR_WORDS = re.compile(
    r"\s*(?:как|какой|какая|какие|какое|что|кто|где|куда|когда|сколько|почему|зачем|чем|how|what|when|where|which|who"
    r"|why|wie|was|wann|wo|wohin|warum|welche\w*|wer|cómo|como|qué|que|cuándo|dónde|cuánto\w*|quién)\b",
    re.IGNORECASE,
)
_TELLING = frozenset({FactKind.MONEY, FactKind.PERCENT, FactKind.DATE, FactKind.LINK, FactKind.CODE})


class Statement:
    """The part of an answer that says something: compared with any number of texts, read once.

    Refusals and the words of the question are left out. It is empty where the answer begins with a refusal, repeats
    the question, or asks back.
    """

    def __init__(self, answer: str, *, question: str = "") -> None:
        text = normalize("NFKC", answer[:MAX_READ])
        sentences = [each for each in sentences_of(text) if each.strip()]
        if sentences and is_refusal(sentences[0]):
            sentences = []
        self.text = " ".join(each for each in sentences if not is_refusal(each) and not _is_question(each))
        asked = KnownFacts([question])
        self.facts = asked.missing(self.text)
        self.words = words_of(_without(self.text, KnownFacts([]).missing(self.text)))
        if not (_YES_OR_NO.match(self.text) and not _ASKS_FOR_WORDS.match(question)):
            self.words -= shared(self.words, words_of(question))
        self.language = language_of(self.text)

    @property
    def is_empty(self) -> bool:
        return not self.facts and not self.words

    def rests_on(self, text: str, *, others: Sequence[str] = ()) -> bool:
        """Whether enough of the answer stands in the text. `others`: texts that it may be of instead."""
        if not self._shares(text):
            return False
        return self.share_of(text) >= PARTLY or not any(self.share_of(other) >= WHOLE for other in others)

    def share_of(self, text: str) -> float:
        """The part of the answer's words and facts that stands in the text, from 0 to 1. Facts weigh more."""
        whole = len(self.words) + FACT_WEIGHT * len(self.facts)
        if not whole:
            return 0.0
        found = len(shared(self.words, words_of(text))) + FACT_WEIGHT * len(self._facts_in(text))
        return found / whole

    def _shares(self, text: str) -> bool:
        facts, words = self._facts_in(text), shared(self.words, words_of(text))
        part = len(words) / len(self.words) if self.words else 1.0
        if self.facts and len(facts) < LEAST_OF_FACTS * len(self.facts):
            return False
        if self.facts and self._is_in_other_words(text):
            return len(facts) == len(self.facts) and any(fact.kind in _TELLING for fact in facts)
        if self.facts:
            return part >= LEAST_BESIDE_FACTS if len(self.words) >= FEWEST_WORDS else len(facts) == len(self.facts)
        return len(words) >= min(FEWEST_WORDS, len(self.words)) > 0 and part >= LEAST_OF_WORDS

    def _facts_in(self, text: str) -> list[TextFact]:
        known = KnownFacts([text])
        return [fact for fact in self.facts if not known.missing(fact.text)]

    def _is_in_other_words(self, text: str) -> bool:
        language = language_of(text)
        return None not in (language, self.language) and language != self.language


def words_of(text: str) -> frozenset[str]:
    """The beginnings of the words that say something, so that endings do not matter."""
    plain = folded(normalize("NFKC", text[:MAX_READ]))
    found = set()
    for run in _UNSPACED.findall(plain):
        found |= {run[at : at + 2] for at in range(len(run) - 1)}
    for word in _WORD.findall(_UNSPACED.sub(" ", plain)):
        if len(word) >= _SHORTEST and word not in _EMPTY:
            found.add(word[:_BEGINNING] if len(word) >= _LONG else word[: max(_SHORTEST, len(word) - 1)])
    return frozenset(found)


def shared(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """The words that are among others, also where one of the two has a letter more."""
    shorter = {word[:-1] for word in others if len(word) > _SHORTEST}
    return frozenset(
        word for word in words if word in others or word in shorter or (len(word) > _SHORTEST and word[:-1] in others)
    )


def _is_question(sentence: str) -> bool:
    return sentence.rstrip().endswith(("?", "？", "؟"))


def _without(text: str, facts: Sequence[TextFact]) -> str:
    for fact in facts:
        text = text.replace(fact.text, " ")
    return text
