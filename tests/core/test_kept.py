"""Bytes that wait for their client (`config.serving.kept`), written by one thread while another reads them."""

import errno
import os
import random
import sys
import threading
from collections.abc import Iterator

import pytest

from config.serving.kept import Kept


@pytest.fixture
def threads_take_turns_often() -> Iterator[None]:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("threads_take_turns_often")
@pytest.mark.parametrize("room", [1000, 25, 0])
def test_what_is_read_meanwhile_is_what_was_written(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """In memory, beyond in the file, and in memory again where the disk has no more room."""
    pwrite = os.pwrite

    def to_disk(file: int, piece: bytes, at: int) -> int:
        if at >= room:
            raise OSError(errno.ENOSPC, "no room")
        return pwrite(file, piece[: room - at], at)

    monkeypatch.setattr(os, "pwrite", to_disk)
    chance = random.Random(7)
    for _ in range(300):
        pieces = [chance.randbytes(chance.randrange(1, 40)) for _ in range(4)]
        kept, found = Kept(in_memory=30), bytearray()

        def write(kept: Kept = kept, pieces: list[bytes] = pieces) -> None:
            for piece in pieces:
                kept.write(piece)
            kept.end()

        writer = threading.Thread(target=write)
        writer.start()
        while True:
            has_ended = kept.has_ended
            if piece := kept.read(len(found), 50):
                found += piece
            elif has_ended:
                break
        writer.join()
        kept.close()
        assert found == b"".join(pieces)


@pytest.mark.parametrize("first", ["end", "close"])
def test_its_file_is_closed_when_neither_needs_it(first: str) -> None:
    kept = Kept(in_memory=1)
    kept.write(b"four")
    file = kept._file
    assert file is not None
    getattr(kept, first)()
    assert not file.closed
    kept.end() if first == "close" else kept.close()
    assert file.closed
