"""OpenAI, and whatever speaks its chat completions (https://platform.openai.com/docs/api-reference/chat)."""

import base64
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from apps.ai.drivers.client import MAX_VECTOR_BYTES, require, wired, wired_body
from apps.ai.drivers.driver import (
    Completion,
    CompletionRequest,
    Driver,
    Endpoint,
    Model,
    Quirks,
    Task,
    adapting,
    answered,
    tokens_asked_for,
)
from apps.ai.drivers.reading import read_chat
from apps.ai.drivers.streaming import WordsSoFar, chat_words
from apps.ai.rules.roles import alternating, with_system
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2
    from openai import OpenAI

CHAT = "/chat/completions"
# What the list of models has besides models that can chat.
_CANNOT_CHAT = (
    "audio", "babbage", "dall-e", "davinci", "embedding", "image", "instruct", "moderation", "realtime", "search",
    "sora", "speech", "transcribe", "tts", "whisper",
)  # fmt: skip


class OpenAICompatibleDriver(Driver):
    """Any server with OpenAI's wire format, at a `base_url` of its own."""

    code = "openai_compatible"
    embedding_model = "text-embedding-3-small"
    limit: ClassVar[str] = "max_tokens"

    def complete(self, endpoint: Endpoint, request: CompletionRequest, *, budget: CallBudget) -> Completion:
        quirks, said, on_text = endpoint.quirks, alternating(request.turns), request.on_text

        def body(http: "httpx2.Client") -> object:
            system = request.system
            told = with_system(system, said) if "system" in quirks.left_out else [("system", system), *said]
            messages: Any = [{"role": role, "content": content} for role, content in told]
            parameters = chat_parameters(
                quirks, self.limit, temperature=request.temperature, max_tokens=request.max_tokens
            )
            if on_text is not None and "stream" not in quirks.left_out:
                parameters["stream"] = True
                if "stream_options" not in quirks.left_out:
                    parameters["stream_options"] = {"include_usage": True}
            return posted(endpoint, http, CHAT, {"model": request.model, "messages": messages, **parameters})

        hears = None if on_text is None else WordsSoFar(chat_words, on_text).feed
        with wired_body(endpoint, request.purpose, budget, hears) as call:
            return answered(quirks, lambda: read_chat(call(body)), limit=self.limit)

    def models(self, endpoint: Endpoint, *, budget: CallBudget) -> list[Model]:
        with wired(endpoint, "models", budget) as call:
            found = call(lambda http: [(one.id, one.id) for one in _sdk(endpoint, http).models.list().data])
        return self._listed([(name, label) for name, label in found if self._can_chat(name)])

    def embed(
        self, endpoint: Endpoint, *, model: str, texts: Sequence[str], task: Task, budget: CallBudget
    ) -> list[list[float]]:
        optional: dict[str, Any] = {"encoding_format": "float", "dimensions": self.embedding_dimensions}

        def vectors(http: "httpx2.Client") -> list[list[float]]:
            taken = {name: value for name, value in optional.items() if name not in endpoint.quirks.left_out}
            parameters = {name: value for name, value in taken.items() if value is not None}
            asked = {"model": model, "input": list(texts), **parameters}
            data = posted(endpoint, http, "/embeddings", asked).json()["data"]
            require(len(data) == len(texts))
            # Some servers tell no places, or one for all: their vectors are in the order of the texts.
            if {one.get("index") for one in data} == set(range(len(texts))):
                data = sorted(data, key=lambda one: one["index"])
            return [_floats(one["embedding"]) for one in data]

        with wired(endpoint, "embedding", budget, MAX_VECTOR_BYTES) as call:
            return adapting(endpoint.quirks, lambda: call(vectors))

    def _can_chat(self, name: str) -> bool:
        return True


class OpenAIDriver(OpenAICompatibleDriver):
    """OpenAI itself, or a gateway before it."""

    code = "openai"
    recommended_models = ("gpt-5.4-mini", "gpt-6-luna")
    embedding_dimensions = 512
    limit = "max_completion_tokens"

    def _can_chat(self, name: str) -> bool:
        is_chat = name.startswith(("gpt-", "chatgpt-", "o1", "o3", "o4", "ft:"))
        return is_chat and not any(part in name for part in _CANNOT_CHAT)


def _floats(embedding: Any) -> list[float]:
    """A vector, as numbers or as base64 of little-endian floats, which some servers send without being asked to."""
    if isinstance(embedding, str):
        try:
            content = base64.b64decode(embedding, validate=True)
        except ValueError:
            content = b"?"
        require(len(content) % 4 == 0)
        return list(struct.unpack(f"<{len(content) // 4}f", content))
    numbers = list(embedding)
    require(all(isinstance(number, int | float) for number in numbers))
    return numbers


def chat_parameters(quirks: Quirks, limit: str, *, temperature: float | None, max_tokens: int) -> dict[str, Any]:
    """The parameters of a chat completion that the model takes."""
    named = limit if quirks.limit is None else quirks.limit
    parameters: dict[str, Any] = {named: tokens_asked_for(quirks, max_tokens)} if named else {}
    if temperature is not None and "temperature" not in quirks.left_out:
        parameters["temperature"] = temperature
    return parameters


def posted(endpoint: Endpoint, client: "httpx2.Client", path: str, body: Mapping[str, Any]) -> "httpx2.Response":
    """The SDK's request with a body of ours, and its answer as it came.

    The SDK's own methods go through each message, and each number of a vector, by its types, which takes twice as long
    as the call itself.
    """
    import httpx2

    return _sdk(endpoint, client).post(path, body=body, cast_to=httpx2.Response)


def _sdk(endpoint: Endpoint, http: "httpx2.Client") -> "OpenAI":
    from openai import OpenAI

    return OpenAI(
        api_key=endpoint.api_key,
        base_url=endpoint.base_url,
        organization="",
        project="",
        max_retries=0,
        http_client=http,
    )
