"""Stored pictures at their addresses, for everybody: the widget shows them on other people's pages.

An address is of one picture for ever, so who has read it need not ask again.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from apps.core.endpoints.answers import refusal
from apps.core.errors import METHOD_NOT_ALLOWED, NOT_FOUND
from apps.core.files import storage
from apps.core.problems import ProblemType

KEPT_S = 365 * 24 * 60 * 60


def picture_response(
    request: HttpRequest, key: str, content_type_of: Callable[[str], str | None], *, gone: str, failed: ProblemType
) -> HttpResponse:
    """The picture stored under the key, if `content_type_of` knows what it is; None is a picture that is not there.

    Refuses with NOT_FOUND (404), whose detail is `gone` where the bytes are lost, METHOD_NOT_ALLOWED (405), `failed`
    where the storage fails, TRY_AGAIN (503).
    """
    try:
        return _stored_picture(request, key, content_type_of)
    except storage.Gone:
        return refusal(NOT_FOUND(gone), request)
    except storage.StorageFailed:
        return refusal(failed(), request)
    except Exception as error:
        return refusal(error, request)


def _stored_picture(request: HttpRequest, key: str, content_type_of: Callable[[str], str | None]) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        raise METHOD_NOT_ALLOWED(headers={"Allow": "GET, HEAD"})
    content_type = content_type_of(key)
    if content_type is None:
        raise NOT_FOUND()
    with storage.open_stored(key) as stored:
        content = stored.read()
    response = HttpResponse(content, content_type=content_type)
    for header, value in {
        "Content-Security-Policy": "default-src 'none'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Cache-Control": f"public, max-age={KEPT_S}, immutable",
    }.items():
        response.headers[header] = value
    return response
