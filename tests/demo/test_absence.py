"""In production the demo is not installed: its commands are unknown, and everything else goes on without it."""

import json
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from honcho.environ import parse_procfile

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group, with_virtualenv
from launcher.servers import EmbeddedServers, free_port
from tests.architecture.source import APPS, name_of, source_files
from tests.run.ready import copy
from tests.webhooks.receivers import wait_until

COMMANDS = {"seed_demo", "play_mail", "play_model", "play_vendors", "play_external_operator", "webhook_listen"}


def manage(environ: dict[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT_ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )


def test_no_module_of_another_app_names_the_demo() -> None:
    others = [path for path in source_files("apps") if not path.is_relative_to(APPS / "demo")]
    assert len(others) > 500
    assert [name_of(path) for path in others if "apps.demo" in path.read_text()] == []


@pytest.fixture
def production(home: Path, empty_database: Path, outside: dict[str, str]) -> Iterator[dict[str, str]]:
    """The environment of an installation that names what it needs, and no more; its database is empty."""
    copy(empty_database, home / "postgres")
    with EmbeddedServers(home, durable=False) as servers:
        yield with_virtualenv(
            {
                **outside,
                "DATABASE_URL": servers.database_url,
                "REDIS_URL": servers.redis_url,
                "PARLEY_HOME": str(home),
                "PORT": str(free_port()),
                "SECRET_KEY": "production-7c1e0f0a7a1d4f7e9a53b2c8d6e4f1a0b9c8d7e6f5a4",
                "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
            }
        )


@contextmanager
def web(environ: dict[str, str]) -> Iterator[Callable[[str], int]]:
    """The Procfile's web process; calls a path, and gives the status of its answer, 0 while there is none."""

    def status(path: str) -> int:
        try:
            with urllib.request.urlopen(f"http://localhost:{environ['PORT']}{path}", timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    line = dict(parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes)["web"]
    process = subprocess.Popen(
        ["sh", "-c", line],
        cwd=PROJECT_ROOT,
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=dying_with_me(signal.SIGTERM),
    )
    try:
        yield status
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        finally:
            kill_group(process.pid)


@pytest.mark.slow
@pytest.mark.e2e
def test_production_migrates_passes_its_checks_and_answers_without_it(production: dict[str, str]) -> None:
    for arguments in (
        ("migrate", "--noinput", "--verbosity", "0"),
        ("check", "--fail-level", "WARNING"),
    ):
        done = manage(production, *arguments)
        assert done.returncode == 0, done.stderr
    known = manage(production, "help", "--commands").stdout.split()
    assert "rotate_field_keys" in known
    assert COMMANDS.isdisjoint(known)
    refused = manage(production, "seed_demo")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("Unknown command: 'seed_demo'")
    assert not Path(production["PARLEY_HOME"], "demo.json").exists()
    with web(production) as status:
        wait_until(lambda: status("/healthz") == 200, seconds=60)
        assert [status(path) for path in ("/readyz", "/api/v1/chats")] == [200, 401]

    asked_for = production | {"PARLEY_WITH_DEMO": "1"}
    assert set(manage(asked_for, "help", "--commands").stdout.split()) == {*known, *COMMANDS}
    seeded = manage(asked_for, "seed_demo", "--json")
    assert [len(account["widgets"]) for account in json.loads(seeded.stdout)["accounts"]] == [2, 1], seeded.stderr
    left_out = manage(asked_for | {"PARLEY_WITHOUT_APPS": "apps.demo"}, "seed_demo")
    assert left_out.stderr.startswith("Unknown command: 'seed_demo'")
