"""A seccomp filter: the system calls that a parser needs to compute; every other one is refused with EPERM.

It may read and write what is open, have memory, look at the clock and end. It opens nothing, unless Landlock refuses
that (`files`): then the filter refuses writing alone, so that each layer can be seen to hold by itself.
"""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterator

from apps.extraction.sandbox import system

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_COLUMN = {"x86_64": 0, "aarch64": 1}
# Numbers on x86-64 and on arm64; None where the architecture has no such call.
_ALLOWED: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "readv": (19, 65),
    "write": (1, 64),
    "writev": (20, 66),
    "close": (3, 57),
    "lseek": (8, 62),
    "fstat": (5, 80),
    "brk": (12, 214),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "futex": (202, 98),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    "getrandom": (318, 278),
    "getpid": (39, 172),
    "gettid": (186, 178),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getrlimit": (97, 163),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "uname": (63, 160),
}
_PRLIMIT, _TGKILL, _OPEN, _OPENAT = (302, 261), (234, 131), (2, None), (257, 56)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | (os.O_TMPFILE & ~os.O_DIRECTORY)

# Instructions of BPF, and where a call stands in what they read (struct seccomp_data).
_LOAD, _IF_EQUAL, _IF_ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_ALLOW, _REFUSE, _KILL_PROCESS = 0x7FFF0000, 0x00050000 | errno.EPERM, 0x80000000
_MODE_FILTER = 2

Instruction = tuple[int, int, int, int]


def restrict(*, files: bool) -> None:
    """Puts the process under the filter for good. `files`: it may open files, as far as other layers let it.

    Raises OSError where the kernel has no filters, or this architecture no list.
    """
    machine = platform.machine()
    if machine not in _COLUMN:
        raise OSError(errno.ENOSYS, f"no list of system calls for {machine}")
    instructions = list(_program(machine, own_process=os.getpid(), files=files))
    packed = b"".join(struct.pack("=HBBI", *instruction) for instruction in instructions)
    code = ctypes.create_string_buffer(packed, len(packed))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(instructions), ctypes.addressof(code)))
    system.give_up_new_privileges()
    system.prctl(system.PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(program))


def _program(machine: str, *, own_process: int, files: bool) -> Iterator[Instruction]:
    column = _COLUMN[machine]
    # A call by the numbers of another architecture (32 bits) would be another call.
    yield from ((_LOAD, 0, 0, _ARCH), (_IF_EQUAL, 1, 0, _AUDIT_ARCH[machine]), (_RETURN, 0, 0, _KILL_PROCESS))
    yield (_LOAD, 0, 0, _NUMBER)
    for numbers in _ALLOWED.values():
        yield from _rule(numbers[column])
    # Its own limits may be read and not set; it may end itself by a signal (`abort`) and nobody else.
    yield from _rule(_PRLIMIT[column], *_equals(0, 0), *_equals(2, 0))
    yield from _rule(_TGKILL[column], *_equals(0, own_process))
    if files:
        yield from _rule(_OPEN[column], *_lacks(1, _WRITING))
        yield from _rule(_OPENAT[column], *_lacks(2, _WRITING))
    yield (_RETURN, 0, 0, _REFUSE)


def _rule(number: int | None, *conditions: Instruction) -> Iterator[Instruction]:
    """Allows the call of that number under the conditions, each of which refuses by itself."""
    if number is not None:
        yield (_IF_EQUAL, 0, len(conditions) + 1, number)
        yield from (*conditions, (_RETURN, 0, 0, _ALLOW))


def _equals(argument: int, value: int) -> Iterator[Instruction]:
    """Both halves of the 64 bits, on machines that store the lower one first."""
    for offset, half in ((0, value & 0xFFFFFFFF), (4, value >> 32)):
        yield (_LOAD, 0, 0, _ARGUMENTS + 8 * argument + offset)
        yield from ((_IF_EQUAL, 1, 0, half), (_RETURN, 0, 0, _REFUSE))


def _lacks(argument: int, bits: int) -> Iterator[Instruction]:
    yield (_LOAD, 0, 0, _ARGUMENTS + 8 * argument)
    yield from ((_IF_ANY_BIT, 0, 1, bits), (_RETURN, 0, 0, _REFUSE))
