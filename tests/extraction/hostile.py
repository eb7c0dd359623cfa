"""A parser that was taken over: native code that tries everything, in the cage (`test_layers.py`) or outside of it.

It goes by the C library and by numbers of system calls, so nothing of Python's is in its way.
"""

import ctypes
import json
import os
import platform
import socket
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIBC = ctypes.CDLL(None, use_errno=True)
_COLUMN = {"x86_64": 0, "aarch64": 1}[platform.machine()]
NUMBERS = {
    name: numbers[_COLUMN]
    for name, numbers in {
        "openat": (257, 56),
        "openat2": (437, 437),
        "socket": (41, 198),
        "rt_sigqueueinfo": (129, 138),
        "tgkill": (234, 131),
        "pidfd_open": (434, 434),
        "clone3": (435, 435),
        "process_vm_readv": (310, 270),
        "io_uring_setup": (425, 425),
        "bpf": (321, 280),
        "keyctl": (250, 219),
        "memfd_create": (319, 279),
        "mount": (165, 40),
        "perf_event_open": (298, 241),
        "userfaultfd": (323, 282),
        "unshare": (272, 97),
        "setuid": (105, 146),
        "prlimit64": (302, 261),
        "execveat": (322, 281),
        "name_to_handle_at": (303, 264),
    }.items()
}
_NO_FOLDER = -100  # AT_FDCWD
_PTRACE_SEIZE = 0x4206


def attempts(content: bytes) -> list[str]:
    """The names of what went through. `content` is JSON: `folder`, `port`, `pids`, and `only`, names to try."""
    given = json.loads(content)
    tried: dict[str, Callable[[], int]] = {
        **_on_files(given["folder"]),
        **_on_networks(given["port"]),
        **_on_processes(given["pids"]),
        **_on_the_kernel(),
    }
    return [name for name in given.get("only") or tried if tried[name]() >= 0]


def _system(name: str, *arguments: Any) -> int:
    return int(LIBC.syscall(ctypes.c_long(NUMBERS[name]), *arguments))


def _on_files(folder: str) -> dict[str, Callable[[], int]]:
    def path(name: str) -> bytes:
        return os.fsencode(f"{folder}/{name}")

    def read(name: str) -> int:
        descriptor = LIBC.open(path(name), os.O_RDONLY)
        return LIBC.read(descriptor, ctypes.create_string_buffer(64), 64) if descriptor >= 0 else -1

    writing = os.O_WRONLY | os.O_CREAT
    how = struct.pack("=QQQ", os.O_RDONLY, 0, 0)
    return {
        "read a file for all": lambda: read("public.txt"),
        "read the secrets": lambda: read("secrets.json"),
        "read its own environment": lambda: LIBC.open(b"/proc/self/environ", os.O_RDONLY),
        "read its memory": lambda: LIBC.open(b"/proc/self/mem", os.O_RDWR),
        "list a folder": lambda: LIBC.open(path("."), os.O_RDONLY | os.O_DIRECTORY),
        "openat": lambda: _system("openat", _NO_FOLDER, path("public.txt"), os.O_RDONLY),
        "openat2": lambda: _system("openat2", _NO_FOLDER, path("public.txt"), how, len(how)),
        "make a file": lambda: LIBC.open(path("made.txt"), writing, 0o600),
        "make a file by its number": lambda: _system("openat", _NO_FOLDER, path("made2.txt"), writing, 0o600),
        "write a file": lambda: LIBC.open(path("public.txt"), os.O_WRONLY),
        "cut a file": lambda: LIBC.truncate(path("public.txt"), ctypes.c_long(5)),
        "make a folder": lambda: LIBC.mkdir(path("made"), 0o700),
        "make a link": lambda: LIBC.symlink(b"/etc/passwd", path("link")),
        "name a file twice": lambda: LIBC.link(path("public.txt"), path("twice.txt")),
        "rename a file": lambda: LIBC.rename(path("moved.txt"), path("elsewhere.txt")),
        "delete a file": lambda: LIBC.unlink(path("deleted.txt")),
        "change rights": lambda: LIBC.chmod(path("public.txt"), 0o600),
        "make a pipe with a name": lambda: LIBC.mkfifo(path("pipe"), 0o600),
        "name_to_handle_at": lambda: _system(
            "name_to_handle_at", _NO_FOLDER, path("public.txt"), struct.pack("=Ii", 128, 0) + bytes(128), bytes(8), 0
        ),
    }


def _on_networks(port: int) -> dict[str, Callable[[], int]]:
    address = struct.pack("=H", socket.AF_INET) + struct.pack("!H4s8x", port, socket.inet_aton("127.0.0.1"))

    def connect() -> int:
        made = LIBC.socket(socket.AF_INET, socket.SOCK_STREAM, 0)
        return LIBC.connect(made, address, len(address)) if made >= 0 else -1

    return {
        "connect to loopback": connect,
        "internet socket": lambda: LIBC.socket(socket.AF_INET, socket.SOCK_STREAM, 0),
        "internet socket by its number": lambda: _system("socket", socket.AF_INET6, socket.SOCK_DGRAM, 0),
        "local socket": lambda: LIBC.socket(socket.AF_UNIX, socket.SOCK_STREAM, 0),
        "netlink socket": lambda: LIBC.socket(16, socket.SOCK_RAW, 0),
    }


def _on_processes(pids: list[int]) -> dict[str, Callable[[], int]]:
    def child(fork: Callable[[], int]) -> int:
        made = fork()
        if made == 0:
            os._exit(0)
        return made

    def on_any(call: Callable[[int], int]) -> Callable[[], int]:
        return lambda: max(call(pid) for pid in pids)

    clone = struct.pack("=11Q", 0, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0)
    place = ctypes.create_string_buffer(8)
    vector = ctypes.create_string_buffer(struct.pack("@PN", ctypes.addressof(place), 8))
    words = (ctypes.c_char_p * 2)(b"true", None)
    information = struct.pack("=iiii112x", 0, 0, -1, 0)
    return {
        "signal the parent": on_any(lambda pid: LIBC.kill(pid, 0)),
        "signal everybody": lambda: LIBC.kill(-1, 0),
        "signal a thread": on_any(lambda pid: _system("tgkill", pid, pid, 0)),
        "queue a signal": on_any(lambda pid: _system("rt_sigqueueinfo", pid, 0, information)),
        "hold a process": on_any(lambda pid: _system("pidfd_open", pid, 0)),
        "trace the parent": on_any(lambda pid: LIBC.ptrace(_PTRACE_SEIZE, pid, None, None)),
        "read the parent's memory": on_any(lambda pid: _system("process_vm_readv", pid, vector, 1, vector, 1, 0)),
        "set the parent's limits": on_any(
            lambda pid: _system("prlimit64", pid, 7, struct.pack("=QQ", 512, 512), None)  # of files
        ),
        "fork": lambda: child(LIBC.fork),
        "clone3": lambda: child(lambda: _system("clone3", clone, len(clone))),
        "start a program": lambda: -LIBC.posix_spawn(None, b"/bin/true", None, None, words, words),
        "become a program": lambda: LIBC.execve(b"/bin/true", None, None),
        "become a program by its number": lambda: _system("execveat", _NO_FOLDER, b"/bin/true", None, None, 0),
    }


def _on_the_kernel() -> dict[str, Callable[[], int]]:
    return {
        "be root": lambda: _system("setuid", 0),
        "own namespaces": lambda: _system("unshare", 0x10000000 | 0x20000),
        "mount": lambda: _system("mount", b"none", b"/tmp", b"tmpfs", 0, None),
        "io_uring": lambda: _system("io_uring_setup", 1, ctypes.create_string_buffer(120)),
        "bpf": lambda: _system("bpf", 0, struct.pack("=IIII", 2, 4, 4, 1), 16),
        "keyrings": lambda: _system("keyctl", 0, -3, 0),
        "performance events": lambda: _system("perf_event_open", ctypes.create_string_buffer(128), 0, -1, -1, 0),
        "userfaultfd": lambda: _system("userfaultfd", 1),
        "a file in memory": lambda: _system("memfd_create", b"x", 0),
        "raise its limits": lambda: _system("prlimit64", 0, 1, struct.pack("=QQ", 2**63, 2**63), None),
    }


def numbers(content: bytes) -> list[int]:
    """Of the system calls whose numbers `content` lists, those that are not refused with EPERM."""
    passed = []
    for number in json.loads(content):
        ctypes.set_errno(0)
        result = LIBC.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
        if result != -1 or ctypes.get_errno() != 1:
            passed.append(number)
    return passed


def python(content: bytes) -> list[str]:
    """What goes through by Python's own functions, of the attempts of a reader without native code."""
    given = json.loads(content)
    tried: dict[str, Callable[[], object]] = {
        "read": lambda: Path(given["folder"], "public.txt").read_text(),
        "write": lambda: Path(given["folder"], "made.txt").write_text("x"),
        "list": lambda: os.listdir(given["folder"]),  # noqa: PTH208
        "stat": lambda: Path(given["folder"]).stat(),
        "connect": lambda: socket.socket().connect(("127.0.0.1", given["port"])),
        "signal": lambda: [os.kill(pid, 0) for pid in given["pids"]],
        "fork": os.fork,
        "run": lambda: os.posix_spawn("/bin/true", ["true"], {}),
        "import": lambda: __import__("sqlite3"),
    }
    done = []
    for name, work in tried.items():
        try:
            work()
        except (OSError, ImportError):
            continue
        done.append(name)
    return done


if __name__ == "__main__":
    sys.stdout.write(json.dumps(attempts(sys.stdin.buffer.read())))
