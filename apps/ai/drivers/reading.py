"""The one place where a vendor's answer becomes ours: a pure function of its bytes for each wire format.

Servers answer in more shapes than their documents name: content as a text, null or parts; counts of tokens that are
absent, null or nonsense; streams that nobody asked for; errors with status 200. Each reader takes what means an answer,
and raises ProviderFailed by meaning for all else (shapes and their sources: tests/ai/test_reading.py).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from apps.ai.drivers.failures import Cause, ProviderFailed, failure_of
from apps.ai.drivers.framing import repeated_from, unframed
from apps.ai.rules.cutting import up_to_last_sentence

Ending = Literal["whole", "cut", "refused"]


class FoundCall(NamedTuple):
    """A call of a tool as a vendor writes it: its id, or "", the tool's name, its arguments as they came."""

    id: str
    name: str
    arguments: Any


class VendorAnswer(NamedTuple):
    """A vendor's answer, read: its words for people alone, how it ends, calls of tools, and what it cost.

    `thought`: there were thoughts, or other words for machines, besides. Tokens are 0 where they are not known.
    """

    said: str
    ending: Ending
    calls: tuple[FoundCall, ...] = ()
    thought: bool = False
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def text(self) -> str:
        """The words that may be shown: none of a refusal, whole sentences of an answer that is not complete."""
        if self.ending == "refused":
            return ""
        again = repeated_from(self.said)
        if again is not None:
            return up_to_last_sentence(self.said[:again])
        return up_to_last_sentence(self.said) if self.ending == "cut" and not _is_json(self.said) else self.said

    @property
    def is_only_thoughts(self) -> bool:
        """Whether all tokens went into thoughts, so that none was left for an answer."""
        return self.ending != "refused" and not self.said and not self.calls and (self.thought or self.ending == "cut")


def _is_json(said: str) -> bool:
    return said[:1] == "{" and _json(said) is not None


# --- OpenAI's chat completions, and what is like them


def read_chat(body: bytes) -> VendorAnswer:
    """An answer of `/chat/completions`. Raises ProviderFailed."""
    document = _whole(body, joined=_joined_chat)
    for name in ("result", "data", "output", "response"):
        if "choices" not in document and isinstance(inner := document.get(name), dict) and "choices" in inner:
            document = inner
    choice = _choice_of(document)
    if choice is None or document.get("error") or choice.get("error"):
        raise _error_in(choice if choice and choice.get("error") else document)
    if not any(choice.get(name) is not None for name in ("message", "delta", "text")):
        raise ProviderFailed("bad_answer", status=200)
    message = choice.get("message") or choice.get("delta")
    message = message if isinstance(message, dict) else {"content": choice.get("text")}
    if "content" not in message and not message.keys() & {"tool_calls", "refusal", "reasoning_content", "reasoning"}:
        raise ProviderFailed("bad_answer", status=200)
    said, hidden, has_refusal = _parts(message.get("content"))
    ending = _ending_of(choice.get("finish_reason") or choice.get("native_finish_reason"))
    if has_refusal or (isinstance(message.get("refusal"), str) and message["refusal"]):
        ending = "refused"
    hidden = hidden or any(message.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
    usage = document.get("usage")
    return _answer(
        said,
        ending,
        calls=_chat_calls(message),
        thought=hidden,
        usage=usage if isinstance(usage, dict) else document,
        prompt=("prompt_tokens", "input_tokens", "prompt_eval_count"),
        completion=("completion_tokens", "output_tokens", "eval_count"),
    )


def _choice_of(document: Mapping[str, Any]) -> dict[str, Any] | None:
    choices = document.get("choices")
    if isinstance(choices, dict):
        choices = [choices]
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        return choices[0]
    if isinstance(document.get("message"), dict) and not document.get("error"):  # ollama's own format
        return {"message": document["message"], "finish_reason": document.get("done_reason")}
    return None


def _chat_calls(message: Mapping[str, Any]) -> tuple[FoundCall, ...]:
    found = []
    calls = message.get("tool_calls")
    for one in calls if isinstance(calls, list) else ():
        function = one.get("function") if isinstance(one, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            identity = one.get("id")
            arguments = function.get("arguments")
            found.append(FoundCall(identity if isinstance(identity, str) else "", function["name"], arguments))
    return tuple(found)


def _joined_chat(events: Iterable[Any]) -> dict[str, Any] | None:
    """The answer that a stream's events add up to; None where they are none. Raises ProviderFailed for half of one."""
    calls: dict[Any, dict[str, Any]] = {}
    texts, usage, finish, is_any = [], None, None, False
    thought = False
    answers = 0
    for event in events:
        if event == "[DONE]":
            finish = finish or "stop"
            continue
        if not isinstance(event, dict):
            continue
        if event.get("error"):
            raise _error_in(event)
        usage = event["usage"] if isinstance(event.get("usage"), dict) else usage
        choice = _choice_of(event)
        if choice is None:
            continue
        is_any = True
        answers += "choices" in event and isinstance(choice.get("message"), dict)
        if answers > 1:  # two whole answers in one body: nobody knows which one is it
            raise ProviderFailed("bad_answer", status=200)
        part = choice.get("delta") or choice.get("message") or {"content": choice.get("text")}
        if isinstance(part, dict):
            said, hidden, _ = _parts(part.get("content"))
            texts.append(said)
            thought = thought or hidden or bool(part.get("reasoning_content") or part.get("reasoning"))
            _add_calls(calls, part.get("tool_calls"))
        finish = choice.get("finish_reason") or ("stop" if event.get("done") is True else finish)
    if not is_any:
        return None
    if finish is None:
        raise ProviderFailed("bad_answer", cause=Cause.CUT_OFF, status=200)
    message = {"content": "".join(texts), "tool_calls": list(calls.values()), "reasoning": thought}
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage}


def _add_calls(calls: dict[Any, dict[str, Any]], parts: Any) -> None:
    """Adds a stream's pieces of calls, by their place in the answer."""
    for part in parts if isinstance(parts, list) else ():
        if not isinstance(part, dict) or not isinstance(part.get("function"), dict):
            continue
        call = calls.setdefault(
            str(part.get("index", len(calls))), {"id": "", "function": {"name": "", "arguments": ""}}
        )
        call["id"] = call["id"] or part.get("id") or ""
        for name in ("name", "arguments"):
            piece = part["function"].get(name)
            if isinstance(piece, str):
                call["function"][name] += piece


# --- Anthropic's messages


def read_message(body: bytes) -> VendorAnswer:
    """An answer of `/v1/messages`. Raises ProviderFailed."""
    document = _whole(body, joined=_joined_message)
    content = document.get("content")
    if document.get("type") == "error" or document.get("error") or not isinstance(content, list | str):
        raise _error_in(document)
    said, hidden, _ = _parts(content)
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    calls = [
        FoundCall(str(block.get("id") or ""), str(block.get("name") or ""), block.get("input"))
        for block in blocks
        if block.get("type") == "tool_use"
    ]
    return _answer(
        said,
        _ending_of(document.get("stop_reason")),
        calls=tuple(calls),
        thought=hidden,
        usage=document.get("usage"),
        prompt=("input_tokens",),
        completion=("output_tokens",),
    )


def _joined_message(events: Iterable[Any]) -> dict[str, Any] | None:
    usage: dict[str, Any] = {}
    texts, stop, is_any = [], None, False
    for event in events:
        kind = event.get("type") if isinstance(event, dict) else None
        if kind == "error":
            raise _error_in(event)
        is_any = is_any or kind in ("message_start", "content_block_delta", "message_delta")
        for holder in (event, event.get("message")) if isinstance(event, dict) else ():
            if isinstance(holder, dict) and isinstance(holder.get("usage"), dict):
                usage |= holder["usage"]
        delta = event.get("delta") if isinstance(event, dict) else None
        if isinstance(delta, dict):
            texts.append(delta["text"] if isinstance(delta.get("text"), str) else "")
            stop = delta.get("stop_reason") or stop
    if not is_any:
        return None
    if stop is None:
        raise ProviderFailed("bad_answer", cause=Cause.CUT_OFF, status=200)
    return {"content": [{"type": "text", "text": "".join(texts)}], "stop_reason": stop, "usage": usage}


# --- Gemini's generateContent


def read_contents(body: bytes) -> VendorAnswer:
    """An answer of `:generateContent`. Raises ProviderFailed."""
    document = _whole(body, joined=_joined_contents)
    feedback = document.get("promptFeedback")
    usage = document.get("usageMetadata")
    candidates = document.get("candidates")
    candidate = candidates[0] if isinstance(candidates, list) and candidates else None
    if document.get("error"):
        raise _error_in(document)
    if not isinstance(candidate, dict):
        if isinstance(feedback, dict) and feedback.get("blockReason"):
            return _answer("", "refused", usage=usage, prompt=("promptTokenCount",), completion=())
        raise _error_in(document)
    content = candidate.get("content")
    parts = content.get("parts") if isinstance(content, dict) else None
    parts = [part for part in parts if isinstance(part, dict)] if isinstance(parts, list) else []
    texts = [part["text"] for part in parts if isinstance(part.get("text"), str) and not part.get("thought")]
    called = [part["functionCall"] for part in parts if isinstance(part.get("functionCall"), dict)]
    return _answer(
        "".join(texts),
        _ending_of(candidate.get("finishReason")),
        calls=tuple(
            FoundCall(str(one.get("id") or ""), str(one.get("name") or ""), one.get("args") or {}) for one in called
        ),
        thought=any(part.get("thought") for part in parts),
        usage=usage,
        prompt=("promptTokenCount",),
        completion=("candidatesTokenCount",),
    )


def _joined_contents(events: Iterable[Any]) -> dict[str, Any] | None:
    parts: list[Any] = []
    last: dict[str, Any] = {}
    finish = None
    for event in events:
        if not isinstance(event, dict):
            continue
        if event.get("error"):
            raise _error_in(event)
        last |= event
        candidates = event.get("candidates")
        candidate = candidates[0] if isinstance(candidates, list) and candidates else {}
        if isinstance(candidate, dict):
            content = candidate.get("content")
            found = content.get("parts") if isinstance(content, dict) else None
            parts += found if isinstance(found, list) else []
            finish = candidate.get("finishReason") or finish
    if "candidates" not in last:
        return last or None
    if finish is None:
        raise ProviderFailed("bad_answer", cause=Cause.CUT_OFF, status=200)
    return {**last, "candidates": [{"content": {"parts": parts}, "finishReason": finish}]}


# --- what they have in common


def _whole(body: bytes, *, joined: Any) -> dict[str, Any]:
    """The document of an answer; a stream is joined. Raises ProviderFailed where it is neither."""
    try:
        text = body.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        raise ProviderFailed("bad_answer", status=200) from None
    document = _json(text)
    if isinstance(document, list):
        document = joined(document)
    elif document is None:
        document = joined(_events(text))
    if isinstance(document, dict):
        return document
    raise failure_of(200, {}, body)


def _events(text: str) -> Iterator[Any]:
    """The events of a stream: the lines `data:` of server-sent events, or a document a line."""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("data:"):
            line = line[5:].strip()
        if line == "[DONE]":
            yield line
        elif line.startswith("{"):
            yield _json(line)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _error_in(document: Mapping[str, Any]) -> ProviderFailed:
    """The failure that stands where an answer was to be."""
    return failure_of(200, {}, json.dumps(document).encode())


def _parts(content: Any) -> tuple[str, bool, bool]:
    """The text parts of a content, whether it has others for machines alone, and whether one is a refusal."""
    if content is None or isinstance(content, str):
        return content or "", False, False
    texts, hidden, has_refusal = [], False, False
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            text = part.get("text")
            if isinstance(text, dict):  # {"value": …}, as of OpenAI's assistants
                text = text.get("value")
            if part.get("type", "text") in ("text", "output_text") and isinstance(text, str):
                texts.append(text)
            else:
                hidden, has_refusal = True, has_refusal or part.get("type") == "refusal"
    return "".join(texts), hidden, has_refusal


_CUT = ("length", "max_tokens", "max_output", "token_limit", "context_window", "model_length")
_REFUSED = (
    *("filter", "safety", "refus", "sensitive", "block", "blacklist", "moderat", "prohibited", "recitation", "spii"),
    *("language", "guardrail", "content_policy", "intervened"),
)
_WHOLE = ("stop", "eos", "end", "complete", "finish", "tool", "function", "done", "unspecified")
_BROKEN = ("malformed", "error", "fail", "abort", "cancel", "unexpected", "pause")


def _ending_of(finish: Any) -> Ending:
    """How an answer ends, by the words of its reason. Raises ProviderFailed where it broke off."""
    reason = str(finish or "stop").lower()
    if any(sign in reason for sign in _BROKEN):
        raise ProviderFailed("bad_answer", cause=Cause.CUT_OFF, status=200)
    if any(sign in reason for sign in _CUT):
        return "cut"
    if any(sign in reason for sign in _REFUSED):
        return "refused"
    if any(sign in reason for sign in _WHOLE):
        return "whole"
    raise ProviderFailed("bad_answer", cause=Cause.CUT_OFF, status=200)


MOST_TOKENS = 10_000_000
"""A number beyond it is no count of one call's tokens."""


def _answer(
    said: str,
    ending: Ending,
    *,
    calls: tuple[FoundCall, ...] = (),
    thought: bool = False,
    usage: Any,
    prompt: tuple[str, ...],
    completion: tuple[str, ...],
) -> VendorAnswer:
    read = unframed(said)
    counts = usage if isinstance(usage, dict) else {}
    sent, made = _count(counts, prompt), _count(counts, completion)
    total = _count(counts, ("total_tokens", "totalTokenCount"))
    if sent and not made:
        made = max(0, total - sent)
    elif made and not sent:
        sent = max(0, total - made)
    return VendorAnswer(read.text, ending, calls, thought or read.hidden, sent, made)


def _count(counts: Mapping[str, Any], names: tuple[str, ...]) -> int:
    """The first of the counts that is one: a whole number, or a text of digits; 0 without."""
    for name in names:
        value = counts.get(name)
        if isinstance(value, str) and value.strip().isdecimal() and len(value) < 12:
            value = int(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST_TOKENS:
            return int(value)
    return 0
