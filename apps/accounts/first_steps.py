"""The first steps of a widget, shown on the cabinet's front page until the first chat; each app tells its own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.core import plugins


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStep:
    """A thing to do, in the reader's language. `is_done` is looked up, never noted by hand."""

    title: str
    note: str
    button: str
    address: str
    is_done: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSteps:
    """An app's steps by widget, declared in its `dashboard.py`; and whether the widget is past them."""

    steps: Callable[[int], Sequence[FirstStep]] = lambda _: ()
    is_past: Callable[[int], bool] = lambda _: False


# The order in which a new owner does them, by app.
ORDER = ("widget", "agents", "messengers", "ai")


def first_steps(widget_id: int) -> list[FirstStep]:
    """The steps of a new widget's owner; none once there is a chat, or all of them are done."""
    declared = plugins.declared("dashboard", FirstSteps)
    everywhere = [each for of_app in declared.values() for each in of_app]
    if any(each.is_past(widget_id) for each in everywhere):
        return []
    steps = [step for app in ORDER for each in declared.get(app, ()) for step in each.steps(widget_id)]
    return [] if all(step.is_done for step in steps) else steps
