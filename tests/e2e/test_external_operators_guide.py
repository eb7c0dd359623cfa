"""docs/guides/external-operators.md, followed: its program and its commands as they are printed."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any
from uuid import uuid4

import pytest

from config.environment import PROJECT_ROOT
from launcher.servers import free_port
from tests.conftest import RUNNING
from tests.e2e.http import call
from tests.run.service import Service

pytestmark = pytest.mark.e2e

GUIDE = (PROJECT_ROOT / "docs/guides/external-operators.md").read_text()


def blocks(language: str) -> list[str]:
    """The guide's blocks of code of a language, as somebody copies them."""
    return [dedent(found) for found in re.findall(rf"^   ```{language}\n(.*?)^   ```", GUIDE, re.DOTALL | re.MULTILINE)]


class Visitor:
    """Somebody on the website."""

    def __init__(self, service: Service, guid: str) -> None:
        self._base = f"{service.url}/widget/{guid}"
        session = call("POST", f"{self._base}/sessions", body={})["data"]
        self._authorization = f"Visitor {session['visitor_token']}"

    def writes(self, text: str) -> None:
        call(
            "POST",
            f"{self._base}/messages",
            self._authorization,
            {"client_id": str(uuid4()), "type": "text", "body": text},
        )

    def reads(self) -> list[dict[str, Any]]:
        messages = call("GET", f"{self._base}/messages?after_id=0", self._authorization)["data"]
        return [message for message in messages if message["sender"]["kind"] != "client"]


@pytest.fixture
def service(running_service: Service) -> Iterator[Service]:
    """The shop's AI is on; nothing of this test is left to others."""
    widget = running_service.demo["accounts"][0]["widgets"][0]
    address, token = f"{running_service.url}/api/v1/ai/settings", f"Bearer {widget['tokens']['all']}"
    call("PATCH", address, token, {"enabled": True})
    yield running_service
    call("PATCH", address, token, {"enabled": False})


@pytest.mark.slow
def test_the_guide_followed(service: Service, tmp_path: Path) -> None:
    widget = service.demo["accounts"][0]["widgets"][0]
    port = str(free_port())
    (create, prove), (program,) = blocks("sh"), blocks("python")
    arguments = create.replace("GUID", widget["guid"]).replace(
        "https://bot.example.com/turns", f"http://127.0.0.1:{port}/"
    )
    made = json.loads(
        subprocess.run(
            [sys.executable, *arguments.split()],
            cwd=PROJECT_ROOT,
            env={**service.environ, "EGRESS_ALLOW": RUNNING["EGRESS_ALLOW"]},
            check=True,
            capture_output=True,
        ).stdout
    )
    (tmp_path / "bot.py").write_text(program)
    environ = {**service.environ, "SECRET": made["signing_secret"], "TOKEN": made["token"], "PORT": port}
    environ["URL"] = f"http://127.0.0.1:{port}/"
    bot = subprocess.Popen([sys.executable, str(tmp_path / "bot.py")], env=environ)
    shell = {
        **service.environ,
        "API": f"{service.url}/api/v1",
        "ID": made["public_id"],
        "TOKEN": widget["tokens"]["all"],
        "RUN": uuid4().hex,
    }
    authorization = f"Bearer {widget['tokens']['all']}"
    address = f"{service.url}/api/v1/external-operators/{made['public_id']}"

    def shown() -> Any:
        return call("GET", address, authorization)["data"]

    try:
        move = "curl -X POST $API/external-operators/$ID/lifecycle"
        keyed = prove.replace('"X-Service-Idempotency-Key: ', '"X-Service-Idempotency-Key: ${RUN}')
        probe, _, activate = keyed.partition(move)
        service.until(lambda: is_listening(int(port)), "the bot listens")
        subprocess.run(["sh", "-euc", probe], env=shell, check=True, capture_output=True)
        service.until(lambda: shown()["verified"], "the address is proved")
        subprocess.run(["sh", "-euc", move + activate], env=shell, check=True, capture_output=True)
        assert shown()["state"] == "active"

        visitor = Visitor(service, widget["guid"])
        visitor.writes("How much are roses?")
        service.until(lambda: bool(visitor.reads()), "an answer")
        (answer,) = visitor.reads()
        assert answer["body"] == "You said: How much are roses?"
        assert (answer["sender"]["kind"], answer["sender"]["name"]) == ("external_operator", "Robin")

        visitor.writes("I want a refund")
        service.until(lambda: len(visitor.reads()) == 2, "people are called")
    finally:
        bot.kill()
        bot.wait()
        for action in ("kill", "revoke"):
            call("POST", f"{address}/lifecycle", authorization, {"action": action})


def is_listening(port: int) -> bool:
    with socket.socket() as one:
        one.settimeout(0.2)
        return one.connect_ex(("127.0.0.1", port)) == 0
