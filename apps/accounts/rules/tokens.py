"""API tokens: their text, digest, presets and validity."""

import hashlib
import secrets
import zlib
from collections.abc import Iterable, Mapping
from datetime import datetime

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
# The presets that hold no scopes by name.
ALL, READ_ONLY = "all", "read_only"


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

    `all` is every scope but the reserved one and those that say so, as the support agents' do; `read_only` every one
    that reads and that not only owners grant; another preset those that name it.
    """
    if preset == ALL:
        return [s.name for s in known.values() if s.in_all and not s.reserved]
    if preset == READ_ONLY:
        return [s.name for s in known.values() if s.name.endswith(":read") and not (s.reserved or s.owners_only)]
    return [s.name for s in known.values() if preset in s.presets]


def unknown_scopes(names: Iterable[str], known: Mapping[str, Scope]) -> list[str]:
    return [name for name in names if name not in known]


def scopes_of_owners(names: Iterable[str], known: Mapping[str, Scope]) -> list[str]:
    """The scopes among these that only an account's owners grant."""
    return [name for name in names if name in known and known[name].owners_only]


def is_valid(*, revoked_at: datetime | None, expires_at: datetime | None, now: datetime) -> bool:
    """Whether a token may be used: not revoked, and before its expiry."""
    return revoked_at is None and (expires_at is None or now < expires_at)
