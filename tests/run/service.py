"""A real `make run` (the part after the installation), as tests drive it from outside."""

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import redis

from config.environment import PROJECT_ROOT, STATE_FILE_NAME
from launcher.processes import dying_with_me, end_processes, server_processes, supervised_processes
from launcher.servers import free_port

START_SECONDS = 240.0  # of a machine that does much else; only a start that hangs needs them


class Service:
    """One PARLEY_HOME on free ports; `start` may be called again after `stop` or `kill`."""

    def __init__(self, home: Path, outside: dict[str, str]) -> None:
        self.home = home.resolve()
        self.port, self.realtime_port, self.receiver_port = free_port(), free_port(), free_port()
        self.environ = {
            **outside,
            "PARLEY_HOME": str(self.home),
            "PORT": str(self.port),
            "REALTIME_PORT": str(self.realtime_port),
            "DEMO_RECEIVER_PORT": str(self.receiver_port),
            "DEMO_MODEL_PORT": "0",
            "SEED_DEMO": "1",
        }
        self.url = f"http://localhost:{self.port}"
        self.realtime_url = f"ws://localhost:{self.realtime_port}"
        self.process: subprocess.Popen[bytes] | None = None
        self._output = tempfile.NamedTemporaryFile(prefix="parley-output-")  # noqa: SIM115 - as long as the service

    def launch(self, *command: str, **changes: str) -> None:
        """Starts without waiting, with changes to the environment; by default without `make`."""
        with self._path.open("wb") as output:
            self.process = subprocess.Popen(
                command or (sys.executable, "-m", "launcher.run"),
                cwd=PROJECT_ROOT,
                env={**self.environ, **changes},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_me(signal.SIGTERM),  # with a test run that is killed
            )

    def start(self, *command: str, **changes: str) -> None:
        """Starts, and returns when the banner is there."""
        self.launch(*command, **changes)
        self.until(lambda: "Ctrl-C stops everything" in self.output or self.ended, "the banner", START_SECONDS)
        assert not self.ended, self.output

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Asks the supervisor to end, as Ctrl-C or a service manager would, and returns its exit status."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(timeout=60)

    def kill(self) -> None:
        """Kills what was started alone: the supervisor, or `make`."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Leaves nothing running, whatever the test did."""
        if self.process is not None and not self.ended:
            self.process.terminate()
            try:
                self.process.wait(timeout=40)
            except subprocess.TimeoutExpired:
                self.kill()
        end_processes(self.processes(), ask=signal.SIGKILL)

    @property
    def _path(self) -> Path:
        return Path(self._output.name)

    @property
    def ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    @property
    def output(self) -> str:
        return self._path.read_text(errors="replace")

    def processes(self) -> list[psutil.Process]:
        """Every process of this PARLEY_HOME but the supervisor."""
        postgres = server_processes("postgres", self.home / "postgres")
        valkey = server_processes("valkey-server", self.home / "valkey")
        return [*supervised_processes(self.home), *postgres, *valkey]

    def leaders(self) -> dict[str, psutil.Process]:
        """The supervisor's own children by what they are: web, realtime, worker, beat, hooks, postgres, valkey."""
        assert self.process is not None
        marks = {
            "web": "config.web:",
            "realtime": "config.asgi",
            "worker": "config worker",
            "beat": "config beat",
            "hooks": "webhook_listen",
            "postgres": "postgres -D",
            "valkey": "valkey-server",
        }
        found = {}
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.NoSuchProcess):  # it ended meanwhile
                line = " ".join(child.cmdline())
                found |= {name: child for name, mark in marks.items() if mark in line}
        return found

    def get(self, path: str, token: str | None = None) -> tuple[int, Any]:
        """Status and JSON body (None if it is none) of a GET; status 0 while nobody answers."""
        request = urllib.request.Request(self.url + path)
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return answer.status, as_json(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, as_json(error.read())
        except OSError:
            return 0, None

    def forget_sign_ins(self) -> None:
        """The next person may sign in, however often others have within the last minute."""
        state = json.loads((self.home / STATE_FILE_NAME).read_text())
        with redis.Redis.from_url(state["REDIS_URL"]) as client:
            for key in client.scan_iter("*sign-in:*"):
                client.delete(key)

    def manage(self, *arguments: str) -> str:
        """Output of a `manage.py` command with this service's environment."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=PROJECT_ROOT, env=self.environ, check=True, capture_output=True, text=True
        ).stdout

    @property
    def demo(self) -> Any:
        """What the last `seed_demo --json` has printed, the start's or a later one's: its tokens are valid."""
        return json.loads((self.home / "demo.json").read_text())

    def curl_line(self) -> str:
        found = re.search(r"^ *(curl .*)$", self.output, re.MULTILINE)
        assert found is not None, self.output
        return found[1]

    def until(self, condition: Callable[[], bool], what: str, seconds: float = 20.0) -> None:
        """Returns as soon as the condition holds; fails with the service's output if it does not in time."""
        deadline = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"{what}: not within {seconds:.0f} s\n{self.output}")
            time.sleep(0.05)


def as_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None
