"""The cage: a process of its own in which the bytes of strangers are parsed, and the reading of its answers.

It has neither the service's environment nor its open files, network or database; each call is a fork of it under limits
of the kernel (`sandbox/__main__.py`). Even if it fails there, the caller has an answer in MAX_SECONDS, or
`ExtractionFailed` with a code. The answer is JSON of at most MAX_ANSWER_BYTES, of whose shape its reader makes sure.
"""

import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(__file__).resolve().parent / "sandbox" / "__main__.py"

MAX_SECONDS = 20.0
MAX_ANSWER_BYTES = 8 * 1024 * 1024
MAX_NAME, MAX_PLACE = 100, 60
_PLACE = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_FRAME = struct.Struct("<cQ")
_STATUS = struct.Struct("<iq")
_PIPE_BYTES = 64 * 1024
# More than so much was in use when it aborted: it was memory that it lacked.
_MUCH_KB = 256 * 1024
_OVER_LIMITS = {signal.SIGXCPU, signal.SIGKILL, signal.SIGALRM, signal.SIGXFSZ}
_ABORTED = {signal.SIGABRT, signal.SIGTRAP, signal.SIGILL, signal.SIGSEGV, signal.SIGBUS}

UNREADABLE, LIMITS_EXCEEDED, CRASHED = "unreadable", "limits_exceeded", "crashed"
# Refusals that functions in the cage may answer by name (`sandbox/refusals.py`).
_CODES = {UNREADABLE, LIMITS_EXCEEDED, "encrypted", "no_text", "too_much_text"}
_DETAILS = {
    UNREADABLE: "The file is damaged, or is not what it says it is.",
    LIMITS_EXCEEDED: "Reading the file takes more time, memory or parts than one document may.",
    CRASHED: "The reader of this format broke down over the file.",
    "encrypted": "The file is protected by a password.",
    "no_text": "There is no text in the file. A scan has pictures of text only.",
    "too_much_text": "The file has more than 1,000,000 characters of text.",
}


class ExtractionFailed(Exception):
    """No text came out; `code` is one of the documented ones, `detail` a sentence for people that names the place and,
    where it is known, the file. `cause` is for logs."""

    def __init__(self, code: str, cause: str = "", *, place: str = "") -> None:
        super().__init__(f"{code} {cause}".strip())
        self.code, self.cause, self.place = code, cause, place
        self.detail = f"{_DETAILS[code].rstrip('.')} ({place})." if place else _DETAILS[code]

    def named(self, name: str) -> Self:
        """The same, told with the name of the file."""
        self.detail = f"{name[:MAX_NAME]}: {self.detail}"
        return self


class Cage:
    """`with Cage() as cage`: calls functions on bytes, one at a time, each in a process of its own.

    A function is named `module:function`, takes the bytes and the options, and returns what JSON can say. Starting a
    cage takes a fifth of a second; a call, a few milliseconds. A call can open no file, so it can't import either: its
    module is loaded before, and so are the modules named in `preload`.
    """

    def __init__(self, *, preload: tuple[str, ...] = ()) -> None:
        self._loaded = preload
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._end()

    def call(
        self, function: str, content: bytes, options: Mapping[str, Any] | None = None, *, seconds: float = MAX_SECONDS
    ) -> Any:
        """The function's answer. Raises ExtractionFailed."""
        process = self._with(function.partition(":")[0])
        request = json.dumps({"function": function, "options": dict(options or {})}).encode()
        sent = b"\x01" + struct.pack("<QQ", len(request), len(content)) + request + content
        try:
            answer, status, peak_kb = _SandboxRequest(process, sent, time.monotonic() + seconds).run()
        except _Hangs as hangs:
            self._end()
            raise ExtractionFailed(hangs.code, hangs.cause) from None
        if status != 0:
            self._end()  # what it has not read of the request is in the way of the next
            raise _of_status(status, peak_kb)
        return _read(answer)

    def _with(self, module: str) -> "subprocess.Popen[bytes]":
        """The process, started anew unless it has loaded the module."""
        if module not in self._loaded:
            self._end()
            self._loaded += (module,)
        return self._process or self._start()

    def _start(self) -> "subprocess.Popen[bytes]":
        command = [sys.executable, "-I", "-B", "-X", "utf8", str(PROGRAM), str(ROOT), *self._loaded]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env={},
            cwd="/",
            start_new_session=True,
        )
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None  # noqa: S101 - both were asked for
            os.set_blocking(pipe.fileno(), False)
        return self._process

    def _end(self) -> None:
        """Ends the process, and what it has forked."""
        process, self._process = self._process, None
        if process is None:
            return
        # Its group has its number as long as it is not waited for.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


class _Hangs(Exception):
    def __init__(self, code: str, cause: str) -> None:
        super().__init__(cause)
        self.code, self.cause = code, cause


class _SandboxRequest:
    """One request and its answer over the pipes, by a deadline. Both ways at once: neither side waits for the other."""

    def __init__(self, process: "subprocess.Popen[bytes]", sent: bytes, deadline: float) -> None:
        assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018
        self._in, self._out = process.stdin.fileno(), process.stdout.fileno()
        self._left, self._deadline = memoryview(sent), deadline
        self._received = bytearray()

    def run(self) -> tuple[bytes, int, int]:
        """The answer's bytes, the exit status as the system has it, and the peak of memory in KB. Raises _Hangs."""
        answer, poll = b"", select.poll()
        poll.register(self._out, select.POLLIN)
        poll.register(self._in, select.POLLOUT)
        while True:
            self._wait(poll)
            for kind, frame in self._frames():
                if kind == b"S":
                    status, peak_kb = _STATUS.unpack(frame)
                    return answer, status, peak_kb
                answer = frame

    def _wait(self, poll: "select.poll") -> None:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _Hangs(LIMITS_EXCEEDED, "no answer in time")
        for descriptor, _ in poll.poll(left * 1000):
            if descriptor == self._out:
                self._receive()
            elif not self._left:
                poll.unregister(self._in)
            else:
                self._send()

    def _send(self) -> None:
        try:
            self._left = self._left[os.write(self._in, self._left[:_PIPE_BYTES]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            raise _Hangs(CRASHED, "the cage ended") from None

    def _receive(self) -> None:
        received = os.read(self._out, _PIPE_BYTES)
        if not received:
            raise _Hangs(CRASHED, "the cage ended")
        self._received += received

    def _frames(self) -> "list[tuple[bytes, bytes]]":
        frames = []
        while len(self._received) >= _FRAME.size:
            kind, length = _FRAME.unpack(self._received[: _FRAME.size])
            if kind not in (b"A", b"S") or length > MAX_ANSWER_BYTES or (kind == b"S" and length != _STATUS.size):
                raise _Hangs(LIMITS_EXCEEDED, "the answer is too long")
            if len(self._received) < _FRAME.size + length:
                break
            frames.append((kind, bytes(self._received[_FRAME.size : _FRAME.size + length])))
            del self._received[: _FRAME.size + length]
        return frames


def _of_status(status: int, peak_kb: int) -> ExtractionFailed:
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status))
        if name in _OVER_LIMITS or (name in _ABORTED and peak_kb > _MUCH_KB):
            return ExtractionFailed(LIMITS_EXCEEDED, name.name)
        return ExtractionFailed(CRASHED, name.name)
    return ExtractionFailed(CRASHED, f"status {os.WEXITSTATUS(status)}")


def _read(answer: bytes) -> Any:
    try:
        read = json.loads(answer)
        if "data" in read:
            return read["data"]
        code, cause = read["code"], str(read.get("cause", ""))[:200]
        place = _PLACE.sub(" ", str(read.get("place", "")))[:MAX_PLACE].strip()
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ExtractionFailed(CRASHED, "no answer") from None
    raise ExtractionFailed(code if code in _CODES else CRASHED, cause, place=place)
