"""Google's Gemini API (https://ai.google.dev/api/generate-content)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

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


_VERSION = "v1beta"
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
            asked: dict[str, Any] = {
                "contents": [{"role": _ROLES[turn.role], "parts": [{"text": turn.content}]} for turn in told],
                "generationConfig": {"maxOutputTokens": tokens_asked_for(quirks, request.max_tokens)},
            }
            if has_system:
                asked["systemInstruction"] = {"role": "user", "parts": [{"text": request.system}]}
            if request.temperature is not None and "temperature" not in quirks.left_out:
                asked["generationConfig"]["temperature"] = request.temperature
            way = "generateContent" if on_text is None else "streamGenerateContent?alt=sse"
            return _posted(endpoint, http, request.model, way, asked)

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
        about = {"model": _path(model), "taskType": kind, "outputDimensionality": self.embedding_dimensions}
        asked = {"requests": [{**about, "content": {"parts": [{"text": text}]}} for text in texts]}

        def vectors(http: "httpx2.Client") -> list[list[float]]:
            answer = _posted(endpoint, http, model, "batchEmbedContents", asked)
            found = answer.raise_for_status().json().get("embeddings") or []
            require(len(found) == len(texts))
            return [list(one.get("values") or ()) for one in found]

        with wired(endpoint, "embedding", budget, MAX_VECTOR_BYTES) as call:
            return call(vectors)


def _posted(endpoint: Endpoint, client: "httpx2.Client", model: str, way: str, body: Any) -> "httpx2.Response":
    """A request by the SDK's URL and headers, but without it: it makes objects of questions and answers, which takes
    four times as long as the call itself."""
    url = f"{endpoint.base_url}/{_VERSION}/{quote(_path(model))}:{way}"
    return client.post(url, json=body, headers={"x-goog-api-key": endpoint.api_key})


def _path(model: str) -> str:
    return model if model.startswith(("models/", "tunedModels/")) else f"models/{model}"


def _sdk(endpoint: Endpoint, http: "httpx2.Client") -> "Client":
    from google.genai import Client
    from google.genai.types import HttpOptions

    # `vertexai=False` and the rest keep what the environment says of projects and endpoints out.
    options = HttpOptions(base_url=endpoint.base_url, httpx_client=http, api_version=_VERSION)
    return Client(api_key=endpoint.api_key, vertexai=False, http_options=options)
