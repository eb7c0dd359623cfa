"""Named reads of external operators, their turns, events and tests; each starts from the widget."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, Count, ExpressionWrapper, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Now

from apps.agents.models import Department
from apps.ai.rules.turn_states import OPEN, EventStatus
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.ai.models import (  # noqa: F401 - named in the bases below
        ExternalOperator,
        OperatorEvent,
        OperatorHealth,
        OperatorMove,
        ProbeTest,
        ReplyToken,
        Turn,
    )


def _counted(rows: QuerySet[Any, Any]) -> Coalesce:
    groups = rows.order_by().values("operator_id").annotate(n=Count("pk"))
    return Coalesce(Subquery(groups.values("n")), 0)


class ExternalOperatorQuerySet(TenantQuerySet["ExternalOperator"]):
    """External operators. Index of a widget's: ai_externaloperator_list."""

    def with_public_id(self, text: str) -> ExternalOperator | None:
        """The operator of that public id, of any widget; None without one."""
        try:
            return self.filter(public_id=UUID(text), deleted_at=None).first()
        except ValueError:
            return None

    def for_widget(self, widget_id: int) -> Self:
        """The widget's operators that are not deleted; none if the cabinet has switched them off."""
        standing = super().for_widget(widget_id).filter(deleted_at=None)
        return standing.exclude(widget__ai_settings__external_operators_enabled=False)

    def with_rotation(self) -> Self:
        """With `old_undelivered`: what waits still and is signed by the secret before. Index: ai_event_pending."""
        from apps.ai.models import OperatorEvent

        events = OperatorEvent.objects.unscoped("each operator's own rows").pending().filter(operator_id=OuterRef("pk"))
        return self.annotate(
            read_at=Now(), old_undelivered=_counted(events.filter(secret_version__lt=OuterRef("secret_version")))
        )

    def rotating(self, now: datetime) -> Self:
        """The operators whose rotation is under way: their old secret still counts."""
        begun = self.with_rotation().filter(rotation_started_at__isnull=False)
        return begun.filter(Q(overlap_ends_at__gt=now) | Q(old_undelivered__gt=0))

    def for_api(self) -> Self:
        """With what the shape shows besides: departments, what waits, and how a rotation stands."""
        from apps.ai.models import OperatorEvent, Turn

        events = OperatorEvent.objects.unscoped("each operator's own rows").pending().filter(operator_id=OuterRef("pk"))
        turns = Turn.objects.unscoped("each operator's own rows").open().filter(operator_id=OuterRef("pk"))
        departments = Department.objects.unscoped("each operator's own rows").filter(agents=OuterRef("agent_id"))
        return self.with_rotation().annotate(
            undelivered=_counted(events),
            awaiting_reply=_counted(turns),
            departments=ArraySubquery(departments.order_by("id").values("id")),
            has_secret=ExpressionWrapper(Q(secret__isnull=False), output_field=BooleanField()),
            has_bearer=ExpressionWrapper(Q(bearer__isnull=False), output_field=BooleanField()),
        )


class TurnQuerySet(TenantQuerySet["Turn"]):
    """Turns. Index of a causation id: ai_turn_causation; of a chat's newest: ai_turn_chat."""

    def open(self) -> Self:
        """Indexes: ai_turn_open, ai_turn_one_open."""
        return self.filter(state__in=[one.value for one in OPEN])


class OperatorEventQuerySet(TenantQuerySet["OperatorEvent"]):
    widget_path = "operator__widget_id"

    def pending(self) -> Self:
        return self.filter(status=EventStatus.PENDING.value)


class ProbeTestQuerySet(TenantQuerySet["ProbeTest"]):
    widget_path = "operator__widget_id"

    def for_widget(self, widget_id: int) -> Self:
        """The tests of the widget's operators that are not deleted."""
        from apps.ai.models import ExternalOperator

        operators = ExternalOperator.objects.for_widget(widget_id)
        return self.filter(operator__in=operators)


class OperatorHealthQuerySet(TenantQuerySet["OperatorHealth"]):
    widget_path = "operator__widget_id"


class ReplyTokenQuerySet(TenantQuerySet["ReplyToken"]):
    widget_path = "operator__widget_id"


class OperatorMoveQuerySet(TenantQuerySet["OperatorMove"]):
    widget_path = "operator__widget_id"
