"""Personal data in texts: where e-mail addresses, phone numbers and card numbers stand. Pure.

A number that may be either is personal: to show a person's phone number is worse than to hide an order's. Text that
names a thing is left as it is, however many digits it holds: guids and other hex tokens, dates, times, IP addresses.

The time is linear in the length of any text: no pattern starts again within a run that it has read, none gives back
what it took, and of digits only windows of a bounded length are looked at.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple


class PersonalKind(StrEnum):
    """The kinds of personal data."""

    EMAIL = "email"
    PHONE = "phone"
    CARD = "card"


class Personal(NamedTuple):
    """A piece of personal data: its kind, the text itself, and where it begins and ends in the whole."""

    kind: PersonalKind
    text: str
    start: int
    end: int


def find_personal(text: str) -> Iterator[Personal]:
    """The e-mail addresses, phone numbers and cards of a text, in their order; none overlaps another."""
    end = 0
    for match in _EMAIL.finditer(text):
        yield from _numbers(text[end : match.start()], end)
        yield Personal(PersonalKind.EMAIL, match[0], *match.span())
        end = match.end()
    yield from _numbers(text[end:], end)


def replaced(text: str, replacement: Callable[[Personal], str]) -> str:
    """The text with each piece of personal data replaced by what the function makes of it."""
    pieces: list[str] = []
    end = 0
    for found in find_personal(text):
        pieces += (text[end : found.start], replacement(found))
        end = found.end
    return "".join((*pieces, text[end:]))


# --- E-mail addresses -------------------------------------------------------------------------------------------------

# In any script. An address begins where a run of its characters does, and its domain has a dot.
_LOCAL = r"\w.!#$%'*+^~`-"
_EMAIL = re.compile(rf"(?<![{_LOCAL}])[{_LOCAL}]++[@＠][\w-]++(?:\.[\w-]+)+")

# --- Numbers ----------------------------------------------------------------------------------------------------------

_DASHES = r"\-\u2010-\u2015\u2212"
_SEPARATORS = rf"[ \t\u00a0\u2000-\u200d\u202f\u2060()./{_DASHES}]"
# A + and a parenthesis, if there is one, then digits with at most four separators between two of them.
_NUMBER = rf"(?P<number>(?:[+＋][ \u00a0]?)?\(?\d(?:{_SEPARATORS}{{0,4}}\d)*)"
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_DAY, _MONTH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_KEPT = (
    r"(?<![0-9A-Za-z])[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}(?![0-9A-Za-z])",  # a UUID
    r"(?<![0-9A-Za-z])(?=[0-9]*+[A-Fa-f])[0-9A-Fa-f]{16,}+(?![0-9A-Za-z])",  # a guid, a digest
    rf"(?<!\d)(?:19|20)\d\d([-./]){_MONTH}\1{_DAY}(?!\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{{1,9}})?)?(?:[+-]\d\d:\d\d)?)?",
    rf"(?<!\d){_DAY}([./]){_MONTH}\2(?:19|20)\d\d(?!\d)",
    r"(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?!\d)",
    rf"(?<![\d.])(?:{_OCTET}\.){{3}}{_OCTET}(?!\d|\.\d)",
)
_KEPT_OR_NUMBER = re.compile("|".join((*_KEPT, _NUMBER)))
_GROUP = re.compile(r"\d+")
_SHORT_LOCAL = re.compile(rf"\d{{3}}[{_DASHES}]\d\d[{_DASHES}]\d\d")

Span = tuple[int, int]


# The shortest number that is personal: +6834000, or 123-45-67.
_SHORTEST = 8


def _numbers(text: str, offset: int) -> Iterator[Personal]:
    """The phone numbers and cards of a text without e-mail addresses, which begins there in the whole."""
    for match in _KEPT_OR_NUMBER.finditer(text):
        number = match["number"]
        if number is None or len(number) < _SHORTEST:
            continue
        groups = [group.span() for group in _GROUP.finditer(number)]
        begins = offset + match.start()
        for kind, first, last in _personal(number, groups):
            start, end = groups[first][0], groups[last][1]
            if first == 0 and not (number.startswith("(") and ")" not in number[:end]):
                start = 0  # with its + and its parenthesis
            yield Personal(kind, number[start:end], begins + start, begins + end)


def _personal(number: str, groups: Sequence[Span]) -> Iterator[tuple[PersonalKind, int, int]]:
    """The runs of groups, from first to last, that are cards or phone numbers; none shares a group with another."""
    cards = _cards(number, groups)
    place = 0
    while place < len(groups):
        kind, last = PersonalKind.CARD, cards.get(place)
        if last is None:
            kind, last = PersonalKind.PHONE, _phone_from(number, groups, place, cards)
        if last is None:
            place += 1
        else:
            yield kind, place, last
            place = last + 1


# --- Cards ------------------------------------------------------------------------------------------------------------

_SHORTEST_CARD, _LONGEST_CARD = 13, 19
# How cards are printed. In any other grouping, only a number that is nothing but a card of 15 digits or more is one.
_CARD_GROUPS = frozenset(
    {
        *((4, 4, 4, 4), (4, 4, 4, 4, 1), (4, 4, 4, 4, 2), (4, 4, 4, 4, 3), (4, 4, 4, 3), (4, 4, 4, 1), (4, 4, 5)),
        *((4, 6, 5), (4, 6, 4), (8, 8), (6, 13), (8, 10)),
    }
)
_MOST_CARD_GROUPS = 5


def _cards(number: str, groups: Sequence[Span]) -> dict[int, int]:
    """The cards in a number: the last group of each by its first."""
    lengths = [end - start for start, end in groups]
    if 15 <= sum(lengths) <= _LONGEST_CARD and is_card(_digits(number, groups)):
        return {0: len(groups) - 1}
    found: dict[int, int] = {}
    place = 0
    while place < len(groups):
        last = place
        for number_of_groups in range(_MOST_CARD_GROUPS, 0, -1):
            window = tuple(lengths[place : place + number_of_groups])
            is_printed = len(window) == number_of_groups and (number_of_groups == 1 or window in _CARD_GROUPS)
            if is_printed and is_card(_digits(number, groups[place : place + number_of_groups])):
                last = found[place] = place + number_of_groups - 1
                break
        place = last + 1
    return found


def is_card(digits: str) -> bool:
    """Whether they are 13 to 19 digits with Luhn's checksum. A time in milliseconds, which may have it, is none."""
    if not _SHORTEST_CARD <= len(digits) <= _LONGEST_CARD or (len(digits) == _SHORTEST_CARD and digits[0] == "1"):
        return False
    return sum(map(int, digits[-1::-2])) % 10 == -sum(sum(divmod(2 * int(d), 10)) for d in digits[-2::-2]) % 10


# --- Phone numbers ----------------------------------------------------------------------------------------------------

_FEWEST_DIGITS, _LONGEST_PHONE = 7, 18
# In how many groups one is written that does not begin where the run of digits does.
_MOST_PHONE_GROUPS = 7
# How those without a + are written that no first digits give away: 901 123-45-67, (212) 555-0123, 1-212-555-0123.
_PHONE_GROUPS = frozenset({(3, 3, 2, 2), (3, 3, 4), (3, 7), (4, 2, 2, 2), (3, 4, 4), (1, 3, 3, 4)})
_TELLING = re.compile(
    r"[78][3-9]\d{9}"  # Russia and Kazakhstan: 8 (901) 123-45-67
    r"|9\d{9}"  # Russian mobiles without their 8
    r"|810[1-9]\d{8,14}"  # abroad, called from Russia
    r"|00[1-9]\d{7,14}"  # abroad, called from nearly everywhere else
    r"|0[1-9]\d{7,9}"  # with the trunk prefix of most of Europe: 030 901820, 06 12 34 56 78
    r"|(?:375|380|992|993|994|995|996|998)\d{9}|37[34]\d{8}"  # Russia's neighbours, without the +
)


def _phone_from(number: str, groups: Sequence[Span], place: int, cards: Mapping[int, int]) -> int | None:
    """The last group of the longest phone number that begins with that group; None where none does."""
    has_plus = place == 0 and number[0] in "+＋"
    most = _LONGEST_PHONE if place == 0 else _MOST_PHONE_GROUPS
    lengths: tuple[int, ...] = ()
    total = 0
    found = None
    for last in range(place, min(place + most, len(groups))):
        length = groups[last][1] - groups[last][0]
        lengths, total = (*lengths, length), total + length
        if last in cards or total > _LONGEST_PHONE:
            break
        if total < _FEWEST_DIGITS:
            continue
        digits = _digits(number, groups[place : last + 1])
        if has_plus and total == 11 and digits[0] in "17":
            return last  # the whole of a North American or Russian number: what follows is another
        written = number[groups[place][0] : groups[last][1]]
        if total <= 15 if has_plus else _is_phone(digits, lengths, written):
            found = last
    return found


def _is_phone(digits: str, lengths: tuple[int, ...], written: str) -> bool:
    """Whether digits without a + before them are a phone number, written in groups of those lengths."""
    if len(digits) == _FEWEST_DIGITS:
        return _SHORT_LOCAL.fullmatch(written) is not None
    if len(digits) < 9 or _is_amount(lengths):
        return False
    return lengths in _PHONE_GROUPS or _TELLING.fullmatch(digits) is not None


def _is_amount(lengths: tuple[int, ...]) -> bool:
    """Whether they are the groups of thousands: 83 450 000 000."""
    return len(lengths) > 2 and lengths[0] <= 3 and set(lengths[1:]) == {3}


def _digits(number: str, groups: Sequence[Span]) -> str:
    """The digits of the groups, as ASCII whatever script they were written in."""
    written = "".join(number[start:end] for start, end in groups)
    return written if written.isascii() else "".join(str(int(digit)) for digit in written)
