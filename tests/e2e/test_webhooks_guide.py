"""The first commands of docs/guides/webhooks.md, pasted: a subscription, and what its receiver shows."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from config.environment import PROJECT_ROOT
from launcher.servers import free_port
from tests.e2e.http import call
from tests.run.service import Service

pytestmark = pytest.mark.e2e

GUIDE = (PROJECT_ROOT / "docs/guides/webhooks.md").read_text()


def commands(heading: str) -> list[str]:
    """The shell commands below a heading of the guide."""
    found = re.search(rf"^## {heading}\n(.*?)^## ", GUIDE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return re.findall(r"^```sh\n(.*?)^```", found[1], re.DOTALL | re.MULTILINE)


@pytest.mark.slow
def test_what_is_subscribed_by_the_guide_is_shown_by_the_guide(stopped_service: Service) -> None:
    service, port = stopped_service, str(free_port())
    start, listen = (line.replace("8099", port) for line in commands("On your own machine"))
    exception, target = start.split(" make ")
    assert target == "run\n"
    service.start(**dict([exception.split("=")]))
    widget = service.demo["accounts"][0]["widgets"][0]

    (subscribe,) = commands("Subscribe")
    shell = {**service.environ, "API": f"{service.url}/api/v1", "TOKEN": widget["tokens"]["all"]}
    done = subprocess.run(
        ["sh", "-euc", subscribe.replace("https://hooks.example.com/parley", f"http://127.0.0.1:{port}/")],
        env=shell,
        capture_output=True,
        text=True,
        check=True,
    )
    subscription = json.loads(done.stdout)["data"]

    chat = f"{service.url}/api/v1/chats/{widget['chat_ids'][0]}/messages"
    with tempfile.NamedTemporaryFile() as output:
        # `python3` leads into the project's own environment by itself; here it is that of the tests.
        line = f"exec {listen.replace('python3', sys.executable)} --port {port}"
        assert '--secret "$SECRET"' in line
        listener = subprocess.Popen(
            ["sh", "-euc", line.replace("\n", "")],
            cwd=PROJECT_ROOT,
            env={**service.environ, "SECRET": subscription["secret"]},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        try:
            said = Path(output.name).read_text
            service.until(lambda: "webhooks are received" in said(), "the receiver")
            answer = {"type": "text", "body": "Hello", "agent_id": widget["agents"][0]["id"]}
            sent = call("POST", chat, f"Bearer {widget['tokens']['all']}", answer)["data"]
            service.until(lambda: f'"message_id": {sent["message_id"]},' in said(), "the delivery")
            assert re.search(r"^message\.created [0-9a-f-]{36}: signature good, answered 200$", said(), re.MULTILINE)
        finally:
            listener.terminate()
            listener.wait(10)
    assert service.stop() == 0
