"""Rights: 100 random bits that let a letter into one chat, or name one letter. Pure."""

import hashlib
import re
import secrets

_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
LENGTH = 20
_RIGHT = re.compile(rf"[a-z2-7]{{{LENGTH}}}")


def new_right() -> str:
    """A right that nobody guesses."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(LENGTH))


def digest_of(right: str) -> bytes:
    """The hash that a right is found by, in upper or lower case."""
    return hashlib.sha256(right.lower().encode()).digest()


def read_right(text: str) -> str | None:
    """The right that a text is, in any case; None for another text."""
    lowered = text.lower()
    return lowered if _RIGHT.fullmatch(lowered) else None
