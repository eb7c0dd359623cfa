"""Courtesies: words that wait for no answer (thanks, a goodbye, an ok, emoji), in seven languages."""

import re
from functools import cache

from apps.chats.rules.phrases import folded, without

COURTESIES: tuple[str, ...] = (
    # ru
    "спасибо", "спасибо большое", "большое спасибо", "спасибо вам", "огромное спасибо", "благодарю", "благодарю вас",
    "спс", "до свидания", "пока", "всего доброго", "всего хорошего", "хорошего дня", "ок", "окей", "хорошо",
    "понятно", "понял", "поняла", "ясно", "отлично", "супер", "вам", "за помощь", "за ответ", "очень",
    # en
    "thanks", "thanks a lot", "thank you", "thank you very much", "thank you so much", "many thanks", "thx", "ty",
    "cheers", "bye", "goodbye", "bye bye", "see you", "have a nice day", "have a good day", "ok", "okay", "got it",
    "great", "perfect", "cool", "understood", "alright", "for your help", "for the help",
    # el
    "ευχαριστώ", "ευχαριστώ πολύ", "σας ευχαριστώ", "αντίο", "εντάξει", "οκ", "τέλεια", "κατάλαβα", "καλή σας μέρα",
    # de
    "danke", "danke schön", "danke sehr", "vielen dank", "besten dank", "tschüss", "auf wiedersehen", "schönen tag",
    "schönen tag noch", "alles klar", "in ordnung", "gut", "super", "prima", "verstanden", "für ihre hilfe",
    "für die hilfe",
    # es
    "gracias", "muchas gracias", "mil gracias", "adiós", "hasta luego", "vale", "de acuerdo", "perfecto", "entendido",
    "genial", "por su ayuda", "por la ayuda",
    # ar
    "شكرا", "شكرا لك", "شكرا جزيلا", "شكرا لكم", "مع السلامة", "إلى اللقاء", "حسنا", "تمام", "ممتاز",
    # zh
    "谢谢", "谢谢你", "谢谢您", "多谢", "感谢", "再见", "拜拜", "好的", "好", "明白了", "明白",
    "知道了", "收到", "可以",
)  # fmt: skip
_WORD = re.compile(r"\w+")
# The marks in which a question ends.
QUESTION_MARKS = ("?", "？", "؟", "\N{GREEK QUESTION MARK}", ";")


def is_courtesy(text: str) -> bool:
    """Whether a text is nothing but thanks, a goodbye, an ok or emoji; a greeting is none."""
    if not text.strip() or _says_more(text):
        return False
    return not any(character.isalnum() for character in without(text, _by_length()))


def is_question(text: str) -> bool:
    return text.rstrip().endswith(QUESTION_MARKS)


def _says_more(text: str) -> bool:
    """Whether a word of the text is in no courtesy: so most texts are judged without a look for each of them.

    Chinese is written without spaces, so its words are not told apart here.
    """
    known = _words()
    return any(word not in known and max(word) < "\u2e80" and word.strip("_") for word in _WORD.findall(folded(text)))


@cache
def _words() -> frozenset[str]:
    return frozenset(word for courtesy in COURTESIES for word in _WORD.findall(folded(courtesy)))


@cache
def _by_length() -> tuple[str, ...]:
    return tuple(sorted(COURTESIES, key=len, reverse=True))
