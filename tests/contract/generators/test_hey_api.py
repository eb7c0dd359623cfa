"""@hey-api/openapi-ts: its client is typed strictly, and calls a real web process."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.documentation.parts import calls_of, part_of, parts
from tests.contract.generators.plans import copied, plan_of, requests_of
from tests.contract.generators.tools import NODE, NPM, need, node
from tests.contract.samples import World

pytestmark = pytest.mark.slow


def generate(document: dict[str, Any], folder: Path) -> Path:
    """The folder of the client, compiled to `built`."""
    need(NODE, NPM)
    (folder / "openapi.json").write_text(json.dumps(document))
    (folder / "node_modules").symlink_to(NPM)
    script = NPM / "@hey-api" / "openapi-ts" / "bin" / "run.js"
    node(script, "-i", "openapi.json", "-o", "client", "--no-log-file", cwd=folder)
    options = ["--target", "es2022", "--module", "commonjs", "--moduleResolution", "node", "--strict"]
    options += ["--lib", "es2023,dom,dom.iterable", "--skipLibCheck", "--outDir", "built"]
    node(NPM / "typescript" / "bin" / "tsc", *options, "client/index.ts", "client/client/index.ts", cwd=folder)
    return folder


@pytest.mark.django_db(transaction=True)
def test_the_client_calls_every_operation(
    tmp_path: Path, world: World, token: str, web: str, document: dict[str, Any]
) -> None:
    folder = generate(calls_of(document), tmp_path)
    plans = [plan_of(request, document) for request in requests_of(world, token)]
    (folder / "plans.json").write_text(json.dumps(plans))
    said = node(copied("run_hey_api.mjs", folder), cwd=folder, API_URL=web, TOKEN=token)
    answers = [json.loads(line) for line in said.splitlines()]
    assert [answer["name"] for answer in answers] == [plan["name"] for plan in plans]
    expected = {plan["name"]: plan["successes"] for plan in plans}
    assert [answer for answer in answers if answer["status"] not in expected[answer["name"]]] == []


def test_the_webhooks_are_types(tmp_path: Path, document: dict[str, Any]) -> None:
    folder = generate(part_of(document, parts()["webhooks"]), tmp_path)
    types = (folder / "client" / "types.gen.ts").read_text()
    bodies = [name for name in document["components"]["schemas"] if name.endswith("CreatedEvent")]
    assert bodies
    assert [name for name in bodies if f"export type {name} = " not in types] == []
