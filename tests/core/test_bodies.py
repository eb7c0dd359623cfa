"""Bodies in either framing, and of a length that is not kept."""

import io
from typing import Any

import pytest
from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest

from apps.core.endpoints.bodies import CHUNKED, MAX_READ, announced_length, buffered_body, drain_body, whole_body
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


@pytest.mark.parametrize("size", [0, 1, 65_536, 65_537, 1_000_000])
def test_a_body_in_chunks_is_as_one_of_that_length(size: int) -> None:
    environ = environ_of(io.BytesIO(b"x" * size), **{CHUNKED: "chunked"})
    with buffered_body(environ):
        assert whole_body(WSGIRequest(environ)) == b"x" * size


def test_chunks_count_whatever_length_was_told_beside_them() -> None:
    environ = environ_of(io.BytesIO(b"hello"), CONTENT_LENGTH="2", **{CHUNKED: "chunked"})
    with buffered_body(environ):
        assert whole_body(WSGIRequest(environ)) == b"hello"


def test_of_chunks_without_end_no_more_is_read_than_any_call_takes() -> None:
    source = Endless()
    environ = environ_of(source, **{CHUNKED: "chunked"})
    with buffered_body(environ):
        assert refusal_of(WSGIRequest(environ)) == "body_too_large"
    assert MAX_READ < source.given <= MAX_READ + 65_536


def test_what_is_left_of_a_refused_body_is_read() -> None:
    source = io.BytesIO(bytes(200_000))
    drain_body(WSGIRequest(environ_of(source, CONTENT_LENGTH="150000")))
    assert source.tell() == 150_000


@pytest.mark.parametrize(
    "more", [{"CONTENT_LENGTH": str(MAX_READ + 1)}, {"CONTENT_LENGTH": "9", "HTTP_EXPECT": "100-continue"}]
)
def test_what_is_far_too_large_or_not_sent_yet_is_left_alone(more: dict[str, str]) -> None:
    source = Endless()
    drain_body(WSGIRequest(environ_of(source, **more)))
    assert source.given == 0


@pytest.mark.parametrize(("text", "length"), [("12", 12), ("", 0), ("-1", 0), ("1e3", 0), ("\u00b2", 0)])
def test_a_length_is_a_number_of_bytes(text: str, length: int) -> None:
    request = WSGIRequest(environ_of(io.BytesIO(b""), CONTENT_LENGTH=""))
    request.META["CONTENT_LENGTH"] = text
    assert announced_length(request) == length
