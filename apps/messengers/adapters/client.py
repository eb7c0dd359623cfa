"""The one way by which all adapters call their providers: through the guard, in bounded time and bytes.

Adapters are written once, for a loop. A client whose calls are made by `in_thread` waits in its thread instead, and
`answered` gives the result of an adapter's call by it.
"""

import asyncio
import time
from collections.abc import Awaitable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode

import orjson
from urllib3 import encode_multipart_formdata

from apps import egress
from apps.messengers.rules.delivery import Failure, FailureCode

MAX_ANSWER_BYTES = 1024 * 1024
CALL_S, REQUEST_S, SEND_S = 4.0, 10.0, 15.0

File = tuple[str, bytes, str]  # name, bytes, content type
Result = TypeVar("Result")


class ProviderCallFailed(Exception):
    """A call was not answered by a success; `failure` says what that means."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.code)
        self.failure = failure


@contextmanager
def done_where(*words: str) -> Iterator[None]:
    """A change is asked for: a refusal in these words says that nothing is left to do."""
    try:
        yield
    except ProviderCallFailed as error:
        if not any(each in error.failure.detail for each in words):
            raise


@contextmanager
def uploading() -> Iterator[None]:
    """A file is taken to the provider: what is refused by then may go as another kind of file."""
    try:
        yield
    except ProviderCallFailed as error:
        if error.failure.code != FailureCode.REJECTED:
            raise
        raise ProviderCallFailed(replace(error.failure, code=FailureCode.WRONG_KIND)) from None


@dataclass(frozen=True, slots=True)
class Credentials:
    """The credentials and addresses with which an adapter calls for a connection.

    callback: the address at which the provider calls us. Nothing of it may be shown: see `hidden`.
    """

    base: str
    token: str = field(default="", repr=False)
    sid: str = field(default="", repr=False)
    callback: str = field(default="", repr=False)
    account: str = ""
    account_id: str = ""
    account_name: str = ""
    secret: str = field(default="", repr=False)
    app_secret: str = field(default="", repr=False)
    verify_token: str = field(default="", repr=False)
    confirmation: str = field(default="", repr=False)
    server_id: int | None = None
    client_id: str = ""
    client_secret: str = field(default="", repr=False)

    @property
    def hidden(self) -> tuple[str, ...]:
        """The secrets that no shown text may contain."""
        secrets = (self.token, self.sid, self.secret, self.app_secret, self.verify_token, self.client_secret)
        return tuple(secret for secret in secrets if len(secret) > 3)


@dataclass(frozen=True, slots=True)
class ProviderResponse:
    """A provider's answer. `json` is an object, empty for what is none."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        try:
            document = orjson.loads(self.body)
        except orjson.JSONDecodeError:
            return {}
        return document if isinstance(document, dict) else {"_": document}


class Fetch(Protocol):
    """One guarded call: `egress.fetch` in a thread, or `GuardedSession.fetch` on a loop. Raises EgressRefused."""

    def __call__(
        self, method: str, url: str, *, headers: Mapping[str, str], body: bytes | None, timeout: float, max_bytes: int
    ) -> Awaitable[egress.Response]: ...


async def in_thread(
    method: str, url: str, *, headers: Mapping[str, str], body: bytes | None, timeout: float, max_bytes: int
) -> egress.Response:
    """A call for which this thread waits."""
    return egress.fetch(method, url, headers=headers, body=body, timeout=timeout, max_bytes=max_bytes)


def answered(call: Coroutine[Any, Any, Result]) -> Result:
    """The result of an adapter's call in this thread: its client's calls are `in_thread`, so it never pauses."""
    try:
        call.send(None)
    except StopIteration as end:
        result: Result = end.value
        return result
    call.close()
    raise RuntimeError("A call that waits on a loop was made in a thread.")


class ProviderClient:
    """Calls for one connection. `judge` says what stands against an answer; a call takes `each_s`, all take `all_s`."""

    def __init__(
        self,
        credentials: Credentials,
        judge: Any,
        *,
        each_s: float = CALL_S,
        all_s: float = REQUEST_S,
        fetch: Fetch = in_thread,
    ) -> None:
        self.credentials, self._judge, self._each_s, self._fetch = credentials, judge, each_s, fetch
        self._until = time.monotonic() + all_s

    async def pause(self, seconds: float) -> None:
        """Waits between two calls, as the calls do: in this thread, or on its loop."""
        if self._fetch is in_thread:
            time.sleep(seconds)
        else:
            await asyncio.sleep(seconds)

    async def ask(
        self,
        method: str,
        url: str,
        *,
        query: Mapping[str, Any] | None = None,
        json: Any = None,
        form: Mapping[str, Any] | None = None,
        files: Mapping[str, File] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ProviderResponse:
        """One call of an address, or of a path below the base. Raises ProviderCallFailed for whatever is no success."""
        address = url if "://" in url else f"{self.credentials.base}{url}"
        if query:
            address += ("&" if "?" in address else "?") + urlencode(query)
        body, content_type = _encoded(json, form, files)
        sent = {"Accept": "application/json", **({"Content-Type": content_type} if content_type else {})}
        left = min(self._each_s, self._until - time.monotonic())
        if left <= 0:
            raise ProviderCallFailed(Failure(FailureCode.UNAVAILABLE, "The time for this call is over."))
        try:
            sent |= headers or {}
            answer = await self._fetch(
                method, address, headers=sent, body=body, timeout=left, max_bytes=MAX_ANSWER_BYTES
            )
        except egress.EgressRefused:
            raise ProviderCallFailed(Failure(FailureCode.UNAVAILABLE, "The provider could not be reached.")) from None
        reply = ProviderResponse(answer.status, answer.headers, answer.body)
        if failure := self._judge(reply):
            raise ProviderCallFailed(failure)
        return reply


def _encoded(json: Any, form: Mapping[str, Any] | None, files: Mapping[str, File] | None) -> tuple[bytes | None, str]:
    if files:
        fields: dict[str, Any] = {name: str(value) for name, value in (form or {}).items()}
        return encode_multipart_formdata({**fields, **files})
    if form is not None:
        return urlencode(form).encode(), "application/x-www-form-urlencoded"
    if json is not None:
        return orjson.dumps(json), "application/json"
    return None, ""
