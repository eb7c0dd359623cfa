"""The rows of this app's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db.models import Q

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.automations.models import (  # noqa: F401 - named in the bases below
        Automation,
        AutomationEvent,
        AutomationRun,
        AutomationVersion,
        Macro,
    )


class AutomationQuerySet(TenantQuerySet["Automation"]):
    """The automations of a widget."""

    def in_order(self) -> Self:
        """As they are asked: by position."""
        return self.order_by("position", "pk")

    def switched_on(self) -> Self:
        """The automations that act. Index: automations_on."""
        return self.filter(is_enabled=True)


class AutomationVersionQuerySet(TenantQuerySet["AutomationVersion"]):
    """The versions of automations."""

    widget_path = "automation__widget_id"


class AutomationRunQuerySet(TenantQuerySet["AutomationRun"]):
    """The log of runs."""

    def newest_first(self) -> Self:
        return self.order_by("-pk")


class MacroQuerySet(TenantQuerySet["Macro"]):
    """The macros of a widget."""

    def shared(self) -> Self:
        """The macros of all operators."""
        return self.filter(agent=None)

    def offered_to(self, agent_id: int) -> Self:
        """The macros that an operator has: the shared ones and their own."""
        return self.filter(Q(agent=None) | Q(agent=agent_id))


class AutomationEventQuerySet(TenantQuerySet["AutomationEvent"]):
    """Events of chats that are to be judged."""
