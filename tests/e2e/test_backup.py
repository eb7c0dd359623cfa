"""Backup and restore by the commands of docs/guides/backup.md: an installation comes back on empty servers."""

import hashlib
import hmac
import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import requests
from cryptography.fernet import Fernet
from honcho.environ import parse_procfile

from config.environment import PROJECT_ROOT
from launcher.processes import dying_with_me, kill_group, wait_until, with_virtualenv
from launcher.servers import POSTGRES, EmbeddedServers, free_port
from tests.migrated import copy_migrated
from tests.webhooks.receivers import HookReceiver

pytestmark = pytest.mark.e2e

PAGE = (PROJECT_ROOT / "docs/guides/backup.md").read_text()
PROCFILE = parse_procfile((PROJECT_ROOT / "Procfile").read_text()).processes


def commands(heading: str) -> str:
    """The shell commands below a heading of the page."""
    found = re.search(rf"^## {heading}\n.*?^```sh\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


class Installation:
    """The processes of the Procfile beside servers of their own, in one PARLEY_HOME."""

    def __init__(self, home: Path, servers: EmbeddedServers, environ: dict[str, str]) -> None:
        self._home = home
        programs = {"PATH": f"{POSTGRES / 'bin'}{os.pathsep}{environ['PATH']}"}
        urls = {"DATABASE_URL": servers.database_url, "REDIS_URL": servers.redis_url, "PARLEY_HOME": str(home)}
        self.environ = with_virtualenv({**environ, **programs, **urls})
        self.url = f"http://localhost:{environ['PORT']}"

    def shell(self, script: str, **changes: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["sh", "-euc", script],
            cwd=PROJECT_ROOT,
            env={**self.environ, **changes},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def run(self, script: str, **changes: str) -> str:
        done = self.shell(script, **changes)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def running(self, name: str) -> Iterator[None]:
        """Runs a process of the Procfile meanwhile."""
        with (self._home / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                ["sh", "-c", PROCFILE[name]],
                cwd=PROJECT_ROOT,
                env=self.environ,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=dying_with_me(signal.SIGTERM),
            )
        try:
            if name == "web":
                assert wait_until(self._answers, seconds=60), (self._home / "web.log").read_text()
            yield
        finally:
            process.terminate()
            try:
                process.wait(timeout=30)
            finally:
                kill_group(process.pid)

    def _answers(self) -> bool:
        try:
            return requests.get(f"{self.url}/readyz", timeout=2).ok
        except requests.RequestException:
            return False

    def call(self, method: str, path: str, authorization: str, body: Any = None, expected: int | None = 200) -> Any:
        headers = {"Authorization": authorization, "X-Service-Idempotency-Key": os.urandom(16).hex()}
        response = requests.request(method, self.url + path, json=body, headers=headers, timeout=30)
        assert expected in (None, response.status_code), response.text
        return response.json() if response.headers["Content-Type"] == "application/json" else response.text


def answers_of(installation: Installation, bearer: str) -> dict[str, Any]:
    """What the API answers to a customer's system, by path; signed addresses of files, which are of the hour, apart."""

    def get(path: str) -> Any:
        answers[path] = installation.call("GET", f"/api/v1{path}", bearer, expected=None)
        return answers[path]

    answers: dict[str, Any] = {}
    chats = get("/chats?limit=100")["data"]
    for path in ("/contacts?limit=100", "/tags", "/webhook-subscriptions", "/stats?from=2020-01-01&to=2020-01-31"):
        get(path)
    for chat in chats:
        get(f"/chats/{chat['id']}")
        get(f"/chats/{chat['id']}/messages?limit=100")
        get(f"/chats/{chat['id']}/transcript")
        get(f"/contacts/{chat['contact_id']}")
    for path, answer in answers.items():
        if path.endswith("/messages?limit=100"):
            for message in answer["data"]:
                if message["url"]:
                    message["url"] = requests.get(message["url"], timeout=30).content
    return answers


@pytest.mark.slow
def test_a_backup_restored_into_empty_servers_answers_as_before(outside: dict[str, str]) -> None:
    with TemporaryDirectory(prefix="parley-home-") as folder, HookReceiver() as hook:
        Path(folder).chmod(0o711)  # PostgreSQL's own user passes
        one, two, backup = (Path(folder) / name for name in ("one", "two", "backup"))
        for path in (one, two, backup):
            path.mkdir()
        environ = {
            **outside,
            "PORT": str(free_port()),
            "SECRET_KEY": "backup-7c1e0f0a7a1d4f7e9a53b2c8d6e4f1a0b9c8d7e6f5a4",
            "FIELD_ENCRYPTION_KEYS": Fernet.generate_key().decode(),
            "EGRESS_ALLOW": f"127.0.0.1:{hook.port}",
            "WORKER_CONCURRENCY": "1",
        }
        copy_migrated(one / "postgres")
        with EmbeddedServers(one, durable=False) as servers:
            kept = backed_up(Installation(one, servers, environ), backup, hook.url)
        with EmbeddedServers(two, durable=False) as servers:
            after = Installation(two, servers, environ)
            after.run(commands("Restore"), BACKUP=str(backup))
            with after.running("web"):
                assert answers_of(after, kept["bearer"]) == kept["answers"]
                said_before(after, kept)
                with after.running("worker"):
                    signed(hook, kept)
            other_key = Fernet.generate_key().decode()
            refused = after.shell("python manage.py rotate_field_keys", FIELD_ENCRYPTION_KEYS=other_key)
            assert refused.returncode == 1
            assert "could not be decrypted with any key" in refused.stderr


def backed_up(installation: Installation, backup: Path, hook_url: str) -> dict[str, Any]:
    """Makes the demo's data, a subscription and a visitor who wrote, and backs up; what is to be there afterwards."""
    installation.run("python manage.py migrate --noinput --verbosity 0")
    demo = json.loads(installation.run("python manage.py seed_demo --json", PARLEY_WITH_DEMO="1"))
    widget = demo["accounts"][0]["widgets"][0]
    bearer = f"Bearer {widget['tokens']['all']}"
    page = f"/widget/{widget['guid']}"
    with installation.running("web"):
        subscription = installation.call(
            "POST", "/api/v1/webhook-subscriptions", bearer, {"url": hook_url, "events": ["message.created"]}, 201
        )["data"]
        session = installation.call("POST", f"{page}/sessions", "", {"name": "Мария"}, 201)["data"]
        visitor = f"Visitor {session['visitor_token']}"
        message = {"client_id": "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51", "type": "text", "body": "Есть тюльпаны?"}
        sent = installation.call("POST", f"{page}/messages", visitor, message, 201)["data"]
        answers = answers_of(installation, bearer)
        installation.run(commands("Back up"), BACKUP=str(backup))
    assert sum(isinstance(m["url"], bytes) for path in answers for m in messages_in(path, answers)) >= 2, "files"
    return {
        "bearer": bearer,
        "answers": answers,
        "page": page,
        "session": session,
        "visitor": visitor,
        "message": message,
        "sent": sent,
        "secret": subscription["secret"],
    }


def messages_in(path: str, answers: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = answers[path]["data"] if "/messages" in path else []
    return found


def said_before(installation: Installation, kept: dict[str, Any]) -> None:
    """The visitor comes back with the token they have, finds what they said, and goes on."""
    again = {"visitor_token": kept["session"]["visitor_token"]}
    session = installation.call("POST", f"{kept['page']}/sessions", "", again)["data"]
    assert session["contact_id"] == kept["session"]["contact_id"]
    assert [message["id"] for message in session["messages"]] == [kept["sent"]["id"]]
    repeated = installation.call("POST", f"{kept['page']}/messages", kept["visitor"], kept["message"])["data"]
    assert repeated["id"] == kept["sent"]["id"]
    more = {**kept["message"], "client_id": "5d0f9c52-22a5-4f0b-8a54-0c7f6b1a4e11", "body": "Белые?"}
    next_one = installation.call("POST", f"{kept['page']}/messages", kept["visitor"], more, 201)["data"]
    assert next_one["id"] > repeated["id"]


def signed(hook: HookReceiver, kept: dict[str, Any]) -> None:
    """What was queued when the backup was made is delivered, and all is signed with the secret shown once before it."""
    heard = hook.wait_for(2)
    for request in heard:
        expected = hmac.new(kept["secret"].encode(), request.body, hashlib.sha256).hexdigest()
        assert request.headers["x-service-signature"] == f"sha256=v1:{expected}"
    assert kept["sent"]["id"] in [request.json["data"]["message_id"] for request in heard]
