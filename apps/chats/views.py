"""Files at their signed addresses, which give access without a token until they expire.

Nothing uploaded is ever run by a browser on this origin: all but plain pictures, sound and videos are downloads, types
are not guessed, and what is opened all the same is in a sandbox that allows nothing. A player asks for parts (RFC 9110,
14): one range is answered, several are not.
"""

import re
from typing import Any

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase

from apps.chats.errors import ADDRESS_EXPIRED, STORAGE_FAILED
from apps.chats.models import File
from apps.chats.serializers.files import PURPOSE
from apps.core.endpoints.answers import refusal
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_FOUND
from apps.core.files import signed_addresses, storage
from apps.core.parsing.file_types import INLINE_IMAGES, PLAIN_TEXT, PLAYED

_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def file(request: HttpRequest, name: str, shown: str = "") -> HttpResponseBase:
    """The file of that signed name, which names its widget too. The rest of the address does not count.

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
    disposition = storage.disposition(found.name, inline=found.content_type in INLINE_IMAGES | PLAYED)
    direct = storage.direct_address(
        found.storage_key, disposition=disposition, content_type=content_type, method=request.method
    )
    if direct is not None:
        return HttpResponseRedirect(direct, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"})
    response = _streamed(found, content_type, disposition, named.seconds_left)
    asked = request.headers.get("Range") if "If-Range" not in request.headers else None
    return response if asked is None or request.method == "HEAD" else _part(response, asked, found.size)


def _part(whole: FileResponse, asked: str, size: int) -> HttpResponseBase:
    """The part of a file that a Range asks for: 206; 416 beyond its end; all of it where the header says nothing."""
    match = _RANGE.fullmatch(asked.strip())
    if match is None or not any(match.groups()):
        return whole
    first, last = match.groups()
    start = int(first) if first else max(size - int(last), 0)
    end = min(int(last), size - 1) if first and last else size - 1
    if start >= size or (first and last and int(last) < start) or (not first and int(last) == 0):
        whole.close()
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    stored: Any = whole.file_to_stream
    stored.seek(start)
    content = stored.read(end - start + 1)  # of a file of 10 MB at most
    whole.close()
    response = HttpResponse(content, status=206)
    for header, value in whole.headers.items():
        response.headers[header] = value
    response.headers["Content-Length"] = str(len(content))
    response.headers["Content-Range"] = f"bytes {start}-{end}/{size}"
    return response


def _streamed(found: File, content_type: str, disposition: str, seconds_left: int) -> FileResponse:
    response = FileResponse(storage.open_stored(found.storage_key), content_type=content_type)
    for header, value in {
        "Accept-Ranges": "bytes",
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
