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


BEHAVIOURS = ("echo", "slow", "handoff", "broken")


def behaving(behaviour: str, seconds: float = 0.0) -> Callable[[PlayedRequest], Says | dict[str, Any]]:
    """How a vendor answers: with the question, the same ten seconds later, with the wish for a person, or not.

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
        return spoken(asked, last_words(asked))

    return answer
