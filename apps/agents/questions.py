"""The questions about channels that agents leave to the app of messengers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apps.core.plugins import HookSet, hooked


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentHooks(HookSet):
    """The answers of an app to these questions (its `hooks.py`)."""

    # The messengers that there are, in the API's order.
    messengers: Callable[[], Sequence[MessengerFacts]] | None = None
    # By widget: the ids of its ad cabinets, whose channels are `av__<id>`.
    ad_cabinets: Callable[[int], Collection[int]] | None = None


class MessengerFacts(NamedTuple):
    """A messenger, as far as other apps know it.

    `name` is its whole name in English, `called` its name for visitors and operators. `in_departments`: departments
    list it by its code. `takes_changes`: what has left can still be edited and deleted there.
    """

    code: str
    name: str
    called: str
    in_departments: bool
    takes_changes: bool


def messengers() -> list[MessengerFacts]:
    """The messengers that there are, in the API's order; none without the app that speaks with them."""
    return [each for read in hooked(lambda app: app.messengers, AgentHooks) for each in read()]
