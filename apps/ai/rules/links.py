"""The parts of a text that would become a link: in a browser, in the widget, in a messenger.

Each kind takes its characters, so that what follows looks at the rest. Every pattern runs over the text once: no
character is looked at again for each that came before it.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

import idna
from publicsuffixlist import PublicSuffixList

Kind = Literal["url", "email", "www", "ipv4", "domain", "command", "handle"]

# An address goes on up to white space, or to one of these; but some read on beyond a quote that ends no word.
_ON = '(?:[^\\s<>"«»“”]|["«»“”](?=[\\w/?#%&=]))'
_SCHEMES = (
    "mailto tel sms javascript vbscript data tg ton magnet skype viber whatsapp callto facetime geo bitcoin market"
    " itms-apps intent blob about file http https ftp"
)
_URL = re.compile(
    rf"(?<![a-z0-9+.\-])[a-z0-9+.\-]+:[/\\]{{2}}{_ON}*"  # any scheme; the beginning is cut to its first letter
    rf"|(?<![^\W_])(?:{'|'.join(_SCHEMES.split())}):{_ON}+"
    rf"|(?<![\w:/\\])[/\\]{{2}}(?=\w){_ON}*",  # the page's own scheme
    re.IGNORECASE,
)
# What messengers take to belong to a mailbox or a user's name. The domain's last label is judged below.
_BOX = "[^\\s<>\"«»“”()\\[\\]{}'`@/\u2000-\u200f\u2016-\u206f]"
_EMAIL = re.compile(rf"(?<!{_BOX}){_BOX}+@(?=(?P<host>[\w.\-]+))")
_RUN = re.compile(r"[\w.\-]+")
# What some of them take to belong to a host, to the left of it: signs, and nearly all that is no ASCII.
_BESIDE = re.compile("[\\w.@~$+=^`|\\-\u00c0-\u1fff\u2010-\u2015\u2070-\U0010ffff]")
_TAIL = re.compile(rf"(?::\d+)?(?:[/?#\\]{_ON}*)?")
_COMMAND = re.compile(r"(?<!\w)/[A-Za-z0-9_]{1,64}@[A-Za-z0-9_]{3,32}(?!\w)")
_HANDLE = re.compile(r"(?<!\w)@[A-Za-z0-9_]{3,32}(?!\w)")
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_CLOSING = ".,;:!?'’”»)]}…"
_TAKEN = "\n"
# What may stand right before an address with a scheme, shorter than so many characters: else some read one address of
# both.
LONGEST_BEFORE = 100
_BEFORE = re.compile(r"(?:\w+:)?[(\[{<>\"'«“„‘]*")


class Token(NamedTuple):
    """A part that would be a link, as it stands in its view, and where."""

    text: str
    kind: Kind
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Everything in the text that would become a link, in its order."""
    found: list[Token] = []
    # A combining mark belongs to the letter before it, which patterns do not know.
    left = text.translate({ord(one): "a" for one in set(text) if unicodedata.category(one)[0] == "M"})
    for kind_of in (_urls, _emails, _hosts, _commands, _handles):
        for kind, start, end in kind_of(text, left):
            while end > start and text[end - 1] in _CLOSING:
                end -= 1
            if end == start:
                continue
            found.append(Token(text[start:end], kind, start, end))
        left = without(left, found)
    return sorted(found, key=lambda token: token.start)


def without(text: str, found: list[Token], filler: str = _TAKEN) -> str:
    """The text with each of those tokens as so many fillers: a boundary for what stands beside it."""
    characters = list(text)
    for token in found:
        characters[token.start : token.end] = filler * (token.end - token.start)
    return "".join(characters)


Found = Iterator[tuple[Kind, int, int]]


def _urls(text: str, left: str) -> Found:
    for match in _URL.finditer(left):
        address = match.group()
        start = match.start() + len(address) - len(address.lstrip("0123456789+.-"))
        first = max(start - LONGEST_BEFORE, 0)
        word = left[max(left.rfind(" ", first, start), left.rfind("\n", first, start), first - 1) + 1 : start]
        is_apart = len(word) < LONGEST_BEFORE and _BEFORE.fullmatch(word)
        yield "url", start if is_apart else start - 1, match.end()


def _emails(text: str, left: str) -> Found:
    read = 0
    for match in _EMAIL.finditer(left):
        if match.start() < read:  # within the path of the one before
            continue
        start, end = match.span("host")
        labels = text[start:end].strip("-_.").split(".")
        if len(labels) > 1 and sum(map(str.isalpha, labels[-1])) > 1:
            read = _end_of_host(left, start, end)
            yield "email", _with_sign(left, match.start()), read


def _with_sign(left: str, start: int) -> int:
    """The start with the sign before it, by which some read a handle, a command, or a quoted name."""
    before = left[max(start - 2, 0) : start]
    return start - (before[-1:] in ("@", "/") or (len(before) == 2 and before[1] == '"' and not before[0].isspace()))


def _end_of_host(left: str, start: int, end: int) -> int:
    """The end of that run's host with its port and path, if it has them."""
    until = end - _outer(left[start:end])
    tail = _TAIL.match(left, until) if until == end else None
    return tail.end() if tail else until


def _outer(run: str) -> int:
    return len(run) - len(run.rstrip("-_."))


def _hosts(text: str, left: str) -> Found:
    end = 0
    for match in _RUN.finditer(left):
        if match.start() < end:  # within the path of the one before
            continue
        run = match.group()
        if "." not in run:
            continue
        start = match.start() + len(run) - len(run.lstrip("-_."))
        until = match.end() - _outer(run)
        if start > 1 and left[start - 1] == "." and _BESIDE.match(left, start - 2):
            start -= 2  # some take it for a host whose name is of signs alone
        kind = _kind_of_host(text[start:until]) if start < until else None
        if kind is not None:
            while start > end and _BESIDE.match(left, start - 1):
                start -= 1
            end = _end_of_host(left, *match.span())
            yield kind, start, end


def _kind_of_host(run: str) -> Literal["www", "ipv4", "domain"] | None:
    labels = run.lower().split(".")
    if len(labels) < 2:
        return None
    if labels[0] == "www":
        return "www"
    if len(labels) == 4 and all(label.isdecimal() and len(label) < 20 and int(label) < 256 for label in labels):
        return "ipv4"
    return "domain" if _is_top_level(labels[-1]) else None


def _commands(text: str, left: str) -> Found:
    for match in _COMMAND.finditer(left):
        yield "command", match.start(), match.end()


def _handles(text: str, left: str) -> Found:
    for match in _HANDLE.finditer(left):
        yield "handle", match.start(), match.end()


def _is_top_level(label: str) -> bool:
    """Whether names end so: every name of the root zone, in both of its forms. All of Punycode counts."""
    return label.startswith("xn--") or _suffixes().is_public(label)


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(only_icann=True, accept_unknown=False)


def is_host(text: str) -> bool:
    """Whether it is a host's name: at least two labels, no wildcard, scheme, port or path; not an address."""
    try:
        ascii_name = idna.encode(text, uts46=True).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        return False
    labels = ascii_name.split(".")
    return (
        len(ascii_name) <= 253 and len(labels) > 1 and all(map(_LABEL.fullmatch, labels)) and not labels[-1].isdigit()
    )
