"""Outbound calls of vendors' SDKs: the face that the guarded transport has for their HTTP library.

Not imported by the package: only processes that talk to a vendor take that library.
"""

from collections.abc import Callable, Iterator
from http import HTTPStatus

import httpx2

from apps.egress.resolution import Lookup, system_lookup
from apps.egress.single import Stream, open_stream


class GuardedTransport(httpx2.BaseTransport):
    """Sends each request by `open_stream`: vetted, pinned, no redirect followed, no content encoding, bounded.

    before_request: called with each request before it goes out; it answers how many seconds the call may take, may add
        headers, and raises what shall stop it.
    only_headers: the names, in small letters, of the headers that go out. The SDKs add what they find in the
        environment and what they tell of this machine; neither is anybody's business.
    max_bytes: of an answer's body.
    owner: whose connections it uses, which are kept for a moment and shared with no other owner.
    on_bytes: is given each piece of the body of a success as it arrives; what it raises ends the call.

    Raises EgressRefused from the request, which the SDKs pass on as the cause of an error of theirs.
    """

    def __init__(
        self,
        *,
        before_request: Callable[[httpx2.Request], float],
        only_headers: frozenset[str],
        max_bytes: int,
        owner: bytes,
        on_bytes: Callable[[bytes], None] | None = None,
        lookup: Lookup = system_lookup,
    ) -> None:
        self._before_request = before_request
        self._only_headers = only_headers
        self._max_bytes = max_bytes
        self._owner = owner
        self._on_bytes = on_bytes
        self._lookup = lookup

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        body = request.read()
        for name in request.headers.keys() - self._only_headers:
            del request.headers[name]
        seconds = self._before_request(request)
        with open_stream(
            request.method,
            str(request.url),
            headers=dict(request.headers),
            body=body or None,
            timeout=seconds,
            max_bytes=self._max_bytes,
            owner=self._owner,
            lookup=self._lookup,
        ) as stream:
            content = b"".join(stream if self._on_bytes is None else self._told(stream, self._on_bytes))
            return httpx2.Response(stream.status, headers=list(stream.headers.items()), content=content)

    @staticmethod
    def _told(stream: Stream, on_bytes: Callable[[bytes], None]) -> Iterator[bytes]:
        for piece in stream.arriving():
            if stream.status < HTTPStatus.MULTIPLE_CHOICES:
                on_bytes(piece)
            yield piece
