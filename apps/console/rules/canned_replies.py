"""Canned replies. Pure. Their variables are those of macros and automations (`automations/rules/variables.py`)."""

MAX_SHORTCUT = 32  # characters
MAX_SHARED_REPLIES, MAX_OWN_REPLIES = 500, 200  # of a widget, and of an operator there


def shortcut_refusal(text: str) -> str | None:
    """Why a text is no shortcut of a canned reply; None when it is one."""
    if any(character.isspace() or not character.isprintable() for character in text):
        return "A shortcut has no spaces and no control characters."
    return None


def number_refusal(*, is_shared: bool, count: int) -> str | None:
    """Why there can be no more replies than `count`; None when there can."""
    if is_shared and count >= MAX_SHARED_REPLIES:
        return f"A widget has at most {MAX_SHARED_REPLIES} shared replies."
    if not is_shared and count >= MAX_OWN_REPLIES:
        return f"An operator has at most {MAX_OWN_REPLIES} replies of their own."
    return None
