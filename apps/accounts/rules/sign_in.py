"""The ways into the cabinet: limits of tries and mails, how long links and codes count, backup codes."""

import secrets

from apps.accounts.rules.tokens import digest

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
