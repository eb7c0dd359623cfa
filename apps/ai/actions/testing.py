"""The detached test: what an assistant would answer, without a chat (specification, "AI configuration").

A test is admitted by one transaction that is committed before the first call: its key, the widget's one place, and one
of ten starts a minute. A refused test claims no key and does not count.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, NamedTuple

from django.db import DatabaseError
from django.db.models import F, Func, Value
from django.db.models.functions import Now

from apps.agents.models import Agent
from apps.ai.actions.model_calls import Asker, CredentialSource, nearest_credential, sources_of
from apps.ai.actions.replies.drafting import Composition, ReplyRequest, at_floor_of, compose, link_hosts
from apps.ai.actions.replies.speakers import operators_now
from apps.ai.actions.usage import require_budget
from apps.ai.drivers import ProviderFailed
from apps.ai.errors import (
    ADMISSION_UNAVAILABLE,
    AMBIGUOUS_OPERATOR,
    CREDENTIAL_UNAVAILABLE,
    OPERATOR_NOT_FOUND,
    PROVIDER_FAILURE,
    TEST_BUDGET_EXHAUSTED,
    TEST_RATE_LIMITED,
    TEST_UNAVAILABLE,
    UNSUPPORTED_TRANSPORT,
)
from apps.ai.models import Assistant, Credential, DetachedTest
from apps.ai.rules.languages import language_of
from apps.ai.rules.prompts import HistoryMessage, Presence, bounded
from apps.ai.settings import settings_of
from apps.chats.questions import widget_language
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.core.problems import Problem
from apps.core.quotas import Quota
from apps.egress import BulkheadFull
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import BudgetExhausted

OPERATIONS, SECONDS = 10, 45
# How long the widget's one place is kept beyond the test's time, should its process die.
GRACE = timedelta(seconds=15)
STARTS = Quota("ai_tests", 10, timedelta(seconds=60), TEST_RATE_LIMITED)
LIMITS: Mapping[str, int] = {
    "body_bytes": 131_072,
    "question_characters": 4_000,
    "history_items": 20,
    "total_characters": 20_000,
    "starts_per_minute": STARTS.limit,
    "in_flight": 1,
    "provider_http_operations": OPERATIONS,
    "provider_seconds": SECONDS,
}


WITHOUT_MODEL = (
    "The credential {id} is active and has no model, and the assistant names none for it. Set `model` of either; "
    "`GET /v1/ai/credentials/{id}/models` lists what there is."
)


FOR_KNOWLEDGE_ALONE = (
    "No credential is for answers: the active ones are for the knowledge base alone. Add `answers` to the `uses` of "
    "one of them."
)


class Subject(NamedTuple):
    """The subject of a test: the assistant, who would speak, and the credentials in order of use."""

    assistant: Assistant
    operator_id: int | None
    sources: Sequence[CredentialSource]


def subject_of(*, assistant: Assistant, operator_id: int | None) -> Subject:
    """Resolves the operator and credentials that would answer, and asks no model.

    Raises OPERATOR_NOT_FOUND (404); UNSUPPORTED_TRANSPORT, AMBIGUOUS_OPERATOR and CREDENTIAL_UNAVAILABLE (409).
    """
    agents = Agent.objects.for_widget(assistant.widget_id)
    if operator_id is not None:
        agent = agents.filter(pk=operator_id).first()
        if agent is not None and agent.type == Agent.Type.WEBHOOK:
            raise UNSUPPORTED_TRANSPORT()
        runs_it = agent is not None and agent.type == Agent.Type.AI and agent.ai_assistant_id == assistant.pk
        if agent is None or not runs_it or agent.status == Agent.Status.BANNED:
            raise OPERATOR_NOT_FOUND()
    else:
        who_run = agents.filter(type=Agent.Type.AI, ai_assistant_id=assistant.pk).not_banned()
        bound = list(who_run.values_list("pk", flat=True)[:2])
        if len(bound) > 1:
            raise AMBIGUOUS_OPERATOR()
        operator_id = bound[0] if bound else None
    sources = sources_of(assistant.widget_id, assistant, operator_id)
    if not sources:
        nearest = nearest_credential(assistant.widget_id, assistant, operator_id)
        active = Credential.objects.for_widget(assistant.widget_id).active()
        if nearest is None and active.filter(for_answers=False).exists():
            raise CREDENTIAL_UNAVAILABLE(FOR_KNOWLEDGE_ALONE)
        raise CREDENTIAL_UNAVAILABLE(None if nearest is None else WITHOUT_MODEL.format(id=nearest))
    return Subject(assistant, operator_id, sources)


def left_out_of(assistant: Assistant, operator_id: int | None) -> list[str]:
    """The settings that the first credential's model was found not to take, so that they are not sent."""
    for source in sources_of(assistant.widget_id, assistant, operator_id)[:1]:
        quirks = source.endpoint.quirks
        return [*sorted(quirks.left_out), *(["max_tokens"] if quirks.limit == "" else [])]
    return []


def inspect(*, assistant: Assistant, operator_id: int | None) -> dict[str, Any]:
    """The free inspection: what a test would use. Raises as `subject_of`."""
    subject = subject_of(assistant=assistant, operator_id=operator_id)
    return {
        **_configured(subject),
        "configuration_resolved": True,
        "provider_verified": False,
        "provider_http_operations": 0,
        "chat_created": False,
        "limits": dict(LIMITS),
        "limitations": ["configuration_only", "no_chat"],
    }


def run_test(
    *,
    assistant: Assistant,
    outbound: ExternalCall,
    question: str,
    history: Sequence[Mapping[str, str]] = (),
    operator_id: int | None = None,
    locale: str | None = None,
    operators: str | None = None,
    seconds: int = SECONDS,
) -> dict[str, Any]:
    """Runs a test of at most so many seconds, and gives its result.

    Raises as `subject_of`; IDEMPOTENCY_REUSED (409), AI_BUDGET_EXHAUSTED and TEST_RATE_LIMITED (429),
    ADMISSION_UNAVAILABLE and TEST_UNAVAILABLE (503) before any call; PROVIDER_FAILURE (502), TEST_BUDGET_EXHAUSTED
    (504), and AI_BUDGET_EXHAUSTED where the tokens that are left are too few for the call, which keep the key.
    """
    subject = subject_of(assistant=assistant, operator_id=operator_id)
    widget_id = assistant.widget_id
    settings = settings_of(widget_id)
    presence, source = _presence(widget_id, operators, reads=settings.presence_context_enabled)
    asked = detached_request(subject, question=question, history=history, locale=locale, presence=presence)
    require_budget(settings)
    with _placed(outbound), _admitted(outbound, seconds):
        budget = CallBudget(operations=OPERATIONS, seconds=seconds)
        asker = Asker(
            widget_id,
            subject.sources,
            budget,
            assistant_id=assistant.pk,
            operator_id=subject.operator_id,
            temperature=assistant.temperature,
        )
        try:
            composed = at_floor_of(asked) or compose(asked, asker)
        except BudgetExhausted as failure:
            raise AI_BUDGET_EXHAUSTED(headers=failure.headers) from None
        except ProviderFailed as failure:
            raise PROVIDER_FAILURE(provider_reason=failure.reason) from None
        except SpentError:
            raise TEST_BUDGET_EXHAUSTED() from None
    return _result(subject, asked, composed, budget=budget, operators_from=source)


def detached_request(
    subject: Subject,
    *,
    question: str,
    presence: Presence,
    history: Sequence[Mapping[str, str]] = (),
    locale: str | None = None,
) -> ReplyRequest:
    """All that an answer outside of a chat is made of."""
    assistant = subject.assistant
    settings = settings_of(assistant.widget_id)
    said = [HistoryMessage("visitor" if each["role"] == "user" else "ai", each["content"]) for each in history]
    return ReplyRequest(
        assistant=assistant,
        operator_id=subject.operator_id,
        history=said,
        burst=bounded([question]),
        language=locale or language_of(question) or widget_language(assistant.widget_id),
        reply_language=locale or language_of(question),
        operators=presence,
        presence_context=settings.presence_context_enabled,
        rag=settings.rag_enabled and assistant.rag_enabled,
        offline_outcome_mode=settings.offline_outcome_mode,
        phrases=settings.phrases,
        link_hosts=link_hosts(assistant.widget, settings),
        greeting=assistant.greeting,
    )


def _result(
    subject: Subject, asked: ReplyRequest, composed: Composition, *, budget: CallBudget, operators_from: str
) -> dict[str, Any]:
    paths = {None: "none", 0: "primary"}
    return {
        "answer": composed.text,
        **_configured(subject),
        "provider_path": paths.get(composed.answered_by, "fallback"),
        "locale": asked.language,
        "operators": {"state": asked.operators, "source": operators_from},
        "presence_context_enabled": asked.presence_context,
        "rag_status": composed.rag_status,
        "transformation": composed.transformation,
        "classifier": composed.classifier,
        "escalation": {
            "escalated": composed.hands_over,
            "reason": composed.reason,
            "trigger": composed.trigger,
        },
        "outcome": composed.outcome,
        "offline_outcome_suppressed": composed.suppressed,
        "provider_http_operations": budget.spent,
        "chat_created": False,
        "limitations": ["simulated", "no_chat"],
    }


def _configured(subject: Subject) -> dict[str, Any]:
    first = subject.sources[0]
    return {
        "assistant_id": subject.assistant.pk,
        "operator_id": subject.operator_id,
        "assistant_enabled": subject.assistant.enabled,
        "configured_provider": first.driver.code,
        "configured_model": first.model,
    }


def _presence(widget_id: int, given: str | None, *, reads: bool) -> tuple[Any, str]:
    """Whether operators are there, and where that is from: the request, presence, or nowhere."""
    if given is not None:
        return given, "request"
    if not reads:
        return "unknown", "disabled"
    return operators_now(widget_id), "presence"


@contextmanager
def _placed(outbound: ExternalCall) -> Iterator[None]:
    """Holds a place of the bulkhead. Raises TEST_UNAVAILABLE (503)."""
    try:
        with outbound.slot():
            yield
    except BulkheadFull:
        raise TEST_UNAVAILABLE(headers={"Retry-After": "1"}) from None


@contextmanager
def _admitted(outbound: ExternalCall, seconds: int) -> Iterator[None]:
    """Admits a test of so many seconds, and ends it with the block.

    Raises IDEMPOTENCY_REUSED (409), TEST_RATE_LIMITED (429), ADMISSION_UNAVAILABLE (503).
    """
    widget_id = outbound.widget_id
    try:
        with outbound.reserve():
            STARTS.require(widget_id)
            wait_s = _take_place(widget_id, timedelta(seconds=seconds) + GRACE)
            if wait_s:
                raise TEST_RATE_LIMITED(headers={"Retry-After": str(wait_s)})
            STARTS.spend(widget_id)
    except Problem:
        raise
    except DatabaseError:
        raise ADMISSION_UNAVAILABLE(headers={"Retry-After": "1"}) from None
    try:
        yield
    finally:
        DetachedTest.objects.for_widget(widget_id).delete()


def _take_place(widget_id: int, lease: timedelta) -> int:
    """Takes the widget's one place; gives 0, or the seconds until it is free at the latest. Under the budget's lock."""
    left = Func(F("lease_until") - Now(), function="EXTRACT", template="CEIL(EXTRACT(EPOCH FROM %(expressions)s))::int")
    held = DetachedTest.objects.for_widget(widget_id).filter(lease_until__gt=Now()).annotate(left=left).first()
    if held is not None:
        return max(1, int(held.left))  # type: ignore[attr-defined]
    DetachedTest.objects.for_widget(widget_id).delete()
    DetachedTest.objects.create(widget_id=widget_id, lease_until=Now() + Value(lease))
    return 0
