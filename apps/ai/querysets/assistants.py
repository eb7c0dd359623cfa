"""Reads of assistants, their versions, the AI settings and AI operators."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Count, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce, JSONObject, Now, TruncMonth

from apps.agents.models import Agent
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.ai.models import (  # noqa: F401 - named in the bases below
        AiOperator,
        AiSettings,
        Assistant,
        DetachedTest,
        PersonaHistory,
        PersonaVersion,
        Usage,
    )


class AssistantQuerySet(TenantQuerySet["Assistant"]):
    def for_api(self) -> Self:
        """With `operators`, the ids of those who run it and are not retired, and `used`: what it spent this month."""
        from apps.ai.models import Usage

        operators = Agent.objects.unscoped("each assistant's own rows").filter(
            widget_id=OuterRef("widget_id"), ai_assistant_id=OuterRef("pk"), type="ai"
        )
        month = TruncMonth(Now(), tzinfo=UTC)
        spent = (
            Usage.objects.unscoped("each assistant's own rows")
            .filter(assistant_id=OuterRef("pk"), at__gte=month)
            .values("assistant_id")
            .values(
                json=JSONObject(
                    prompt_tokens=Coalesce(Sum("prompt_tokens"), Value(0)),
                    completion_tokens=Coalesce(Sum("completion_tokens"), Value(0)),
                    operations=Count("pk"),
                )
            )
        )
        return self.annotate(
            operators=ArraySubquery(operators.exclude(status="banned").order_by("id").values("id")),
            used=Subquery(spent, output_field=models.JSONField()),
            since=month,
        )

    def default(self) -> Assistant | None:
        """The widget's default assistant, None where it has none."""
        return self.filter(is_default=True).first()


class AiSettingsQuerySet(TenantQuerySet["AiSettings"]):
    """The one row of a widget, if there is one."""


class DetachedTestQuerySet(TenantQuerySet["DetachedTest"]):
    """The test of a widget that is under way."""


class OperatorQuerySet(TenantQuerySet["AiOperator"]):
    def for_widget(self, widget_id: int) -> Self:
        """The AI operators of a widget, retired ones too."""
        return super().for_widget(widget_id).filter(type="ai")


class PersonaHistoryQuerySet(TenantQuerySet["PersonaHistory"]):
    """The changes of assistants' texts. Indexes: ai_personahistory_list, ai_personahistory_of."""


class PersonaVersionQuerySet(TenantQuerySet["PersonaVersion"]):
    widget_path = "assistant__widget_id"


def assistant_names(widget_id: int) -> dict[int, str]:
    """The names of a widget's assistants, by their ids (the hook `assistant_names`)."""
    from apps.ai.models import Assistant

    return dict(Assistant.objects.for_widget(widget_id).values_list("pk", "name"))
