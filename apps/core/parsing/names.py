"""The characters that a name may hold."""

import re

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def control_refusal(text: str) -> str | None:
    """Why a text cannot be (part of) a name or an address, or None when it can."""
    return "Control characters are not allowed." if _CONTROL.search(text) else None


def one_line(text: str) -> str:
    """A name from outside in one line: a run of spaces, breaks and control characters is one space."""
    return " ".join(_CONTROL.sub(" ", text).split())


def name_refusal(name: str) -> str | None:
    """Why a text is no name, or None when it is one."""
    return control_refusal(name) or (None if name.strip() else "The name is blank.")
