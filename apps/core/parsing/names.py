"""The characters that a name may hold."""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def control_refusal(text: str) -> str | None:
    """Why a text cannot be (part of) a name or an address, or None when it can."""
    return "Control characters are not allowed." if _CONTROL.search(text) else None


def name_refusal(name: str) -> str | None:
    """Why a text is no name, or None when it is one."""
    return control_refusal(name) or (None if name.strip() else "The name is blank.")
