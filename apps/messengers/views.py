"""Callback addresses: what providers post, stored before it is answered; and the one question that Meta asks by GET.

Views of their own and no endpoints: the bodies are other people's formats, read leniently, and each provider proves
itself in its own way.
"""

import re
import zlib
from collections.abc import Callable, Sequence

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from apps.core.endpoints.authentication import moving
from apps.core.endpoints.bodies import await_body, whole_body
from apps.core.errors import BODY_TOO_LARGE, INVALID_JSON, METHOD_NOT_ALLOWED, NOT_FOUND
from apps.core.observability.logs import REDACTED
from apps.messengers.actions.accounts import app_with_key, named_in, note_unproved, split
from apps.messengers.actions.inbound import accept
from apps.messengers.actions.provider_calls import adapter_of, credentials_of
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.adapter import Adapter, WebhookRequest, same
from apps.messengers.adapters.client import Credentials
from apps.messengers.errors import NOT_PROVEN
from apps.messengers.models import Connection, VendorSettings
from apps.messengers.querysets import hooked

MAX_BODY, MAX_INFLATED = 1024 * 1024, 4 * 1024 * 1024
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


def hook(request: HttpRequest, provider: str, key: str) -> HttpResponseBase:
    """A call of a callback address. Accepted, repeated and ignored updates are answered alike."""
    request.path = request.path.replace(key, REDACTED)
    app = app_with_key(provider, key) if ADAPTERS[provider].by_app and _KEY.fullmatch(key) else None
    if request.method == "GET" and ADAPTERS[provider].by_app:
        token = app.app_verify_token if app else _connection(provider, key)[0].verify_token
        return _verified(request, token or "")
    if request.method != "POST":
        raise METHOD_NOT_ALLOWED(headers={"Allow": "GET, POST" if ADAPTERS[provider].by_app else "POST"})
    if app is not None:
        return _app_hook(request, app)
    connection, vendor = _connection(provider, key)
    if (go_on := await_body(request, connection.pk, MAX_BODY)) is not None:
        return go_on
    raw = whole_body(request, MAX_BODY)
    if ADAPTERS[provider].adds_path and request.headers.get("Content-Encoding", "").lower() == "gzip":
        raw = _inflated(raw)
    adapter, credentials = adapter_of(connection), credentials_of(connection, vendor)
    found = WebhookRequest(credentials, {name.lower(): value for name, value in request.headers.items()}, raw)
    try:
        _require_proof(adapter, found, lambda: [connection])
        document = found.document
    except ValueError:
        raise INVALID_JSON() from None
    accept(connection, document, credentials)
    answer = adapter.answer(found)
    if isinstance(answer, str):
        return HttpResponse(answer, content_type="text/plain; charset=utf-8")
    return JsonResponse({"ok": True} if answer is None else dict(answer))


def _app_hook(request: HttpRequest, app: VendorSettings) -> HttpResponseBase:
    """A call of the address at which a vendor's app delivers for all accounts."""
    if (go_on := await_body(request, app.provider, MAX_BODY)) is not None:
        return go_on
    adapter, credentials = ADAPTERS[app.provider], Credentials(base="", app_secret=app.app_secret or "")
    headers = {name.lower(): value for name, value in request.headers.items()}
    found = WebhookRequest(credentials, headers, whole_body(request, MAX_BODY))
    try:
        _require_proof(adapter, found, lambda: named_in(app, found.document))
        document = found.document
    except ValueError:
        raise INVALID_JSON() from None
    update = split(app, document)
    for connection, part in update.parts:
        accept(connection, part)
    if update.again is not None:
        raise update.again
    return JsonResponse({"ok": True})


def _connection(provider: str, key: str) -> tuple[Connection, VendorSettings]:
    """The connection of a callback address, and its vendor's settings. While its account moves, the provider is to come
    again (503).
    """
    found = hooked(provider, key) if _KEY.fullmatch(key) else None
    if found is None:
        raise NOT_FOUND()
    if found[0].widget.is_moving:
        raise moving()
    return found


def _require_proof(adapter: Adapter, found: WebhookRequest, of: Callable[[], Sequence[Connection]]) -> None:
    """Notes at the connections that an update came without a proof.

    Raises NOT_PROVEN (403) then; ValueError where the proof stands in a body that can't be read.
    """
    if adapter.proof_in_body:
        _ = found.document
    if not adapter.verify(found):
        note_unproved(of())
        raise NOT_PROVEN()


def _verified(request: HttpRequest, token: str) -> HttpResponse:
    """Meta's question whether the address is ours."""
    given = request.GET
    if given.get("hub.mode") != "subscribe" or not same(given.get("hub.verify_token", ""), token):
        raise NOT_PROVEN()
    return HttpResponse(given.get("hub.challenge", "")[:255], content_type="text/plain; charset=utf-8")


def _inflated(raw: bytes) -> bytes:
    stream = zlib.decompressobj(wbits=31)
    try:
        inflated = stream.decompress(raw, MAX_INFLATED + 1)
    except zlib.error:
        raise INVALID_JSON() from None
    if len(inflated) > MAX_INFLATED:
        raise BODY_TOO_LARGE()
    return inflated
