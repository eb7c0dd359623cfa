"""The receivers of docs/samples/webhooks run, each in its language: they take what the product signs, and nothing else.

A language that is not on the machine is skipped; the guide's text is compared whatever is there.
"""

import http.client
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from apps.webhooks import rules
from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group
from launcher.servers import free_port
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until

SAMPLES = PROJECT_ROOT / "docs/samples/webhooks"
GUIDE = (PROJECT_ROOT / "docs/guides/webhooks.md").read_text()
README = (PROJECT_ROOT / "README.md").read_text()
NAMES = ("receiver.py", "receiver.mjs", "receiver.php", "receiver.go")
LANGUAGES = {".py": "python", ".mjs": "js", ".php": "php", ".go": "go"}
SECRET = "whsec_секрет-of-the-samples"

NATIVE = rules.native_body(
    uuid.UUID(int=7), "chat.closed", {"chat_id": 7, "reason": "Клиент ушёл / “done”"}, widget_guid="0" * 32
).encode()
LEGACY = rules.legacy_body(NATIVE.decode()).encode()
# As no JSON library would write it: who parses before verifying is found out.
SPACED = b' {"id" : "\\u0438", "number": 1.50, "number2":1e2}\n'

GOOD = rules.signature(SECRET.encode(), NATIVE)
BAD: dict[str, tuple[bytes, dict[str, str]]] = {
    "a body changed by a byte": (NATIVE.replace(b":7,", b":8,"), {"X-Service-Signature": GOOD}),
    "a body written anew": (NATIVE.replace(b",", b", "), {"X-Service-Signature": GOOD}),
    "an empty body": (b"", {"X-Service-Signature": GOOD}),
    "another secret": (NATIVE, {"X-Service-Signature": rules.signature(b"whsec_another-secret", NATIVE)}),
    "an empty secret": (NATIVE, {"X-Service-Signature": rules.signature(b"", NATIVE)}),
    "no signature": (NATIVE, {}),
    "an empty signature": (NATIVE, {"X-Service-Signature": ""}),
    "no version": (NATIVE, {"X-Service-Signature": GOOD.removeprefix("sha256=v1:")}),
    "another version": (NATIVE, {"X-Service-Signature": GOOD.replace("v1", "v2")}),
    "upper case": (NATIVE, {"X-Service-Signature": GOOD.upper()}),
    "cut off": (NATIVE, {"X-Service-Signature": GOOD[:-1]}),
    "too long": (NATIVE, {"X-Service-Signature": f"{GOOD}0"}),
    "not ASCII": (NATIVE, {"X-Service-Signature": f"{GOOD[:-1]}é"}),
}


def command_of(name: str, port: int, folder: Path) -> list[str]:
    """How the sample is started. Skips the test where its language is not on the machine."""
    path = str(SAMPLES / name)
    if name.endswith(".py"):
        return [sys.executable, path]
    program = {".mjs": "node", ".php": "php", ".go": "go"}[Path(name).suffix]
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not on this machine")
    if program == "go":
        built = str(folder / "receiver")
        environ = {**os.environ, "GOCACHE": str(folder / "cache"), "GOFLAGS": "", "CGO_ENABLED": "0"}
        subprocess.run(["go", "build", "-o", built, path], env=environ, cwd=folder, check=True, timeout=300)
        return [built]
    return [program, "-S", f"127.0.0.1:{port}", path] if program == "php" else [program, path]


@contextmanager
def running(name: str, folder: Path, **environ: str) -> Iterator[tuple["subprocess.Popen[bytes]", int]]:
    """The sample's process, not yet waited for, and its port. It dies with the test."""
    port = free_port()
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            command_of(name, port, folder),
            env={
                "PATH": os.environ["PATH"],
                "HOME": str(folder),
                "PORT": str(port),
                "PYTHONUNBUFFERED": "1",
                **environ,
            },
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=dying_with_me(9),  # type: ignore[arg-type]
        )
    try:
        yield process, port
    finally:
        kill_group(process.pid)
        process.wait()


def answer(port: int, body: bytes, headers: dict[str, str]) -> int:
    """The status that a POST is answered with; 0 while nobody answers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST", "/", body, {"Content-Type": "application/json", **headers})
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


@pytest.fixture(scope="module", params=NAMES)
def receiver(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[bytes, dict[str, str]], int]]:
    """Answers of a running sample."""
    folder = tmp_path_factory.mktemp("sample")
    with running(request.param, folder, WEBHOOK_SECRET=SECRET) as (_, port):
        wait_until(lambda: answer(port, b"", {}) != 0, seconds=AT_MOST_S)
        yield lambda body, headers: answer(port, body, headers)


@pytest.mark.parametrize("body", [NATIVE, LEGACY, SPACED], ids=["native", "legacy", "spaced"])
def test_a_sample_takes_what_the_product_signs(receiver: Callable[[bytes, dict[str, str]], int], body: bytes) -> None:
    headers = {
        "X-Service-Event": "chat.closed",
        "X-Service-Signature": rules.signature(SECRET.encode(), body),
        "X-Service-Idempotency-Key": str(uuid.UUID(int=7)),
    }
    assert receiver(body, headers) == 204
    assert receiver(body, headers) == 204, "the next attempt"


@pytest.mark.parametrize("what", BAD)
def test_a_sample_refuses(receiver: Callable[[bytes, dict[str, str]], int], what: str) -> None:
    assert receiver(*BAD[what]) == 401


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_without_a_secret_takes_nothing(name: str, tmp_path: Path) -> None:
    """An unset variable must not become the empty secret, with which anybody can sign."""
    headers = {"X-Service-Signature": rules.signature(b"", NATIVE)}
    with running(name, tmp_path, WEBHOOK_SECRET="") as (process, port):
        wait_until(lambda: process.poll() is not None or answer(port, NATIVE, headers) != 0, seconds=AT_MOST_S)
        with suppress(OSError):
            assert answer(port, NATIVE, headers) in (0, 500)


@pytest.mark.parametrize("name", NAMES)
def test_the_guide_shows_the_sample_as_it_is_run(name: str) -> None:
    text = (SAMPLES / name).read_text()
    assert f"```{LANGUAGES[Path(name).suffix]}\n{text}```\n" in GUIDE
    assert f"(../samples/webhooks/{name})" in GUIDE


def test_there_is_no_other_sample() -> None:
    assert {path.name for path in SAMPLES.iterdir()} == set(NAMES)


def test_the_readme_shows_the_samples_function() -> None:
    function = (SAMPLES / "receiver.py").read_text().split("\n\n\n")[1]
    assert function.startswith("def is_genuine(")
    assert f"\n\n\n{function}\n```" in README
