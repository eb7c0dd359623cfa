"""Anthropic's Messages API (https://docs.anthropic.com/en/api/messages)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from apps.ai.drivers.client import wired, wired_body
from apps.ai.drivers.driver import Completion, CompletionRequest, Driver, Endpoint, Model, answered, tokens_asked_for
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
        quirks, temperature, on_text = endpoint.quirks, request.temperature, request.on_text

        def body(http: "httpx2.Client") -> object:
            # The SDK takes no `temperature` any more; the API does, of models that know it.
            has_temperature = temperature is not None and "temperature" not in quirks.left_out
            extra = {"temperature": min(temperature or 0.0, MAX_TEMPERATURE)} if has_temperature else None
            create: Callable[..., Any] = _sdk(endpoint, http).messages.create
            return create(
                model=request.model,
                max_tokens=tokens_asked_for(quirks, request.max_tokens),
                system=request.system,
                messages=messages,
                extra_body=extra,
                **({"stream": True} if on_text is not None and "stream" not in quirks.left_out else {}),
            )

        hears = None if on_text is None else WordsSoFar(message_words, on_text).feed
        with wired_body(endpoint, request.purpose, budget, hears) as call:
            return answered(quirks, lambda: read_message(call(body)))

    def models(self, endpoint: Endpoint, *, budget: CallBudget) -> list[Model]:
        with wired(endpoint, "models", budget) as call:
            found = call(
                lambda http: [(one.id, one.display_name) for one in _sdk(endpoint, http).models.list(limit=1000).data]
            )
        return self._listed(found)


def _sdk(endpoint: Endpoint, http: "httpx2.Client") -> "Anthropic":
    from anthropic import Anthropic

    return Anthropic(api_key=endpoint.api_key, base_url=endpoint.base_url, max_retries=0, http_client=http)
