"""The layers of the kernel around the cage: native code in there tries to steal and to break, and is refused."""

import ctypes
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.extraction import Cage, SandboxLayers, active_layers
from apps.extraction.sandbox import seccomp
from config.environment import PROJECT_ROOT

HOSTILE = "tests.extraction.hostile"
IS_ROOT = os.geteuid() == 0
HAS_LANDLOCK = ctypes.CDLL(None).syscall(ctypes.c_long(444), None, ctypes.c_size_t(0), ctypes.c_uint(1)) >= 1
HAS_SECCOMP = "\nSeccomp:" in Path("/proc/self/status").read_text()

# What a process may do outside of the cage, with no right of its own; so that it is the cage which refuses it.
HARMLESS = [
    *("read a file for all", "read the secrets", "read its own environment", "list a folder", "openat"),
    *("make a file", "make a file by its number", "write a file", "cut a file", "make a folder", "make a link"),
    *("name a file twice", "rename a file", "delete a file", "change rights", "make a pipe with a name"),
    *("connect to loopback", "internet socket", "internet socket by its number", "local socket", "netlink socket"),
    *("signal the parent", "signal a thread", "fork", "start a program", "a file in memory"),
]
# What steals or breaks something of others. The rest only widens what of the kernel can be attacked; and signals to
# everybody count as sent where every single one was refused.
HARMFUL = {
    *("read a file for all", "read the secrets", "read its own environment", "read its memory", "list a folder"),
    *("openat", "openat2", "make a file", "make a file by its number", "write a file", "cut a file", "make a folder"),
    *("make a link", "name a file twice", "rename a file", "delete a file", "make a pipe with a name"),
    *("connect to loopback", "signal the parent", "signal a thread", "queue a signal"),
    *("trace the parent", "read the parent's memory", "set the parent's limits", "fork", "clone3", "start a program"),
    *("become a program", "become a program by its number", "be root", "mount", "raise its limits"),
}
BY_ROOTS_RIGHTS = {"be root", "fork", "clone3", "set the parent's limits", "raise its limits"}
# Calls of the kernel's own probes, which no filter is asked about: they do nothing where there is no probe.
PROBES = {335, 336} if os.uname().machine == "x86_64" else set()


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in which everybody may do everything, but for the secrets of the installation."""
    made = Path(tempfile.mkdtemp(prefix="parley-hostile-"))
    try:
        made.chmod(0o777)
        for name in ("public.txt", "moved.txt", "deleted.txt", "secrets.json"):
            (made / name).write_text("content")
            (made / name).chmod(0o600 if name == "secrets.json" else 0o666)
        yield made
    finally:
        shutil.rmtree(made)


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_every_layer_that_this_kernel_has_is_active() -> None:
    assert active_layers() == SandboxLayers(landlock=HAS_LANDLOCK, seccomp=HAS_SECCOMP, uid=IS_ROOT)


def test_outside_of_the_cage_the_attempts_go_through(folder: Path, port: int) -> None:
    given = {"folder": str(folder), "port": port, "pids": [os.getpid()], "only": HARMLESS}
    ran = subprocess.run(
        [sys.executable, "-m", HOSTILE],
        input=json.dumps(given).encode(),
        cwd=PROJECT_ROOT,
        capture_output=True,
        check=True,
    )
    assert json.loads(ran.stdout) == HARMLESS


@pytest.mark.skipif(not HAS_SECCOMP, reason="this kernel has no seccomp")
def test_native_code_that_has_taken_over_a_parser_is_refused_everything(folder: Path, port: int) -> None:
    before = contents(folder)
    with Cage(preload=(HOSTILE,)) as cage:
        assert cage.call("builtins:len", b"1") == 1
        assert cage._process is not None
        given = {"folder": str(folder), "port": port, "pids": [os.getpid(), cage._process.pid]}
        assert cage.call(f"{HOSTILE}:attempts", json.dumps(given).encode()) == []
    assert contents(folder) == before


def test_python_that_has_taken_over_a_parser_is_refused_everything(folder: Path, port: int) -> None:
    before = contents(folder)
    given = {"folder": str(folder), "port": port, "pids": [os.getpid()]}
    with Cage() as cage:
        assert cage.call(f"{HOSTILE}:python", json.dumps(given).encode()) == []
    assert contents(folder) == before


@pytest.mark.skipif(not HAS_SECCOMP, reason="this kernel has no seccomp")
def test_every_system_call_that_is_not_on_the_list_is_refused() -> None:
    column = seccomp._COLUMN[os.uname().machine]
    listed = {numbers[column] for numbers in seccomp._ALLOWED.values()}
    others = [number for number in (*range(600), 0x40000000, 0x40000002, 2**31) if number not in listed | PROBES]
    with Cage() as cage:
        assert cage.call(f"{HOSTILE}:numbers", json.dumps(others).encode()) == []


def on_a_machine_without(lacking: str, folder: Path, port: int, only: list[str] | None = None) -> dict[str, Any]:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.extraction.poor_kernel", lacking],
        input=json.dumps({"folder": str(folder), "port": port, "only": only}),
        cwd=PROJECT_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    answer: dict[str, Any] = json.loads(ran.stdout)
    return answer


@pytest.mark.skipif(not (HAS_LANDLOCK and HAS_SECCOMP), reason="this kernel lacks a layer already")
@pytest.mark.parametrize("lacking", ["", "landlock", "seccomp", "uid", "landlock,uid", "seccomp,uid"])
def test_where_a_layer_cannot_be_had_the_others_hold_and_the_log_says_so(lacking: str, folder: Path, port: int) -> None:
    if "uid" in lacking and not IS_ROOT:
        pytest.skip("only root can become another user")
    before = contents(folder)
    found = on_a_machine_without(lacking, folder, port)
    assert [layer for layer, holds in found["layers"].items() if not holds] == sorted(
        {*filter(None, lacking.split(",")), *([] if IS_ROOT else ["uid"])}
    )
    told = re.findall(r"WARNING the sandbox of document readers lacks (.+) on this machine", found["log"])
    assert told == ([", ".join(lacking.split(","))] if lacking else [])
    if "seccomp" not in lacking:
        assert found["passed"] == []
    assert not (HARMFUL - (BY_ROOTS_RIGHTS if "uid" in lacking else set())).intersection(found["passed"])
    assert contents(folder) == before


@pytest.mark.skipif(not IS_ROOT, reason="only root can become another user")
def test_another_user_alone_keeps_the_secrets_and_the_parent(folder: Path, port: int) -> None:
    kept = ["read the secrets", "signal the parent", "trace the parent", "read the parent's memory", "fork", "be root"]
    found = on_a_machine_without("landlock,seccomp", folder, port, ["read a file for all", *kept])
    assert found["layers"] == {"landlock": False, "seccomp": False, "uid": True}
    assert found["passed"] == ["read a file for all"]
