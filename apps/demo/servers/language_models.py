"""A vendor of models on loopback: speaks the wire formats of the generic and the three vendors' own drivers.

`manage.py play_model` runs it for trying things out; the tests tell it what to say.
"""

import json
import re
import threading
from collections.abc import Callable, Iterator
from typing import Any

from apps.ai.rules.languages import language_of
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


def heard(request: PlayedRequest) -> Says | dict[str, Any]:
    """OpenAI's answer to speech: the words of any recording, or the same recording of any words."""
    if request.path.endswith("/audio/transcriptions"):
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

    def hear(self, request: PlayedRequest) -> Says:
        with self._lock:
            self.asked.append(request)
            if self.answer is None:
                return self._says.pop(0) if len(self._says) > 1 else self._says[0]
        said = self.answer(request)
        return said if isinstance(said, Says) else Says(said)


def last_words(request: PlayedRequest) -> str:
    """The last message of a request, in whichever of the wire formats it came."""
    body = request.json
    if "contents" in body:
        return "".join(part.get("text", "") for part in body["contents"][-1]["parts"])
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def all_words(request: PlayedRequest) -> str:
    """All messages of a request, in whichever of the wire formats it came."""
    body = request.json
    found = []
    for message in body.get("contents") or body["messages"]:
        content = message.get("parts", message.get("content"))
        parts = content if isinstance(content, list) else [{"text": content}]
        found.append("".join(str(part.get("text") or "") for part in parts))
    return "\n".join(found)


def spoken(request: PlayedRequest, text: str) -> dict[str, Any]:
    """A text as the answer of the vendor whose wire format the request has."""
    if "contents" in request.json:
        return gemini(text)
    return claude(text) if request.path.endswith("/messages") else chat(text)


def wants_stream(request: PlayedRequest) -> bool:
    """Whether the words are to come one by one."""
    return "streamGenerateContent" in request.path or request.json.get("stream") is True


def streamed(request: PlayedRequest, text: str, *, between: Callable[[], object] = lambda: None) -> Says:
    """A text word by word, as the vendor of the request's wire format streams; `between` is called after each word."""

    def pieces() -> Iterator[bytes]:
        for event in _events(request, text):
            yield f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()
            between()
        if "contents" not in request.json and not request.path.endswith("/messages"):
            yield b"data: [DONE]\n\n"

    return Says(pieces())


def _events(request: PlayedRequest, text: str) -> Iterator[dict[str, Any]]:
    words = re.findall(r"\s*\S+\s*\Z|\s*\S+", text)
    if "contents" in request.json:
        for word in words:
            yield {"candidates": [{"content": {"role": "model", "parts": [{"text": word}]}, "index": 0}]}
        yield gemini("")
    elif request.path.endswith("/messages"):
        yield {"type": "message_start", "message": {**claude(""), "usage": {"input_tokens": 11, "output_tokens": 1}}}
        for word in words:
            yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": word}}
        yield {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 7}}
        yield {"type": "message_stop"}
    else:
        about = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        for word in words:
            yield {**about, "choices": [{"index": 0, "delta": {"content": word}, "finish_reason": None}]}
        yield {**about, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        yield {**about, "choices": [], "usage": chat("")["usage"]}


def listed(request: PlayedRequest) -> dict[str, Any]:
    """The list of models, as the vendor of the request's headers writes it."""
    if "anthropic-version" in request.headers:
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
    if "x-goog-api-key" in request.headers:
        models = [{"name": "models/m-1", "displayName": "m-1", "supportedGenerationMethods": ["generateContent"]}]
        return {"models": models}
    return only_model()


def vectors(request: PlayedRequest) -> dict[str, Any]:
    """Embeddings that tell equal texts from others: counts of letters, in 16 dimensions."""
    if "batchEmbedContents" in request.path:
        texts = ["".join(part["text"] for part in one["content"]["parts"]) for one in request.json["requests"]]
        return {"embeddings": [{"values": _counts(text)} for text in texts]}
    made = [
        {"object": "embedding", "index": n, "embedding": _counts(text)} for n, text in enumerate(request.json["input"])
    ]
    return {"object": "list", "data": made, "model": "m-1", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def _counts(text: str) -> list[float]:
    counts = [1.0] + [0.0] * 15
    for character in text.casefold():
        counts[ord(character) % 16] += 1.0
    return counts


BEHAVIOURS = ("echo", "slow", "handoff", "tools", "thinking", "broken", "wrong-number")


def behaving(behaviour: str, seconds: float = 0.0) -> Callable[[PlayedRequest], Says | dict[str, Any]]:
    """How a vendor answers: with the question, the same ten seconds later, with the wish for a person, with a call of
    the first tool that is offered (and "Done." after its result), with thoughts before the answer, or not.

    Asked for an operator it drafts from the first numbered piece, sums up, and "translates" by naming the language,
    `wrong-number` with another number. `seconds` pass before each answer. A request for a stream gets one.
    """

    def answer(request: PlayedRequest) -> Says | dict[str, Any]:
        if seconds:
            threading.Event().wait(seconds)
        if behaviour == "broken":
            return Says(b'{"choices": [{"mess', status=200 if len(request.raw) % 2 else 500)
        if request.method == "GET":
            return listed(request)
        if "mbed" in request.path:
            return vectors(request)
        if "/audio/" in request.path:
            return heard(request)
        if behaviour == "slow":
            threading.Event().wait(10)
        if behaviour == "handoff":
            is_judged = request.headers.get("x-service-purpose") == "classifier"
            return spoken(request, '{"escalate": true}' if is_judged else "[KEY_TO_OPERATOR]")
        if behaviour == "thinking":
            return spoken(request, f"<think>They ask: {last_words(request)}</think>{last_words(request)}")
        if behaviour == "tools" and has_result(request):
            return spoken(request, "Done.")
        if behaviour == "tools" and (tools := offered_tools(request)):
            return planned(request, *tools[0])
        return said(request, helping(request, changes_number=behaviour == "wrong-number"))

    return answer


def said(request: PlayedRequest, text: str) -> Says | dict[str, Any]:
    """A text as the vendor says it: word by word for who wants that."""
    if wants_stream(request):
        return streamed(request, text, between=lambda: threading.Event().wait(BETWEEN_WORDS_S))
    return spoken(request, text)


BETWEEN_WORDS_S = 0.03
_PIECE = re.compile(r"\[1\] (.*?)(?=\n\n\[2\]|\n<[0-9a-f]{16}>)", re.DOTALL)
_DIGITS = re.compile(r"\d+")


def helping(request: PlayedRequest, *, changes_number: bool = False) -> str:
    """The words of an answer, by what is asked for: the last message, unless it is an operator who is helped."""
    words, purpose = last_words(request), request.headers.get("x-service-purpose")
    if purpose == "draft":
        piece = _PIECE.search(all_words(request))
        return f"{piece[1].splitlines()[-1].strip()} [1]" if piece else words
    if purpose == "summary":
        lines = words.splitlines()
        summary = {"wants": lines[0][:200] if lines else "", "done": "", "open": lines[-1:], "promised": [], "tags": []}
        return json.dumps(summary, ensure_ascii=False)
    if purpose == "translation":
        return _translated(words, changes_number=changes_number)
    return _reviewed(words) if purpose == "review" else words


def _reviewed(words: str) -> str:
    """The best scores by all criteria, each with the first answer's beginning as its quote."""
    try:
        task = json.loads(words)
        answer = next(said for said in task["messages"] if said["who"] != "visitor")
        quote = {"n": answer["n"], "text": answer["text"][:80]}
        scores = [
            {"key": each["key"], "value": 1 if each["scale"] == "yes_no" else 4, "reason": "Played.", "quotes": [quote]}
            for each in task["criteria"]
        ]
    except (ValueError, TypeError, KeyError, StopIteration):
        return words
    return json.dumps({"scores": scores}, ensure_ascii=False)


def _translated(words: str, *, changes_number: bool) -> str:
    try:
        wish = json.loads(words)
        texts = [str(text) for text in wish["texts"]]
    except (ValueError, TypeError, KeyError):
        return words
    made = [f"({wish.get('to')}) {text}" for text in texts]
    if changes_number:
        made = [_DIGITS.sub(lambda number: str(int(number[0]) + 1), text, count=1) for text in made]
    language = next((found for text in texts if (found := language_of(text))), "en")
    return json.dumps({"language": language, "texts": made}, ensure_ascii=False)


def offered_tools(request: PlayedRequest) -> list[tuple[str, dict[str, Any]]]:
    """The tools of a request, name and schema, in whichever of the wire formats it came."""
    found: list[tuple[str, dict[str, Any]]] = []
    for tool in request.json.get("tools") or ():
        for one in tool.get("functionDeclarations") or [tool.get("function", tool)]:
            names = ("parameters", "parametersJsonSchema", "parameters_json_schema", "input_schema")
            found.append((one["name"], next((one[name] for name in names if one.get(name)), {})))
    return found


def has_result(request: PlayedRequest) -> bool:
    """Whether the last message of a request is a tool's result."""
    last = (request.json.get("contents") or request.json["messages"])[-1]
    parts = [*(last.get("parts") or ()), *(last["content"] if isinstance(last.get("content"), list) else ())]
    is_result = any("functionResponse" in part or part.get("type") == "tool_result" for part in parts)
    return is_result or last.get("role") == "tool"


def planned(request: PlayedRequest, name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A call of that tool as the answer of the vendor whose wire format the request has."""
    arguments = sample_of(schema)
    if "contents" in request.json:
        return gemini_calls([(name, arguments)])
    if request.path.endswith("/messages"):
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
