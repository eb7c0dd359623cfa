"""Mailboxes as channels, doors and what letters become: names, tables, forms. Pure."""

import re
import secrets
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

MAX_NAME, MAX_SIGNATURE = 255, 2_000
_CHANNEL = re.compile(r"mail__([1-9][0-9]{0,17})")
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")
_ANSWERS = re.compile(
    r"\s*(?:(?:re|fwd?|fw|aw|sv|wg|vs|ha|ответ|на|пересл|rv|res|enc|απ|σχετ|πρθ|رد|回复|答复|转发|回覆)(?:\[\d{1,3}\])?\s*[:：])",
    re.IGNORECASE,
)


class Ai(StrEnum):
    """The part of AI in a mailbox's chats."""

    OFF = "off"
    DRAFTS = "drafts"
    ANSWERS = "answers"


class Door(StrEnum):
    """By what a letter came."""

    IMAP = "imap"
    HOOK = "hook"
    PIPE = "pipe"
    TRIAL = "trial"


class LetterKind(StrEnum):
    """The outcome of a letter."""

    WAITING = "waiting"
    MESSAGE = "message"
    NOTE = "note"
    DROPPED = "dropped"
    REPORT = "report"
    STOP = "stop"
    PARKED = "parked"
    NO_CHAT = "no_chat"


def mailbox_channel(mailbox_id: int) -> str:
    """The channel's name in chats of a mailbox."""
    return f"mail__{mailbox_id}"


def mailbox_of(channel: str) -> int | None:
    """The id of the mailbox with that channel; None for any other channel."""
    found = _CHANNEL.fullmatch(channel)
    return int(found[1]) if found else None


def is_mailbox(channel: str) -> bool:
    return mailbox_of(channel) is not None


def new_hook_key() -> str:
    """A key of 43 characters, 256 random bits."""
    return secrets.token_urlsafe(32)


def is_hook_key(text: str) -> bool:
    """Whether a text may be a mailbox's key."""
    return _KEY.fullmatch(text) is not None


def bare_subject(subject: str) -> str:
    """A subject without what programs put before it: Re:, Fwd:, Ответ:, AW:, SV:."""
    left = subject
    for _ in range(20):
        found = _ANSWERS.match(left)
        if found is None:
            break
        left = left[found.end() :]
    return " ".join(left.split())


class MailServer(NamedTuple):
    """The server that a mailbox is read at, or sends by: of `imaps://user:password@host:993/INBOX` or the like.

    Letters that were read stay as they are there, unless the address ends with `?seen=1` (it is marked as seen) or
    `?move=Folder` (it is moved into that folder, which exists).
    """

    host: str
    port: int
    user: str
    password: str
    uses_tls: bool
    starts_tls: bool
    folder: str = "INBOX"
    marks_seen: bool = False
    moves_to: str = ""


class BadServer(ValueError):
    """The address of a mail server is malformed; its text is for who wrote it, and shows no password."""


_IMAP = {"imaps": (993, True, False), "imap+tls": (143, False, True), "imap": (143, False, False)}
_SMTP = {"smtps": (465, True, False), "smtp+tls": (587, False, True), "smtp": (25, False, False)}
_LOOSE = re.compile(
    r"(?P<scheme>[a-z+]+)://(?P<user>[^:/?#@]+(?:@[^:/?#@]+)?):(?P<password>.+)"
    r"@(?P<rest>(?:\[[0-9a-fA-F:.]+\]|[^/?#@:\[]+)(?::\d+)?(?:/[^?#@]*)?)"
)
_QUERY = re.compile(r"\?((?:seen|move)=[^?@]*)$")
_IMAP_FORM = "must be imaps://, imap+tls:// or imap://user:password@host[:port]/INBOX, with ?seen=1 or ?move=Folder"
_SMTP_FORM = "must be smtps://, smtp+tls:// or smtp://[user:password@]host[:port]"


def read_imap(url: str) -> MailServer:
    """The server of an IMAP address. Raises BadServer."""
    found = _QUERY.search(url)
    bare, query = (url[: found.start()], found[1]) if found else (url, "")
    server = _read(bare, _IMAP, _IMAP_FORM)
    name, _, value = query.partition("=")
    folder = unquote(value)
    is_known = not query or query == "seen=1" or (name == "move" and 0 < len(folder) <= 255 and folder.isprintable())
    if not server.user or not server.password or not is_known or folder == server.folder:
        raise BadServer(_IMAP_FORM)
    return server._replace(marks_seen=query == "seen=1", moves_to=folder if name == "move" else "")


def read_smtp(url: str) -> MailServer:
    """The server of an SMTP address. Raises BadServer."""
    return _read(url, _SMTP, _SMTP_FORM)


def imap_url(server: MailServer) -> str:
    """The address that `read_imap` reads as that server, with any signs in its name and its password."""
    query = "?seen=1" if server.marks_seen else f"?move={quote(server.moves_to, safe='')}" if server.moves_to else ""
    return f"{_written(server, _IMAP)}/{quote(server.folder)}{query}"


def smtp_url(server: MailServer) -> str:
    """The address that `read_smtp` reads as that server."""
    return _written(server, _SMTP)


def _written(server: MailServer, schemes: dict[str, tuple[int, bool, bool]]) -> str:
    spoken = (server.uses_tls, server.starts_tls)
    scheme = next(name for name, (_, *how) in schemes.items() if tuple(how) == spoken)
    host = f"[{server.host}]" if ":" in server.host else server.host
    login = f"{quote(server.user, safe='')}:{quote(server.password, safe='')}@" if server.user else ""
    return f"{scheme}://{login}{host}:{server.port}"


def _read(url: str, schemes: dict[str, tuple[int, bool, bool]], form: str) -> MailServer:
    """Reads an address strictly, else as one whose password has signs of addresses in it (`#`, `/`, `?`, `@`)."""
    try:
        return _read_strictly(url, schemes, form)
    except BadServer:
        found = _LOOSE.fullmatch(url)
        if found is None:
            raise
        login = f"{found['user']}:{quote(found['password'], safe='%')}"
        return _read_strictly(f"{found['scheme']}://{login}@{found['rest']}", schemes, form)


def _read_strictly(url: str, schemes: dict[str, tuple[int, bool, bool]], form: str) -> MailServer:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise BadServer(form) from None
    if (
        len(url) > 2048
        or parts.scheme not in schemes
        or not parts.hostname
        or parts.query
        or parts.fragment
        or port == 0
        or (schemes is _SMTP and parts.path.strip("/"))
        or (schemes is _IMAP and not parts.password)
    ):
        raise BadServer(form)
    default_port, uses_tls, starts_tls = schemes[parts.scheme]
    folder = unquote(parts.path.strip("/")) or "INBOX"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not (folder + user + password).isprintable():
        raise BadServer(form)
    return MailServer(parts.hostname, port or default_port, user, password, uses_tls, starts_tls, folder)
