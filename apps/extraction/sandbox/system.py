"""Calls to the kernel that Python has no function for."""

import ctypes
import os

_LIBC = ctypes.CDLL(None, use_errno=True)
PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 22, 38


def call(number: int, *arguments: int | None) -> int:
    """The result of a system call. Raises OSError."""
    return _checked(_LIBC.syscall(ctypes.c_long(number), *_words(arguments)))


def prctl(option: int, *arguments: int) -> None:
    """Changes a property of this process. Raises OSError."""
    _checked(_LIBC.prctl(ctypes.c_int(option), *_words((*arguments, *[0] * (4 - len(arguments))))))


def unshare(flags: int) -> None:
    """Enters new namespaces. Raises OSError."""
    _checked(_LIBC.unshare(ctypes.c_int(flags)))


def give_up_new_privileges() -> None:
    """No program that is started has more rights from here on; without that neither layer may be put on."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def _words(arguments: tuple[int | None, ...]) -> list[ctypes.c_ulong]:
    return [ctypes.c_ulong(argument or 0) for argument in arguments]


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
