"""The facts of a text: links, codes, amounts, per cents, dates, times, numbers and names in quotes, so that two texts
can be compared.

One deterministic comparison, linear in the length of a text. A pattern does not see text that one before it takes.
Words are no numbers. A number may be read in several ways (`1.500` is 1500 or 1.5): two facts are equal where they
have a reading in common. `KnownFacts` tells whether a fact stands anywhere in other texts, `fact_differences` whether
two texts have the same.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from apps.ai.rules.currencies import ALSO, CURRENCY_OF
from apps.ai.rules.links import tokens
from apps.ai.rules.months import MONTHS
from apps.ai.rules.scales import INDIAN, SCALE, values_of
from apps.ai.rules.units import units_behind
from apps.core.parsing.normal_forms import normalize

# A longer text is compared as far as this.
MAX_READ = 60_000
LONGEST_ENDING = 4
# Between two sources: no fact goes on from one to the next.
_APART = "\n\0\n"


class FactKind(StrEnum):
    LINK = "link"
    CODE = "code"
    MONEY = "money"
    PERCENT = "percent"
    DATE = "date"
    TIME = "time"
    NUMBER = "number"
    QUOTED = "quoted"


class TextFact(NamedTuple):
    """One fact: its kind, the words as they stand, every way in which they may be read, the year of a date, and which
    units the word behind a number may be.
    """

    kind: FactKind
    text: str
    readings: frozenset[str]
    start: int
    year: int | None = None
    units: frozenset[str] = frozenset()


# A word that is no letter alone may stand before its number; longer words first, so that none is cut.
_BY_LENGTH = sorted(CURRENCY_OF, key=len, reverse=True)
_CURRENCY = "|".join(map(re.escape, _BY_LENGTH))
_CURRENCY_BEFORE = "|".join(re.escape(word) for word in _BY_LENGTH if len(word) > 1 or not word.isalpha())

_MONTHS = (
    "январ januar januari enero ιανουαρ يناير",
    "феврал februar febrero φεβρουαρ فبراير",
    "март марта march märz marzo μαρτ مارس",
    "апрел april abril απριλ أبريل",
    "мая май may mai mayo μαι مايو",
    "июн june juni junio ιουν يونيو",
    "июл july juli julio ιουλ يوليو",
    "август august agosto αυγουστ أغسطس",
    "сентябр september septiembre σεπτεμβρ سبتمبر",
    "октябр october oktober octubre οκτωβρ أكتوبر",
    "ноябр november noviembre νοεμβρ نوفمبر",
    "декабр december dezember diciembre δεκεμβρ ديسمبر",
)
_VERBS = frozenset({"may", "march"})  # small, they are no months
_MONTH_OF = {stem: number for number, stems in enumerate(_MONTHS, 1) for stem in stems.split()}

_NUMBER = rf"(?:{INDIAN}|\d{{1,3}}(?:[ '’.,]\d{{3}}(?!\d)){{1,5}}|\d{{1,40}})(?:[.,]\d{{1,6}})?(?!\d)"
_WORD = r"[^\W\d_]{1,20}"
_YEAR = r"(?:,?\s(?:de\s|del\s)?(\d{4})(?!\d))?"
# Scripts that put no spaces between words: what stands beside such a letter is no part of its word.
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af"
_SIGN, _LETTER = rf"[^\W{_UNSPACED}]", rf"[^\W\d_{_UNSPACED}]"
_CODE = re.compile(
    rf"(?<!{_SIGN})(?<![#@])(?:[#@]\w{{2,40}}"
    rf"|(?={_SIGN}{{0,40}}\d)(?={_SIGN}{{0,40}}{_LETTER}){_SIGN}{{4,40}}(?:[-/]{_SIGN}{{1,40}}){{0,4}}"
    rf"|[A-Z0-9]{{2,20}}(?:[-_/][A-Z0-9]{{1,20}}){{1,4}})(?!{_SIGN})"
)
# A telephone number, however it is grouped: ten digits at least, or a plus.
_PHONE = re.compile(r"(?<![\w+])(?:\+\d(?:[ ().-]{0,3}\d){6,14}|\(?\d(?:[ ().-]{0,3}\d){9,14})(?!\d)")
_UNIT = re.compile(r"\d{1,9}[^\W\d_]{1,5}|\d{1,2}h\d{2}")
_DATE = re.compile(r"(?<!\d)(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})([./])(\d{1,2})(?:\5(\d{4}|\d{2}))?)(?![\d])")
_DAY_MONTH = re.compile(rf"(?<!\d)(\d{{1,2}})(?:\.|-?(?:го|th|st|nd|rd|er))?\s{{1,3}}(?:de\s|of\s)?({_WORD}){_YEAR}")
_MONTH_DAY = re.compile(
    rf"(?:(?<!\d)(\d{{4}})[.,]?\s)?(?<![^\W\d_])({_WORD})\s(\d{{1,2}})(?:st|nd|rd|th)?(?!\d){_YEAR}"
)
# Of scripts that put the words day and month behind the numbers.
_NUMBERED = re.compile(r"(?:(?<!\d)(\d{4})\s?[年년]\s?)?(?<!\d)(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号일]")
_TIME = re.compile(
    r"(?<![\d:.,])(\d{1,2})(?::(\d{2}))?\s?(am|pm|a\.m\.|p\.m\.)(?!\w)"
    r"|(?<![\d:.,])(\d{1,2})\s?[:h時时点]\s?(\d{2})(?!\d|:\d)",
    re.IGNORECASE,
)
_MONEY = re.compile(
    rf"(?<!{_LETTER})({_CURRENCY_BEFORE})\.?\s?({_NUMBER}){SCALE}|({_NUMBER}){SCALE}\s?(?:de\s)?({_CURRENCY})(?!{_LETTER})",
    re.IGNORECASE,
)
_PERCENTS = "per ?cent|процент(?:а|ов)?|prozent|por ciento|τοις εκατό|بالمئة|بالمائة|في المئة|في المائة"
_PERCENT = re.compile(
    rf"({_NUMBER})\s?(?:[%‰٪]|(?:{_PERCENTS})(?!{_LETTER}))|(?:[%٪]|百分之)\s?({_NUMBER})", re.IGNORECASE
)
# A minus stands directly before its number, and behind no other: that is a range.
_PLAIN = re.compile(rf"((?<!\w)(?<!\d )[-−](?=\d))?({_NUMBER}){SCALE}", re.IGNORECASE)
_QUOTED = re.compile(
    r"«([^«»\n]{1,60})»|“([^“”\n]{1,60})”|„([^„“”\n]{1,60})[“”]|‹([^‹›\n]{1,60})›|「([^「」\n]{1,60})」"
    r"|(?<!\w)\"([^\"\n]{1,60})\"(?!\w)|(?<!\w)'([^'\n]{1,60})'(?!\w)|(?<!\w)‘([^‘’\n]{1,60})’(?!\w)"
)
_ENDS_SENTENCE = re.compile(r"[.!?…。！？؟](?:\s|$)")
# Between a number and a fraction of one character: 1½.
_BESIDE_FRACTION = re.compile("(?<=[0-9])(?=[¼½¾⅓⅔⅛])")
# A name with a number that is written in capitals, or like any name.
_IN_CAPITALS = re.compile(r"(?<!\w)(?:covid|sars-cov|ковид)(?=-\d)", re.IGNORECASE)
_NUMBERING = re.compile(r"(?m)^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+")


def facts_of(text: str, *, with_quoted: bool = False) -> list[TextFact]:
    """The facts of a text, in order; names in quotes where they are asked for. Numbering of lines is none."""
    return _facts(text[:MAX_READ], with_quoted=with_quoted)


def _facts(text: str, *, with_quoted: bool = False) -> list[TextFact]:
    text = normalize("NFKC", _BESIDE_FRACTION.sub(" ", text.replace("№", " ")))
    text = _IN_CAPITALS.sub(lambda name: name[0].upper(), text.replace("\u00a0", " ").replace("\u2044", "/"))
    text = "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in text)
    found: list[TextFact] = []
    text = _NUMBERING.sub(lambda mark: " " * len(mark[0]), text)
    whole = text
    found += (links := _links(text))
    text = _without(text, links)
    for pattern, read in (
        (_PHONE, _phone),
        (_CODE, _code),
        (_MONEY, _money),
        (_PLAIN, _scaled),
        (_PERCENT, _percent),
        (_DATE, _date),
        (_NUMBERED, _numbered),
        (_DAY_MONTH, _day_month),
        (_MONTH_DAY, _month_day),
        (_TIME, _time),
        (_PLAIN, _plain),
    ):
        taken = [fact for match in pattern.finditer(text) if (fact := read(match))]
        found += taken
        text = _without(text, taken)
    if with_quoted:
        found += [fact for match in _QUOTED.finditer(whole) if (fact := _quoted(match, text))]
    return sorted(found, key=lambda fact: fact.start)


class KnownFacts:
    """The facts of the sources of an answer, each read once, however many sentences are compared with them."""

    def __init__(self, sources: Iterable[str]) -> None:
        whole = _APART.join(text[:MAX_READ] for text in sources)
        self._facts: dict[str, set[frozenset[str]]] = defaultdict(set)  # by reading, the units with which it stands
        for fact in _facts(whole):
            for reading in fact.readings:
                self._facts[reading].add(fact.units)

    def missing(self, answer: str) -> list[TextFact]:
        """The facts of an answer that stand in none of the sources."""
        return [fact for fact in _facts(answer[:MAX_READ]) if not self._has(fact)]

    def _has(self, fact: TextFact) -> bool:
        known = (units for reading in fact.readings for units in self._facts.get(reading, ()))
        return any(not units or not fact.units or not units.isdisjoint(fact.units) for units in known)

    def without_unsupported(self, answer: str) -> str:
        """The answer without the sentences that name a fact which stands in none of the sources."""
        kept = [part for part in sentences_of(answer) if not self.missing(part)]
        return "".join(kept).strip()


def sentences_of(text: str) -> list[str]:
    """The sentences and lines of a text, which together are the text; no more than MAX_READ characters of it."""
    return _SENTENCE.findall(text[:MAX_READ])


def _without(text: str, taken: Iterable[TextFact]) -> str:
    """The text with spaces in the places of those facts, so that nothing sees them again."""
    pieces, end = [], 0
    for fact in sorted(taken, key=lambda each: each.start):
        pieces += [text[end : fact.start], " " * len(fact.text)]
        end = fact.start + len(fact.text)
    return "".join((*pieces, text[end:]))


def _links(text: str) -> list[TextFact]:
    return [
        TextFact(FactKind.LINK, token.text, frozenset({f"link {_address(token.text)}"}), token.start)
        for token in tokens(text)
    ]


def _address(text: str) -> str:
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", text.casefold()).rstrip("/.,")


def _phone(match: re.Match[str]) -> TextFact:
    digits = "".join(each for each in match[0] if each.isdigit())
    return TextFact(FactKind.NUMBER, match[0], frozenset({f"phone {digits[-10:]}"}), match.start())


def _code(match: re.Match[str]) -> TextFact | None:
    text = match[0]
    if _UNIT.fullmatch(text) or not any(character.isalpha() for character in text):
        return None
    return TextFact(FactKind.CODE, text, frozenset({f"code {text.casefold()}"}), match.start())


def _money(match: re.Match[str]) -> TextFact:
    sign, number, scale = match.group(1, 2, 3) if match[1] else match.group(6, 4, 5)
    currencies = {CURRENCY_OF[sign.casefold()], ALSO.get(sign, "")} - {""}
    # The amount alone is a fact, too: "560" beside "560 roubles".
    values = values_of(number, scale)
    money = {f"money {value} {currency}" for value in values for currency in currencies}
    return TextFact(FactKind.MONEY, match[0], frozenset(money | {f"number {value}" for value in values}), match.start())


def _percent(match: re.Match[str]) -> TextFact:
    values = values_of(match[1] or match[2])
    readings = frozenset({*(f"percent {value}" for value in values), *(f"number {value}" for value in values)})
    return TextFact(FactKind.PERCENT, match[0], readings, match.start())


def _date(match: re.Match[str]) -> TextFact | None:
    if match[1]:
        pairs = {(int(match[3]), int(match[2]))}
    else:
        first, second = int(match[4]), int(match[6])
        pairs = {(first, second)} | ({(second, first)} if match[5] == "/" else set())
    readings = {f"date {day} {month}" for day, month in pairs if 1 <= day <= 31 and 1 <= month <= 12}
    if not readings:
        return None
    if match[5] == "." and not match[7]:
        readings |= {f"number {value}" for value in values_of(match[0])}
    year = match[1] or match[7]
    return TextFact(FactKind.DATE, match[0], frozenset(readings), match.start(), int(year) if year else None)


def _numbered(match: re.Match[str]) -> TextFact | None:
    month, day = int(match[2]), int(match[3])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    readings = frozenset({f"date {day} {month}"})
    return TextFact(FactKind.DATE, match[0], readings, match.start(), int(match[1]) if match[1] else None)


def _day_month(match: re.Match[str]) -> TextFact | None:
    return _named(match, match[1], match[2], match[3])


def _month_day(match: re.Match[str]) -> TextFact | None:
    return _named(match, match[3], match[2], match[1] or match[4])


def _named(match: re.Match[str], day: str, word: str, year: str | None) -> TextFact | None:
    months = _months(word)
    if not months or not 1 <= int(day) <= 31:
        return None
    readings = frozenset(f"date {int(day)} {month}" for month in months)
    return TextFact(FactKind.DATE, match[0], readings, match.start(), int(year) if year else None)


def _months(word: str) -> frozenset[int]:
    """The numbers of the months that a word names: of forty languages as it is, of the seven in any case."""
    folded = word.casefold()
    if word in _VERBS:
        return frozenset()
    if folded in MONTHS:
        return MONTHS[folded]
    named = (stem for stem in _MONTH_OF if folded.startswith(stem) and len(folded) <= len(stem) + LONGEST_ENDING)
    return frozenset(_MONTH_OF[stem] for stem in named)


def _time(match: re.Match[str]) -> TextFact | None:
    hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
    if match[3]:
        hour = hour % 12 + (12 if match[3][0] in "pP" else 0)
    if hour > 24 or minute > 59:
        return None
    readings = {f"time {hour * 60 + minute}"} | ({f"number {hour}"} if not minute else set())
    return TextFact(FactKind.TIME, match[0], frozenset(readings), match.start())


def _scaled(match: re.Match[str]) -> TextFact | None:
    return _plain(match) if match[3] else None


def _plain(match: re.Match[str]) -> TextFact:
    sign = "-" if match[1] else ""
    readings = {f"number {sign}{value}" for value in values_of(match[2], match[3])}
    if match[0].isdigit() and int(match[0]) <= 24:
        readings.add(f"time {int(match[0]) * 60}")
    if (clock := _CLOCK.fullmatch(match[0])) and int(clock[1]) < 24:
        readings.add(f"time {int(clock[1]) * 60 + int(clock[2])}")
    units = units_behind(match.string, match.end())
    return TextFact(FactKind.NUMBER, match[0], frozenset(readings), match.start(), units=units)


_CLOCK = re.compile(r"(\d{1,2})\.([0-5]\d)")


def _quoted(match: re.Match[str], left: str) -> TextFact | None:
    """A name in quotes, without the facts in it, which are told by themselves."""
    inner = next(filter(None, match.groups()))
    start = match.start() + match[0].index(inner)
    words = " ".join(left[start : start + len(inner)].split())
    if not any(character.isalpha() for character in words) or _ENDS_SENTENCE.search(inner):
        return None
    return TextFact(FactKind.QUOTED, match[0], frozenset({f"quoted {words}"}), match.start())


# A sentence ends at a mark before a space, or at a line's end; no dot of a number, address or abbreviation is one.
_SENTENCE = re.compile(r"(?:[^\n.!?。！？؟]|[.!?](?=\S)|\.(?= [a-zа-яё]))+[.!?。！？؟]*[ \t]*\n*|[.!?。！？؟\s]+")
