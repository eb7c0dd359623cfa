"""Google's Gemini API (https://ai.google.dev/api/generate-content)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from apps.ai.drivers.client import MAX_VECTOR_BYTES, require, wired, wired_body
from apps.ai.drivers.driver import (
    Completion,
    CompletionRequest,
    Driver,
    Endpoint,
    Model,
    Task,
    answered,
    tokens_asked_for,
)
from apps.ai.drivers.reading import read_contents
from apps.ai.drivers.streaming import WordsSoFar, contents_words
from apps.ai.rules.roles import alternating, with_system
from apps.egress.call_budget import CallBudget

if TYPE_CHECKING:
    import httpx2
    from google.genai import Client


_ROLES = {"user": "user", "assistant": "model"}


class GeminiDriver(Driver):
    """Gemini itself, or a gateway before it."""

    code = "gemini"
    recommended_models = ("gemini-3.8-flash", "gemini-3.1-flash-lite")
    embedding_model = "gemini-embedding-001"
    embedding_dimensions = 512

    def complete(self, endpoint: Endpoint, request: CompletionRequest, *, budget: CallBudget) -> Completion:
        quirks, said, on_text = endpoint.quirks, alternating(request.turns), request.on_text

        def body(http: "httpx2.Client") -> object:
            has_system = "system" not in quirks.left_out
            told = said if has_system else with_system(request.system, said)
            contents: Any = [{"role": _ROLES[turn.role], "parts": [{"text": turn.content}]} for turn in told]
            config: Any = {"max_output_tokens": tokens_asked_for(quirks, request.max_tokens)}
            if has_system:
                config["system_instruction"] = request.system
            if request.temperature is not None and "temperature" not in quirks.left_out:
                config["temperature"] = request.temperature
            models, model = _sdk(endpoint, http).models, request.model
            if on_text is None:
                return models.generate_content(model=model, contents=contents, config=config)
            return list(models.generate_content_stream(model=model, contents=contents, config=config))

        hears = None if on_text is None else WordsSoFar(contents_words, on_text).feed
        with wired_body(endpoint, request.purpose, budget, hears) as call:
            return answered(quirks, lambda: read_contents(call(body)))

    def models(self, endpoint: Endpoint, *, budget: CallBudget) -> list[Model]:
        def listed(http: "httpx2.Client") -> list[tuple[str, str]]:
            page = _sdk(endpoint, http).models.list(config={"page_size": 1000}).page
            return [
                ((one.name or "").removeprefix("models/"), one.display_name or "")
                for one in page
                if "generateContent" in (one.supported_actions or ())
            ]

        with wired(endpoint, "models", budget) as call:
            return self._listed(call(listed))

    def embed(
        self, endpoint: Endpoint, *, model: str, texts: Sequence[str], task: Task, budget: CallBudget
    ) -> list[list[float]]:
        kind = "RETRIEVAL_QUERY" if task == "query" else "RETRIEVAL_DOCUMENT"
        config: Any = {"task_type": kind, "output_dimensionality": self.embedding_dimensions}
        contents: Any = list(texts)

        def vectors(http: "httpx2.Client") -> list[list[float]]:
            answer = _sdk(endpoint, http).models.embed_content(model=model, contents=contents, config=config)
            found = answer.embeddings or []
            require(len(found) == len(texts))
            return [list(one.values or ()) for one in found]

        with wired(endpoint, "embedding", budget, MAX_VECTOR_BYTES) as call:
            return call(vectors)


def _sdk(endpoint: Endpoint, http: "httpx2.Client") -> "Client":
    from google.genai import Client
    from google.genai.types import HttpOptions

    # `vertexai=False` and the rest keep what the environment says of projects and endpoints out.
    options = HttpOptions(base_url=endpoint.base_url, httpx_client=http, api_version="v1beta")
    return Client(api_key=endpoint.api_key, vertexai=False, http_options=options)
