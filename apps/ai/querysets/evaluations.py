"""Reads of an owner's evaluations."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Self

from django.apps import apps as django_apps
from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Max, Q, Sum, Value
from django.db.models.functions import Coalesce

from apps.ai.rules.evaluations import ACTIVE, CaseChange, EvaluationState, Verdict
from apps.chats.models import Message
from apps.chats.rules import SenderKind
from apps.chats.rules.messages import ANSWERING
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

    def asked_of(self, assistant_id: int) -> Self:
        """The cases that a run asks: those for the assistant that are not switched off."""
        return self.for_assistant(assistant_id).filter(is_active=True)


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
        """With how many cases have been asked (`done`), how many of each verdict, which were lost and won, and the
        tokens."""
        verdicts = {verdict.value: Count("results", filter=Q(results__verdict=verdict.value)) for verdict in Verdict}
        return self.annotate(
            done=Count("results"),
            lost=_case_ids(LOST),
            won=_case_ids(WON),
            prompt_tokens=_tokens("prompt"),
            completion_tokens=_tokens("completion"),
            **verdicts,
        )

    def for_api(self) -> Self:
        """With the counts of its results."""
        return self.counted()


def _case_ids(results: Q) -> ArrayAgg:
    return ArrayAgg("results__case_id", filter=results, order_by="results__case_id", default=Value([]))


def _tokens(name: str) -> Coalesce:
    return Coalesce(Sum(f"results__{name}_tokens"), 0)


# Right in the run before, and wrong now; and the other way round. A case that no vendor answered, or whose judge could
# not be read, is neither.
LOST = Q(results__change=CaseChange.WORSE.value, results__verdict=Verdict.WRONG.value)
WON = Q(results__change=CaseChange.BETTER.value, results__verdict=Verdict.RIGHT.value)


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


# So many messages of a burst are looked at, and so many answers behind it are passed over.
_LOOKED_AT = 50


def asked_before(message: Message) -> list[str]:
    """The visitor's words that a message answers, oldest first: those behind the answer before. For a visitor's
    message, its words and those before it. Index: chats_message_in_chat."""
    said = Message.objects.for_widget(message.widget_id).filter(chat_id=message.chat_id, pk__lte=message.pk)
    rows = said.filter(is_internal=False, sender_kind__in=(SenderKind.CLIENT, *ANSWERING)).order_by("-pk")
    words: list[str] = []
    for kind, body in rows.values_list("sender_kind", "body")[:_LOOKED_AT]:
        if kind == SenderKind.CLIENT:
            words.insert(0, body)
        elif words:
            break
    return [body for body in words if body]
