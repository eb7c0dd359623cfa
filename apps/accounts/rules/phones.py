"""Phone numbers as people write them."""

import re

_PHONE = re.compile(r"\+?[0-9][0-9 ()-]*")
MAX_PHONE_LENGTH = 32


def is_phone(text: str) -> bool:
    """A phone: an optional `+`, a digit, then digits, spaces, parentheses, hyphens (specification, "Account")."""
    return len(text) <= MAX_PHONE_LENGTH and _PHONE.fullmatch(text) is not None


def phone_refusal(text: str) -> str | None:
    """Why a text is no phone number, or None when it is one."""
    if is_phone(text):
        return None
    return (
        "A phone number is an optional +, a digit, then digits, spaces, parentheses or hyphens: "
        f"{MAX_PHONE_LENGTH} characters at most."
    )
