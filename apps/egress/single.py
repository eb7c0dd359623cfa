"""Single outbound calls: files by URL, web pages for the knowledge base, providers' calls.

Each is one or several exchanges of the guarded transport (`transport.py`), which ends by one deadline, is pinned
to vetted addresses and bounds what is read. A body is taken only as it is: no content encoding, so nothing inflates.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import urljoin

from apps.egress.allowlist import AllowList, configured_allow_list
from apps.egress.bulkhead import refuse_in_transaction
from apps.egress.errors import EgressRefused, InvalidUrl
from apps.egress.resolution import LOOKUP_SECONDS, Lookup, resolve, system_lookup
from apps.egress.routes import Deadline, Route
from apps.egress.targets import Target, parse_target
from apps.egress.transport import RawResponse, certificate_end, exchange

TOTAL_SECONDS = 15.0

_REDIRECTS = frozenset(
    {
        HTTPStatus.MOVED_PERMANENTLY,
        HTTPStatus.FOUND,
        HTTPStatus.SEE_OTHER,
        HTTPStatus.TEMPORARY_REDIRECT,
        HTTPStatus.PERMANENT_REDIRECT,
    }
)
# Headers that may follow a redirect to another origin. Everything else may be a credential.
_HEADERS_FOR_OTHER_ORIGINS = frozenset({"accept", "accept-language", "user-agent"})


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer. `headers` ignore case; `url` is where the answer came from."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


def fetch(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    timeout: float = TOTAL_SECONDS,
    max_bytes: int,
    redirects: int = 0,
    lookup: Lookup = system_lookup,
) -> Response:
    """One call, answered whole: at most `timeout` seconds in all and `max_bytes` of body.

    Any status is an answer, also a redirect beyond `redirects`. Raises InvalidUrl and EgressRefused.
    """
    with open_stream(
        method,
        url,
        headers=headers,
        body=body,
        timeout=timeout,
        max_bytes=max_bytes,
        redirects=redirects,
        lookup=lookup,
    ) as stream:
        return Response(stream.status, stream.headers, b"".join(stream), stream.url)


def certificate_ends_at(url: str, *, timeout: float, lookup: Lookup = system_lookup) -> datetime:
    """When the TLS certificate of the URL's host ends, as its server shows it now. Raises InvalidUrl, EgressRefused."""
    refuse_in_transaction()
    deadline, allow = Deadline(timeout), configured_allow_list()
    target = parse_target(url, allow)
    addresses = resolve(target, allow=allow, lookup=lookup, timeout=min(LOOKUP_SECONDS, deadline.left()))
    return datetime.fromtimestamp(certificate_end(Route(target, addresses, allow, deadline)), UTC)


@contextmanager
def open_stream(
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    timeout: float = TOTAL_SECONDS,
    max_bytes: int,
    redirects: int = 0,
    owner: bytes | None = None,
    lookup: Lookup = system_lookup,
) -> "Iterator[Stream]":
    """One call, its body in chunks as they come. The deadline runs on while the caller works on a chunk.

    At most `redirects` redirects are followed (GET and HEAD only), each to a URL read, resolved and checked like the
    first; to another origin no header goes along that may be a credential. With an `owner`, such as a digest of the
    credential in the headers, the connection is kept for a moment for the owner's next call (`transport.exchange`).
    Raises InvalidUrl for the URL given and EgressRefused for all else, from here or from reading the stream, and
    RuntimeError inside a transaction.
    """
    refuse_in_transaction()
    if redirects and method not in ("GET", "HEAD"):
        raise ValueError("only GET and HEAD may follow redirects")
    deadline = Deadline(timeout)
    allow = configured_allow_list()
    target = parse_target(url, allow)
    sent_headers = dict(headers or {})
    while True:
        addresses = resolve(target, allow=allow, lookup=lookup, timeout=min(LOOKUP_SECONDS, deadline.left()))
        route = Route(target, addresses, allow, deadline)
        with exchange(method, route, sent_headers, body, owner=owner) as answer:
            location = answer.headers.get("Location")
            if answer.status not in _REDIRECTS or location is None or redirects == 0:
                yield Stream(answer, route, max_bytes)
                return
        redirects -= 1
        following = _follow(target, location, allow)
        if following.origin != target.origin:
            sent_headers = {
                name: value for name, value in sent_headers.items() if name.lower() in _HEADERS_FOR_OTHER_ORIGINS
            }
        target = following


class Stream:
    """An answer under way: `status`, `headers` (ignoring case), `url`, and the body as an iterator of chunks."""

    def __init__(self, answer: RawResponse, route: Route, max_bytes: int) -> None:
        self.status = answer.status
        self.headers: Mapping[str, str] = answer.headers
        self.url = route.target.url
        self._answer = answer
        self._max_bytes = max_bytes

    def __iter__(self) -> Iterator[bytes]:
        """Chunks of at most 64 KiB. Raises EgressRefused: too_large, encoded_body, timeout, broken_answer."""
        return self._chunks(self._answer.read)

    def arriving(self) -> Iterator[bytes]:
        """The same, each piece as soon as it is there."""
        return self._chunks(self._answer.read_some)

    def _chunks(self, read: Callable[[], bytes]) -> Iterator[bytes]:
        if self.headers.get("Content-Encoding", "identity").strip().lower() not in ("", "identity"):
            raise EgressRefused("encoded_body")
        declared = self.headers.get("Content-Length", "")
        if declared.isdecimal() and int(declared[:20]) > self._max_bytes:
            raise EgressRefused("too_large")
        received = 0
        while chunk := read():
            received += len(chunk)
            if received > self._max_bytes:
                raise EgressRefused("too_large")
            yield chunk


def _follow(target: Target, location: str, allow: AllowList) -> Target:
    try:
        return parse_target(urljoin(target.url, location), allow)
    except ValueError:
        raise EgressRefused("bad_redirect") from None
    except InvalidUrl as error:
        raise EgressRefused("not_https" if error.reason == "not_https" else "bad_redirect") from None
