"""A vendor of models on loopback: speaks the wire formats of the generic and the three vendors' own drivers.

`manage.py play_model` runs it for trying things out; the tests tell it what to say.
"""

import json
import threading
from collections.abc import Callable
from typing import Any

from apps.demo.servers.played import PlayedRequest, PlayedServer, Says


def chat(text: str | None, *, finish: str = "stop", refusal: str | None = None) -> dict[str, Any]:
    """OpenAI's answer to a chat completion."""
    message = {"role": "assistant", "content": text, "refusal": refusal}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def claude(text: str, *, stop: str = "end_turn") -> dict[str, Any]:
    """Anthropic's answer to a message."""
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 7},
    }


def gemini(text: str, *, finish: str = "STOP") -> dict[str, Any]:
    """Gemini's answer to generateContent."""
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish, "index": 0}],
        "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18},
    }


def called(**arguments: Any) -> dict[str, Any]:
    """OpenAI's answer that asks for a tool; `name` is the tool's."""
    return chat_calls([(arguments.pop("name"), json.dumps(arguments, ensure_ascii=False))])


def chat_calls(calls: list[tuple[str, str]], text: str | None = None) -> dict[str, Any]:
    """OpenAI's answer with calls, by name and arguments as they are written."""
    answer = chat(text, finish="tool_calls")
    answer["choices"][0]["message"]["tool_calls"] = [
        {"id": f"vendor_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
        for place, (name, arguments) in enumerate(calls)
    ]
    return answer


def claude_calls(calls: list[tuple[str, dict[str, Any]]], text: str = "") -> dict[str, Any]:
    """Anthropic's answer with calls."""
    answer = claude(text, stop="tool_use")
    answer["content"] += [
        {"type": "tool_use", "id": f"toolu_{place}", "name": name, "input": arguments}
        for place, (name, arguments) in enumerate(calls)
    ]
    return answer


def gemini_calls(calls: list[tuple[str, dict[str, Any]]], text: str = "") -> dict[str, Any]:
    """Gemini's answer with calls."""
    answer = gemini(text)
    parts = [{"functionCall": {"name": name, "args": arguments}} for name, arguments in calls]
    answer["candidates"][0]["content"]["parts"] = [*([{"text": text}] if text else []), *parts]
    return answer


AUDIO = b"ID3-and-what-was-said"


def heard(asked: PlayedRequest) -> Says | dict[str, Any]:
    """OpenAI's answer to speech: the words of any recording, or the same recording of any words."""
    if asked.path.endswith("/audio/transcriptions"):
        return {"text": "Где мой заказ?"}
    return Says(AUDIO, headers={"Content-Type": "audio/mpeg"})


def only_model() -> dict[str, Any]:
    """The list of models of a vendor with one model, as OpenAI writes it."""
    return {"object": "list", "data": [{"id": "m-1", "object": "model", "created": 1, "owned_by": "vendor"}]}


class Vendor(PlayedServer):
    """Answers each request by `answer`, or with what `will_say` was told, one after the other, the last for ever."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(port)
        self.asked: list[PlayedRequest] = []
        self._says: list[Says] = []
        self.answer: Callable[[PlayedRequest], Says | dict[str, Any]] | None = None
        self._lock = threading.Lock()

    def will_say(self, *says: Says | dict[str, Any]) -> None:
        """Sets its answers from now on."""
        with self._lock:
            self._says = [one if isinstance(one, Says) else Says(one) for one in says]

    def hear(self, asked: PlayedRequest) -> Says:
        with self._lock:
            self.asked.append(asked)
            if self.answer is None:
                return self._says.pop(0) if len(self._says) > 1 else self._says[0]
        said = self.answer(asked)
        return said if isinstance(said, Says) else Says(said)


def last_words(asked: PlayedRequest) -> str:
    """The last message of a request, in whichever of the wire formats it came."""
    body = asked.json
    if "contents" in body:
        return "".join(part.get("text", "") for part in body["contents"][-1]["parts"])
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def spoken(asked: PlayedRequest, text: str) -> dict[str, Any]:
    """A text as the answer of the vendor whose wire format the request has."""
    if "generateContent" in asked.path:
        return gemini(text)
    return claude(text) if asked.path.endswith("/messages") else chat(text)


def listed(asked: PlayedRequest) -> dict[str, Any]:
    """The list of models, as the vendor of the request's headers writes it."""
    if "anthropic-version" in asked.headers:
        return {
            "data": [
                {
                    "id": "m-1",
                    "type": "model",
                    "display_name": "m-1",
                    "created_at": "2026-01-01T00:00:00Z",
                    "lifecycle": "active",
                }
            ],
            "has_more": False,
            "first_id": "m-1",
            "last_id": "m-1",
        }
    if "x-goog-api-key" in asked.headers:
        models = [{"name": "models/m-1", "displayName": "m-1", "supportedGenerationMethods": ["generateContent"]}]
        return {"models": models}
    return only_model()


def vectors(asked: PlayedRequest) -> dict[str, Any]:
    """Embeddings that tell equal texts from others: counts of letters, in 16 dimensions."""
    if "batchEmbedContents" in asked.path:
        texts = ["".join(part["text"] for part in one["content"]["parts"]) for one in asked.json["requests"]]
        return {"embeddings": [{"values": _counts(text)} for text in texts]}
    made = [
        {"object": "embedding", "index": n, "embedding": _counts(text)} for n, text in enumerate(asked.json["input"])
    ]
    return {"object": "list", "data": made, "model": "m-1", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _counts(text: str) -> list[float]:
    counts = [1.0] + [0.0] * 15
    for character in text.casefold():
        counts[ord(character) % 16] += 1.0
    return counts


BEHAVIOURS = ("echo", "slow", "handoff", "tools", "thinking", "broken")


def behaving(behaviour: str, seconds: float = 0.0) -> Callable[[PlayedRequest], Says | dict[str, Any]]:
    """How a vendor answers: with the question, the same ten seconds later, with the wish for a person, with a call of
    the first tool that is offered (and "Done." after its result), with thoughts before the answer, or not.

    `seconds` pass before each answer.
    """

    def answer(asked: PlayedRequest) -> Says | dict[str, Any]:
        if seconds:
            threading.Event().wait(seconds)
        if behaviour == "broken":
            return Says(b'{"choices": [{"mess', status=200 if len(asked.raw) % 2 else 500)
        if asked.method == "GET":
            return listed(asked)
        if "mbed" in asked.path:
            return vectors(asked)
        if "/audio/" in asked.path:
            return heard(asked)
        if behaviour == "slow":
            threading.Event().wait(10)
        if behaviour == "handoff":
            is_judged = asked.headers.get("x-service-purpose") == "classifier"
            return spoken(asked, '{"escalate": true}' if is_judged else "[KEY_TO_OPERATOR]")
        if behaviour == "thinking":
            return spoken(asked, f"<think>They ask: {last_words(asked)}</think>{last_words(asked)}")
        if behaviour == "tools" and has_result(asked):
            return spoken(asked, "Done.")
        if behaviour == "tools" and (tools := offered_tools(asked)):
            return planned(asked, *tools[0])
        return spoken(asked, last_words(asked))

    return answer


def offered_tools(asked: PlayedRequest) -> list[tuple[str, dict[str, Any]]]:
    """The tools of a request, name and schema, in whichever of the wire formats it came."""
    found: list[tuple[str, dict[str, Any]]] = []
    for tool in asked.json.get("tools") or ():
        for one in tool.get("functionDeclarations") or [tool.get("function", tool)]:
            names = ("parameters", "parametersJsonSchema", "parameters_json_schema", "input_schema")
            found.append((one["name"], next((one[name] for name in names if one.get(name)), {})))
    return found


def has_result(asked: PlayedRequest) -> bool:
    """Whether the last message of a request is a tool's result."""
    last = (asked.json.get("contents") or asked.json["messages"])[-1]
    parts = [*(last.get("parts") or ()), *(last["content"] if isinstance(last.get("content"), list) else ())]
    is_result = any("functionResponse" in part or part.get("type") == "tool_result" for part in parts)
    return is_result or last.get("role") == "tool"


def planned(asked: PlayedRequest, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A call of that tool as the answer of the vendor whose wire format the request has."""
    arguments = sample_of(schema)
    if "generateContent" in asked.path:
        return gemini_calls([(name, arguments)])
    if asked.path.endswith("/messages"):
        return claude_calls([(name, arguments)])
    return chat_calls([(name, json.dumps(arguments, ensure_ascii=False))])


def sample_of(schema: dict[str, Any]) -> Any:
    """The smallest value that a schema takes, so far as it says so plainly."""
    if "const" in schema or schema.get("enum"):
        return schema.get("const", (schema.get("enum") or [None])[0])
    match str(schema.get("type", "object")).lower():
        case "object":
            properties = schema.get("properties") or {}
            return {name: sample_of(properties.get(name, {})) for name in schema.get("required", ())}
        case "array":
            return [sample_of(schema.get("items", {})) for _ in range(schema.get("minItems", 0))]
        case "integer" | "number":
            return max(schema.get("minimum", 1), min(1, schema.get("maximum", 1)))
        case "boolean":
            return True
        case "string":
            return "text".ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength", 100)]
    return None
