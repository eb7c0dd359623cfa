"""The n8n nodes: built, linted by n8n's own rules, and run against a real web process."""

import json
import re
import shutil
from pathlib import Path

import pytest

from config.environment import PROJECT_ROOT
from tests.clients.test_typescript import run
from tests.contract.generators.tools import NODE, NPM, need, node
from tests.contract.samples import RECEIVER, World

pytestmark = pytest.mark.slow

FOLDER = PROJECT_ROOT / "clients" / "n8n-nodes-parley"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, with n8n's own packages beside it."""
    need(NODE, NPM / "n8n-workflow")
    copy = shutil.copytree(FOLDER, tmp_path / "n8n-nodes-parley")
    (copy / "node_modules").symlink_to(NPM)
    return copy


def test_what_is_built_is_current(package: Path) -> None:
    """Else run `npx tsc && node copy.mjs` in clients/n8n-nodes-parley, with the packages of npm that tests install."""
    shutil.rmtree(package / "dist")
    node(NPM / "typescript" / "bin" / "tsc", cwd=package)
    node("copy.mjs", cwd=package)
    assert files_in(package / "dist") == files_in(FOLDER / "dist")


def files_in(folder: Path) -> dict[Path, str]:
    return {path.relative_to(folder): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_n8ns_linter_has_nothing_against_it(package: Path) -> None:
    node(NPM / "eslint" / "bin" / "eslint.js", "--max-warnings", "0", ".", cwd=package)


@pytest.mark.parametrize("path", sorted((FOLDER / "flows").glob("*.json")), ids=lambda path: path.stem)
def test_a_sample_flow_uses_nodes_and_operations_that_there_are(path: Path) -> None:
    flow = json.loads(path.read_text())
    operations = re.findall(r'"id": "(\w+)", "tag": "([\w-]+)"', (FOLDER / "nodes/Parley/operations.ts").read_text())
    names = {each["name"] for each in flow["nodes"]}
    ours = [each for each in flow["nodes"] if each["type"].startswith("n8n-nodes-parley.")]
    assert ours
    for each in ours:
        if not each["type"].endswith("Trigger"):
            assert (each["parameters"]["operation"], each["parameters"]["resource"]) in operations
    ends = [kind for outs in flow["connections"].values() for kind in outs.values()]
    linked = {link["node"] for kind in ends for each in kind for link in each}
    assert linked | flow["connections"].keys() == names


@pytest.mark.django_db(transaction=True)
def test_the_nodes_do_what_they_say(package: Path, web: str, token: str, world: World) -> None:
    script = Path(__file__).with_name("run_n8n.mjs")
    told = {"CHAT": str(world.chat.pk), "AGENT": str(world.agent.pk), "RECEIVER": RECEIVER}
    said = run(NODE, script, cwd=package, API_URL=web, TOKEN=token, PACKAGE=f"{package}/package.json", **told)
    assert json.loads(said) == {
        "isWritten": True,
        "rows": 2,
        "refused": "Not found (not_found)",
        "again": "The idempotency key was used before (idempotency_key_reused)",
        "keys": 1,
        "attempts": 2,
        "events": True,
        "lifecycle": [False, True, True, True, False],
        "heard": [
            {"status": 200, "starts": {"id": "1"}},
            {"status": 200, "starts": None},
            {"status": 401, "starts": None},
        ],
        "isTool": True,
        "credentials": "=Bearer {{$credentials.token}}",
    }
