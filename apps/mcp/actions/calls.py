"""A call of a tool: the request that a client of the REST API would have sent, run in this process."""

import time
import uuid
from collections.abc import Mapping
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import orjson
import structlog
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

from apps.core.endpoints.answers import JSON, dump_json
from apps.core.endpoints.authentication import ADMITTED, AuthResult
from apps.core.endpoints.idempotency import HEADER_IN_META as KEY_IN_META
from apps.core.endpoints.serializers import UNKNOWN_MEMBER
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.observability import logs
from apps.core.problems import Problem, problem_response
from apps.core.redis import last_requests
from apps.core.redis.last_requests import LastRequest
from apps.mcp.actions.catalogue import SCOPES, BoundTool
from apps.mcp.rules.tools import KEY

AGENT_IN_META, UNNAMED_AGENT = "HTTP_X_SERVICE_AGENT", "mcp"
# What the call is told of the request that it stands within: where that came from, and by which way.
_PASSED_ON = (
    *("REMOTE_ADDR", "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", "HTTP_HOST", "HTTP_USER_AGENT"),
    *("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REQUEST_ID", "wsgi.url_scheme", "wsgi.errors"),
)


class ToolAnswer(NamedTuple):
    """The status and the body that the operation answered."""

    status: int
    body: dict[str, Any]

    @property
    def is_refusal(self) -> bool:
        return self.status >= 400


def run_tool(bound: BoundTool, given: Mapping[str, Any], *, within: HttpRequest, auth: AuthResult) -> dict[str, Any]:
    """The result of `tools/call`. A refusal is an error of the tool, whose text is the problem.

    The caller has been admitted by the request that it stands `within`, and paid for it.
    """
    arguments = {name: value for name, value in given.items() if value is not None}
    key = arguments.get(KEY, uuid.uuid4().hex) if bound.operation.idempotent else None
    began = time.perf_counter()
    try:
        SCOPES.permit(within, auth.caller, bound.operation)
        _require_types(bound, arguments)
        answer = _read(_run(_request(bound, arguments, key, within, auth)))
    except Problem as problem:
        answer = _read(problem_response(problem, within))
    _note(bound, answer.status, time.perf_counter() - began, auth)
    body = answer.body if key is None else {**answer.body, KEY: key}
    return _result(bound, body, is_refusal=answer.is_refusal)


def _require_types(bound: BoundTool, arguments: Mapping[str, Any]) -> None:
    """Raises INVALID_INPUT (422), naming arguments that there are not, and those of path and query that are wrong.

    Members of the body are the operation's to refuse.
    """
    errors = {name: [UNKNOWN_MEMBER] for name in arguments if name not in bound.arguments["properties"]}
    for error in bound.checked.iter_errors(dict(arguments)):
        missing = [name for name in error.validator_value if name not in arguments] if _is_lack(error) else []
        if missing:
            errors |= {name: ["This argument is required."] for name in missing}
        else:
            errors[str(error.absolute_path[0])] = [_shortened(error.message)]
    if errors:
        raise INVALID_INPUT(errors=errors)


def _is_lack(error: Any) -> bool:
    return bool(error.validator == "required" and not error.absolute_path)


def _shortened(text: str) -> str:
    return text if len(text) <= 300 else text[:300] + "…"


def _run(request: WSGIRequest) -> HttpResponse:
    try:
        found = resolve(request.path_info)
        response: HttpResponse = found.func(request, *found.args, **found.kwargs)
        return response
    except Resolver404:
        return problem_response(NOT_FOUND(), request)
    finally:
        request.close()


def _request(
    bound: BoundTool, arguments: Mapping[str, Any], key: str | None, within: HttpRequest, auth: AuthResult
) -> WSGIRequest:
    """The request of the operation. Nothing of the request around it goes in, but where it came from."""
    path = bound.path.format_map({name: quote(_as_text(arguments[name]), safe="") for name in bound.in_path})
    query = {name: _as_text(arguments[name]) for name in bound.in_query if name in arguments}
    body = {name: arguments[name] for name in bound.in_body if name in arguments}
    raw = dump_json(body) if bound.in_body else b""
    environ: dict[str, Any] = {name: within.META[name] for name in _PASSED_ON if name in within.META}
    environ |= {
        "REQUEST_METHOD": bound.tool.method,
        "SCRIPT_NAME": within.META.get("SCRIPT_NAME", ""),
        "PATH_INFO": path,
        "QUERY_STRING": urlencode(query),
        "HTTP_ACCEPT": JSON,
        AGENT_IN_META: within.META.get(AGENT_IN_META, UNNAMED_AGENT),
        "wsgi.input": BytesIO(raw),
        ADMITTED: auth,
    }
    if raw:
        environ |= {"CONTENT_TYPE": JSON, "CONTENT_LENGTH": str(len(raw))}
    if key is not None:
        environ[KEY_IN_META] = key
    return WSGIRequest(environ)


def _as_text(value: Any) -> str:
    """A value of a path or a query string."""
    if isinstance(value, bool):
        return "1" if value else "0"
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _note(bound: BoundTool, status: int, seconds: float, auth: AuthResult) -> None:
    """Notes the call where one over HTTP is noted: in the access log, and for the token's page."""
    request_id = structlog.contextvars.get_contextvars().get("request_id", "-")
    shown_id = logs.redact(str(request_id))
    logs.write_access(method=bound.tool.method, route=bound.path, status=status, seconds=seconds, request_id=shown_id)
    token_id: int = auth.caller.token_id
    last_requests.note(token_id, LastRequest(time.time(), bound.tool.method, bound.path, status, shown_id))


def _read(response: HttpResponse) -> ToolAnswer:
    body: dict[str, Any] = orjson.loads(response.content) if response.content else {}
    if response.status_code >= 400 and "Retry-After" in response.headers:
        body["retry_after_s"] = int(response.headers["Retry-After"])
    return ToolAnswer(response.status_code, body)


def _result(bound: BoundTool, body: dict[str, Any], *, is_refusal: bool) -> dict[str, Any]:
    """The body as text, and as structured content; a picture as a picture."""
    if bound.tool.shows_picture and not is_refusal:
        return {"content": _parts(body["data"]), "isError": False}
    return {"content": [_text(body)], "structuredContent": body, "isError": is_refusal}


def _parts(attachment: dict[str, Any]) -> list[dict[str, Any]]:
    if attachment["kind"] != "image":
        return [_text(attachment)]
    data = attachment.pop("base64")
    return [_text(attachment), {"type": "image", "data": data, "mimeType": attachment["content_type"]}]


def _text(value: Any) -> dict[str, Any]:
    return {"type": "text", "text": dump_json(value).decode()}
