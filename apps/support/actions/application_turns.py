"""Signed turns: a model answers the application's user, or says which of the offered tools it wants."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import transaction

from apps.ai.actions.conversing import (
    BudgetExhausted,
    ConversedAnswer,
    ProviderFailed,
    SpentError,
    Tool,
    Utterance,
    ask_with_tools,
    sources_for,
)
from apps.ai.drivers.conversing import ToolCall, ToolResult
from apps.ai.errors import PROVIDER_FAILURE
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.core.quotas import Quota
from apps.egress import BulkheadFull
from apps.egress.call_budget import CallBudget
from apps.support.actions.requests import begin_once, end_once, free, refuse_if_used
from apps.support.errors import (
    ASSISTANT_BUSY,
    ASSISTANT_RATE_LIMITED,
    ASSISTANT_UNAVAILABLE,
    INVALID_PLAN,
)
from apps.support.models import Binding, SignedRequest
from apps.support.rules import application_turns as rules
from apps.support.rules.application_turns import Judged, Offered

STARTS = Quota("assistant_turns", 30, timedelta(minutes=1), ASSISTANT_RATE_LIMITED)
_REPAIR = "Your last answer is invalid: {error} Answer again, with a valid one."


def take_turn(
    *,
    binding: Binding,
    outbound: ExternalCall,
    conversation_id: str,
    request_id: str,
    messages: Sequence[Mapping[str, Any]],
    context: Mapping[str, Any],
    tools: Sequence[Mapping[str, Any]],
    tool_results: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Asks the bound provider, and answers its validated reply or plan. Nothing is run, nothing of the talk is stored.

    Raises REQUEST_ID_REUSED, REQUEST_IN_PROGRESS (409), ASSISTANT_RATE_LIMITED (429), ASSISTANT_UNAVAILABLE,
    ASSISTANT_BUSY (503) before any call; AI_BUDGET_EXHAUSTED (429), PROVIDER_FAILURE, INVALID_PLAN (502), which free
    the request id.
    """
    sources = sources_for(binding.widget_id, binding.provider, binding.assistant)
    if not sources:
        _refuse_first(binding, request_id)
        raise ASSISTANT_UNAVAILABLE()
    offered = [Offered(t["name"], t["description"], t["parameters"], t["confirmation"]) for t in tools]
    assistant = binding.assistant
    system = rules.system_text(
        persona=assistant.persona if assistant else "",
        system_prompt=assistant.system_prompt if assistant else "",
        context=context,
    )
    said = utterances(messages, tool_results)
    budget = CallBudget(operations=rules.OPERATIONS, seconds=rules.SECONDS, each_seconds=rules.SECONDS)

    def ask(more: Sequence[Utterance]) -> ConversedAnswer:
        return ask_with_tools(
            widget_id=binding.widget_id,
            sources=sources,
            assistant=assistant,
            system=system,
            utterances=[*said, *more],
            tools=[Tool(tool.name, tool.description, tool.parameters) for tool in offered],
            budget=budget,
        )

    with _begun(binding, request_id, outbound):
        try:
            answered, judged = _valid(ask, offered)
        except BudgetExhausted as failure:
            raise AI_BUDGET_EXHAUSTED(headers=failure.headers) from None
        except ProviderFailed as failure:
            raise PROVIDER_FAILURE(provider_reason=failure.reason) from None
        except SpentError:
            raise PROVIDER_FAILURE(provider_reason="timeout") from None
    return {"conversation_id": conversation_id, "request_id": request_id, **_shown(answered, judged)}


def utterances(messages: Sequence[Mapping[str, Any]], results: Sequence[Mapping[str, Any]]) -> list[Utterance]:
    """The conversation as a driver takes it, with ids of calls that every vendor takes: `call_1` and so on.

    Calls of earlier messages have no results here: what came of them is what was said next.
    """
    said: list[Utterance] = []
    ids: dict[str, str] = {}
    last = len(messages) - 1
    for place, one in enumerate(messages):
        calls: list[ToolCall] = []
        for call in one.get("tool_calls") or ():
            ids[call["id"]] = f"call_{place}_{len(calls) + 1}"
            calls.append(ToolCall(ids[call["id"]], call["name"], call["arguments"]))
        content = one.get("content") or ""
        said.append(Utterance(one["role"], content, tuple(calls)))
        if calls and place < last:
            done = tuple(ToolResult(call.id, "(not passed on)") for call in calls)
            said.append(Utterance("results", results=done))
    if results:
        given = tuple(ToolResult(ids[r["call_id"]], r["content"], bool(r.get("is_error"))) for r in results)
        said.append(Utterance("results", results=given))
    return said


def _valid(ask: Any, offered: Sequence[Offered]) -> tuple[ConversedAnswer, Judged]:
    """A valid answer, asked for at most twice. Raises INVALID_PLAN (502)."""
    answered = ask([])
    judged = _judged(answered, offered)
    if judged.invalid is not None:
        wrong = answered.turn.text or ", ".join(call.name[:64] for call in answered.turn.calls) or "(nothing)"
        repair = _REPAIR.format(error=judged.invalid)
        answered = ask([Utterance("assistant", wrong), Utterance("user", repair)])
        judged = _judged(answered, offered)
    if judged.invalid is not None:
        raise INVALID_PLAN()
    return answered, judged


def _judged(answer: ConversedAnswer, offered: Sequence[Offered]) -> Judged:
    calls = [(f"call_{secrets.token_hex(8)}", call.name, call.arguments) for call in answer.turn.calls]
    return rules.judged(answer.turn.text, calls, offered)


def _shown(answer: ConversedAnswer, judged: Judged) -> dict[str, Any]:
    return {
        "type": "tool_plan" if judged.calls else "reply",
        "reply": judged.reply,
        "tool_calls": list(judged.calls),
        "model": answer.model,
        "usage": _usage(answer),
    }


def _usage(answer: ConversedAnswer) -> dict[str, int] | None:
    turn = answer.turn
    if not turn.prompt_tokens and not turn.completion_tokens:
        return None
    return {"input_tokens": turn.prompt_tokens, "output_tokens": turn.completion_tokens}


@contextmanager
def _begun(binding: Binding, request_id: str, outbound: ExternalCall) -> Iterator[None]:
    """Admits the turn and holds a place of the bulkhead; the request's id is given back if the block raises."""
    try:
        with outbound.slot():
            request = _admit(binding, request_id)
            try:
                yield
            except BaseException:
                free(request)
                raise
            end_once(request)
    except BulkheadFull:
        _refuse_first(binding, request_id)
        raise ASSISTANT_BUSY(headers={"Retry-After": "1"}) from None


@transaction.atomic(durable=True)
def _admit(binding: Binding, request_id: str) -> SignedRequest:
    request = begin_once(binding, SignedRequest.Endpoint.TURN, request_id)
    STARTS.spend(binding.widget_id)
    return request


@transaction.atomic
def _refuse_first(binding: Binding, request_id: str) -> None:
    """Raises what comes before 503: REQUEST_ID_REUSED, REQUEST_IN_PROGRESS (409), ASSISTANT_RATE_LIMITED (429)."""
    refuse_if_used(binding, SignedRequest.Endpoint.TURN, request_id)
    STARTS.require(binding.widget_id)
