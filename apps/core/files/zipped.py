"""A zip that is sent while it is made, in little memory."""

import re
import zipfile
from collections.abc import Iterable, Iterator


def zipped(files: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    """A zip of files by name, in pieces. Each file's content is read to its end before the next one is asked for."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, pieces in files:
            with archive.open(name, "w", force_zip64=True) as member:
                for piece in pieces:
                    member.write(piece)
                    yield from pipe.taken()
    yield from pipe.taken()


def safe_name(name: str) -> str:
    """A file's name as an archive may hold it: it leads nowhere."""
    return re.sub(r"[^\w.\- ]", "_", name).lstrip(".")[:120] or "file"


class _Pipe:
    """The buffer to which a zip is written, and from which it is taken at the same time."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits here."""

    def close(self) -> None:
        """Closes the writing end; the written bytes can still be taken."""

    def taken(self) -> Iterator[bytes]:
        if self._parts:
            parts, self._parts = self._parts, []
            yield b"".join(parts)
