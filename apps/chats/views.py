"""Files at their signed addresses, which give access without a token until they expire.

Nothing uploaded is ever run by a browser on this origin: all but plain pictures are downloads, types are not guessed,
and what is opened all the same is in a sandbox that allows nothing.
"""

from django.http import FileResponse, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase

from apps.chats.errors import ADDRESS_EXPIRED, STORAGE_FAILED
from apps.chats.models import File
from apps.chats.serializers.files import PURPOSE
from apps.core.endpoints.answers import refusal
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_FOUND
from apps.core.files import signed_addresses, storage
from apps.core.parsing.file_types import INLINE_IMAGES, PLAIN_TEXT


def file(request: HttpRequest, name: str) -> HttpResponseBase:
    """The file of that signed name, which names its widget too.

    Refuses with NOT_FOUND (404) what was not signed here or has lost its bytes, ADDRESS_EXPIRED (403) what was,
    STORAGE_FAILED (500). A bucket says by itself that it has lost them.
    """
    try:
        return _served(request, name)
    except storage.Gone:
        return refusal(NOT_FOUND("The file's content is gone."), request)
    except storage.StorageFailed:
        return refusal(STORAGE_FAILED(), request)
    except Exception as error:
        return refusal(error, request)


def _served(request: HttpRequest, name: str) -> HttpResponseBase:
    if request.method not in ("GET", "HEAD"):
        raise METHOD_NOT_ALLOWED(headers={"Allow": "GET, HEAD"})
    try:
        named = signed_addresses.unsign(PURPOSE, name)
    except signed_addresses.InvalidAddress:
        raise NOT_FOUND() from None
    except signed_addresses.ExpiredAddress:
        raise ADDRESS_EXPIRED() from None
    found = File.objects.for_widget(named.widget_id).filter(pk=named.id).first()
    if found is None:
        raise NOT_FOUND()
    content_type = f"{PLAIN_TEXT}; charset=utf-8" if found.content_type == PLAIN_TEXT else found.content_type
    disposition = storage.disposition(found.name, inline=found.content_type in INLINE_IMAGES)
    direct = storage.direct_address(
        found.storage_key, disposition=disposition, content_type=content_type, method=request.method
    )
    if direct is not None:
        return HttpResponseRedirect(direct, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
    return _streamed(found, content_type, disposition, named.seconds_left)


def _streamed(found: File, content_type: str, disposition: str, seconds_left: int) -> FileResponse:
    response = FileResponse(storage.open_stored(found.storage_key), content_type=content_type)
    for header, value in {
        "Content-Length": str(found.size),
        "Content-Disposition": disposition,
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",  # the widget shows pictures on its customers' pages
        "Referrer-Policy": "no-referrer",
        "Cache-Control": f"private, max-age={seconds_left}, immutable",
    }.items():
        response.headers[header] = value
    return response
