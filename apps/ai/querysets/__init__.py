"""Named reads of assistants, operators, credentials and alerts; each starts from the widget."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import BooleanField, Count, ExpressionWrapper, OuterRef, Q, Subquery, Sum, Value
from django.db.models.functions import Coalesce, JSONObject, Now, TruncMonth

from apps.agents.models import Agent
from apps.core.database.tenants import TenantQuerySet
from apps.core.questions import Answering, AnsweringAssistant

if TYPE_CHECKING:
    from apps.ai.models import (  # noqa: F401 - named in the bases below
        AiOperator,
        AiSettings,
        Alert,
        Assistant,
        Conversation,
        Credential,
        DetachedTest,
        Exchange,
        PersonaHistory,
        PersonaVersion,
        ReplyJob,
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


class UsageQuerySet(TenantQuerySet["Usage"]):
    """The requests to vendors for a widget."""


class DetachedTestQuerySet(TenantQuerySet["DetachedTest"]):
    """The test of a widget that is under way."""


class OperatorQuerySet(TenantQuerySet["AiOperator"]):
    def for_widget(self, widget_id: int) -> Self:
        """The AI operators of a widget, retired ones too."""
        return super().for_widget(widget_id).filter(type="ai")


class CredentialQuerySet(TenantQuerySet["Credential"]):
    def for_api(self) -> Self:
        """With what it holds, and with `links`: all the widget's credentials, as a chain of backups sees them."""
        links = self.model.objects.unscoped("each credential's widget").filter(widget_id=OuterRef("widget_id"))
        link = JSONObject(**{name: name for name in ("id", "backup_id", "is_active", "provider", "model")})
        return self.annotate(
            has_api_key=ExpressionWrapper(Q(api_key__isnull=False), output_field=BooleanField()),
            has_signing_secret=ExpressionWrapper(Q(signing_secret__isnull=False), output_field=BooleanField()),
            links=ArraySubquery(links.order_by("id").values(json=link)),
        )

    def active(self) -> Self:
        return self.filter(is_active=True)


class AlertQuerySet(TenantQuerySet["Alert"]):
    def open(self) -> Self:
        """The alerts that are not acknowledged. Index: ai_alert_open."""
        return self.filter(acknowledged_at__isnull=True)

    def in_state(self, state: str) -> Self:
        """The alerts in a state: `unacknowledged`, `acknowledged` or `all`."""
        states = {"all": Q(), "unacknowledged": Q(acknowledged_at=None), "acknowledged": ~Q(acknowledged_at=None)}
        return self.filter(states[state])


class ConversationQuerySet(TenantQuerySet["Conversation"]):
    widget_path = "chat__widget_id"


class ReplyJobQuerySet(TenantQuerySet["ReplyJob"]):
    """The chats of a widget that the AI side has looked at, or is to."""


class ExchangeQuerySet(TenantQuerySet["Exchange"]):
    """The visitors' questions to the AI side, and their outcomes. Index of the newest: ai_exchange_list."""


class PersonaHistoryQuerySet(TenantQuerySet["PersonaHistory"]):
    """The changes of assistants' texts. Indexes: ai_personahistory_list, ai_personahistory_of."""


class PersonaVersionQuerySet(TenantQuerySet["PersonaVersion"]):
    widget_path = "assistant__widget_id"


def answering(widget_id: int) -> Answering:
    """Whether the widget's AI answers, and by whom (the hook `answering`)."""
    from apps.ai.models import AiSettings, Assistant

    settings = AiSettings.objects.for_widget(widget_id).first()
    assistants = Assistant.objects.for_widget(widget_id).order_by("pk")
    found = [AnsweringAssistant(*row) for row in assistants.values_list("pk", "enabled", "rag_enabled")]
    if settings is None:
        return Answering(enabled=False, rag_enabled=True, assistants=found)
    return Answering(enabled=settings.enabled, rag_enabled=settings.rag_enabled, assistants=found)
