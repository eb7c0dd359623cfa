"""Files that come with the form of a page: Django's temporary ones, which are gone at once where the disk is full."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.core.files.uploadhandler import TemporaryFileUploadHandler


class UploadHandler(TemporaryFileUploadHandler):
    """Django's, which would leave what it has begun, and the room it takes, to the garbage collector."""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> Any:
        with self._closed_if_it_fails():
            return super().receive_data_chunk(raw_data, start)

    def file_complete(self, file_size: int) -> Any:
        with self._closed_if_it_fails():
            return super().file_complete(file_size)

    @contextmanager
    def _closed_if_it_fails(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            with suppress(OSError):  # what there was no room for is tried once more
                self.file.close()
            raise
