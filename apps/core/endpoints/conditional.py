"""Reads that are repeated: an answer has an ETag, and a client that has it already is answered 304 (RFC 9110, 13.1.2).

The tag is made of the answer's bytes: nothing has to be kept or purged for it, and what a client is told unchanged is
the very text that it has. It is a weak one, as it stays when the answer is compressed. It is compared weakly, as
If-None-Match asks for: a strong tag of the same name is the same. Signed addresses of files change every quarter of an
hour (`signed_addresses`), and so does the tag of what has them.
"""

from hashlib import blake2b

from django.http import HttpRequest, HttpResponse
from django.utils.http import parse_etags

CACHED = "private, no-cache"


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """A success with its ETag; 304 in its place when the client says that it has it."""
    name = f'"{blake2b(response.content, digest_size=12).hexdigest()}"'
    asked = request.META.get("HTTP_IF_NONE_MATCH")
    if asked is not None and _is_among(name, asked):
        response = HttpResponse(status=304)
        del response.headers["Content-Type"]
    response.headers["ETag"] = f"W/{name}"
    response.headers["Cache-Control"] = CACHED
    return response


def _is_among(name: str, asked: str) -> bool:
    """Whether a list of tags has that one; `*` is any."""
    return any(tag == "*" or tag.removeprefix("W/") == name for tag in parse_etags(asked))
