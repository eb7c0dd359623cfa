"""Disks without room: a small one that is filled up, and a limit on how large files may grow.

A filled disk is the real thing, and needs the right to mount one (root on Linux). The limit is for everybody: the
kernel refuses a write as it does there (EFBIG in the place of ENOSPC), but no small one.
"""

import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

# Under the limit, files have at most these bytes: whatever a test writes is larger.
LARGEST_FILE = 1024


class FilledDisk:
    """A disk of its own, in `folder`, that a ballast fills to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    @contextmanager
    def full(self, process: int = 0) -> Iterator[None]:
        """No room for anybody, as long as the block takes."""
        with self._ballast.open("wb", buffering=0) as ballast, suppress(OSError):
            while ballast.write(bytes(4096)):
                pass
        try:
            yield
        finally:
            self._ballast.unlink()

    def lift(self, process: int) -> None:
        """Makes room for a process that was started without: there is."""


class LimitedFiles:
    """No disk of its own: files may not grow."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def full(self, process: int = 0) -> Iterator[None]:
        """No room for the process of that number, or this one, as long as the block takes."""
        usual = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (LARGEST_FILE, usual[1]))
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                resource.prlimit(process, resource.RLIMIT_FSIZE, usual)

    def lift(self, process: int) -> None:
        """Makes room for a process that was started without, and has inherited the limit."""
        resource.prlimit(process, resource.RLIMIT_FSIZE, resource.getrlimit(resource.RLIMIT_FSIZE))


Disk = FilledDisk | LimitedFiles


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[FilledDisk]:
    """A disk of that size at a folder; skips the test where none can be mounted."""
    try:
        options = f"size={size},mode=0755"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"a disk to be filled cannot be mounted here: {error}")
    try:
        yield FilledDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
