"""The HTTP side of one piece of work on one credential, the same for all vendors."""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from apps.ai.drivers.driver import Endpoint
from apps.ai.drivers.failures import ProviderFailed, failure_of
from apps.ai.drivers.streaming import StreamStopped
from apps.egress import EgressRefused
from apps.egress.call_budget import CallBudget, SpentError

if TYPE_CHECKING:
    import httpx2

MAX_ANSWER_BYTES = 1024 * 1024
# Embeddings of 64 texts are numbers in text: 64 vectors of 4,096 take up to 6 MB.
MAX_VECTOR_BYTES = 12 * 1024 * 1024

_SENT = frozenset(
    {"accept", "anthropic-version", "authorization", "content-type", "host", "x-api-key", "x-goog-api-key"}
)

T = TypeVar("T")


class ModelClient:
    """One HTTP client for an SDK, and what became of its last request.

    `client` sends through the guard with `X-Service-Purpose` and, where the credential has a signing secret,
    `X-Service-Signature` of the raw body; each request is counted by the budget before it goes out.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        purpose: str,
        budget: CallBudget,
        max_bytes: int = MAX_ANSWER_BYTES,
        on_bytes: Callable[[bytes], None] | None = None,
    ) -> None:
        import httpx2

        from apps.egress.sdk import GuardedTransport

        self._endpoint, self._purpose, self._meter = endpoint, purpose, budget
        self._last: httpx2.Response | None = None
        transport = GuardedTransport(
            before_request=self._before,
            only_headers=_SENT,
            max_bytes=max_bytes,
            owner=endpoint.owner,
            on_bytes=on_bytes,
        )
        self.client = httpx2.Client(transport=transport, event_hooks={"response": [self._after]}, trust_env=False)

    def _before(self, request: "httpx2.Request") -> float:
        self._last = None
        request.headers["X-Service-Purpose"] = self._purpose
        if self._endpoint.signing_secret:
            digest = hmac.new(self._endpoint.signing_secret.encode(), request.content, hashlib.sha256).hexdigest()
            request.headers["X-Service-Signature"] = f"sha256=v1:{digest}"
        return self._meter.spend(self._endpoint.timeout_s)

    def _after(self, response: "httpx2.Response") -> None:
        self._last = response

    def failed(self, error: Exception | None = None) -> Exception:
        """Our error for an SDK's, or for an answer that is none: judged by the answer, not by the SDK's own class."""
        for cause in _causes(error):
            if isinstance(cause, SpentError | StreamStopped):
                return cause
            if isinstance(cause, EgressRefused) and self._last is None:
                return ProviderFailed("timeout" if cause.reason == "timeout" else "unreachable")
        if self._last is None:
            return ProviderFailed("bad_answer")
        return failure_of(self._last.status_code, self._last.headers, self._last.content)

    def body(self) -> bytes | None:
        """The last answer's body, where its status is a success; None otherwise."""
        return self._last.content if self._last is not None and self._last.is_success else None


@contextmanager
def wired_body(
    endpoint: Endpoint, purpose: str, budget: CallBudget, on_bytes: Callable[[bytes], None] | None = None
) -> Iterator[Callable[[Callable[["httpx2.Client"], object]], bytes]]:
    """Gives a function that makes a call with the HTTP client, and gives the body of its answer.

    `on_bytes` is given the pieces of a body as they arrive.
    Nothing that the SDK makes of the body counts: servers answer in shapes that it does not know.
    """
    client = ModelClient(endpoint, purpose, budget, on_bytes=on_bytes)

    def call(work: Callable[["httpx2.Client"], object]) -> bytes:
        try:
            work(client.client)
        except Exception as error:
            if client.body() is None:
                raise client.failed(error) from None
        body = client.body()
        if body is None:
            raise client.failed()
        return body

    with client.client:
        yield call


@contextmanager
def wired(
    endpoint: Endpoint, purpose: str, budget: CallBudget, max_bytes: int = MAX_ANSWER_BYTES
) -> Iterator[Callable[[Callable[["httpx2.Client"], T]], T]]:
    """Gives a function that makes a call with the HTTP client, and turns whatever it raises into our outcomes."""
    client = ModelClient(endpoint, purpose, budget, max_bytes)

    def call(work: Callable[["httpx2.Client"], T]) -> T:
        try:
            return work(client.client)
        except Exception as error:
            raise client.failed(error) from None

    with client.client:
        yield call


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def require(condition: bool) -> None:
    """For answers that can be read and say nothing: raises ValueError, which becomes `bad_answer`."""
    if not condition:
        raise ValueError("not an answer")
