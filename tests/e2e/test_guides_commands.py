"""The commands of docs/guides/ai.md and mcp.md, pasted into a shell beside the running service."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from apps.documentation.library import EXAMPLE_URL
from config.environment import PROJECT_ROOT
from tests.documentation.blocks import Block, blocks_of
from tests.e2e.test_external_operators_guide import is_listening
from tests.run.service import Service

pytestmark = pytest.mark.e2e


@contextmanager
def started(block: Block, service: Service, environ: dict[str, str]) -> Iterator[None]:
    """The server that a block starts, until the others have been run."""
    assert block.port is not None
    server = subprocess.Popen(["sh", "-euc", f"exec {block.text.strip()}"], cwd=PROJECT_ROOT, env=environ)
    try:
        service.until(lambda: is_listening(int(block.port or 0)), "the server of the guide")
        yield
    finally:
        server.terminate()
        server.wait(10)


def answers(said: str) -> list[dict[str, object]]:
    """The JSON documents that commands printed, one behind the other."""
    decoder, found, place = json.JSONDecoder(), [], 0
    while place < len(said.rstrip()):
        document, place = decoder.raw_decode(said, place + len(said[place:]) - len(said[place:].lstrip()))
        found.append(document)
    return found


@pytest.mark.slow
def test_the_first_assistant_with_a_model_of_ones_own_as_the_guide_has_it(stopped_service: Service) -> None:
    """From `make run` with the guide's setting to an answer; the service's own receiver leaves the port alone."""
    service = stopped_service
    blocks = blocks_of("ai", "sh")
    (start,) = [block for block in blocks if block.starts_service]
    setting, *command = start.text.split()
    assert command == ["make", "run"]
    name, _, value = setting.partition("=")
    # Ports that nobody gave are chosen as ever: the receiver's, too.
    service.start(**{name: value, "DEMO_RECEIVER_PORT": ""})
    widget = service.demo["accounts"][0]["widgets"][0]
    environ = {
        **service.environ,
        "PATH": f"{Path(sys.executable).parent}:{service.environ.get('PATH', '/usr/bin:/bin')}",
        "PARLEY_WITH_DEMO": "1",
        "API": f"{service.url}/api/v1",
        "TOKEN": widget["tokens"]["all"],
    }
    run = [block for block in blocks if block.reason is None and not block.starts_service]
    (server,) = [block for block in run if block.port]
    commands = "\n".join(block.text for block in run if block.port is None)
    with started(server, service, environ):
        done = subprocess.run(["sh", "-euc", commands], env=environ, capture_output=True, text=True, check=True)
    credential, operator, result = answers(done.stdout)
    assert credential["data"]["model"] == "m-1"  # type: ignore[index]
    assert operator["data"]["id"]  # type: ignore[index]
    assert "roses" in json.dumps(result["data"])
    assert service.stop() == 0


def test_the_tools_of_a_token_are_listed(running_service: Service) -> None:
    (block,) = blocks_of("mcp", "sh")
    token = running_service.demo["accounts"][0]["widgets"][0]["tokens"]["all"]
    # As the served page has it: with the installation's own address.
    command = block.text.replace(EXAMPLE_URL, running_service.url)
    done = subprocess.run(
        ["sh", "-euc", command],
        env={**running_service.environ, "TOKEN": token},
        capture_output=True,
        text=True,
        check=True,
    )
    assert {"list_chats", "get_stats"} <= {tool["name"] for tool in json.loads(done.stdout)["result"]["tools"]}
