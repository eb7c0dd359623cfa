"""The questions that accounts leave to the apps above: what a plan allows; everything without an app that sells any."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.core.plugins import HookSet, hooked


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountHooks(HookSet):
    """The answers of an app to these questions (its `hooks.py`)."""

    # By account: the members that the account's resource shows besides its profile.
    account_members: Callable[[int], Mapping[str, Any]] | None = None
    # By widget: what its plan allows; without an app that sells plans, everything.
    entitlements: Callable[[int], Entitlements] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entitlements:
    """`paid`: there is a paid plan. `ad_slots`: how many ad-marketplace cabinets may be enabled; None is no limit."""

    paid: bool
    ad_slots: int | None


EVERYTHING = Entitlements(paid=True, ad_slots=None)


def entitlements_of(widget_id: int) -> Entitlements:
    """The entitlements of the widget's plan at this moment. `accounts.PlanChanged` tells that one was bought, or
    ended."""
    for entitlements in hooked(lambda app: app.entitlements, AccountHooks):
        return entitlements(widget_id)
    return EVERYTHING
