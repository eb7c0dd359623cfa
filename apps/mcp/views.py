"""The door of `POST /mcp`: a view of its own and no endpoint, as its bodies are messages of another protocol.

The caller's token is admitted as everywhere (401, 403 `api_disabled`, 429), before the body is read; then the protocol
decides. Refusals of HTTP are JSON-RPC errors too, whose code is the status and whose data is the problem: clients show
their users nothing else.
"""

import time
from typing import Any

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from apps.core.endpoints.answers import JSON, dump_json, refusal
from apps.core.endpoints.authentication import AuthResult, Caller, TokenAuthenticator
from apps.core.endpoints.bodies import admitted_before, await_body, whole_body
from apps.core.errors import INVALID_JSON, METHOD_NOT_ALLOWED, NOT_ACCEPTABLE, UNSUPPORTED_MEDIA_TYPE
from apps.core.observability import metrics
from apps.core.parsing.strict_json import parse_object
from apps.core.problems import Problem
from apps.mcp.actions.calls import run_tool
from apps.mcp.actions.catalogue import BoundTool, catalogue
from apps.mcp.errors import FOREIGN_ORIGIN
from apps.mcp.rules import protocol
from apps.mcp.rules.protocol import McpMessage, MessageId, ProtocolError
from apps.mcp.rules.tools import DESK, INSTRUCTIONS, INSTRUCTIONS_OF_DESK

SERVER = {"name": "parley", "title": "Parley", "version": settings.VERSION}
CAPABILITIES: dict[str, Any] = {"tools": {}}
_TOKENS = TokenAuthenticator()


@csrf_exempt
def mcp(request: HttpRequest) -> HttpResponseBase:
    """A message of a client, and its answer. Nothing is kept between two of them: no session and no stream."""
    began, admitted, response = time.perf_counter(), AuthResult(), HttpResponse(status=202)
    try:
        _require_own_origin(request)
        admitted = admitted_before(request) or _TOKENS.admit(request, {})
        request.token_id = getattr(admitted.caller, "token_id", None)  # type: ignore[attr-defined] # for its line
        if admitted.refusal is not None:
            raise admitted.refusal
        if (go_on := _await(request, admitted)) is not None:
            return go_on
        response = _answer(request, admitted)
    except Exception as error:
        response = _refused(error, request)
    if admitted.budget is not None:
        admitted.budget.write_headers(response)
    if response.status_code == 202:
        del response.headers["Content-Type"]
    metrics.REQUESTS.labels("mcp", response.status_code).observe(time.perf_counter() - began)
    return response


def _require_own_origin(request: HttpRequest) -> None:
    """Raises FOREIGN_ORIGIN (403) for a page of another site, as the protocol asks."""
    origin = request.headers.get("Origin")
    if origin is not None and origin not in (settings.PUBLIC_URL, f"{request.scheme}://{request.get_host()}"):
        raise FOREIGN_ORIGIN()


def _await(request: HttpRequest, auth: AuthResult) -> HttpResponse | None:
    """The answer that asks for a body which has not come. Raises 405 (no streams, no sessions to end), 406, 415."""
    if request.method != "POST":
        raise METHOD_NOT_ALLOWED(headers={"Allow": "POST"})
    if not request.accepts(JSON):
        raise NOT_ACCEPTABLE()
    if request.content_type != JSON:
        raise UNSUPPORTED_MEDIA_TYPE()
    return await_body(request, auth, None)


def _answer(request: HttpRequest, auth: AuthResult) -> HttpResponse:
    """The answer to a POST; 202 for what wants none."""
    document = _document(whole_body(request))
    message_id = protocol.id_of(document)
    try:
        message = protocol.read_message(document, request.headers)
        if not message.wants_answer:
            return HttpResponse(status=202)
        result = _result(message, request, auth)
    except ProtocolError as error:
        return _error(error.status, message_id, error.code, error.message, error.data)
    return HttpResponse(dump_json(protocol.result_of(message, result, SERVER)), content_type=JSON)


def _document(raw: bytes) -> dict[str, Any]:
    """The message's document. Raises ProtocolError."""
    if raw.lstrip().startswith(b"["):
        raise ProtocolError(protocol.INVALID_REQUEST, "Batches are not taken: send each message by itself.")
    try:
        return parse_object(raw)
    except Problem as problem:
        code = protocol.PARSE_ERROR if problem.type == INVALID_JSON else protocol.INVALID_REQUEST
        raise ProtocolError(code, problem.detail, data={"errors": problem.errors} if problem.errors else None) from None


def _result(message: McpMessage, request: HttpRequest, auth: AuthResult) -> dict[str, Any]:
    """The result of a request. Raises ProtocolError."""
    if message.method == "tools/call":
        return _called(message, request, auth)
    caller: Caller = auth.caller
    if message.method == "tools/list":
        return {"tools": [bound.shown for bound in _allowed(caller, request)]}
    if message.method == "server/discover" and message.is_modern:
        versions = {"supportedVersions": [protocol.MODERN_VERSION]}
        return {**versions, "capabilities": CAPABILITIES, "instructions": _instructions(caller, request)}
    if message.method == "initialize" and not message.is_modern:
        version = protocol.agreed_version(message.params.get("protocolVersion"))
        shown = {"protocolVersion": version, "capabilities": CAPABILITIES, "serverInfo": SERVER}
        return {**shown, "instructions": _instructions(caller, request)}
    if message.method == "ping" and not message.is_modern:
        return {}
    status = 404 if message.is_modern else 200
    raise ProtocolError(protocol.METHOD_NOT_FOUND, "There is no such method here.", status=status)


def _called(message: McpMessage, request: HttpRequest, auth: AuthResult) -> dict[str, Any]:
    name, arguments = message.params.get("name"), message.params.get("arguments")
    status = 400 if message.is_modern else 200
    bound = catalogue().get(name) if isinstance(name, str) else None
    if bound is None:
        raise ProtocolError(protocol.INVALID_PARAMS, f"Unknown tool: {str(name)[:128]}", status=status)
    if not isinstance(arguments, dict | None):
        raise ProtocolError(protocol.INVALID_PARAMS, "`arguments` must be an object.", status=status)
    request.token_id = None  # type: ignore[attr-defined] # the operation has a line of its own
    return run_tool(bound, arguments or {}, within=request, auth=auth)


def _allowed(caller: Caller, request: HttpRequest) -> list[BoundTool]:
    """The tools that the scopes of a token allow."""
    return [bound for bound in catalogue().values() if bound.is_allowed(caller, request)]


def _instructions(caller: Caller, request: HttpRequest) -> str:
    at_desk = any(bound.tool.path.startswith(DESK) for bound in _allowed(caller, request))
    return f"{INSTRUCTIONS}\n\n{INSTRUCTIONS_OF_DESK}" if at_desk else INSTRUCTIONS


def _refused(error: Exception, request: HttpRequest) -> HttpResponse:
    """Anything that was raised on the way."""
    if isinstance(error, ProtocolError):
        return _error(error.status, None, error.code, error.message, error.data)
    problem = refusal(error, request)
    said = orjson.loads(problem.content)
    text = f"{said['title']}. {said['detail']}" if said["detail"] else said["title"]
    response = _error(problem.status_code, None, problem.status_code, text, said)
    for name in problem.headers.keys() - {"Content-Type"}:
        response.headers[name] = problem.headers[name]
    return response


def _error(status: int, message_id: MessageId | None, code: int, text: str, data: Any = None) -> HttpResponse:
    return HttpResponse(dump_json(protocol.error_of(message_id, code, text, data)), status=status, content_type=JSON)
