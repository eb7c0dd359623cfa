"""The values of a number: its separators, and words of scale behind it in the seven languages (`15 тыс.` is 15,000)."""

import re
from decimal import Decimal, InvalidOperation

# Grouped as in India: 1,50,000.
INDIAN = r"\d{1,2}(?:,\d{2}){1,4},\d{3}(?!\d)"
_WORDS = {
    3: "тыс тысяча тысячи тысяч thousand tsd tausend mil χιλ χιλιάδες χιλιάδων ألف آلاف الف 千",
    4: "万 萬",
    5: "lakh lakhs",
    6: "млн миллион миллиона миллионов million millions mln mio millionen millón millones εκατ εκατομμύρια εκατομμυρίων"
    " مليون ملايين 百万 百萬",
    7: "crore crores 千万 千萬",
    8: "亿 億",
    9: "млрд миллиард миллиарда миллиардов billion billions bn mrd milliarde milliarden δισ δισεκατομμύρια مليار"
    " مليارات 十亿 十億",
}
# Letters that stand directly behind a number: small ones but `k` are units.
_LETTERS = {"k": 3, "K": 3, "к": 3, "К": 3, "M": 6}
_POWER_OF = {word: power for power, words in _WORDS.items() for word in words.split()} | _LETTERS
_BY_LENGTH = sorted(_POWER_OF.keys() - _LETTERS.keys(), key=len, reverse=True)
# To stand in a pattern behind a number; the word is its only group.
SCALE = rf"((?<=\d)(?-i:[kKкКM])(?!\w)|(?:\s?(?:{'|'.join(_BY_LENGTH)})(?![^\W\d_\u2e80-\u9fff])))?\.?"


def power_of(word: str | None) -> int:
    """By which power of ten a word of scale multiplies; 0 without one."""
    word = (word or "").strip()
    return _POWER_OF.get(word) or _POWER_OF.get(word.casefold(), 0)


def values_of(number: str, scale: str | None = None) -> set[str]:
    """Every value that a number may have: its separators group thousands, or the last one begins the fraction."""
    if re.fullmatch(INDIAN, number):
        return {_normal(number.replace(",", ""), power_of(scale))}
    digits = re.sub(r"[ '’]", "", number)
    spelled = {re.sub(r"[.,]", "", digits)} if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+|\d+", digits) else set()
    if (end := max(digits.rfind("."), digits.rfind(","))) >= 0:
        spelled.add(re.sub(r"[.,]", "", digits[:end]) + "." + digits[end + 1 :])
    return {_normal(each, power_of(scale)) for each in spelled or {digits}}


def _normal(number: str, power: int) -> str:
    try:
        return f"{Decimal(number).scaleb(power).normalize():f}"
    except InvalidOperation:
        return number
