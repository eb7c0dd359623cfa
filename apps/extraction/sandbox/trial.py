"""The trial of the layers: called in a cage (`apps.extraction.layers`), it does what each layer alone would refuse.

It goes by the C library, like the code of a parser that was taken over: no check of Python's stands before it.
"""

import ctypes
import errno
import os

from apps.extraction.sandbox.containment import NOBODY

_LIBC = ctypes.CDLL(None, use_errno=True)


def layers(content: bytes, *, readable: str) -> dict[str, bool]:
    """`readable` names a file or folder that everybody on the machine may read."""
    return {
        # The filter would refuse with EPERM, and another user may read it.
        "landlock": _refused("open", os.fsencode(readable), os.O_RDONLY) == errno.EACCES,
        # Everybody may send themselves the signal 0, and have a socket to themselves.
        "seccomp": {_refused("kill", os.getpid(), 0), _refused("socket", 1, 1, 0)} == {errno.EPERM},
        "uid": {*os.getresuid(), *os.getresgid()} == {NOBODY} and os.getgroups() == [],
    }


def _refused(function: str, *arguments: bytes | int) -> int:
    """The number of the error of a call, 0 if it was made."""
    return ctypes.get_errno() if getattr(_LIBC, function)(*arguments) == -1 else 0
