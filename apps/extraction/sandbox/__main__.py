"""The cage's program: `python -I __main__.py <root> [modules to load]`, run by `apps.extraction.sandbox_process` alone.

It loads all that the calls need, waits for a byte, forks, and says how the fork ended; it never looks at a request
itself. The fork takes its limits, gives up everything that the kernel can take from it (`containment.py`), reads the
request, calls the function and answers. Standard input and output are the two pipes; there is nothing else.
"""

import importlib
import json
import os
import resource
import signal
import struct
import sys

ADDRESS_SPACE = 512 * 1024 * 1024
CPU_SECONDS = 10
WALL_SECONDS = 20
OPEN_FILES = 64
# Modules that built-in ones import at first use.
LATE = ("_strptime", "heapq")

FORBIDDEN = (
    *("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "pty."),
    *("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod", "shutil."),
    *("tempfile.", "ftplib.", "urllib.", "http.", "smtplib."),
)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def main() -> None:
    sys.path.insert(0, sys.argv[1])
    from apps.extraction.sandbox import containment, refusals  # noqa: F401 - a fork can load nothing

    for module in (*LATE, *sys.argv[2:]):
        importlib.import_module(module)
    containment.leave_the_network()
    while os.read(0, 1) == b"\x01":
        pid = os.fork()
        if pid == 0:
            serve()
        _, status, usage = os.wait4(pid, 0)
        write(b"S", struct.pack("<iq", status, usage.ru_maxrss))


def serve() -> None:
    """Answers one request, and ends the process."""
    from apps.extraction.sandbox.containment import contain

    try:
        limit()
        contain()
        sys.addaudithook(guard)
        request_length, content_length = struct.unpack("<QQ", read(16))
        request, content = json.loads(read(request_length)), read(content_length)
        write(b"A", answer(request, content))
        os._exit(0)
    except BaseException:
        os._exit(1)


def limit() -> None:
    """The kernel's limits of time, memory, files and processes."""
    signal.alarm(WALL_SECONDS)
    for kind, most in (
        (resource.RLIMIT_AS, ADDRESS_SPACE),
        (resource.RLIMIT_CPU, CPU_SECONDS),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def guard(event: str, arguments: tuple) -> None:  # type: ignore[type-arg]
    """Refuses Python code networks, other processes and the writing of files. Native code passes it by."""
    if event.startswith(FORBIDDEN):
        raise PermissionError(f"the cage has no {event}")
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
        raise PermissionError("the cage writes no files")


def answer(request: dict, content: bytes) -> bytes:  # type: ignore[type-arg]
    """The function's result for the content, or the code of the refusal."""
    from apps.extraction.sandbox.refusals import DocumentRefused

    module, _, name = request["function"].partition(":")
    try:
        made = getattr(importlib.import_module(module), name)(content, **request["options"])
        return json.dumps({"data": made}, ensure_ascii=False).encode()
    except DocumentRefused as refused:
        return json.dumps({"code": refused.code, "cause": refused.cause, "place": refused.place}).encode()
    except (MemoryError, RecursionError) as error:
        return json.dumps({"code": "limits_exceeded", "cause": type(error).__name__}).encode()
    except Exception as error:
        return json.dumps({"code": "unreadable", "cause": f"{type(error).__name__}: {error}"[:200]}).encode()


def read(length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        chunk = os.read(0, min(length - len(received), 1024 * 1024))
        if not chunk:
            raise EOFError
        received += chunk
    return bytes(received)


def write(kind: bytes, frame: bytes) -> None:
    left = memoryview(struct.pack("<cQ", kind, len(frame)) + frame)
    while left:
        left = left[os.write(1, left) :]


if __name__ == "__main__":
    main()
