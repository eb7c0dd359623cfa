"""A client of the API for tests: `api.get("/chats", token=…)`, and what every refusal looks like."""

import json
import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client
from django.test.client import ClientHandler, conditional_content_removal

from config.direct import DIRECT_PATHS, DirectApplication

BASE = "/api/v1"
OTHER_PATHS = ("/api/", "/widget/", "/console/", "/compat/", "/mcp")
NEW_KEY = "a new one"
_chains: dict[tuple[str, ...], Any] = {}
_direct = DirectApplication(everything_else=lambda environ, start_response: [])


class WebHandler(ClientHandler):
    """Answers as the web process does: endpoints by the application in front of Django's, the rest through Django's."""

    def __call__(self, environ: dict[str, Any]) -> Any:
        if not environ["PATH_INFO"].startswith(DIRECT_PATHS):
            return super().__call__(environ)
        started: dict[str, Any] = {}
        request = WSGIRequest(dict(environ))  # which changes its environ

        def start_response(status: str, headers: list[tuple[str, str]]) -> None:
            started.update(status=int(status.split()[0]), headers=headers)

        body = _direct(environ, start_response)
        if isinstance(body, list):
            response: Any = HttpResponse(b"".join(body), status=started["status"])
        else:
            response = StreamingHttpResponse(body, status=started["status"])
        del response.headers["Content-Type"]
        for name, value in started["headers"]:
            response.headers[name] = value
        response.wsgi_request = request
        return conditional_content_removal(request, response)


def client(*, enforce_csrf_checks: bool = False, **options: Any) -> Client:
    """Django's test client before the web process, with one chain of middlewares for all of the tests' process."""
    made = Client(**options)
    handler = WebHandler(enforce_csrf_checks)
    names = tuple(settings.MIDDLEWARE)
    if names not in _chains:
        handler.load_middleware()
        _chains[names] = handler._middleware_chain
    handler._middleware_chain = _chains[names]
    made.handler = handler
    return made


class ApiClient:
    """Speaks JSON to `/api/v1` as the web process answers it; `token` is the client's unless a call names its own.

    A write has a fresh idempotency key unless the call names one; None sends none. `json` may be any value; `data` with
    `content_type` sends raw bytes instead, or a multipart form if `data` is a mapping. Answers have `.json()`.
    """

    def __init__(self, token: str | None = None) -> None:
        self.token = token
        self._client = client()

    def get(self, path: str, *, token: str | None = None, query: Mapping[str, Any] | None = None, **more: Any) -> Any:
        return self.request("GET", path, token=token, query=query, idempotency_key=None, **more)

    def post(self, path: str, **options: Any) -> Any:
        return self.request("POST", path, **options)

    def patch(self, path: str, **options: Any) -> Any:
        return self.request("PATCH", path, **options)

    def put(self, path: str, **options: Any) -> Any:
        return self.request("PUT", path, **options)

    def delete(self, path: str, **options: Any) -> Any:
        return self.request("DELETE", path, **options)

    def request(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        json: Any = None,
        data: bytes | Mapping[str, Any] | None = None,
        content_type: str | None = None,
        query: Mapping[str, Any] | None = None,
        idempotency_key: str | None = NEW_KEY,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """One request. A path is below `/api/v1`, unless it begins as one of OTHER_PATHS."""
        address = address_of(path, query)
        sent = dict(headers or {})
        if token := token or self.token:
            sent.setdefault("Authorization", f"Bearer {token}")
        if idempotency_key is not None:
            sent["X-Service-Idempotency-Key"] = uuid.uuid4().hex if idempotency_key is NEW_KEY else idempotency_key
        body, kind = body_of(json, data, content_type)
        return self._client.generic(method, address, body, content_type=kind, headers=sent)


def address_of(path: str, query: Mapping[str, Any] | None) -> str:
    """The address of a path below the API's base, unless it begins as one of OTHER_PATHS, with its query."""
    address = path if path.startswith(OTHER_PATHS) else BASE + path
    return f"{address}?{urlencode(query, doseq=True)}" if query else address


def body_of(document: Any, data: bytes | Mapping[str, Any] | None, content_type: str | None) -> tuple[Any, str]:
    """The bytes of a body, and their type."""
    if isinstance(data, Mapping):
        from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

        return encode_multipart(BOUNDARY, data), MULTIPART_CONTENT
    if data is not None:
        return data, content_type or "application/octet-stream"
    if document is not None:
        return json.dumps(document), content_type or "application/json"
    return b"", content_type or ""


def assert_problem(
    response: Any, status: int, code: str, *, errors: Mapping[str, Any] | Sequence[str] | None = None
) -> dict[str, Any]:
    """Asserts that an answer is that problem, in the shape that every refusal has, and returns it.

    `errors` names the exact field paths refused; as a mapping, also their messages (a text means a single message).
    """
    problem: dict[str, Any] = response.json()
    assert (response.status_code, problem.get("code")) == (status, code), problem
    assert response.headers["Content-Type"] == "application/problem+json"
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}", response.headers["X-Request-Id"])
    assert problem["type"].endswith(f"/problems/{code}")
    assert problem["status"] == status
    assert problem["title"]
    assert isinstance(problem["detail"], str)
    assert problem["instance"]
    if errors is not None:
        found = problem.get("errors", {})
        assert sorted(found) == sorted(errors), problem
        if isinstance(errors, Mapping):
            wanted = {path: [text] if isinstance(text, str) else list(text) for path, text in errors.items()}
            assert found == wanted
    return problem
