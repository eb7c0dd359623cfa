"""OpenAI, and whatever speaks its chat completions (https://platform.openai.com/docs/api-reference/chat)."""

import base64
import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from apps.ai.drivers.client import MAX_VECTOR_BYTES, require, up_to_last_sentence, wired
from apps.ai.drivers.driver import Completion, Driver, Endpoint, Model, ProviderFailed, Task
from apps.ai.rules.prompts import PromptMessage
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2
    from openai import OpenAI

T = TypeVar("T")

_OTHER_LIMIT = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
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

    def complete(
        self,
        endpoint: Endpoint,
        *,
        purpose: str,
        model: str,
        system: str,
        turns: Sequence[PromptMessage],
        temperature: float | None,
        max_tokens: int,
        meter: CallBudget,
    ) -> Completion:
        messages = [{"role": "system", "content": system}, *({"role": t.role, "content": t.content} for t in turns)]
        parameters: dict[str, Any] = {"model": model, "messages": messages, self.limit: max_tokens}
        if temperature is not None:
            parameters["temperature"] = temperature
        with wired(endpoint, purpose, meter) as call:
            return exchanging(parameters, lambda: call(lambda http: _completion(_sdk(endpoint, http), parameters)))

    def models(self, endpoint: Endpoint, *, meter: CallBudget) -> list[Model]:
        with wired(endpoint, "models", meter) as call:
            found = call(lambda http: [(one.id, one.id) for one in _sdk(endpoint, http).models.list().data])
        return self._listed([(name, label) for name, label in found if self._can_chat(name)])

    def embed(
        self, endpoint: Endpoint, *, model: str, texts: Sequence[str], task: Task, meter: CallBudget
    ) -> list[list[float]]:
        parameters: dict[str, Any] = {"model": model, "input": list(texts), "encoding_format": "float"}
        if self.embedding_dimensions is not None:
            parameters["dimensions"] = self.embedding_dimensions

        def vectors(http: "httpx2.Client") -> list[list[float]]:
            data = _sdk(endpoint, http).embeddings.create(**parameters).data
            require(len(data) == len(texts))
            return [_floats(one.embedding) for one in sorted(data, key=lambda one: one.index)]

        with wired(endpoint, "embedding", meter, MAX_VECTOR_BYTES) as call:
            return call(vectors)

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


def exchanging(parameters: dict[str, Any], ask: Callable[[], T]) -> T:
    """Asks, once more for each parameter that the model does not take: without it, or with the other one of its kind.

    `parameters` are those that `ask` sends; they are changed.
    """
    exchanged: set[str] = set()
    while True:
        try:
            return ask()
        except ProviderFailed as failure:
            name = failure.unsupported
            if name not in parameters or name in exchanged:
                raise
            exchanged.add(name)
            value = parameters.pop(name)
            if name in _OTHER_LIMIT:
                parameters[_OTHER_LIMIT[name]] = value


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


def _completion(sdk: "OpenAI", parameters: dict[str, Any]) -> Completion:
    create: Callable[..., Any] = sdk.chat.completions.create
    answer = create(**parameters)
    require(bool(answer.choices))
    choice = answer.choices[0]
    text = choice.message.content or ""
    require(isinstance(text, str))
    if choice.finish_reason == "content_filter" or choice.message.refusal:
        text = ""
    elif choice.finish_reason == "length":
        text = up_to_last_sentence(text)
    usage = answer.usage
    return Completion(text, usage.prompt_tokens if usage else 0, usage.completion_tokens if usage else 0)
