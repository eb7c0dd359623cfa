"""The format of tokens, presets of scopes, roles, backup codes, phones and origins. Pure: the time is an argument."""

import hashlib
import ipaddress
import re
import secrets
import unicodedata
import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

import idna

from apps.core.plugins import Scope

PREFIX = "pt_"
BODY_LENGTH, CHECKSUM_LENGTH = 40, 6
TOKEN_LENGTH = len(PREFIX) + BODY_LENGTH + CHECKSUM_LENGTH
HINT_LENGTH = 8
MAX_NAME_LENGTH = 255
# How long a process may rely on what it has read of a token without asking whether permissions have changed since.
MAX_CACHED_S = 5.0
TOKEN_USES = "token"  # noqa: S105 - what noted uses of tokens are of
BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
REFERRAL_ALPHABET, REFERRAL_CODE_LENGTH = "abcdefghjkmnpqrstuvwxyz23456789", 10

# A preset replaces the whole selection of scopes (specification, "Tokens").
PRESETS: Mapping[str, tuple[str, ...]] = {
    "ai_setup": (
        "widget:read",
        "widget:write",
        "ai:read",
        "ai:write",
        "ai:apply",
        "kb:read",
        "kb:write",
        "files:write",
        "stats:read",
    ),
    "support_agents": ("support:read", "support:reply", "support:write"),
}
# What people make tokens for most often; the cabinet's own, beside the specification's.
CABINET_PRESETS: Mapping[str, tuple[str, ...]] = {
    "chat_bot": (
        *("chats:read", "chats:write", "messages:read", "messages:write"),
        *("contacts:read", "files:read", "files:write"),
    ),
    "webhooks_only": ("webhooks:read", "webhooks:write"),
}


class Answerer(StrEnum):
    """The machines that answer a widget's visitors, in their order: the first of them answers."""

    LEGACY_BOT = "legacy_bot"
    EXTERNAL_OPERATOR = "external_operator"
    AI = "ai"
    AI_IN_SHADOW = "ai_shadow"  # its answers are notes: the word is people's


# Answerers that reply before people are notified.
ANSWER_FIRST = (Answerer.EXTERNAL_OPERATOR, Answerer.AI)


def new_token() -> str:
    """A fresh plain token: `pt_`, 40 random base62 characters, a 6-character checksum."""
    body = random_base62(BODY_LENGTH)
    return PREFIX + body + checksum(body)


def random_base62(length: int) -> str:
    """So many random letters and digits; 40 are 238 bits."""
    return "".join(secrets.choice(BASE62) for _ in range(length))


def new_referral_code() -> str:
    """A fresh referral code: 10 letters and digits that are not mistaken for one another."""
    return "".join(secrets.choice(REFERRAL_ALPHABET) for _ in range(REFERRAL_CODE_LENGTH))


def checksum(body: str) -> str:
    """The CRC-32 of a token's body in base62: tells a mistyped token from a wrong one without a look-up."""
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, 62)
        digits = BASE62[digit] + digits
    return digits


def is_well_formed(token: str) -> bool:
    """Whether a text has the shape and the checksum of an API token."""
    if len(token) != TOKEN_LENGTH or not token.startswith(PREFIX) or not token.isascii():
        return False
    body, check = token[len(PREFIX) : -CHECKSUM_LENGTH], token[-CHECKSUM_LENGTH:]
    return body.isalnum() and checksum(body) == check


def digest(token: str) -> bytes:
    """The stored form of an API or visitor token: its SHA-256. Its 238 random bits need no salt and no stretching."""
    return hashlib.sha256(token.encode()).digest()


def preset_scopes(preset: str, known: Mapping[str, Scope]) -> list[str]:
    """The scopes of a preset that are grantable here.

    `all` is every scope but the reserved one and those of the support agents' preset, which select-all never selects;
    `read_only` every one that reads and that not only owners grant.
    """
    if preset == "all":
        return [s.name for s in known.values() if not s.reserved and s.name not in PRESETS["support_agents"]]
    if preset == "read_only":
        return [s.name for s in known.values() if s.name.endswith(":read") and not (s.reserved or s.owners_only)]
    return [name for name in {**PRESETS, **CABINET_PRESETS}[preset] if name in known]


def unknown_scopes(names: Iterable[str], known: Mapping[str, Scope]) -> list[str]:
    return [name for name in names if name not in known]


def scopes_of_owners(names: Iterable[str], known: Mapping[str, Scope]) -> list[str]:
    """The scopes among these that only an account's owners grant."""
    return [name for name in names if name in known and known[name].owners_only]


def is_valid(*, revoked_at: datetime | None, expires_at: datetime | None, now: datetime) -> bool:
    """Whether a token may be used: not revoked, and before its expiry."""
    return revoked_at is None and (expires_at is None or now < expires_at)


def phone_refusal(text: str) -> str | None:
    """Why a text is no phone number, or None when it is one."""
    if is_phone(text):
        return None
    return (
        "A phone number is an optional +, a digit, then digits, spaces, parentheses or hyphens: "
        f"{MAX_PHONE_LENGTH} characters at most."
    )


# What somebody may do in the cabinet of their account; each may what those after it may.
OWNER, MANAGER, VIEWER = "owner", "manager", "viewer"
_RANKS: Mapping[str, int] = {OWNER: 3, MANAGER: 2, VIEWER: 1}


def reaches(role: str, least: str) -> bool:
    """Whether a role may what `least` may. A role that is not known may nothing."""
    return _RANKS.get(role, 0) >= _RANKS[least]


def is_owner(*, role: str, is_staff: bool, is_active: bool) -> bool:
    """Whether the person can act as an owner of their account, now."""
    return role == OWNER and is_staff and is_active


def role_by_groups(groups: Iterable[str] | None, roles: Mapping[str, str]) -> str | None:
    """The strongest role that the members of any of those groups have; None without one."""
    found = [roles[group] for group in groups or () if group in roles]
    return max(found, key=_RANKS.__getitem__, default=None)


# How often somebody may try to sign in, in a minute: from one address as one person, from one address, as one person.
# The last is generous: who spends it from many addresses keeps its owner out, for as long as they go on.
ATTEMPTS, ATTEMPTS_OF_ADDRESS, ATTEMPTS_FOR_EMAIL = 10, 30, 60
# Invitations to the cabinet that an account sends, and for how long the link of one counts.
INVITATIONS_AN_HOUR = 10
COLLEAGUE_LIVES_S = 7 * 24 * 3600
# Letters with the link to a new password, to one address.
PASSWORD_MAILS_AN_HOUR = 3
# How long after the password the code may come.
CODE_WITHIN_S = 300

BACKUP_CODES, _BACKUP_ALPHABET = 10, "abcdefghjkmnpqrstuvwxyz23456789"


def new_backup_codes() -> list[str]:
    """Fresh codes of 79 random bits each, in groups of four without letters that look alike."""
    return ["-".join(_random_group() for _ in range(4)) for _ in range(BACKUP_CODES)]


def _random_group() -> str:
    return "".join(secrets.choice(_BACKUP_ALPHABET) for _ in range(4))


def backup_code_digest(code: str) -> bytes:
    """The stored form of a backup code: the SHA-256 of its letters, however they are grouped and written."""
    return digest("".join(filter(str.isalnum, code.lower())))


_PHONE = re.compile(r"\+?[0-9][0-9 ()-]*")
MAX_PHONE_LENGTH = 32


def is_phone(text: str) -> bool:
    """A phone: an optional `+`, a digit, then digits, spaces, parentheses, hyphens (specification, "Account")."""
    return len(text) <= MAX_PHONE_LENGTH and _PHONE.fullmatch(text) is not None


_DEFAULT_PORTS = {"http": 80, "https": 443}


def origin_of(text: str) -> str:
    """The origin that a text names, as a browser writes it in the header `Origin`: `https://shop.example`.

    Lower case, no default port, an international host name in its ASCII form. A slash at the end is forgiven.
    Raises ValueError for anything that is more, or less, than an http or https origin.
    """
    if not text.isprintable() or any(character in text for character in " \\?#@"):
        raise ValueError("not an origin")
    parts = urlsplit(text)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname or parts.path not in ("", "/"):
        raise ValueError("not an origin")
    port = parts.port  # raises ValueError outside 0..65535
    if parts.netloc.endswith(":") or port == 0:
        raise ValueError("not an origin")
    host = _ascii_host(parts.hostname)
    suffix = "" if port in (None, _DEFAULT_PORTS[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{suffix}"


def _ascii_host(host: str) -> str:
    if ":" in host:
        return f"[{ipaddress.IPv6Address(host).compressed}]"
    if host.replace(".", "").isdigit():
        return str(ipaddress.IPv4Address(host))
    encoded = idna.encode(host, uts46=True).decode()
    if encoded.endswith("."):
        raise ValueError("not an origin")
    return encoded


# Control characters, halves of surrogate pairs, line and paragraph separators, and what turns the direction of a text.
_UNSEEN_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BLANK_CATEGORIES = ("C", "Z")


def has_unseen_characters(name: str) -> bool:
    """Whether a name holds what no name needs, and can't be seen: it could fake another, or break a line.

    Joiners and marks of direction are let through: emoji, Persian and Hebrew are written with them.
    """
    return any(each in _TURNING or unicodedata.category(each) in _UNSEEN_CATEGORIES for each in name)


def is_blank(name: str) -> bool:
    """Whether nothing of a name would be seen."""
    return all(unicodedata.category(each).startswith(_BLANK_CATEGORIES) for each in name)
