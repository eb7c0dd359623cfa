"""The facts of a text: links, codes, amounts, per cents, dates, times, numbers and names in quotes, so that two texts
can be compared.

One deterministic comparison, linear in the length of a text. A pattern does not see text that one before it takes.
Words are no numbers. A number may be read in several ways (`1.500` is 1500 or 1.5): two facts are equal where they
have a reading in common. `missing` asks whether a fact stands anywhere in other texts, `differences` whether two
texts have the same.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import NamedTuple

from apps.ai.rules.currencies import ALSO, CURRENCY_OF
from apps.ai.rules.links import tokens
from apps.ai.rules.months import MONTHS

# A longer text is compared as far as this.
MAX_READ = 60_000
LONGEST_ENDING = 4


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
    """One fact: its kind, the words as they stand, every way in which they may be read, and the year of a date."""

    kind: FactKind
    text: str
    readings: frozenset[str]
    start: int
    year: int | None = None


class FactDifference(NamedTuple):
    """A fact that one of two texts lacks: as it stands in each, None for the text without it."""

    kind: FactKind
    source: str | None
    text: str | None

    def as_json(self) -> dict[str, str | None]:
        return {"kind": self.kind.value, "source": self.source, "text": self.text}


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

_NUMBER = r"(?:\d{1,3}(?:[ '’.,]\d{3}(?!\d)){1,5}|\d{1,40})(?:[.,]\d{1,6})?(?!\d)"
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
_DAY_MONTH = re.compile(rf"(?<!\d)(\d{{1,2}})(?:\.|-?(?:го|th|st|nd|rd|er))?\s{{1,3}}(?:de\s)?({_WORD}){_YEAR}")
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
    rf"(?<!{_LETTER})({_CURRENCY_BEFORE})\.?\s?({_NUMBER})|({_NUMBER})\s?({_CURRENCY})(?!{_LETTER})", re.IGNORECASE
)
_PERCENT = re.compile(rf"({_NUMBER})\s?[%‰٪]|[%٪]\s?({_NUMBER})")
_PLAIN = re.compile(_NUMBER)
_QUOTED = re.compile(
    r"«([^«»\n]{1,60})»|“([^“”\n]{1,60})”|„([^„“”\n]{1,60})[“”]|‹([^‹›\n]{1,60})›|「([^「」\n]{1,60})」"
    r"|(?<!\w)\"([^\"\n]{1,60})\"(?!\w)|(?<!\w)'([^'\n]{1,60})'(?!\w)|(?<!\w)‘([^‘’\n]{1,60})’(?!\w)"
)
_ENDS_SENTENCE = re.compile(r"[.!?…。！？؟](?:\s|$)")
_NUMBERING = re.compile(r"(?m)^[ \t]*(?:\d{1,2}[.)]|[-*•])[ \t]+")


def facts_of(text: str, *, with_quoted: bool = False) -> list[TextFact]:
    """The facts of a text, in order; names in quotes where they are asked for. Numbering of lines is none."""
    text = unicodedata.normalize("NFKC", text[:MAX_READ].replace("№", " ")).replace("\u00a0", " ")
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


def differences(source: str, text: str) -> list[FactDifference]:
    """The facts that one of a text and its translation lacks: what is missing first, then what was added.

    Facts are counted, their order is free. Stricter than `missing`: links, codes and phone numbers are the same
    character by character, an amount has the same currency.
    """
    asked, given = facts_of(source, with_quoted=True), facts_of(text, with_quoted=True)
    left = _unmatched(asked, given)
    added = _unmatched(given, asked)
    pairs = [FactDifference(fact.kind, fact.text, None) for fact in left]
    for fact in added:
        place = next((n for n, pair in enumerate(pairs) if pair.text is None and pair.kind is fact.kind), None)
        if place is None:
            pairs.append(FactDifference(fact.kind, None, fact.text))
        else:
            pairs[place] = pairs[place]._replace(text=fact.text)
    return pairs


def _unmatched(facts: Sequence[TextFact], others: Sequence[TextFact]) -> list[TextFact]:
    """The facts that have no fellow among the others, each of which is a fellow once.

    Facts of the same readings meet first, then those of fewer readings: `1.500` takes what is left of 1500 and 1.5.
    """
    left, free = list(facts), list(others)
    for is_whole in (True, False):
        waiting: dict[object, list[TextFact]] = defaultdict(list)
        for other in free:
            for key in _keys(other, is_whole):
                waiting[key].append(other)
        taken: set[int] = set()
        unmatched = []
        for fact in sorted(left, key=lambda each: len(_strict(each))):
            keys = _keys(fact, is_whole)
            for key in keys:
                while waiting[key] and id(waiting[key][-1]) in taken:
                    waiting[key].pop()
            fellows = (each for key in keys for each in reversed(waiting[key]))
            fellow = next((each for each in fellows if id(each) not in taken and _same_year(fact, each)), None)
            if fellow is None:
                unmatched.append(fact)
            else:
                taken.add(id(fellow))
        left, free = unmatched, [other for other in free if id(other) not in taken]
    return sorted(left, key=lambda fact: fact.start)


def _keys(fact: TextFact, is_whole: bool) -> Sequence[object]:
    """All readings as one, or each by itself."""
    return [_strict(fact)] if is_whole else sorted(_strict(fact))


def _same_year(one: TextFact, other: TextFact) -> bool:
    if one.year is None or other.year is None:
        return True
    among = 100 if min(one.year, other.year) < 100 else 10_000
    return one.year % among == other.year % among


def _strict(fact: TextFact) -> frozenset[str]:
    """The ways to read a fact of which two texts must share one."""
    if fact.kind in (FactKind.LINK, FactKind.CODE):
        return frozenset({f"{fact.kind.value} {fact.text}"})
    if any(reading.startswith("phone ") for reading in fact.readings):
        return frozenset({"phone " + "".join(filter(str.isdigit, fact.text))})
    if fact.kind in (FactKind.MONEY, FactKind.PERCENT):
        return frozenset(reading for reading in fact.readings if reading.startswith(f"{fact.kind.value} "))
    return fact.readings


def missing(answer: str, sources: Iterable[str]) -> list[TextFact]:
    """The facts of an answer that stand in none of the sources."""
    known: set[str] = set()
    for source in sources:
        for fact in facts_of(source):
            known |= fact.readings
    return [fact for fact in facts_of(answer) if not fact.readings & known]


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
    sign, number = (match[1], match[2]) if match[1] else (match[4], match[3])
    currencies = {CURRENCY_OF[sign.casefold()], ALSO.get(sign, "")} - {""}
    # The amount alone is a fact, too: "560" beside "560 roubles".
    values = _values(number)
    money = {f"money {value} {currency}" for value in values for currency in currencies}
    return TextFact(FactKind.MONEY, match[0], frozenset(money | {f"number {value}" for value in values}), match.start())


def _percent(match: re.Match[str]) -> TextFact:
    values = _values(match[1] or match[2])
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
        readings |= {f"number {value}" for value in _values(match[0])}
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


def _plain(match: re.Match[str]) -> TextFact:
    values = _values(match[0])
    readings = {f"number {value}" for value in values}
    if match[0].isdigit() and int(match[0]) <= 24:
        readings.add(f"time {int(match[0]) * 60}")
    if (clock := _CLOCK.fullmatch(match[0])) and int(clock[1]) < 24:
        readings.add(f"time {int(clock[1]) * 60 + int(clock[2])}")
    return TextFact(FactKind.NUMBER, match[0], frozenset(readings), match.start())


_CLOCK = re.compile(r"(\d{1,2})\.([0-5]\d)")


def _quoted(match: re.Match[str], left: str) -> TextFact | None:
    """A name in quotes, without the facts in it, which are told by themselves."""
    inner = next(filter(None, match.groups()))
    start = match.start() + match[0].index(inner)
    words = " ".join(left[start : start + len(inner)].split())
    if not any(character.isalpha() for character in words) or _ENDS_SENTENCE.search(inner):
        return None
    return TextFact(FactKind.QUOTED, match[0], frozenset({f"quoted {words}"}), match.start())


def _values(number: str) -> set[str]:
    """Every value that a number may have: its separators group thousands, or the last one begins the fraction."""
    digits = re.sub(r"[ '’]", "", number)
    spelled = {re.sub(r"[.,]", "", digits)} if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+|\d+", digits) else set()
    if (end := max(digits.rfind("."), digits.rfind(","))) >= 0:
        spelled.add(re.sub(r"[.,]", "", digits[:end]) + "." + digits[end + 1 :])
    return {_normal(each) for each in spelled} or {digits}


def _normal(number: str) -> str:
    try:
        return f"{Decimal(number).normalize():f}"
    except InvalidOperation:
        return number


# A sentence ends at a mark before a space, or at a line's end; no dot of a number, address or abbreviation is one.
_SENTENCE = re.compile(r"(?:[^\n.!?。！？؟]|[.!?](?=\S)|\.(?= [a-zа-яё]))+[.!?。！？؟]*[ \t]*\n*|[.!?。！？؟\s]+")


def without_unsupported(answer: str, sources: Iterable[str]) -> str:
    """The answer without the sentences that name a fact which stands in none of the sources."""
    known = list(sources)
    kept = [part for part in _SENTENCE.findall(answer[:MAX_READ]) if not missing(part, known)]
    return "".join(kept).strip()
