"""The numbers of automations and macros, and how often they may act."""

from datetime import timedelta

MAX_NAME, MAX_MACRO_NAME = 80, 60  # characters
MAX_AUTOMATIONS = 100  # of a widget
MAX_SHARED_MACROS, MAX_OWN_MACROS = 200, 50  # of a widget, and of an operator there

MAX_RUNS_HOURLY, MAX_RUNS_DAILY = 30, 200  # in a chat
MAX_REPLIES_HOURLY = 5  # in a chat
MAX_DEPTH = 3  # of a chain: an event that a run causes is one deeper
RUNS_ARE_KEPT = timedelta(days=90)

MAX_EVENT_KEY = 80  # characters of the name of an event or a wait


def automations_refusal(count: int) -> str | None:
    """Why a widget has no more automations than `count`; None when it may."""
    return f"A widget has at most {MAX_AUTOMATIONS} automations." if count >= MAX_AUTOMATIONS else None


def macros_refusal(count: int, *, is_shared: bool) -> str | None:
    """Why there can be no more macros than `count`; None when there can."""
    if is_shared and count >= MAX_SHARED_MACROS:
        return f"A widget has at most {MAX_SHARED_MACROS} shared macros."
    if not is_shared and count >= MAX_OWN_MACROS:
        return f"An operator has at most {MAX_OWN_MACROS} macros of their own."
    return None
