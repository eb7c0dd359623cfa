"""Conversations with tools: how each vendor is told of them, and what it answers. Nothing is ever run here.

The ids of calls are ours throughout, so that a conversation may go on with another vendor.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from apps.ai.drivers import claude
from apps.ai.drivers.client import wired_body
from apps.ai.drivers.driver import Driver, Endpoint, ProviderFailed, adapting, tokens_asked_for
from apps.ai.drivers.failures import Cause
from apps.ai.drivers.gemini import _sdk as _gemini
from apps.ai.drivers.gpt import CHAT, OpenAICompatibleDriver, chat_parameters, posted
from apps.ai.drivers.reading import VendorAnswer, read_chat, read_contents, read_message
from apps.ai.rules.roles import OPENED
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2


class Tool(NamedTuple):
    """A tool that a model may call; `parameters` is a JSON Schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ToolCall(NamedTuple):
    """A wish of the model. `arguments` are as it gave them: any JSON, None where they can't be read."""

    id: str
    name: str
    arguments: Any


class ToolResult(NamedTuple):
    """The result of a call, as the application says."""

    call_id: str
    content: Any
    is_error: bool = False


class Utterance(NamedTuple):
    """One message. Role `results` carries the results of the calls of the message before."""

    role: Literal["user", "assistant", "results"]
    content: str = ""
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()


class ModelAnswer(NamedTuple):
    """A model's answer: a text, calls, or both. The ids of calls are the vendor's, or empty."""

    text: str
    calls: tuple[ToolCall, ...]
    prompt_tokens: int
    completion_tokens: int


class ModelRequest(NamedTuple):
    """One question to a model."""

    model: str
    system: str
    utterances: Sequence[Utterance]
    tools: Sequence[Tool]
    temperature: float | None
    max_tokens: int


def converse(
    driver: Driver, endpoint: Endpoint, request: ModelRequest, *, purpose: str, budget: CallBudget
) -> ModelAnswer:
    """The model's answer, on one credential. Raises ProviderFailed, and SpentError of the budget."""
    request = request._replace(utterances=alternating(request.utterances))
    work = _WAYS[driver.code](driver, endpoint, request)
    try:
        with wired_body(endpoint, purpose, budget) as call:
            answer = adapting(endpoint.quirks, lambda: work.read(call(work.ask)), limit=work.limit)
    except ProviderFailed as failure:
        if failure.cause is not Cause.FILTERED:
            raise
        return ModelAnswer("", (), 0, 0)
    calls = () if answer.ending == "refused" else tuple(ToolCall(*one) for one in answer.calls)
    return ModelAnswer(answer.text, calls, answer.prompt_tokens, answer.completion_tokens)


def alternating(utterances: Sequence[Utterance]) -> list[Utterance]:
    """The messages with neighbours of one role joined, as strict chat templates want them; the first is a user's.

    A message with calls is never joined with the next: their results come first.
    """
    turns: list[Utterance] = []
    for one in utterances:
        before = turns[-1] if turns else None
        if before is None or before.role != one.role or before.calls:
            turns.append(one)
            continue
        content = "\n\n".join(filter(None, (before.content, one.content)))
        turns[-1] = Utterance(one.role, content, one.calls, (*before.results, *one.results))
    if not turns or turns[0].role != "user":
        turns.insert(0, Utterance("user", OPENED))
    return turns


def _with_results(messages: Sequence[dict[str, Any]], parts: str) -> list[dict[str, Any]]:
    """The messages of a vendor whose results are a user's, each joined with what the user says next."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if turns and turns[-1]["role"] == message["role"] == "user":
            turns[-1] = {**turns[-1], parts: [*turns[-1][parts], *message[parts]]}
        else:
            turns.append(message)
    return turns


class _DriverCall(NamedTuple):
    """A vendor's call, and who reads its answer. `limit`: the limit of tokens by its name that may be another."""

    ask: Callable[["httpx2.Client"], object]
    read: Callable[[bytes], VendorAnswer]
    limit: str | None = None


def text_of(content: Any) -> str:
    """A result as a text."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


# --- OpenAI and what speaks like it


def _openai(driver: Driver, endpoint: Endpoint, request: ModelRequest) -> _DriverCall:
    assert isinstance(driver, OpenAICompatibleDriver)  # noqa: S101 - _WAYS names it for these alone
    said = [message for one in request.utterances for message in _openai_messages(one)]
    quirks = endpoint.quirks

    def ask(http: "httpx2.Client") -> object:
        role = "user" if "system" in quirks.left_out else "system"
        parameters = chat_parameters(
            quirks, driver.limit, temperature=request.temperature, max_tokens=request.max_tokens
        )
        if request.tools:
            parameters["tools"] = [{"type": "function", "function": tool._asdict()} for tool in request.tools]
        messages = [{"role": role, "content": request.system}, *said]
        return posted(endpoint, http, CHAT, {"model": request.model, "messages": messages, **parameters})

    def read(body: bytes) -> VendorAnswer:
        answer = read_chat(body)
        return answer._replace(calls=tuple(one._replace(arguments=_parsed(one.arguments)) for one in answer.calls))

    return _DriverCall(ask, read, driver.limit)


def _openai_messages(utterance: Utterance) -> list[Any]:
    if utterance.role == "results":
        return [{"role": "tool", "tool_call_id": r.call_id, "content": text_of(r.content)} for r in utterance.results]
    message: dict[str, Any] = {"role": utterance.role, "content": utterance.content or None}
    if utterance.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for call in utterance.calls
        ]
    return [message]


def _parsed(arguments: Any) -> Any:
    if isinstance(arguments, dict):  # ollama's own format
        return arguments
    try:
        return json.loads(arguments or "{}")
    except (ValueError, TypeError, RecursionError):
        return None


# --- Anthropic


def _anthropic(_driver: Driver, endpoint: Endpoint, request: ModelRequest) -> _DriverCall:
    parameters: dict[str, Any] = {
        "model": request.model,
        "max_tokens": tokens_asked_for(endpoint.quirks, request.max_tokens),
        "system": request.system,
        "messages": _with_results([_anthropic_message(one) for one in request.utterances], "content"),
    }
    if request.tools:
        parameters["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in request.tools
        ]

    def ask(http: "httpx2.Client") -> object:
        return claude.posted(
            endpoint, http, {**parameters, **claude.temperature_of(endpoint.quirks, request.temperature)}
        )

    return _DriverCall(ask, read_message)


def _anthropic_message(utterance: Utterance) -> dict[str, Any]:
    if utterance.role == "results":
        blocks: list[Any] = [
            {
                "type": "tool_result",
                "tool_use_id": result.call_id,
                "content": text_of(result.content),
                "is_error": result.is_error,
            }
            for result in utterance.results
        ]
        return {"role": "user", "content": blocks}
    blocks = [{"type": "text", "text": utterance.content}] if utterance.content else []
    blocks += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in utterance.calls
    ]
    return {"role": utterance.role, "content": blocks}


# --- Gemini


# What Gemini takes in place of the signature of thoughts that it did not have: the calls may be another vendor's.
_NO_SIGNATURE = b"skip_thought_signature_validator"


def _google(_driver: Driver, endpoint: Endpoint, request: ModelRequest) -> _DriverCall:
    names = {call.id: call.name for one in request.utterances for call in one.calls}
    parameters: dict[str, Any] = {
        "system_instruction": request.system,
        "max_output_tokens": request.max_tokens,
        "automatic_function_calling": {"disable": True},
    }
    if request.temperature is not None:
        parameters["temperature"] = request.temperature
    if request.tools:
        declared = [
            {"name": tool.name, "description": tool.description, "parameters_json_schema": tool.parameters}
            for tool in request.tools
        ]
        parameters["tools"] = [{"function_declarations": declared}]
    contents: Any = _with_results([_google_content(one, names) for one in request.utterances], "parts")

    def ask(http: "httpx2.Client") -> object:
        left_out = endpoint.quirks.left_out
        config: Any = {name: value for name, value in parameters.items() if name not in left_out}
        return _gemini(endpoint, http).models.generate_content(model=request.model, contents=contents, config=config)

    return _DriverCall(ask, read_contents)


def _google_content(utterance: Utterance, names: Mapping[str, str]) -> dict[str, Any]:
    if utterance.role == "results":
        responses = [
            {
                "name": names.get(result.call_id, ""),
                "response": {"error" if result.is_error else "result": result.content},
            }
            for result in utterance.results
        ]
        return {"role": "user", "parts": [{"function_response": response} for response in responses]}
    parts: list[Any] = [{"text": utterance.content}] if utterance.content else []
    parts += [
        {"function_call": {"name": call.name, "args": call.arguments}, "thought_signature": _NO_SIGNATURE}
        for call in utterance.calls
    ]
    return {"role": "model" if utterance.role == "assistant" else "user", "parts": parts}


_WAYS: dict[str, Callable[[Driver, Endpoint, ModelRequest], _DriverCall]] = {
    "openai_compatible": _openai,
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _google,
}

__all__ = ["ModelAnswer", "ModelRequest", "ProviderFailed", "Tool", "ToolCall", "ToolResult", "Utterance", "converse"]
