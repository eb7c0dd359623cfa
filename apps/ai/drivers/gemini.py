"""Google's Gemini API (https://ai.google.dev/api/generate-content)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apps.ai.drivers.client import MAX_VECTOR_BYTES, require, up_to_last_sentence, wired
from apps.ai.drivers.driver import Completion, Driver, Endpoint, Model, ProviderFailed, Task
from apps.ai.rules.prompts import PromptMessage
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2
    from google.genai import Client


class GeminiDriver(Driver):
    """Gemini itself, or a gateway before it."""

    code = "gemini"
    recommended_models = ("gemini-3.8-flash", "gemini-3.1-flash-lite")
    embedding_model = "gemini-embedding-001"
    embedding_dimensions = 512

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
        roles = {"user": "user", "assistant": "model"}
        contents: Any = [{"role": roles[turn.role], "parts": [{"text": turn.content}]} for turn in turns]
        config: Any = {"system_instruction": system, "max_output_tokens": max_tokens}
        if temperature is not None:
            config["temperature"] = temperature

        def ask(http: "httpx2.Client") -> Completion:
            answer = _sdk(endpoint, http).models.generate_content(model=model, contents=contents, config=config)
            return _completion(answer)

        with wired(endpoint, purpose, meter) as call:
            try:
                return call(ask)
            except ProviderFailed as failure:
                if failure.unsupported != "temperature" or "temperature" not in config:
                    raise
                del config["temperature"]
                return call(ask)

    def models(self, endpoint: Endpoint, *, meter: CallBudget) -> list[Model]:
        def listed(http: "httpx2.Client") -> list[tuple[str, str]]:
            page = _sdk(endpoint, http).models.list(config={"page_size": 1000}).page
            return [
                ((one.name or "").removeprefix("models/"), one.display_name or "")
                for one in page
                if "generateContent" in (one.supported_actions or ())
            ]

        with wired(endpoint, "models", meter) as call:
            return self._listed(call(listed))

    def embed(
        self, endpoint: Endpoint, *, model: str, texts: Sequence[str], task: Task, meter: CallBudget
    ) -> list[list[float]]:
        kind = "RETRIEVAL_QUERY" if task == "query" else "RETRIEVAL_DOCUMENT"
        config: Any = {"task_type": kind, "output_dimensionality": self.embedding_dimensions}
        contents: Any = list(texts)

        def vectors(http: "httpx2.Client") -> list[list[float]]:
            answer = _sdk(endpoint, http).models.embed_content(model=model, contents=contents, config=config)
            found = answer.embeddings or []
            require(len(found) == len(texts))
            return [list(one.values or ()) for one in found]

        with wired(endpoint, "embedding", meter, MAX_VECTOR_BYTES) as call:
            return call(vectors)


def _sdk(endpoint: Endpoint, http: "httpx2.Client") -> "Client":
    from google.genai import Client
    from google.genai.types import HttpOptions

    # `vertexai=False` and the rest keep what the environment says of projects and endpoints out.
    options = HttpOptions(base_url=endpoint.base_url, httpx_client=http, api_version="v1beta")
    return Client(api_key=endpoint.api_key, vertexai=False, http_options=options)


def _completion(answer: Any) -> Completion:
    blocked = answer.prompt_feedback is not None and answer.prompt_feedback.block_reason is not None
    require(bool(answer.candidates) or blocked)
    text, reason = "", ""
    if answer.candidates:
        candidate = answer.candidates[0]
        reason = getattr(candidate.finish_reason, "name", None) or "STOP"
        parts = (candidate.content.parts if candidate.content else None) or ()
        text = "".join(part.text for part in parts if part.text and not part.thought)
    if reason == "MAX_TOKENS":
        text = up_to_last_sentence(text)
    elif reason != "STOP":
        text = ""
    usage = answer.usage_metadata
    prompt = (usage.prompt_token_count if usage else None) or 0
    completion = (usage.candidates_token_count if usage else None) or 0
    return Completion(text, prompt, completion)
