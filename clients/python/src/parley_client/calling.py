"""Sending a call: the token, retries with the same idempotency key, answers and refusals."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol, TypeVar
from uuid import uuid4

import httpx

from parley_client.types import Problem

Row = TypeVar("Row")
Kind = Literal["object", "list", "literal", "text", "none"]
RETRIED = (429, 500, 502, 503, 504)
_LONGEST_WAIT_S = 60.0


class ParleyError(Exception):
    """A refusal. `code` never changes; `problem` has all that the service said.

    `after_retry`: the call had been sent before without an answer. With the code `idempotency_key_reused` it was done
    then; `problem` says what is known of that.
    """

    def __init__(self, status: int, problem: Problem, *, after_retry: bool) -> None:
        super().__init__(f"{status} {problem.get('code', '')}: {problem.get('detail', '')}")
        self.status = status
        self.problem = problem
        self.code = problem.get("code", "")
        self.after_retry = after_retry


@dataclass(frozen=True)
class Page(Generic[Row]):
    """A page of a list. `next_cursor` is None on the last one; `total` is told by lists that are paged by number."""

    data: list[Row]
    next_cursor: str | None = None
    total: int | None = None


class Pages(Protocol[Row]):
    """A call that answers pages."""

    def __call__(self, *arguments: Any, **options: Any) -> Page[Row]: ...


class Caller:
    """What calls stand on. `sleep` is time.sleep unless a test says otherwise."""

    _http: httpx.Client
    _retries: int
    _sleep: Callable[[float], None] = staticmethod(time.sleep)

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str | None] | None = None,
        key: str | None = None,
        files: Any = None,
    ) -> httpx.Response:
        """The answer of a success. Raises ParleyError for a refusal, httpx.TransportError if no answer came.

        Sent again, with the same key, after a lost connection, a 429 and a 5xx, if that can do no harm: a write without
        a key is sent once.
        """
        sent = {name: value for name, value in (headers or {}).items() if value is not None}
        if key is not None:
            sent["X-Service-Idempotency-Key"] = key
        options: dict[str, Any] = {"params": _parameters(query or {}), "headers": sent, "files": files}
        if body is not None:
            options["json"] = body
        is_safe = method in ("GET", "DELETE") or key is not None
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries or not is_safe
            try:
                answer = self._http.request(method, path, **options)
            except httpx.TransportError:
                if is_last:
                    raise
                self._sleep(_backoff(attempt))
                continue
            if answer.is_success or answer.is_redirect:
                return answer
            if is_last or answer.status_code not in RETRIED or not _passes(answer):
                raise ParleyError(answer.status_code, _problem(answer), after_retry=attempt > 0)
            self._sleep(_wait_of(answer, attempt))
        raise AssertionError("unreachable")


class Group:
    """The calls of one tag."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _key(self, key: str | None) -> str:
        return key or str(uuid4())

    def _call(self, method: str, path: str, *, kind: Kind, **options: Any) -> Any:
        answer = self._caller.request(method, path, **options)
        if kind == "text":
            return answer.text
        if kind == "none" or answer.status_code == 204 or not answer.content:
            return None
        body = answer.json()
        if kind == "list":
            return Page(body["data"], body.get("next_cursor"), body.get("total"))
        return body["data"] if kind == "object" else body


def every(call: Pages[Row], *arguments: Any, **options: Any) -> Iterator[Row]:
    """Every row of a list, page after page: `every(parley.chats.chat_list, limit=100)`."""
    page = call(*arguments, **options)
    yield from page.data
    if page.total is not None:
        number, seen = 1, len(page.data)
        while page.data and seen < page.total:
            number += 1
            page = call(*arguments, **{**options, "page": number})
            seen += len(page.data)
            yield from page.data
    while page.next_cursor is not None:
        page = call(*arguments, **{**options, "cursor": page.next_cursor})
        yield from page.data


def _parameters(query: Mapping[str, Any]) -> dict[str, Any]:
    shown = {True: "true", False: "false"}
    return {
        name: shown[value] if isinstance(value, bool) else value for name, value in query.items() if value is not None
    }


def _passes(answer: httpx.Response) -> bool:
    """Whether waiting helps: a 503 of a switch says no time, a 502 is another host's failure."""
    return answer.status_code in (429, 500, 504) or "Retry-After" in answer.headers


def _wait_of(answer: httpx.Response, attempt: int) -> float:
    told = answer.headers.get("Retry-After", "")
    return min(float(told), _LONGEST_WAIT_S) if told.isdigit() else _backoff(attempt)


def _backoff(attempt: int) -> float:
    """Seconds: about a half, one, two, four …, so that many clients do not come back at once."""
    return min(0.5 * 2.0**attempt, _LONGEST_WAIT_S) * random.uniform(0.5, 1.0)  # noqa: S311 - no secret


def _problem(answer: httpx.Response) -> Problem:
    try:
        body = answer.json()
    except ValueError:
        body = None
    if isinstance(body, dict):
        return body  # type: ignore[return-value]
    phrase = answer.reason_phrase
    return {
        "type": "about:blank",
        "title": phrase,
        "status": answer.status_code,
        "detail": answer.text[:500],
        "instance": answer.request.url.path,
        "code": "",
    }
