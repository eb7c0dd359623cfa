"""Answers compressed with gzip: those of operations that declare it (`@operation(compresses=…)`), and of no other.

Compression shows by its length whether two parts of a text are alike. Where one is a secret and the other is written by
somebody who sees the lengths pass by, the secret can be guessed piece by piece (BREACH). So nothing is compressed that
is not declared, and what holds a field that opens something (`shapes.is_secret`: a token, a webhook's secret, a file's
signed address) can't be declared: sessions, subscriptions, messages. Refusals, which repeat what was sent, and streams
are sent as they are, too. What visitors write stands beside other visitors' names and addresses in lists; those open
nothing, and their compressed length is blurred by up to MOST_PADDING bytes, as Django's own middleware does it.

"public": what everybody may read and nobody's input is part of; whatever its length, as small as it gets, remembered.
"long": an answer of MIN_BYTES or more, made afresh for its caller, in a hurry.

Measured on 2026-11-22 (docs/guides/benchmarks.md): LEVEL 1 makes a quarter of a page of 20 chats for 0.1 ms of CPU, a
fifth of one of 100 for 0.3 ms; level 6 takes off another tenth to fifth for two to three times that. Below MIN_BYTES
there is little to save: an answer of up to 1,400 bytes or so is one packet anyway.
"""

import gzip
from functools import lru_cache
from io import BytesIO
from secrets import randbelow
from typing import Literal

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

Compression = Literal["public", "long"]

MIN_BYTES = 4096
LEVEL = 1
MOST_PADDING = 100
# Public answers that are remembered: the loaders of that many widgets, and the OpenAPI document's forms.
_REMEMBERED = 256


def compress(request: HttpRequest, response: HttpResponseBase, compression: Compression) -> None:
    """Compresses a success, if the client takes gzip and it is long enough. Its ETag, if any, has to be a weak one."""
    if not isinstance(response, HttpResponse) or response.status_code not in (200, 304):
        return
    vary = response.headers.get("Vary")
    response.headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
    if compression == "long" and len(response.content) < MIN_BYTES:
        return
    accepted = request.META.get("HTTP_ACCEPT_ENCODING")
    if not accepted or not response.content or not takes_gzip(accepted):
        return
    response.content = _remembered(response.content) if compression == "public" else _blurred(response.content)
    response.headers["Content-Encoding"] = "gzip"
    response.headers["Content-Length"] = str(len(response.content))


@lru_cache(maxsize=128)
def takes_gzip(accepted: str) -> bool:
    """Whether a client with that `Accept-Encoding` takes gzip, and likes nothing better (RFC 9110, 12.5.3)."""
    weights: dict[str, float] = {}
    for item in accepted.lower().split(","):
        name, _, parameter = item.partition(";")
        weights[name.strip()] = _weight(parameter.strip())
    of_gzip = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    return of_gzip > 0 and of_gzip >= weights.get("identity", 0.0)


def _weight(parameter: str) -> float:
    """A quality from 0 to 1; 1 where there is none, 0 for what is none."""
    if not parameter:
        return 1.0
    name, _, value = parameter.partition("=")
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if name.strip() == "q" and 0 <= weight <= 1 else 0.0


@lru_cache(maxsize=_REMEMBERED)
def _remembered(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def _blurred(content: bytes) -> bytes:
    """Compressed, with a file's name of random length in gzip's header, which every client skips."""
    written = BytesIO()
    name = "a" * randbelow(MOST_PADDING + 1)
    with gzip.GzipFile(name, "wb", compresslevel=LEVEL, fileobj=written, mtime=0) as file:
        file.write(content)
    return written.getvalue()
