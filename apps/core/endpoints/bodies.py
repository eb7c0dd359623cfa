"""The bytes of a request's body: whole, in either framing, and what is left of it after a refusal."""

import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, UnreadablePostError

from apps.core import disk
from apps.core.errors import BODY_TOO_LARGE, INVALID_JSON
from apps.core.problems import Problem

CHUNKED = "HTTP_TRANSFER_ENCODING"  # its one value that servers let through

# More than any call takes. Of a refused body so much is read and dropped, so that the client gets the refusal and no
# broken connection.
MAX_READ = 32 * 1024 * 1024
_PIECE, _IN_MEMORY = 64 * 1024, 512 * 1024


def whole_body(request: HttpRequest, at_most: int | None = None) -> bytes:
    """A body that is taken into memory. Raises BODY_TOO_LARGE (413), INVALID_JSON (400) for one that was cut off.

    One that is announced with more than `at_most` bytes is refused unread.
    """
    if at_most is not None and announced_length(request) > at_most:
        raise BODY_TOO_LARGE()
    try:
        raw = request.body
    except RequestDataTooBig:
        raise BODY_TOO_LARGE() from None
    except UnreadablePostError:
        raw = b""
    if len(raw) < announced_length(request):
        raise INVALID_JSON("The connection ended before the body did.")
    return raw


def announced_length(request: HttpRequest) -> int:
    """The body's length as the client sent it; 0 without one."""
    text = str(request.META.get("CONTENT_LENGTH") or "")
    return int(text) if text.isascii() and text.isdigit() else 0


def drain_body(request: HttpRequest) -> None:
    """Reads and drops the rest of a refused body, unless it is over MAX_READ or the client waits for `100 Continue`."""
    if not 0 < announced_length(request) <= MAX_READ or "HTTP_EXPECT" in request.META:
        return
    try:
        while request.read(_PIECE):
            pass
    except UnreadablePostError:
        return


@contextmanager
def buffered_body(environ: dict[str, Any]) -> Iterator[None]:
    """Reads a chunked body into a temporary file for the block, since Django reads only bodies of a known length.

    No more than MAX_READ and a piece is read of it: enough to be refused as too large. Where there is no room for it,
    whoever asks for it is refused with TRY_AGAIN (503).
    """
    source, size = environ["wsgi.input"], 0
    body = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 - closed below, whatever that says
    try:
        try:
            with disk.room_needed():
                while size <= MAX_READ and (piece := source.read(_PIECE)):
                    size += len(piece)
                    body.write(piece)
                body.seek(0)
            environ["wsgi.input"] = body
        except Problem as refusal:
            environ["wsgi.input"] = _Refused(source, refusal)
        environ["CONTENT_LENGTH"] = str(size)
        yield
    finally:
        with suppress(OSError):  # what there was no room for is tried once more
            body.close()


class _Refused(io.RawIOBase):
    """A body that could not be kept: asked for, it is refused once; what is left of it can then be dropped."""

    def __init__(self, source: Any, refusal: Problem) -> None:
        self._source, self._refusal = source, refusal
        self._is_told = False

    def read(self, size: int = -1) -> bytes:
        if not self._is_told:
            self._is_told = True
            raise self._refusal
        rest: bytes = self._source.read(size)
        return rest
