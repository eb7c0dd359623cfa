"""How a website proves who its visitor is: by the HMAC-SHA256 of its user's id with a secret of the widget's. Pure.

In hexadecimal: in Python `hmac.new(secret, user_id, sha256).hexdigest()`, in PHP
`hash_hmac('sha256', $userId, $secret)`
(docs/guides/embedding.md).
"""

import hashlib
import hmac
from collections.abc import Iterable
from datetime import datetime, timedelta

from apps.accounts.rules import random_base62

SECRET_LENGTH = 48
MAX_USER_ID = 128
# How long the secret before goes on to count after a rotation.
PREVIOUS_COUNTS_FOR = timedelta(hours=24)


def new_secret() -> str:
    """A fresh secret: 48 random base62 characters."""
    return random_base62(SECRET_LENGTH)


def proof_of(user_id: str, secret: str) -> str:
    """The proof that a website sends beside the id of its user."""
    return hmac.new(secret.encode(), user_id.encode(), hashlib.sha256).hexdigest()


def is_proved(user_id: str, proof: str, secrets: Iterable[str]) -> bool:
    """Whether one of the secrets gives that proof of the id."""
    given = proof.encode()
    return any(hmac.compare_digest(proof_of(user_id, secret).encode(), given) for secret in secrets)


def counting(secret: str | None, previous: str | None, until: datetime | None, now: datetime) -> list[str]:
    """The secrets that count now: the widget's, and for a while the one before."""
    counts = until is not None and now < until
    return [each for each in (secret, previous if counts else None) if each]
