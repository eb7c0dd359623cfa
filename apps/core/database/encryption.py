"""Text encrypted at rest, under FIELD_ENCRYPTION_KEYS: the first key encrypts, every key decrypts.

The tokens are Fernet's (AES-128-CBC with HMAC-SHA256, random, with the time of encryption in the clear). To replace a
key: put a new one last, then first, with a restart of every process after each, run `manage.py rotate_field_keys`, and
drop the old one (docs/guides/configuration.md).
"""

from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class DecryptionFailed(Exception):
    """A stored value could not be decrypted: no configured key fits, or it was altered. Names neither."""

    def __init__(self) -> None:
        super().__init__("an encrypted value could not be decrypted with any of FIELD_ENCRYPTION_KEYS")


def encrypt(text: str) -> str:
    """An ASCII token for `text` under the first key; a different one at every call."""
    return _keyring()[1].encrypt(text.encode()).decode("ascii")


def decrypt(token: str) -> str:
    """The text of a token that `encrypt` made under any configured key. Raises DecryptionFailed."""
    try:
        return _keyring()[1].decrypt(token).decode()
    except (InvalidToken, ValueError):
        raise DecryptionFailed from None


def rotate(token: str) -> str:
    """A token of the same text under the first key: the same token if it is already. Raises DecryptionFailed."""
    first, every = _keyring()
    try:
        first.decrypt(token)
    except (InvalidToken, ValueError):
        try:
            return every.rotate(token).decode("ascii")
        except (InvalidToken, ValueError):
            raise DecryptionFailed from None
    return token


def is_token(text: str) -> bool:
    """Whether `text` is a token that a configured key decrypts."""
    if not text.startswith("gAAAA"):  # the base64 of a token's version and the first bytes of its time
        return False
    try:
        decrypt(text)
    except DecryptionFailed:
        return False
    return True


def _keyring() -> tuple[Fernet, MultiFernet]:
    return _read_keys(tuple(settings.FIELD_ENCRYPTION_KEYS))


@lru_cache(maxsize=8)
def _read_keys(keys: tuple[str, ...]) -> tuple[Fernet, MultiFernet]:
    fernets = [Fernet(key) for key in keys]
    return fernets[0], MultiFernet(fernets)
