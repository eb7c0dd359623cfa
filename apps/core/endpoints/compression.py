"""Answers compressed: those of operations that declare it (`@operation(compresses=…)`), and of no other.

Compression shows by its length whether two parts of a text are alike. If one is a secret and the other is written by a
person who sees the lengths pass by, the secret can be guessed piece by piece (BREACH). So nothing is compressed that is
not declared, and what holds a field that opens something (`serializers.is_secret`: a token, a webhook's secret, a
file's signed address) can't be declared: sessions, subscriptions, messages. Refusals, which repeat what was sent, and
streams are sent as they are, too. Visitors' texts stand beside other visitors' names and addresses in lists; those open
nothing, and their compressed length is blurred by up to MOST_PADDING bytes, as Django's own middleware does it.

"public": what everybody may read and nobody's input is part of; whatever its length, as small as it gets, remembered.
Short ones go with brotli to who takes it: a widget's loader of 2 kB is an eighth smaller than with gzip, for 8 ms once.
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

import brotli
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

Compression = Literal["public", "long"]
Coding = Literal["gzip", "br"]

MIN_BYTES = 4096
LEVEL = 1
MOST_PADDING = 100
# Brotli at its best takes seconds for what is as long as the OpenAPI document.
MOST_FOR_BROTLI = 64 * 1024
# Public answers that are remembered: the loaders of that many widgets, and the OpenAPI document's forms.
_REMEMBERED = 256


def compress(request: HttpRequest, response: HttpResponseBase, compression: Compression) -> None:
    """Compresses a success, if the client takes that and it is long enough. Its ETag, if any, has to be a weak one."""
    if not isinstance(response, HttpResponse) or response.status_code not in (200, 304):
        return
    vary = response.headers.get("Vary")
    response.headers["Vary"] = f"{vary}, Accept-Encoding" if vary else "Accept-Encoding"
    if compression == "long" and len(response.content) < MIN_BYTES:
        return
    accepted = request.META.get("HTTP_ACCEPT_ENCODING")
    if not accepted or not response.content:
        return
    is_short = compression == "public" and len(response.content) <= MOST_FOR_BROTLI
    coding: Coding = "br" if is_short and takes("br", accepted) else "gzip"
    if not takes(coding, accepted):
        return
    content = response.content
    response.content = _remembered(content, coding) if compression == "public" else _blurred(content)
    response.headers["Content-Encoding"] = coding
    response.headers["Content-Length"] = str(len(response.content))


@lru_cache(maxsize=128)
def takes(coding: Coding, accepted: str) -> bool:
    """Whether a client with that `Accept-Encoding` takes it, and likes its plain form no better (RFC 9110, 12.5.3).

    Only gzip is taken for granted by `*`.
    """
    weights: dict[str, float] = {}
    for item in accepted.lower().split(","):
        name, _, parameter = item.partition(";")
        weights[name.strip()] = _weight(parameter.strip())
    if coding == "gzip":
        weight = weights.get("gzip", weights.get("x-gzip", weights.get("*", 0.0)))
    else:
        weight = weights.get(coding, 0.0)
    return weight > 0 and weight >= weights.get("identity", 0.0)


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
def _remembered(content: bytes, coding: Coding) -> bytes:
    return bytes(brotli.compress(content)) if coding == "br" else gzip.compress(content, mtime=0)


def _blurred(content: bytes) -> bytes:
    """Compressed, with a file's name of random length in gzip's header, which every client skips."""
    written = BytesIO()
    name = "a" * randbelow(MOST_PADDING + 1)
    with gzip.GzipFile(name, "wb", compresslevel=LEVEL, fileobj=written, mtime=0) as file:
        file.write(content)
    return written.getvalue()
