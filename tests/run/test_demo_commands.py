"""The demo's commands beside a `make run`, in the environment that it was called with: nothing else is exported."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from config.environment import PROJECT_ROOT
from tests.run.service import Service

pytestmark = pytest.mark.e2e


@contextmanager
def started(service: Service, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """A command of another shell."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=PROJECT_ROOT,
        env=service.environ,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_seed_demo_prints_tokens_of_the_service(running_service: Service) -> None:
    assert "PARLEY_WITH_DEMO" not in running_service.environ
    document = json.loads(running_service.manage("seed_demo", "--json"))
    assert document.keys() == {"base_url", "realtime_url", "accounts", "admin", "webhook_receiver"}
    token = document["accounts"][0]["widgets"][0]["tokens"]["all"]
    assert running_service.get("/api/v1/chats", token)[0] == 200


@pytest.mark.parametrize(
    ("command", "says", "ends_with"),
    [
        ("webhook_listen", "webhooks are received at http://127.0.0.1:", "stopped\n"),
        ("play_model", "plays a model (echo): base_url http://127.0.0.1:", "ended\n"),
        ("play_vendors", "manage.py messenger_vendor wa --base http://127.0.0.1:", "ended\n"),
    ],
)
def test_what_is_played_is_played_until_ctrl_c(
    running_service: Service, command: str, says: str, ends_with: str
) -> None:
    with started(running_service, command, "--port", "0") as process:
        assert process.stdout is not None
        line = next((line for line in process.stdout if line.startswith(says)), None)
        assert line is not None, f"{command} ended with {process.wait()}"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read().endswith(ends_with)
        assert process.wait(timeout=20) == 0


@pytest.mark.slow
def test_a_played_operator_has_a_token_as_long_as_it_is_played(running_service: Service) -> None:
    document = json.loads(running_service.manage("seed_demo", "--json"))
    operator = document["accounts"][0]["widgets"][0]["external_operators"][1]
    count = (
        "from apps.accounts.models import ApiToken; print(ApiToken.objects.not_revoked().filter(name='played').count())"
    )
    with started(
        running_service, "play_external_operator", "--port", "0", "--operator", operator["public_id"]
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(f"plays {operator['name']} (echo) at http://127.0.0.1:"), line + process.stdout.read()
        assert running_service.manage("shell", "--no-imports", "-c", count).strip() == "1"
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "ended\n"
        assert process.wait(timeout=20) == 0
    assert running_service.manage("shell", "--no-imports", "-c", count).strip() == "0"
