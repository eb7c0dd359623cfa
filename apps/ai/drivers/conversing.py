"""Conversations with tools: how each vendor is told of them, and what it answers. Nothing is ever run here.

The ids of calls are ours throughout, so that a conversation may go on with another vendor.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from apps.ai.drivers.claude import MAX_TEMPERATURE
from apps.ai.drivers.claude import _sdk as _claude
from apps.ai.drivers.client import require, wired
from apps.ai.drivers.driver import Driver, Endpoint, ProviderFailed
from apps.ai.drivers.gemini import _sdk as _gemini
from apps.ai.drivers.gpt import OpenAICompatibleDriver, exchanging
from apps.ai.drivers.gpt import _sdk as _gpt
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
    driver: Driver, endpoint: Endpoint, asked: ModelRequest, *, purpose: str, meter: CallBudget
) -> ModelAnswer:
    """The model's answer, on one credential. Raises ProviderFailed, and SpentError of the meter."""
    work = _WAYS[driver.code](driver, endpoint, asked)
    parameters = work.parameters
    with wired(endpoint, purpose, meter) as call:
        return exchanging(parameters, lambda: call(lambda http: work.ask(http, parameters)))


class _DriverCall(NamedTuple):
    """A vendor's call: its parameters, and who sends them."""

    parameters: dict[str, Any]
    ask: Callable[["httpx2.Client", dict[str, Any]], ModelAnswer]


def text_of(content: Any) -> str:
    """A result as a text."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)


# --- OpenAI and what speaks like it


def _openai(driver: Driver, endpoint: Endpoint, asked: ModelRequest) -> _DriverCall:
    assert isinstance(driver, OpenAICompatibleDriver)  # noqa: S101 - _WAYS names it for these alone
    messages: list[Any] = [{"role": "system", "content": asked.system}]
    for one in asked.utterances:
        messages += _openai_messages(one)
    parameters: dict[str, Any] = {"model": asked.model, "messages": messages, driver.limit: asked.max_tokens}
    if asked.temperature is not None:
        parameters["temperature"] = asked.temperature
    if asked.tools:
        parameters["tools"] = [{"type": "function", "function": tool._asdict()} for tool in asked.tools]

    def ask(http: "httpx2.Client", parameters: dict[str, Any]) -> ModelAnswer:
        create: Callable[..., Any] = _gpt(endpoint, http).chat.completions.create
        answer = create(**parameters)
        require(bool(answer.choices))
        choice, usage = answer.choices[0], answer.usage
        text = choice.message.content or ""
        require(isinstance(text, str))
        if choice.finish_reason == "content_filter" or choice.message.refusal:
            text = ""
        calls = tuple(
            ToolCall(one.id or "", one.function.name, _parsed(one.function.arguments))
            for one in choice.message.tool_calls or ()
        )
        return ModelAnswer(text, calls, usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0)

    return _DriverCall(parameters, ask)


def _openai_messages(one: Utterance) -> list[Any]:
    if one.role == "results":
        return [{"role": "tool", "tool_call_id": r.call_id, "content": text_of(r.content)} for r in one.results]
    message: dict[str, Any] = {"role": one.role, "content": one.content or None}
    if one.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for call in one.calls
        ]
    return [message]


def _parsed(arguments: Any) -> Any:
    try:
        return json.loads(arguments or "{}")
    except (ValueError, TypeError, RecursionError):
        return None


# --- Anthropic


def _anthropic(_driver: Driver, endpoint: Endpoint, asked: ModelRequest) -> _DriverCall:
    parameters: dict[str, Any] = {
        "model": asked.model,
        "max_tokens": asked.max_tokens,
        "system": asked.system,
        "messages": [_anthropic_message(one) for one in asked.utterances],
    }
    if asked.temperature is not None:
        parameters["temperature"] = min(asked.temperature, MAX_TEMPERATURE)
    if asked.tools:
        parameters["tools"] = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}
            for tool in asked.tools
        ]

    def ask(http: "httpx2.Client", parameters: dict[str, Any]) -> ModelAnswer:
        # The SDK takes no `temperature` any more; the API does, of models that know it.
        extra = {name: parameters[name] for name in ("temperature",) if name in parameters}
        taken = {name: value for name, value in parameters.items() if name not in extra}
        answer = _claude(endpoint, http).messages.create(**taken, extra_body=extra or None)
        require(isinstance(answer.content, list))
        text = "".join(part.text for part in answer.content if part.type == "text")
        calls = tuple(ToolCall(part.id, part.name, part.input) for part in answer.content if part.type == "tool_use")
        if answer.stop_reason == "refusal":
            text, calls = "", ()
        return ModelAnswer(text, calls, answer.usage.input_tokens, answer.usage.output_tokens)

    return _DriverCall(parameters, ask)


def _anthropic_message(one: Utterance) -> dict[str, Any]:
    if one.role == "results":
        blocks: list[Any] = [
            {
                "type": "tool_result",
                "tool_use_id": result.call_id,
                "content": text_of(result.content),
                "is_error": result.is_error,
            }
            for result in one.results
        ]
        return {"role": "user", "content": blocks}
    if not one.calls:
        return {"role": one.role, "content": one.content}
    blocks = [{"type": "text", "text": one.content}] if one.content else []
    blocks += [{"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in one.calls]
    return {"role": "assistant", "content": blocks}


# --- Gemini


# What Gemini takes in place of the signature of thoughts that it did not have: the calls may be another vendor's.
_NO_SIGNATURE = b"skip_thought_signature_validator"


def _google(_driver: Driver, endpoint: Endpoint, asked: ModelRequest) -> _DriverCall:
    names = {call.id: call.name for one in asked.utterances for call in one.calls}
    parameters: dict[str, Any] = {
        "system_instruction": asked.system,
        "max_output_tokens": asked.max_tokens,
        "automatic_function_calling": {"disable": True},
    }
    if asked.temperature is not None:
        parameters["temperature"] = asked.temperature
    if asked.tools:
        declared = [
            {"name": tool.name, "description": tool.description, "parameters_json_schema": tool.parameters}
            for tool in asked.tools
        ]
        parameters["tools"] = [{"function_declarations": declared}]
    contents: Any = [_google_content(one, names) for one in asked.utterances]

    def ask(http: "httpx2.Client", parameters: dict[str, Any]) -> ModelAnswer:
        config: Any = parameters
        answer = _gemini(endpoint, http).models.generate_content(model=asked.model, contents=contents, config=config)
        blocked = answer.prompt_feedback is not None and answer.prompt_feedback.block_reason is not None
        require(bool(answer.candidates) or blocked)
        content = answer.candidates[0].content if answer.candidates else None
        parts = (content.parts if content else None) or ()
        text = "".join(part.text for part in parts if part.text and not part.thought)
        called = [part.function_call for part in parts if part.function_call]
        calls = tuple(ToolCall(one.id or "", one.name or "", one.args or {}) for one in called)
        usage = answer.usage_metadata
        prompt, completion = (usage.prompt_token_count or 0, usage.candidates_token_count or 0) if usage else (0, 0)
        return ModelAnswer(text, calls, prompt, completion)

    return _DriverCall(parameters, ask)


def _google_content(one: Utterance, names: Mapping[str, str]) -> dict[str, Any]:
    if one.role == "results":
        responses = [
            {
                "name": names.get(result.call_id, ""),
                "response": {"error" if result.is_error else "result": result.content},
            }
            for result in one.results
        ]
        return {"role": "user", "parts": [{"function_response": response} for response in responses]}
    parts: list[Any] = [{"text": one.content}] if one.content else []
    parts += [
        {"function_call": {"name": call.name, "args": call.arguments}, "thought_signature": _NO_SIGNATURE}
        for call in one.calls
    ]
    return {"role": "model" if one.role == "assistant" else "user", "parts": parts}


_WAYS: dict[str, Callable[[Driver, Endpoint, ModelRequest], _DriverCall]] = {
    "openai_compatible": _openai,
    "openai": _openai,
    "anthropic": _anthropic,
    "gemini": _google,
}

__all__ = ["ModelAnswer", "ModelRequest", "ProviderFailed", "Tool", "ToolCall", "ToolResult", "Utterance", "converse"]
