"""Landlock (Linux 5.13): no file, no TCP, no abstract socket and no signal to a process outside, as far as the kernel
knows these rights.

There are no rules of what is allowed. All that a parser needs is loaded before.
"""

import contextlib
import ctypes
import os
import struct

from apps.extraction.sandbox import system

_CREATE_RULESET, _RESTRICT_SELF = 444, 446  # the same numbers on every architecture
_GET_VERSION = 1
# By the version of the kernel's interface that brought them: include/uapi/linux/landlock.h.
_FILES = {1: 0x1FFF, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_NETWORK = {4: 0b11}
_SCOPES = {6: 0b11}


def restrict() -> None:
    """Puts the process, and all that it starts, under the restrictions for good.

    Raises OSError where the kernel has none.
    """
    version = system.call(_CREATE_RULESET, None, 0, _GET_VERSION)
    # A kernel takes an attribute longer than its own if the rest is 0.
    rights = (sum(bits for since, bits in kind.items() if since <= version) for kind in (_FILES, _NETWORK, _SCOPES))
    attribute = ctypes.create_string_buffer(struct.pack("=QQQ", *rights), 24)
    ruleset = system.call(_CREATE_RULESET, ctypes.addressof(attribute), 24, 0)
    try:
        system.give_up_new_privileges()
        system.call(_RESTRICT_SELF, ruleset, 0)
    finally:
        with contextlib.suppress(OSError):
            os.close(ruleset)
