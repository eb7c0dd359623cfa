"""Rules of invitations."""

import hashlib
from datetime import timedelta

from apps.accounts.rules import random_base62


def may_invite(*, seats: int, taken: int, outstanding: int) -> bool:
    """Whether one more person may be invited: free seats outnumber outstanding invitations ("Agents")."""
    return seats - taken > outstanding


INVITATION_STATUSES = ("pending", "accepted", "revoked", "expired")


INVITATION_LIVES = timedelta(days=7)


INVITATIONS_AN_HOUR = 10


SECRET_PREFIX, SECRET_BODY_LENGTH = "inv_", 40


def new_secret() -> str:
    """The end of an invitation's link: `inv_` and 40 random base62 characters."""
    return SECRET_PREFIX + random_base62(SECRET_BODY_LENGTH)


def secret_digest(secret: str) -> bytes:
    """The stored form of a secret: its SHA-256."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
