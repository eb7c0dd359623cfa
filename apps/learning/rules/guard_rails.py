"""Guard rails: why a patch may not be applied. Pure; the first breach in the order of `GuardRail` is the reason.

Texts are searched as a reader, or a model, would read them: look-alike letters of other scripts, full-width forms and
invisible characters in between do not hide a link or a marker.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from apps.core.parsing.normal_forms import normalize
from apps.core.parsing.personal import find_personal
from apps.learning.rules.differences import kept
from apps.learning.rules.markers import IGNORE_PHRASES
from apps.learning.rules.patches import FIELDS, Change, FindNotUnique, Texts, applied
from apps.learning.rules.pledges import Pledges

MAX_CHANGES = 5
MAX_TEXT, MAX_GROWTH = 600, 1_200
MAX_LITERAL_TEXT, MAX_LITERAL_GROWTH = 2_002, 2_100
MAX_FIELDS = {"persona": 8_000, "system_prompt": 20_000}
REWRITTEN_FROM = 400
COPIED = 120


class GuardRail(StrEnum):
    """The guard rails, in their order."""

    TOO_MANY_OPERATIONS = "too_many_operations"
    TOO_LONG = "too_long"
    FIND_NOT_UNIQUE = "find_not_unique"
    PINNED_LINE = "pinned_line"
    WHOLE_REWRITE = "whole_rewrite"
    NEW_LINK = "new_link"
    NEW_CONTACT = "new_contact"
    NEW_PLEDGE = "new_pledge"
    MARKER = "marker"
    SECRET = "secret"  # noqa: S105 - the name of a rule
    FORBIDDEN_CHARACTERS = "forbidden_characters"
    COPIED_TEXT = "copied_text"


class Breach(NamedTuple):
    """The guard rail that a patch breaks, and where."""

    rule: GuardRail
    detail: str


class GuardVerdict(NamedTuple):
    """The new text, or the breach that refuses it."""

    after: Texts
    breach: Breach | None


def judged(
    before: Texts,
    changes: Sequence[Change],
    *,
    allowed: str = "",
    evidence: Iterable[str] = (),
    is_literal: bool = False,
) -> GuardVerdict:
    """Whether the patch may be applied. `allowed`: the wish, whose links and contacts may come in; `evidence`: texts
    of customers, of which nothing may be copied; `is_literal`: the patch is the wish itself.
    """
    longest, growth = (MAX_LITERAL_TEXT, MAX_LITERAL_GROWTH) if is_literal else (MAX_TEXT, MAX_GROWTH)
    if len(changes) > MAX_CHANGES:
        return GuardVerdict(before, Breach(GuardRail.TOO_MANY_OPERATIONS, f"{len(changes)}; at most {MAX_CHANGES}."))
    if too_long := next((one for one in changes if len(one.text or "") > longest), None):
        return GuardVerdict(
            before, Breach(GuardRail.TOO_LONG, f"A text of {len(too_long.text or '')}; at most {longest}.")
        )
    try:
        after = applied(before, changes)
    except FindNotUnique:
        return GuardVerdict(
            before, Breach(GuardRail.FIND_NOT_UNIQUE, "What is to be replaced stands there not exactly once.")
        )
    if breach := _too_long(before, after, growth) or _breach(before, after, changes, allowed, evidence):
        return GuardVerdict(before, breach)
    return GuardVerdict(after, None)


def _too_long(before: Texts, after: Texts, growth: int) -> Breach | None:
    grown = sum(len(new) - len(old) for old, new in zip(before, after, strict=True))
    if grown > growth:
        return Breach(GuardRail.TOO_LONG, f"It grows by {grown}; at most {growth}.")
    for name, longest in MAX_FIELDS.items():
        if len(getattr(after, name)) > longest and len(getattr(after, name)) > len(getattr(before, name)):
            return Breach(GuardRail.TOO_LONG, f"{name} would have more than {longest} characters.")
    return None


def _breach(
    before: Texts, after: Texts, changes: Sequence[Change], allowed: str, evidence: Iterable[str]
) -> Breach | None:
    added = _added(changes)
    known = "\n".join((*before, allowed))
    checks: tuple[Callable[[], Breach | None], ...] = (
        lambda: _pinned(before, after),
        lambda: _rewritten(before, after),
        lambda: _new(GuardRail.NEW_LINK, _links, after, known),
        lambda: _new(GuardRail.NEW_CONTACT, _contacts, after, known),
        lambda: _pledged(before, after, allowed),
        lambda: _marker(before, after),
        lambda: _secret(before, after),
        lambda: _forbidden(added),
        lambda: _copied(added, evidence, "\n".join(before)),
    )
    return next((breach for check in checks if (breach := check())), None)


def _added(changes: Sequence[Change]) -> list[str]:
    return [change.text for change in changes if change.text]


# --- Lines that their owner has pinned, and rewrites ------------------------------------------------------------------


def _pinned(before: Texts, after: Texts) -> Breach | None:
    for name in FIELDS:
        old, new = (_pinned_lines(getattr(texts, name)) for texts in (before, after))
        if old != new:
            return Breach(GuardRail.PINNED_LINE, f"The pinned lines of {name} would change.")
    return None


def _pinned_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if _visible(line).lstrip().startswith(("!", "！"))]


def _rewritten(before: Texts, after: Texts) -> Breach | None:
    for name in FIELDS:
        old, new = getattr(before, name), getattr(after, name)
        if len(old) < REWRITTEN_FROM:
            continue
        if len(old) - kept(old, new) > len(old) / 2:
            return Breach(GuardRail.WHOLE_REWRITE, f"More than half of {name} would go.")
    return None


# --- What may not come in ---------------------------------------------------------------------------------------------

# Letters of other scripts that look like Latin ones; what they are read as.
_LOOK_ALIKE = str.maketrans(
    "аеорсухіјѕԁһԛԝвкмнтАЕОРСУХІЈЅВКМНТαεορτυνικΑΒΕΖΗΙΚΜΝΟΡΤΥΧօսոհցℎℓ∕⁄։:ꓸ。．·",
    "aeopcyxijsdhqwbkmhtaeopcyxijsbkmhtaeoptuvikabezhikmnoptyxouohqhl//:: ...".replace(" ", "."),
)
_LINK = re.compile(
    r"(?<![a-z0-9+.-])[a-z0-9+.-]++:/\s*+/[^\s<>\"']+|(?<![\w@.-])(?:[a-z0-9-]+\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]+)(?![\w@])"
)
_NATIVE_HOST = re.compile(r"(?<![\w@.-])(?:[\w-]+\.)+(?:рф|рус|москва|сайт|онлайн|дети|бел|укр|ελ|中国|網站|网址)\b")
_HANDLE = re.compile(r"(?<![\w@/.])@[a-z0-9_]{3,}")
_DIGITS = re.compile(r"(?:\d[\s().\-–—/]*){7,}")
_MARKER = re.compile(r"\[\s*(?:key|email|phone|card)[\s_]*(?:\d+|\w*)\s*\]|\[key_")
_ROLE = re.compile(
    r"^[^\w\n]*+(?:system|assistant|user|developer|human|tool|система|ассистент|пользователь|σύστημα|sistema|系统|النظام)"
    r"\s*[:：]",
    re.MULTILINE,
)
_TEMPLATE_TAG = re.compile(
    r"<\|[^|]*\|?>|<｜|\[/?inst\]|<</?sys>>|</?s>|<(?:start|end)_of_turn>|"
    r"</?(?:system|assistant|user|instructions?|prompt)\s*>|###\s*(?:system|instruction|human|assistant)"
)
_SECRET = re.compile(
    r"\bpt_[A-Za-z0-9_-]{8,}|\bsk-[A-Za-z0-9_-]{8,}|-----BEGIN [A-Z ]+-----|\b(?:ghp|gho|xox[abp]|AKIA|AIza)[\w-]{12,}"
    r"|(?<![0-9A-Fa-f])[0-9A-Fa-f]{40,}(?![0-9A-Fa-f])|(?<![A-Za-z0-9+/])[A-Za-z0-9+/_-]{40,}={0,2}"
)


def _visible(text: str) -> str:
    """A text without characters that show nothing, in its compatible form."""
    text = "".join(one for one in text if unicodedata.category(one) not in ("Cf", "Mn", "Me") or one == "\n")
    return normalize("NFKC", text)


def _small(text: str) -> str:
    return _visible(text).casefold()


def _read(text: str) -> str:
    """A text as it is read: visible, in small letters, with look-alike letters for what they look like."""
    return _visible(text).casefold().translate(_LOOK_ALIKE)


def _links(text: str) -> set[str]:
    """The links and host names of a text, as they are read. A sentence's end without a space is no host."""
    native = {match[0] for match in _NATIVE_HOST.finditer(_visible(text).casefold())}
    return native | {match[0].rstrip(".,;:!?)»") for match in _LINK.finditer(_read(text))}


def _contacts(text: str) -> set[str]:
    read = _read(text)
    plain = "".join(str(unicodedata.digit(one, None) or 0) if one.isdigit() else one for one in _visible(text))
    found = {match[0] for match in _HANDLE.finditer(read)}
    found |= {"".join(filter(str.isdigit, match[0])) for match in _DIGITS.finditer(plain)}
    return found | {_key(one.text) for source in (plain, read) for one in find_personal(source)}


def _key(text: str) -> str:
    return text.casefold() if "@" in text else "".join(filter(str.isdigit, text))


def _new(rule: GuardRail, find: Callable[[str], set[str]], after: Texts, known: str) -> Breach | None:
    """Looks at the whole text, not at what is added: what two steps write together counts, too."""
    new = sorted(find("\n".join(after)) - find(known))
    return Breach(rule, new[0][:100]) if new else None


def _bare(text: str) -> str:
    """A text as it is read, without accents."""
    return _read("".join(one for one in normalize("NFKD", text) if unicodedata.category(one) != "Mn"))


_PLEDGES = Pledges(_bare)


def _pledged(before: Texts, after: Texts, allowed: str) -> Breach | None:
    """Only a person makes a price, a discount or a promise: each stood there before, or stands in their wish."""
    known, wished = _PLEDGES.sentences("\n".join(before)), _PLEDGES.words(allowed)
    for sentence, words in _PLEDGES.sentences("\n".join(after)).items():
        if sentence not in known and not words <= wished:
            return Breach(GuardRail.NEW_PLEDGE, min(words - wished)[:100])
    return None


def _marker(before: Texts, after: Texts) -> Breach | None:
    for name in FIELDS:
        for read in (_read, _small):
            old, new = read(getattr(before, name)), read(getattr(after, name))
            for pattern in (_MARKER, _ROLE, _TEMPLATE_TAG):
                known = {match[0] for match in pattern.finditer(old)}
                if match := next((one for one in pattern.finditer(new) if one[0] not in known), None):
                    return Breach(GuardRail.MARKER, match[0].strip()[:100])
        words, known_words = _words(getattr(after, name)), _words(getattr(before, name))
        if phrase := next(
            (one for one in map(_words, IGNORE_PHRASES) if one in words and one not in known_words), None
        ):
            return Breach(GuardRail.MARKER, phrase)
    return None


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", _visible(text).casefold()))


def _secret(before: Texts, after: Texts) -> Breach | None:
    old = {match[0] for text in before for match in _SECRET.finditer(_visible(text))}
    new = {match[0] for text in after for match in _SECRET.finditer(_visible(text))}
    return Breach(GuardRail.SECRET, "It looks like a key.") if new - old else None


def _forbidden(added: Iterable[str]) -> Breach | None:
    for text in added:
        for one in text:
            if one != "\n" and unicodedata.category(one) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
                return Breach(GuardRail.FORBIDDEN_CHARACTERS, f"U+{ord(one):04X}")
    return None


def _copied(added: Iterable[str], evidence: Iterable[str], known: str) -> Breach | None:
    """White space and case do not make a copy another text."""
    pieces = {piece for text in added for piece in _pieces(_plain(text))}
    if pieces:
        pieces.difference_update(_pieces(_plain(known)))
    if pieces and any(piece in pieces for text in evidence for piece in _pieces(_plain(text))):
        return Breach(GuardRail.COPIED_TEXT, f"{COPIED} characters in a row are a customer's or an operator's.")
    return None


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + COPIED] for start in range(len(text) - COPIED + 1))


def _plain(text: str) -> str:
    return " ".join(_visible(text).casefold().split())
