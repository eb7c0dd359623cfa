"""Rules of an account's people: roles, limits of sign-in, backup codes, phones."""

import re
import secrets
from collections.abc import Iterable, Mapping

from apps.accounts.rules.tokens import digest


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
