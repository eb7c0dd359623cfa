"""An export in a folder, as it is read: data from outside, which may lead nowhere but into itself (`imports`)."""

import errno
import hashlib
import io
import os
import stat
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from apps.accounts.actions.exports import COMPLETE, FORMAT, MANIFEST, MOST_BYTES, VERSION, file_of, name_of_stored

STORED = "files"
_IS_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A pipe that nobody writes into would be waited for.
_IS_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class ImportFailed(Exception):
    """Why an export is not put in, as a sentence. The rows that were imported stay, for the next call to go on with."""


@dataclass(frozen=True)
class ExportFolder:
    """An export in a folder. Raises ImportFailed when it is read, where it is none, or is not complete.

    Only regular files of the folder are read. A link, symbolic or hard, may lead to any file of the machine, and an
    archive can hold both.
    """

    directory: Path

    @cached_property
    def manifest(self) -> dict[str, Any]:
        found: Any = self._read(MANIFEST)
        if not isinstance(found, dict) or found.get("format") != FORMAT or not isinstance(found.get("widget"), dict):
            raise ImportFailed(f"{self.directory} is no export of a widget")
        if found.get("version") != VERSION:
            raise ImportFailed(f"the export is of version {found.get('version')}; this release reads {VERSION}")
        manifest: dict[str, Any] = found
        return manifest

    @cached_property
    def digest(self) -> bytes:
        """By which the export is known again."""
        self._read(COMPLETE)
        return hashlib.sha256(b"\0".join(self._bytes(name) for name in (MANIFEST, COMPLETE))).digest()

    def table(self, name: str) -> BinaryIO:
        """The rows of a table; none, if the export has no such file."""
        try:
            return self._open(file_of(name))
        except FileNotFoundError:
            return io.BytesIO()

    def stored(self, key: Any) -> BinaryIO:
        """The bytes that a row names. Raises FileNotFoundError where the export has none of that name."""
        name = name_of_stored(str(key))
        if not name.replace("-", "").replace("_", "").replace(".", "").isalnum() or name.startswith("."):
            raise ImportFailed(f"no file can be called {name!r}")
        return self._open(name, within=STORED)

    def write(self, name: str) -> BinaryIO:
        """A new file beside the export, in place of one of that name."""
        with ExitStack() as stack:
            at = self._folder(stack, self.directory)
            file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600, dir_fd=at)
            return os.fdopen(file, "wb")

    def _read(self, name: str) -> Any:
        try:
            return orjson.loads(self._bytes(name))
        except FileNotFoundError:
            raise ImportFailed(f"the export has no {name}: it was not made to its end") from None
        except (OSError, orjson.JSONDecodeError) as error:
            raise ImportFailed(f"{name} cannot be read: {error}") from None

    def _bytes(self, name: str) -> bytes:
        with self._open(name) as file:
            return file.read()

    def _open(self, name: str, *, within: str | None = None) -> BinaryIO:
        path = f"{within}/{name}" if within else name
        with ExitStack() as stack:
            try:
                at = self._folder(stack, self.directory)
                if within:
                    at = self._folder(stack, within, os.O_NOFOLLOW, dir_fd=at)
                file = os.fdopen(os.open(name, _IS_FILE, dir_fd=at), "rb")
            except OSError as error:
                if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.ENXIO):
                    raise ImportFailed(f"{path} is no file of the export, but leads out of it") from None
                raise
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_nlink != 1:
            file.close()
            raise ImportFailed(f"{path} is no file of the export, but leads out of it")
        if within and about.st_size > MOST_BYTES:
            file.close()
            raise ImportFailed(f"{path} has more than {MOST_BYTES} bytes")
        return file

    @staticmethod
    def _folder(stack: ExitStack, path: Any, flags: int = 0, *, dir_fd: int | None = None) -> int:
        folder = os.open(path, _IS_FOLDER | flags, dir_fd=dir_fd)
        stack.callback(os.close, folder)
        return folder
