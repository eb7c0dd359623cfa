"""The layers of the kernel around a call, each for itself: one that this kernel or container lacks is left out."""

import contextlib
import errno
import os
from collections.abc import Iterator

from apps.extraction.sandbox import landlock, seccomp, system

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000
NOBODY = 65534
# By these errors a kernel or a container's settings say that there is no such layer.
_LACKING = {errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EPERM, errno.EACCES}


def leave_the_network() -> None:
    """If the system lets it: enters a namespace of its own, in which there is no network at all."""
    # Root needs no users of its own for that, and could become nobody else among them.
    with contextlib.suppress(OSError):
        system.unshare(_NEW_NETWORK if os.geteuid() == 0 else _NEW_USER | _NEW_NETWORK)


def contain() -> None:
    """Takes from the process what it was started with, for good: its user if that is root, files, calls to the kernel.

    To be called when all is loaded: no file can be opened any more. Raises OSError if a layer that is there could not
    be had this time, for want of memory for example.
    """
    with _unless_lacking():
        _become_nobody()
    files_are_refused = False
    with _unless_lacking():
        landlock.restrict()
        files_are_refused = True
    with _unless_lacking():
        seccomp.restrict(files=files_are_refused)


@contextlib.contextmanager
def _unless_lacking() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in _LACKING:
            raise


def _become_nobody() -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
