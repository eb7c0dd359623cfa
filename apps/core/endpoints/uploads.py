"""Uploads: one file in a multipart form, read as it comes and never whole in memory.

A form has exactly one part that is a file, and the texts that it declares. A form that can't be parsed is 400
`invalid_form`; a part that is missing, unknown, repeated, empty or too large is 422 and named.
"""

import hashlib
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any
from urllib.parse import unquote

from django.http import HttpRequest, UnreadablePostError
from multipart import MultipartError, MultipartSegment, PushMultipartParser

from apps.core import disk
from apps.core.endpoints.bodies import announced_length
from apps.core.endpoints.serializers import UNKNOWN_MEMBER
from apps.core.errors import INVALID_FORM, INVALID_INPUT
from apps.core.parsing.strict_json import text_refusal
from apps.core.problems import Problem

MULTIPART = "multipart/form-data"
HEAD_BYTES = 8192
MB = 1024 * 1024  # the specification's units are powers of 1,024

# `_FORM_BYTES` are a form's beside its file: boundaries and headers.
_IN_MEMORY_BYTES, _CHUNK_BYTES, _FORM_BYTES = 512 * 1024, 64 * 1024, 64 * 1024
_MAX_PARTS, _LONGEST_TEXT, _TOO_LONG = 16, 200, "The text is too long."
_ENCODED_NAME = re.compile(r";\s*filename\*=(?:utf-8|us-ascii)'[A-Za-z-]*'(?P<name>[^\s;\"]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class UploadForm:
    """The content of a form: a file of at most `max_bytes`, in the part of that name; and parts that are `texts`."""

    max_bytes: int
    part: str = "file"
    texts: tuple[str, ...] = ()

    @property
    def longest_form(self) -> int:
        """Bytes of the longest form that is read."""
        return self.max_bytes + _FORM_BYTES

    @property
    def too_large(self) -> Problem:
        """The refusal of a file over the limit."""
        limit = f"{self.max_bytes // MB} MB" if self.max_bytes % MB == 0 else f"{self.max_bytes // 1024} KB"
        return INVALID_INPUT(errors={self.part: [f"The file is larger than {limit}."]})


@dataclass(slots=True)
class ReceivedFile:
    """A file on its way in: its name as it was sent, and its content, in memory while small, else in a temporary file.

    Use it as a context manager: the content is gone at its end. If there is no room for it, `write` and `rewind` raise
    TRY_AGAIN (503).
    """

    name: str
    content: IO[bytes] = field(default_factory=partial(tempfile.SpooledTemporaryFile, _IN_MEMORY_BYTES))
    size: int = 0
    head: bytes = b""
    texts: dict[str, str] = field(default_factory=dict)
    _hash: Any = field(default_factory=hashlib.sha256)

    def write(self, chunk: bytes) -> None:
        """Adds a chunk to the content."""
        with disk.room_needed():
            self.content.write(chunk)
        self._hash.update(chunk)
        self.size += len(chunk)
        if len(self.head) < HEAD_BYTES:
            self.head += chunk[: HEAD_BYTES - len(self.head)]

    def rewind(self) -> None:
        """Goes back to where the content begins, once all of it is there."""
        with disk.room_needed():  # for the last of it
            self.content.seek(0)

    def close(self) -> None:
        """Throws the content away."""
        with suppress(OSError):  # what there was no room for is tried once more
            self.content.close()

    @property
    def sha256(self) -> bytes:
        return bytes(self._hash.digest())

    def __enter__(self) -> "ReceivedFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_form(request: HttpRequest) -> bool:
    """Whether a request says that its body is a multipart form."""
    return request.content_type == MULTIPART


@contextmanager
def received_upload(request: HttpRequest, form: UploadForm) -> Iterator[ReceivedFile]:
    """The file of a request's form, for as long as the block runs. Raises INVALID_FORM (400), INVALID_INPUT (422)."""
    length = announced_length(request)
    if length > form.longest_form:
        raise form.too_large
    reader = _FormReader(form)
    try:
        reader.read(_chunks(request), request.content_params or {}, length)
        with reader.upload_or_refusal() as upload:
            yield upload
    finally:
        if reader.upload is not None:
            reader.upload.close()


class _FormReader:
    """Goes through the parts of one form, keeps the file and notes what is wrong with the rest."""

    def __init__(self, form: UploadForm) -> None:
        self.form = form
        self.upload: ReceivedFile | None = None
        self.refused: dict[str, list[str]] = {}
        self.texts: dict[str, bytes] = {}
        self._is_file, self._text = False, ""

    def read(self, chunks: Iterable[bytes], parameters: dict[str, str], length: int) -> None:
        """Reads the whole form. Raises INVALID_FORM (400)."""
        try:
            parser = PushMultipartParser(
                parameters.get("boundary", ""), content_length=length, max_segment_count=_MAX_PARTS, strict=True
            )
            with parser:
                for chunk in chunks:
                    for event in parser.parse(chunk):
                        self._take(event)
        except MultipartError as error:
            raise INVALID_FORM(f"{error}.") from None

    def _take(self, event: MultipartSegment | bytes | bytearray | None) -> None:
        if isinstance(event, MultipartSegment):
            self._begin(event)
        elif event is not None and self._is_file and self.upload is not None:
            if self.upload.size <= self.form.max_bytes:  # of what is too large, no more is kept than tells so
                self.upload.write(bytes(event))
        elif event is not None and self._text and len(self.texts[self._text]) <= _LONGEST_TEXT:
            self.texts[self._text] += bytes(event)

    def _begin(self, segment: MultipartSegment) -> None:
        part, self._is_file, self._text = self.form.part, False, ""
        if segment.name in self.form.texts and segment.name not in self.texts:
            self._text, self.texts[segment.name] = segment.name, b""
        elif segment.name != part:
            name = segment.name if text_refusal(segment.name) is None else ascii(segment.name)
            self.refused[name[:200]] = [UNKNOWN_MEMBER]
        elif self.upload is not None:
            self.refused[part] = ["Send one file."]
        elif (name_sent := _file_name(segment)) is None:
            self.refused[part] = ["This must be a file, sent with its name."]
        else:
            self.upload, self._is_file = ReceivedFile(name_sent), True

    def upload_or_refusal(self) -> ReceivedFile:
        """The form's file. Raises INVALID_INPUT (422) for what a form must not be."""
        if self.upload is None:
            self.refused.setdefault(self.form.part, ["This field is required."])
        elif self.upload.size > self.form.max_bytes:
            self.refused |= self.form.too_large.errors
        elif self.upload.size == 0:
            self.refused.setdefault(self.form.part, ["The file is empty."])
        self.refused |= {name: [_TOO_LONG] for name, text in self.texts.items() if len(text) > _LONGEST_TEXT}
        if self.refused or self.upload is None:
            raise INVALID_INPUT(errors=self.refused)
        self.upload.texts = {name: text.decode("utf-8", "replace") for name, text in self.texts.items()}
        self.upload.rewind()
        return self.upload


def _file_name(segment: MultipartSegment) -> str | None:
    """The name that a part gives its file, also in the form of RFC 5987, which older clients send; None without one."""
    if encoded := _ENCODED_NAME.search(segment.header("Content-Disposition") or ""):
        return unquote(encoded["name"])
    name: str | None = segment.filename
    return name


def _chunks(request: HttpRequest) -> Iterator[bytes]:
    try:
        while chunk := request.read(_CHUNK_BYTES):
            yield chunk
    except UnreadablePostError:
        raise INVALID_FORM("The connection ended before the form did.") from None
