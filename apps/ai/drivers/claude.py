"""Anthropic's Messages API (https://docs.anthropic.com/en/api/messages)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from apps.ai.drivers.client import wired, wired_body
from apps.ai.drivers.driver import (
    Completion,
    CompletionRequest,
    Driver,
    Endpoint,
    Model,
    Quirks,
    answered,
    tokens_asked_for,
)
from apps.ai.drivers.reading import read_message
from apps.ai.drivers.streaming import WordsSoFar, message_words
from apps.ai.rules.roles import alternating
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2
    from anthropic import Anthropic

MAX_TEMPERATURE = 1.0


class AnthropicDriver(Driver):
    """Anthropic itself, or a gateway before it."""

    code = "anthropic"
    recommended_models = ("claude-haiku-5-5", "claude-sonnet-5-5")

    def complete(self, endpoint: Endpoint, request: CompletionRequest, *, budget: CallBudget) -> Completion:
        messages: Any = [{"role": turn.role, "content": turn.content} for turn in alternating(request.turns)]
        quirks, on_text = endpoint.quirks, request.on_text

        def body(http: "httpx2.Client") -> object:
            asked: dict[str, Any] = {
                "model": request.model,
                "max_tokens": tokens_asked_for(quirks, request.max_tokens),
                "system": request.system,
                "messages": messages,
                **temperature_of(quirks, request.temperature),
            }
            if on_text is not None and "stream" not in quirks.left_out:
                asked["stream"] = True
            return posted(endpoint, http, asked)

        hears = None if on_text is None else WordsSoFar(message_words, on_text).feed
        with wired_body(endpoint, request.purpose, budget, hears) as call:
            return answered(quirks, lambda: read_message(call(body)))

    def models(self, endpoint: Endpoint, *, budget: CallBudget) -> list[Model]:
        with wired(endpoint, "models", budget) as call:
            found = call(
                lambda http: [(one.id, one.display_name) for one in _sdk(endpoint, http).models.list(limit=1000).data]
            )
        return self._listed(found)


def temperature_of(quirks: Quirks, temperature: float | None) -> dict[str, float]:
    """The parameter, where one is set and the model takes it."""
    if temperature is None or "temperature" in quirks.left_out:
        return {}
    return {"temperature": min(temperature, MAX_TEMPERATURE)}


def posted(endpoint: Endpoint, client: "httpx2.Client", body: Mapping[str, Any]) -> "httpx2.Response":
    """The SDK's request for a message with a body of ours, and its answer as it came.

    The SDK's own method takes no `temperature` any more, which the API does, of models that know it.
    """
    import httpx2

    return _sdk(endpoint, client).post("/v1/messages", body=body, cast_to=httpx2.Response)


def _sdk(endpoint: Endpoint, http: "httpx2.Client") -> "Anthropic":
    from anthropic import Anthropic

    return Anthropic(api_key=endpoint.api_key, base_url=endpoint.base_url, max_retries=0, http_client=http)
