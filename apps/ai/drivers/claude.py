"""Anthropic's Messages API (https://docs.anthropic.com/en/api/messages)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apps.ai.drivers.client import require, up_to_last_sentence, wired
from apps.ai.drivers.driver import Completion, Driver, Endpoint, Model, ProviderFailed
from apps.ai.rules.prompts import PromptMessage
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2
    from anthropic import Anthropic

MAX_TEMPERATURE = 1.0


class AnthropicDriver(Driver):
    """Anthropic itself, or a gateway before it."""

    code = "anthropic"
    recommended_models = ("claude-haiku-5-5", "claude-sonnet-5-5")

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
        messages: Any = [{"role": turn.role, "content": turn.content} for turn in turns]
        # The SDK takes no `temperature` any more; the API does, of models that know it.
        extra = {} if temperature is None else {"temperature": min(temperature, MAX_TEMPERATURE)}

        def ask(http: "httpx2.Client") -> Completion:
            answer = _sdk(endpoint, http).messages.create(
                model=model, max_tokens=max_tokens, system=system, messages=messages, extra_body=extra or None
            )
            require(isinstance(answer.content, list))
            text = "".join(part.text for part in answer.content if part.type == "text")
            if answer.stop_reason == "refusal":
                text = ""
            elif answer.stop_reason == "max_tokens":
                text = up_to_last_sentence(text)
            return Completion(text, answer.usage.input_tokens, answer.usage.output_tokens)

        with wired(endpoint, purpose, meter) as call:
            try:
                return call(ask)
            except ProviderFailed as failure:
                if failure.unsupported != "temperature" or not extra:
                    raise
                extra = {}
                return call(ask)

    def models(self, endpoint: Endpoint, *, meter: CallBudget) -> list[Model]:
        with wired(endpoint, "models", meter) as call:
            found = call(
                lambda http: [(one.id, one.display_name) for one in _sdk(endpoint, http).models.list(limit=1000).data]
            )
        return self._listed(found)


def _sdk(endpoint: Endpoint, http: "httpx2.Client") -> "Anthropic":
    from anthropic import Anthropic

    return Anthropic(api_key=endpoint.api_key, base_url=endpoint.base_url, max_retries=0, http_client=http)
