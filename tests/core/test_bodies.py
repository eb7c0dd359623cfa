"""Bodies of a length that is not kept; how they come is in `test_serving`."""

import io
from typing import Any

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest

from apps.core.endpoints.bodies import announced_length, whole_body
from apps.core.problems import Problem


def environ_of(source: Any, **more: str) -> dict[str, Any]:
    return {"REQUEST_METHOD": "POST", "wsgi.input": source, "CONTENT_TYPE": "application/json", **more}


def refusal_of(request: WSGIRequest) -> str:
    with pytest.raises(Problem) as caught:
        whole_body(request)
    return caught.value.type.code


class Endless(io.RawIOBase):
    """A body that never ends; `given` counts what was read of it."""

    given = 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0, "nobody asks for all of it"
        self.given += size
        return bytes(size)


@pytest.mark.parametrize("length", ["", "0", "5"])
def test_a_body_of_the_announced_length_is_whole(length: str) -> None:
    assert (
        whole_body(WSGIRequest(environ_of(io.BytesIO(b"hello" * 2), CONTENT_LENGTH=length)))
        == b"hello"[: int(length or 0)]
    )


def test_a_body_that_ends_early_is_refused() -> None:
    assert refusal_of(WSGIRequest(environ_of(io.BytesIO(b"{}"), CONTENT_LENGTH="3"))) == "invalid_json"


def test_a_body_over_the_limit_is_refused_unread() -> None:
    source = Endless()
    length = str(settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    assert refusal_of(WSGIRequest(environ_of(source, CONTENT_LENGTH=length))) == "body_too_large"
    assert source.given == 0


@pytest.mark.parametrize(("text", "length"), [("12", 12), ("", 0), ("-1", 0), ("1e3", 0), ("\u00b2", 0)])
def test_a_length_is_a_number_of_bytes(text: str, length: int) -> None:
    request = WSGIRequest(environ_of(io.BytesIO(b""), CONTENT_LENGTH=""))
    request.META["CONTENT_LENGTH"] = text
    assert announced_length(request) == length
