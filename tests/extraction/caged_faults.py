"""What a parser may do in the cage when it is at its worst; called there by name (`test_cage.py`)."""

import ctypes
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
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


def facts(content: bytes) -> dict[str, Any]:
    """What the cage has: its environment, its open files, and Django among its modules."""
    found = [name for name in sys.modules if name.split(".")[0] in ("django", "psycopg", "redis", "requests")]
    return {
        "environment": dict(os.environ),
        "files": sorted(int(path.name) for path in Path("/proc/self/fd").iterdir())[:-1],
        "modules": found,
    }


def attempt(content: bytes) -> list[str]:
    """Tries what is forbidden; returns the names of what went through."""
    tried: dict[str, Any] = {
        "socket": lambda: socket.create_connection(("127.0.0.1", int(content)), timeout=1),
        "name": lambda: socket.getaddrinfo("localhost", 80),
        "process": lambda: subprocess.run(["/bin/true"], check=True),
        "fork": os.fork,
        "system": lambda: os.system("true"),
        "file": lambda: Path("/tmp/parley-cage-test").write_text("x"),
        "low file": lambda: os.open("/tmp/parley-cage-test", os.O_CREAT | os.O_WRONLY),
        "remove": lambda: Path("/tmp/parley-cage-test").unlink(),
    }
    done = []
    for name, work in tried.items():
        try:
            work()
        except (OSError, PermissionError):
            continue
        done.append(name)
    return done
