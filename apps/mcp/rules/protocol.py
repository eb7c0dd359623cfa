"""Messages of the Model Context Protocol over streamable HTTP: by handshake, and since 2026-07-28 without one.

https://modelcontextprotocol.io/specification/2025-11-25/basic/transports and …/2026-07-28/basic/transports. The server
keeps nothing between two requests: no session, no stream.
"""

import binascii
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MODERN_VERSION = "2026-07-28"
VERSIONS = (MODERN_VERSION, *HANDSHAKE_VERSIONS)

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
HEADER_MISMATCH, UNSUPPORTED_VERSION = -32020, -32022

META = "io.modelcontextprotocol/"
_VERSION, _CAPABILITIES, SERVER_INFO = f"{META}protocolVersion", f"{META}clientCapabilities", f"{META}serverInfo"
# How long a client may keep what it was told, and for whom: scopes of a token can change.
CACHE_HINTS = {"ttlMs": 60_000, "cacheScope": "private"}
CACHED = ("server/discover", "tools/list")
_SENTINEL, _SENTINEL_END = "=?base64?", "?="
# Methods whose header Mcp-Name repeats a parameter.
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

MessageId = str | int


class ProtocolError(Exception):
    """An error of the protocol. `status` is that of HTTP."""

    def __init__(self, code: int, message: str, *, status: int = 400, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.message, self.status, self.data = code, message, status, data


@dataclass(frozen=True, slots=True)
class McpMessage:
    """A message of a client. `id` is None of a notification, and of an answer, which the server never asked for."""

    method: str
    id: MessageId | None
    params: Mapping[str, Any]
    is_modern: bool

    @property
    def wants_answer(self) -> bool:
        """Whether it is a request."""
        return self.id is not None


def id_of(document: Mapping[str, Any]) -> MessageId | None:
    """The id of a message, or None where it has none that could be one."""
    found = document.get("id")
    return found if isinstance(found, str | int) and not isinstance(found, bool) else None


def read_message(document: Mapping[str, Any], headers: Mapping[str, str]) -> McpMessage:
    """The message of a body. Raises ProtocolError. `headers` are found whatever their case."""
    params, version = document.get("params", {}), headers.get("MCP-Protocol-Version")
    is_answer = "method" not in document and ("result" in document or "error" in document)
    method = "" if is_answer else document.get("method")
    if document.get("jsonrpc") != "2.0" or not isinstance(method, str):
        raise ProtocolError(INVALID_REQUEST, "This is no message of JSON-RPC 2.0.")
    if "id" in document and id_of(document) is None and not is_answer:
        raise ProtocolError(INVALID_REQUEST, "`id` must be a string or an integer.")
    if not isinstance(params, Mapping):
        raise ProtocolError(INVALID_PARAMS, "`params` must be an object.")
    if is_answer or "id" not in document:
        if version is not None and version not in VERSIONS:
            raise _unsupported(version)
        if is_answer and version == MODERN_VERSION:
            raise ProtocolError(INVALID_REQUEST, "Clients send requests and notifications alone.")
        return McpMessage(method, None, params, is_modern=version == MODERN_VERSION)
    is_modern = _is_modern(method, params, headers)
    return McpMessage(method, id_of(document), params, is_modern)


def _is_modern(method: str, params: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """The era of a request; of the modern one, its headers and body must agree. Raises ProtocolError."""
    header, meta = headers.get("MCP-Protocol-Version"), params.get("_meta")
    stated = meta.get(_VERSION) if isinstance(meta, Mapping) else None
    if stated is None and header != MODERN_VERSION:
        if header is not None and header not in VERSIONS:
            raise _unsupported(header)
        return False
    if not isinstance(meta, Mapping) or not isinstance(stated, str) or not isinstance(meta.get(_CAPABILITIES), Mapping):
        raise ProtocolError(INVALID_PARAMS, f"`params._meta` must have `{_VERSION}` and `{_CAPABILITIES}`.")
    _require_same("MCP-Protocol-Version", header, stated)
    if stated != MODERN_VERSION:
        raise _unsupported(stated)
    _require_same("Mcp-Method", headers.get("Mcp-Method"), method)
    if (member := _NAMED_BY.get(method)) is not None and params.get(member) is not None:
        _require_same("Mcp-Name", decoded(headers.get("Mcp-Name")), params[member])
    return True


def _require_same(name: str, header: str | None, of_body: Any) -> None:
    if header is None or header != of_body:
        raise ProtocolError(HEADER_MISMATCH, f"The header {name} must be there, and say the same as the body.")


def _unsupported(version: str) -> ProtocolError:
    data = {"supported": list(VERSIONS), "requested": version[:64]}
    return ProtocolError(UNSUPPORTED_VERSION, "Unsupported protocol version", data=data)


def decoded(header: str | None) -> str | None:
    """A header's value without its Base64 form; None for one that is broken."""
    if header is None or not (header.startswith(_SENTINEL) and header.endswith(_SENTINEL_END)):
        return header
    try:
        return b64decode(header[len(_SENTINEL) : -len(_SENTINEL_END)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def agreed_version(asked_for: Any) -> str:
    """The version of a handshake: the one that was asked for if it is spoken here, else the newest that has one."""
    return asked_for if asked_for in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[0]


def result_of(message: McpMessage, result: Mapping[str, Any], server: Mapping[str, str]) -> dict[str, Any]:
    """The body of an answer, in the shape of the message's era."""
    shown = dict(result)
    if message.is_modern:
        shown |= {"resultType": "complete", "_meta": {SERVER_INFO: dict(server)}}
        if message.method in CACHED:
            shown |= CACHE_HINTS
    return {"jsonrpc": "2.0", "id": message.id, "result": shown}


def error_of(message_id: MessageId | None, code: int, text: str, data: Any = None) -> dict[str, Any]:
    """The body of an error; its id is null where that of the message could not be read."""
    error = {"code": code, "message": text, **({"data": data} if data is not None else {})}
    return {"jsonrpc": "2.0", "id": message_id, "error": error}
