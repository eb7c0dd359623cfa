"""Runs the hostile code (`hostile.py`) on a machine that lacks layers, as an old kernel or a container's settings may.

`python -m tests.extraction.poor_kernel landlock,uid` reads what `attempts` is given, and writes JSON: the layers that
were found to hold (`layers`), what the machine is told about them (`log`), and what went through (`passed`).
"""

import ctypes
import errno
import io
import json
import logging
import os
import platform
import struct
import sys

LIBC = ctypes.CDLL(None, use_errno=True)
_SECCOMP, _PRCTL = {"x86_64": (317, 157), "aarch64": (277, 167)}[platform.machine()]
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000


def take_away(layer: str) -> None:
    """Has every process that is started from here on do without the layer."""
    if layer == "landlock":
        _refuse_calls([(0x15, 0, 1, 444), (0x06, 0, 0, _REFUSE | errno.ENOSYS)])
    elif layer == "seccomp":
        _refuse_calls(
            [
                *[(0x15, 0, 1, _SECCOMP), (0x06, 0, 0, _REFUSE | errno.ENOSYS)],
                *[(0x15, 0, 3, _PRCTL), (0x20, 0, 0, 16), (0x15, 0, 1, 22), (0x06, 0, 0, _REFUSE | errno.EINVAL)],
            ]
        )
    else:
        for capability in (6, 7):  # CAP_SETGID, CAP_SETUID: of programs that are started, root's too
            assert LIBC.prctl(24, ctypes.c_ulong(capability), 0, 0, 0) == 0


def _refuse_calls(rules: list[tuple[int, int, int, int]]) -> None:
    instructions = [(0x20, 0, 0, 0), *rules, (0x06, 0, 0, _ALLOW)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in instructions))
    program = ctypes.create_string_buffer(struct.pack("@HP", len(instructions), ctypes.addressof(code)))
    assert LIBC.prctl(38, ctypes.c_ulong(1), 0, 0, 0) == 0
    assert LIBC.prctl(22, ctypes.c_ulong(2), program, 0, 0) == 0


def main() -> None:
    # The last to go is what takes the others away.
    for layer in sorted(filter(None, sys.argv[1].split(",")), key=("uid", "landlock", "seccomp").index):
        take_away(layer)
    log = io.StringIO()
    logging.basicConfig(stream=log, format="%(levelname)s %(message)s")
    from apps.core.observability.sandbox import tried_layers
    from apps.extraction import Cage

    layers = tried_layers()
    given = json.load(sys.stdin)
    with Cage() as cage:
        passed = cage.call("tests.extraction.hostile:attempts", json.dumps({**given, "pids": [os.getpid()]}).encode())
    print(json.dumps({"layers": layers._asdict(), "log": log.getvalue(), "passed": passed}))  # noqa: T201


if __name__ == "__main__":
    main()
