"""The HTTP side of one piece of work on one credential, the same for all vendors."""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from apps.ai.drivers.driver import Endpoint, ProviderFailed, Reason
from apps.egress import EgressRefused
from apps.egress.call_budget import CallBudget, SpentError

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER_BYTES = 1024 * 1024
# Embeddings of 64 texts are numbers in text: 64 vectors of 1,536 take up to 2 MB.
MAX_VECTOR_BYTES = 4 * 1024 * 1024

_SENT = frozenset(
    {"accept", "anthropic-version", "authorization", "content-type", "host", "x-api-key", "x-goog-api-key"}
)
_END_OF_SENTENCE = ".!?…。！？؟۔\n"

T = TypeVar("T")


class ModelClient:
    """One HTTP client for an SDK, and what became of its last request.

    `client` sends through the guard with `X-Service-Purpose` and, where the credential has a signing secret,
    `X-Service-Signature` of the raw body; each request is counted by the meter before it goes out.
    """

    def __init__(self, endpoint: Endpoint, purpose: str, meter: CallBudget, max_bytes: int = MAX_ANSWER_BYTES) -> None:
        import httpx2

        from apps.egress.sdk import GuardedTransport

        self._endpoint, self._purpose, self._meter = endpoint, purpose, meter
        self._last: httpx2.Response | None = None
        transport = GuardedTransport(before_request=self._before, only_headers=_SENT, max_bytes=max_bytes)
        self.client = httpx2.Client(transport=transport, event_hooks={"response": [self._after]}, trust_env=False)

    def _before(self, request: "httpx2.Request") -> float:
        self._last = None
        request.headers["X-Service-Purpose"] = self._purpose
        if self._endpoint.signing_secret:
            digest = hmac.new(self._endpoint.signing_secret.encode(), request.content, hashlib.sha256).hexdigest()
            request.headers["X-Service-Signature"] = f"sha256=v1:{digest}"
        return self._meter.spend()

    def _after(self, response: "httpx2.Response") -> None:
        self._last = response

    def failed(self, error: Exception) -> Exception:
        """Our error for an SDK's: judged by the last answer, not by the SDK's own class."""
        for cause in _causes(error):
            if isinstance(cause, SpentError):
                return cause
            if isinstance(cause, EgressRefused) and self._last is None:
                return ProviderFailed("timeout" if cause.reason == "timeout" else "unreachable")
        if self._last is None:
            return ProviderFailed("bad_answer")
        return _failure_of(self._last.status_code, self._last.headers.get("Retry-After"), self._last.content)


@contextmanager
def wired(
    endpoint: Endpoint, purpose: str, meter: CallBudget, max_bytes: int = MAX_ANSWER_BYTES
) -> Iterator[Callable[[Callable[["httpx2.Client"], T]], T]]:
    """Gives a function that makes a call with the HTTP client, and turns whatever it raises into our outcomes."""
    wire = ModelClient(endpoint, purpose, meter, max_bytes)

    def call(work: Callable[["httpx2.Client"], T]) -> T:
        try:
            return work(wire.client)
        except Exception as error:
            raise wire.failed(error) from None

    with wire.client:
        yield call


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


_REASONS: dict[int, Reason] = {401: "rejected_key", 403: "rejected_key", 404: "model_not_found", 408: "timeout"}


def _failure_of(status: int, retry_after: str | None, body: bytes) -> ProviderFailed:
    if status == 429:
        seconds = float(retry_after) if retry_after and retry_after.isdecimal() else None
        return ProviderFailed("rate_limited", status=status, retry_after=seconds)
    if status >= 500:
        return ProviderFailed("server_error", status=status)
    if status == 400:
        param, code, message = _words_of(body)
        too_long = code == "context_length_exceeded" or any(sign in message for sign in _TOO_LONG)
        return ProviderFailed(
            "bad_answer", status=status, too_long=too_long, unsupported=None if too_long else _named(param, message)
        )
    return ProviderFailed(_REASONS.get(status, "bad_answer"), status=status)


# As the vendors put it, in small letters.
_TOO_LONG = (
    "context length",
    "context_length",
    "context window",
    "prompt is too long",
    "maximum number of tokens allowed",
)
_EXCHANGED = ("max_completion_tokens", "max_tokens", "temperature")


def _words_of(body: bytes) -> tuple[str, str, str]:
    """The parameter, code and message of a vendor's error, in small letters; empty where it says none."""
    try:
        document: Any = json.loads(body)
        error = document[0]["error"] if isinstance(document, list) else document["error"]
        param, code, message = (error.get(name) for name in ("param", "code", "message"))
    except (ValueError, LookupError, TypeError, AttributeError):
        return "", "", ""
    return str(param or "").lower(), str(code or "").lower(), str(message or "").lower()


def _named(param: str, message: str) -> str | None:
    """The parameter that an error says the model does not take: by `param`, else the one its message names first."""
    if param in _EXCHANGED:
        return param
    places = {name: place for name in _EXCHANGED if (place := message.find(name)) >= 0}
    return min(places, key=lambda name: (places[name], -len(name))) if places else None


def up_to_last_sentence(text: str) -> str:
    """The text up to the last end of a sentence; all of it if there is none."""
    end = max((text.rfind(mark) for mark in _END_OF_SENTENCE), default=-1)
    return text[: end + 1].rstrip() if end >= 0 else text


def require(condition: bool) -> None:
    """For answers that can be read and say nothing: raises ValueError, which becomes `bad_answer`."""
    if not condition:
        raise ValueError("not an answer")
