"""The words of letters: the line above which is answered, and what of a visitor's words is hidden. Pure."""

import re
from html import escape
from itertools import accumulate

HIDDEN = "[…]"
# In markup: "…" and "<br>".
LAST_SIGN = 7
# By language of the widget: the first line of a letter. What stands below it in an answer is ours.
MARKERS = {
    "en": "=== Answer above this line ===",
    "ru": "=== Отвечайте выше этой строки ===",
    "de": "=== Bitte über dieser Zeile antworten ===",
    "es": "=== Responda por encima de esta línea ===",
    "el": "=== Απαντήστε πάνω από αυτή τη γραμμή ===",
    "ar": "=== اكتب ردك فوق هذا السطر ===",
    "zh": "=== 请在此行上方回复 ===",
}
# One of these, written alone, ends the letters.
STOP_WORDS = frozenset(
    {
        *("stop", "unsubscribe", "стоп", "отписка", "отписаться", "отпишите", "отпишите меня"),
        *("stopp", "abmelden", "abbestellen", "στοπ", "διαγραφή", "baja", "parar", "alto"),
        *("توقف", "إلغاء", "退订", "停止", "取消订阅"),
    }
)

_WORD = re.compile(r"\S+")
_HOST = re.compile(r"[^\W_]\.[^\W\d_]{2}")
# A number of six digits or more, counted across what people write between them.
_NUMBER = re.compile(r"\d(?:[\s().\-‐-―]{0,3}\d){5,}")


def is_stop_word(text: str) -> bool:
    """Whether a message is nothing but a word that ends the letters."""
    return text.strip().strip(".!¡。\"'«» ").casefold() in STOP_WORDS


def without_addresses(text: str) -> str:
    """A text whose links, mail addresses and long numbers are `[…]`: a letter of ours is nobody's billboard."""
    return _NUMBER.sub(HIDDEN, _WORD.sub(lambda word: HIDDEN if _leads_somewhere(word[0]) else word[0], text))


def _leads_somewhere(word: str) -> bool:
    return "://" in word or "@" in word or "＠" in word or _HOST.search(word) is not None


def shortened(text: str, limit: int) -> str:
    """A text of at most so many characters, the last of which says that there was more."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def markup_bytes(text: str) -> int:
    """How large a text is in a letter's markup: signs that are escaped, and "<br>" for each line."""
    return len(escape(text).encode()) + 4 * (text.count("\n") + 1)


def fitting(text: str, characters: int, size: int) -> int:
    """How many of a text's characters are within both limits, of characters and of bytes in markup."""
    if markup_bytes(text) <= size:
        return min(len(text), characters)
    sizes = accumulate(len(escape(sign).encode()) + 4 * (sign == "\n") for sign in text[:characters])
    return sum(each + LAST_SIGN <= size for each in sizes)


def on_one_line(text: str) -> str:
    """A text for a header: without line breaks and control characters."""
    return "".join(sign if sign.isprintable() else " " for sign in " ".join(text.split()))
