"""A request's body: the call that is asked for before it comes, and its bytes.

The web process waits for a long body only once it knows that it is wanted (`config/serving`, ADR 0019). It runs the
application with AWAITED in the environ; what refuses without the body refuses then and there, and what would read it
answers `100 Continue`. With the body, the application is run again, in the same environ. So a call is asked for twice
and admitted once: its budget pays for it once.
"""

import io
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, UnreadablePostError

from apps.core import disk
from apps.core.errors import BODY_TOO_LARGE, INVALID_JSON

# In an environ: its body has not come yet.
AWAITED = "parley.body_awaited"
# The header of `100 Continue` that says how many bytes are taken.
AT_MOST = "X-At-Most"

_ADMITTED = "parley.admitted"


class NoRoom(io.RawIOBase):
    """The input of a body that could not be kept: a read of it is refused with TRY_AGAIN (503)."""

    def readinto(self, buffer: Any) -> int:
        raise disk.no_room()


def refuse_body(environ: dict[str, Any]) -> bool:
    """Puts such an input in the place of a body that a call of ours has asked for; whether it was one that did."""
    environ["wsgi.input"] = NoRoom()
    environ.setdefault("CONTENT_LENGTH", "1")  # of chunks none is known
    return _ADMITTED in environ


def await_body(request: HttpRequest, auth: Any, at_most: int | None) -> HttpResponse | None:
    """The answer that asks for the body, if there is one to come that may be read; its caller has been admitted.

    `at_most` is in bytes; None is what Django takes. A body that is announced as longer is left to be refused unread.
    """
    if AWAITED not in request.META or request.method in ("GET", "HEAD"):
        return None
    at_most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE if at_most is None else at_most
    if announced_length(request) > at_most:
        return None
    request.META[_ADMITTED] = auth, request.path, request.path_info
    return HttpResponse(status=100, headers={AT_MOST: str(at_most)})


def is_asked_again(request: HttpRequest) -> bool:
    """Whether `await_body` has asked for the body, which is here now."""
    return _ADMITTED in request.META


def admitted_before(request: HttpRequest) -> Any:
    """The caller who was admitted when `await_body` asked for the body, if it did; the path is as it was left then."""
    if _ADMITTED not in request.META:
        return None
    auth, request.path, request.path_info = request.META[_ADMITTED]
    return auth


def whole_body(request: HttpRequest, at_most: int | None = None) -> bytes:
    """A body that is taken into memory. Raises BODY_TOO_LARGE (413), INVALID_JSON (400) for one that was cut off.

    A body that is announced with more than `at_most` bytes is refused unread.
    """
    if at_most is not None and announced_length(request) > at_most:
        raise BODY_TOO_LARGE()
    try:
        raw = (
            request.body
            if at_most is None or at_most <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE
            else _read(request, at_most)
        )
    except RequestDataTooBig:
        raise BODY_TOO_LARGE() from None
    except UnreadablePostError:
        raw = b""
    if len(raw) < announced_length(request):
        raise INVALID_JSON("The connection ended before the body did.")
    return raw


def _read(request: HttpRequest, at_most: int) -> bytes:
    """A body that may be longer than Django takes. Raises BODY_TOO_LARGE (413) past `at_most` bytes."""
    raw = request.read(at_most + 1)
    if len(raw) > at_most:
        raise BODY_TOO_LARGE()
    return raw


def has_body(request: HttpRequest) -> bool:
    """Whether a request says that a body comes with it."""
    return announced_length(request) > 0 or "HTTP_TRANSFER_ENCODING" in request.META


def announced_length(request: HttpRequest) -> int:
    """The body's length as the client sent it; 0 without one."""
    text = str(request.META.get("CONTENT_LENGTH") or "")
    return int(text) if text.isascii() and text.isdigit() else 0
