"""Parley's tools over standard input and output: a bridge to `POST /mcp` of the service.

A line of standard input is a message of JSON-RPC, and so is a line of standard output (Model Context Protocol, "stdio"
transport). Messages go to the service unchanged; this program adds the token, and the headers that the HTTP transport
asks for. It has no tools, rules or state of its own, but for the version that a handshake has agreed on.
"""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, NoReturn
from urllib.parse import urlsplit

__all__ = ["Bridge", "main"]
__version__ = "0.1.0"

TIMEOUT_S = 120.0
AT_ONCE = 8  # requests
UNREACHABLE, UNUSABLE = 1, 2  # codes of errors that the service did not answer
_VERSION = "io.modelcontextprotocol/protocolVersion"
_NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_AGENT = re.compile(r"[a-z0-9][a-z0-9_.-]{0,47}")
_PLAIN = re.compile(r"[!-~]+")

Message = dict[str, Any]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The token goes to the address that it was given for, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Bridge:
    """Messages to the service at `url`, and its answers."""

    def __init__(self, url: str, token: str, agent: str | None = None) -> None:
        self._endpoint = url.rstrip("/") + "/mcp"
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "User-Agent": f"parley-mcp/{__version__}",
        }
        if agent:
            self._headers["X-Service-Agent"] = agent
        self._opener = urllib.request.build_opener(_NoRedirects)
        self._agreed: str | None = None

    def answer(self, message: Message) -> Message | None:
        """The answer to a message; None of one that wants none. Whatever goes wrong is an error for that message."""
        body = self._exchange(message)
        if "id" not in message or "method" not in message:
            return None
        if not isinstance(body, dict) or not ("result" in body or "error" in body):
            body = _error(UNUSABLE, "This is no answer of Parley. Is PARLEY_URL right?")
        if message["method"] == "initialize" and isinstance(body.get("result"), dict):
            self._agreed = body["result"].get("protocolVersion")
        return {**body, "id": message["id"]}

    def _exchange(self, message: Message) -> Any:
        request = urllib.request.Request(  # noqa: S310 - `main` takes http and https alone
            self._endpoint, json.dumps(message).encode(), {**self._headers, **self._headers_of(message)}, method="POST"
        )
        try:
            with self._opener.open(request, timeout=TIMEOUT_S) as response:
                return _document(response.read())
        except urllib.error.HTTPError as error:
            found = _document(error.read())
            if isinstance(found, dict) and "error" in found:
                return found
            return _error(UNUSABLE, f"{self._endpoint} answers {error.code}. Is PARLEY_URL right?")
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            return _error(UNREACHABLE, f"{self._endpoint} can't be reached: {reason}")

    def _headers_of(self, message: Message) -> dict[str, str]:
        """The headers in which the HTTP transport repeats parts of a message."""
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        stated = meta.get(_VERSION) if isinstance(meta, dict) else None
        method = message.get("method")
        if not isinstance(stated, str) or not isinstance(method, str):
            return {"MCP-Protocol-Version": self._agreed} if self._agreed and method != "initialize" else {}
        headers = {"MCP-Protocol-Version": _encoded(stated), "Mcp-Method": _encoded(method)}
        name = params.get(_NAMED_BY.get(method, ""))
        return {**headers, "Mcp-Name": _encoded(name)} if isinstance(name, str) else headers


def _encoded(value: str) -> str:
    """A value as a header can hold it (2026-07-28, "Value Encoding")."""
    if _PLAIN.fullmatch(value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode()).decode()}?="


def _document(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        return None


def _error(code: int, text: str) -> Message:
    return {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": text}}


def serve(bridge: Bridge, lines: BinaryIO, out: BinaryIO) -> None:
    """Answers each line, until there are no more. Requests go on beside each other; a handshake is waited for."""
    writing = threading.Lock()

    def write(answer: Message | None) -> None:
        if answer is not None:
            with writing:
                out.write(json.dumps(answer).encode() + b"\n")
                out.flush()

    def handle(message: Message) -> None:
        try:
            write(bridge.answer(message))
        except BrokenPipeError:
            os._exit(0)  # nobody reads any more
        except Exception as error:  # else the client would wait for an answer that never comes
            write({**_error(UNUSABLE, f"{type(error).__name__}: {error}"), "id": message.get("id")})

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in lines:
            if not line.strip():
                continue
            message = _document(line)
            if not isinstance(message, dict):
                write(_error(-32700, "This is no message of JSON-RPC."))
            elif message.get("method") == "initialize":
                handle(message)
            else:
                pool.submit(handle, message)


def main() -> None:
    """The command: reads its settings from the environment, and then messages."""
    url, token = os.environ.get("PARLEY_URL", ""), os.environ.get("PARLEY_TOKEN", "")
    agent = os.environ.get("PARLEY_AGENT") or None
    try:
        found = urlsplit(url)
        is_address = found.scheme in ("http", "https") and bool(found.hostname)
    except ValueError:
        is_address = False
    if not is_address:
        _stop("PARLEY_URL must hold the address of the service, such as https://chat.example.com")
    if not _PLAIN.fullmatch(token):
        _stop("PARLEY_TOKEN must hold an API token, which the cabinet issues: pt_…")
    if agent is not None and not _AGENT.fullmatch(agent):
        _stop("PARLEY_AGENT takes up to 48 small letters, digits, dots, dashes and underscores")
    serve(Bridge(url, token, agent), sys.stdin.buffer, sys.stdout.buffer)


def _stop(text: str) -> NoReturn:
    sys.stderr.write(f"parley-mcp: {text}\n")
    sys.exit(2)
