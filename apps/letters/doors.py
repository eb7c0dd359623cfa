"""The hook of letters: what providers and mail servers post, stored before it is answered.

A view of its own and no endpoint: the bodies are other people's forms (`rules/hook_bodies.py`). The key in the address
allows to bring letters; a mailbox's door takes all that comes, the installation's (MAIL_HOOK_KEY) rights alone.
"""

import hmac
from io import BytesIO
from urllib.parse import parse_qsl

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from multipart import MultipartError, MultipartParser

from apps.accounts.rules import digest
from apps.core.endpoints.authentication import moving
from apps.core.endpoints.bodies import await_body, whole_body
from apps.core.errors import INVALID_INPUT, METHOD_NOT_ALLOWED, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE
from apps.core.files import signed_addresses
from apps.core.observability.logs import REDACTED
from apps.letters.actions.receiving.doors import accept
from apps.letters.actions.receiving.showing import PURPOSE, raw_of
from apps.letters.models import InLetter, Mailbox
from apps.letters.rules.hook_bodies import HookBody, NoLetter, of_form, of_json
from apps.letters.rules.mailboxes import Door, is_hook_key

MAX_BODY = 40 * 1024 * 1024
MAX_FIELDS = 200
MULTIPART, URLENCODED = "multipart/form-data", "application/x-www-form-urlencoded"


def letters_hook(request: HttpRequest, key: str) -> HttpResponseBase:
    """Takes a letter: 200 for what is stored, repeated or left out alike."""
    request.path = request.path.replace(key, REDACTED)
    if request.method != "POST":
        raise METHOD_NOT_ALLOWED(headers={"Allow": "POST"})
    mailbox = _mailbox(key)
    if (go_on := await_body(request, mailbox.pk if mailbox else 0, MAX_BODY)) is not None:
        return go_on
    body = _read(request, whole_body(request, MAX_BODY))
    if not body.raw.strip():
        raise INVALID_INPUT("There is no letter in the body.")
    accept(body.raw, door=Door.HOOK, mailbox=mailbox, recipients=body.recipients, envelope_sender=body.sender)
    return JsonResponse({"ok": True})


def raw_letter(request: HttpRequest, name: str) -> HttpResponse:
    """A letter as it came, by its signed address: always a download."""
    try:
        named = signed_addresses.unsign(PURPOSE, name)
    except (signed_addresses.InvalidAddress, signed_addresses.ExpiredAddress):
        raise Http404 from None
    row = InLetter.objects.for_widget(named.widget_id).filter(pk=named.id).exclude(raw_key="").first()
    if row is None:
        raise Http404
    headers = {
        "Content-Disposition": f'attachment; filename="letter-{row.pk}.eml"',
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-store",
    }
    return HttpResponse(raw_of(row), content_type="application/octet-stream", headers=headers)


def _mailbox(key: str) -> Mailbox | None:
    """The mailbox of an address; None for the installation's. Raises NOT_FOUND; 503 while its account moves."""
    if settings.MAIL_HOOK_KEY and hmac.compare_digest(key.encode(), settings.MAIL_HOOK_KEY.encode()):
        return None
    rows = Mailbox.objects.unscoped("found by its secret").select_related("widget__account")
    mailbox = rows.filter(digest=digest(key)).first() if is_hook_key(key) else None
    if mailbox is None:
        raise NOT_FOUND()
    if mailbox.widget.is_moving:
        raise moving()
    return mailbox


def _read(request: HttpRequest, content: bytes) -> HookBody:
    """The letter of a body. Raises UNSUPPORTED_MEDIA_TYPE (415), INVALID_INPUT (422)."""
    kind = (request.content_type or "").lower()
    try:
        if kind == "message/rfc822":
            recipients = tuple(request.GET.getlist("recipient")[:100])
            return HookBody(content, recipients, request.GET.get("sender"))
        if kind == MULTIPART:
            return of_form(_multipart_fields(content, (request.content_params or {}).get("boundary", "")))
        if kind == URLENCODED:
            return of_form(_urlencoded_fields(content))
        if kind == "application/json":
            return of_json(content)
    except NoLetter as refused:
        raise INVALID_INPUT(refused.detail) from None
    raise UNSUPPORTED_MEDIA_TYPE()


def _multipart_fields(content: bytes, boundary: str) -> dict[str, bytes]:
    try:
        parser = MultipartParser(
            BytesIO(content), boundary, mem_limit=2 * MAX_BODY, memfile_limit=2 * MAX_BODY, part_limit=MAX_FIELDS
        )
        return {part.name: part.raw for part in parser}
    except (MultipartError, ValueError):
        raise NoLetter from None


def _urlencoded_fields(content: bytes) -> dict[str, bytes]:
    try:
        return {name.decode("utf-8", "ignore"): value for name, value in parse_qsl(content, max_num_fields=MAX_FIELDS)}
    except ValueError:
        raise NoLetter from None
