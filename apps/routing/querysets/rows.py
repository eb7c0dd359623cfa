"""The rows of routing's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db.models import F, Q

from apps.core.database.tenants import TenantQuerySet
from apps.routing.rules.settings import RoutingMode

if TYPE_CHECKING:
    from apps.routing.models import (  # noqa: F401 - named in the bases below
        Assignment,
        EstimateTally,
        OperatorPlaces,
        QueueRow,
        RouterRow,
        RoutingSettings,
        ToldEstimate,
    )


class RoutingSettingsQuerySet(TenantQuerySet["RoutingSettings"]):
    """The settings of widgets and departments."""

    def switched_on(self) -> Self:
        """The rows by which chats are routed, or answer times are kept."""
        return self.filter(Q(mode=RoutingMode.ROUTED) | (Q(answer_times__isnull=False) & ~Q(answer_times=[])))

    def with_answer_times(self) -> Self:
        """The rows with answer times of their own."""
        return self.filter(answer_times__isnull=False).exclude(answer_times=[])

    def that_hold(self, department_id: int | None) -> Self:
        """The widget's row and the department's, the widget's first."""
        which = Q(department=None) if department_id is None else Q(department=None) | Q(department=department_id)
        return self.filter(which).order_by(F("department").asc(nulls_first=True))


class OperatorPlacesQuerySet(TenantQuerySet["OperatorPlaces"]):
    """The places of operators."""


class AssignmentQuerySet(TenantQuerySet["Assignment"]):
    """Offers and their outcomes."""

    def standing(self) -> Self:
        """The offers that wait for an answer."""
        return self.filter(outcome=None)


class ToldEstimateQuerySet(TenantQuerySet["ToldEstimate"]):
    """The times that waiting visitors were told."""


class EstimateTallyQuerySet(TenantQuerySet["EstimateTally"]):
    """The told times that held, by day and department."""


class QueueRowQuerySet(TenantQuerySet["QueueRow"]):
    """Chats to be looked at."""


class RouterRowQuerySet(TenantQuerySet["RouterRow"]):
    """Widgets whose queue is to be decided on."""
