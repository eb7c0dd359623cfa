"""What a parser may do in the cage when it is at its worst; called there by name (`test_cage.py`)."""

import ctypes
import errno
import os
import sys
import time
from typing import Any


def echo(content: bytes, **options: Any) -> Any:
    return [content.decode(), options]


def loop(content: bytes) -> None:
    while True:
        pass


def sleep(content: bytes) -> None:
    time.sleep(60)


def crash(content: bytes) -> None:
    ctypes.string_at(0)


def leave(content: bytes) -> None:
    os._exit(3)


def hunger(content: bytes) -> int:
    return len(bytearray(10**9))


def many_words(content: bytes) -> str:
    return "word " * 3_000_000


def raise_error(content: bytes) -> None:
    raise ValueError("what is this?")


def deep(content: bytes) -> int:
    return deep(content)


def _is_open(number: int) -> bool:
    try:
        os.lseek(number, 0, os.SEEK_CUR)
    except OSError as error:
        return error.errno == errno.ESPIPE
    return True


def facts(content: bytes) -> dict[str, Any]:
    """What a call has: its environment, its open files, and Django among its modules."""
    found = [name for name in sys.modules if name.split(".")[0] in ("django", "psycopg", "redis", "requests")]
    return {
        "environment": dict(os.environ),
        "files": [number for number in range(64) if _is_open(number)],
        "modules": found,
    }
