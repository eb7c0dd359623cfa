"""The entitlements of a widget's plan. Apps ask here; the app that sells plans answers (`Plugin.entitlements`).

Without such an app everything is allowed. The event `accounts.PlanChanged` tells that a plan was bought, or ended.
"""

from dataclasses import dataclass

from apps.core import plugins


@dataclass(frozen=True, slots=True, kw_only=True)
class Entitlements:
    """`paid`: there is a paid plan. `ad_slots`: how many ad-marketplace cabinets may be enabled; None is no limit."""

    paid: bool
    ad_slots: int | None


EVERYTHING = Entitlements(paid=True, ad_slots=None)


def entitlements_of(widget_id: int) -> Entitlements:
    """The entitlements of the widget's plan at this moment."""
    for provider in plugins.plugged_in("entitlements"):
        allowed: Entitlements = provider(widget_id)
        return allowed
    return EVERYTHING
