"""Reads of an owner's evaluations."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Self

from django.apps import apps as django_apps
from django.db.models import Count, Max, Q

from apps.ai.rules.evaluations import ACTIVE, EvaluationState, Verdict
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.ai.models import (  # noqa: F401 - named in the bases below
        EvaluationCase,
        EvaluationResult,
        EvaluationRun,
        Trial,
    )


class EvaluationCaseQuerySet(TenantQuerySet["EvaluationCase"]):
    def for_assistant(self, assistant_id: int) -> Self:
        """The cases that an assistant is asked: its own, and those of every assistant. Index: ai_evalcase_list."""
        return self.filter(Q(assistant_id=assistant_id) | Q(assistant_id=None)).order_by("pk")


class EvaluationRunQuerySet(TenantQuerySet["EvaluationRun"]):
    def active(self) -> Self:
        """The runs that are queued or under way: one an assistant. Index: ai_evalrun_one_active."""
        return self.filter(state__in=ACTIVE)

    def finished(self) -> Self:
        """The runs to compare with: at their end, and of what is live. Index: ai_evalrun_list."""
        return self.live().filter(state=EvaluationState.FINISHED)

    def live(self) -> Self:
        """The runs of what visitors are answered by, not of a draft."""
        return self.filter(draft__isnull=True)

    def counted(self) -> Self:
        """With `done` and `right`: how many cases have been asked, and how many were right."""
        return self.annotate(
            done=Count("results"), right=Count("results", filter=Q(results__verdict=Verdict.RIGHT.value))
        )


class EvaluationResultQuerySet(TenantQuerySet["EvaluationResult"]):
    widget_path = "run__widget_id"


class TrialQuerySet(TenantQuerySet["Trial"]):
    """Questions asked in the cabinet. Index: ai_trial_of."""


class KnowledgeState(NamedTuple):
    """A widget's knowledge as it is: a mark that is another after each change, and when it changed last."""

    mark: str
    changed_at: datetime | None


def knowledge_state(widget_id: int) -> KnowledgeState:
    """The state of a widget's knowledge. Index: kb_rule_list."""
    if not django_apps.is_installed("apps.kb"):
        return KnowledgeState("", None)
    from apps.kb.models import Rule

    found = Rule.objects.for_widget(widget_id).aggregate(rules=Count("pk"), at=Max("updated_at"))
    at = found["at"]
    return KnowledgeState(f"{found['rules']} {at.isoformat() if at else ''}".strip(), at)
