"""JSON over HTTP to a real service, as a customer's system or a page would speak it."""

import json
import urllib.error
import urllib.request
import uuid
from typing import Any


class Refused(Exception):
    """An answer with a status of 400 or more."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"{status}: {body}")
        self.status = status


def call(method: str, url: str, authorization: str = "", body: Any = None) -> Any:
    """The JSON of an answer (None for an empty one). Raises Refused, and OSError while nobody answers."""
    headers = {"Content-Type": "application/json", "X-Service-Idempotency-Key": str(uuid.uuid4())}
    if authorization:
        headers["Authorization"] = authorization
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            raw = answer.read()
    except urllib.error.HTTPError as error:
        raise Refused(error.code, error.read().decode(errors="replace")) from None
    return json.loads(raw) if raw else None
