"""The TypeScript client, as `npm install ./clients/typescript` installs it, calls a real web process."""

import base64
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from config.environment import PROJECT_ROOT
from tests.contract.generators.tools import NPM, need
from tests.contract.samples import World
from tests.contract.test_generated_clients import PICTURE

pytestmark = pytest.mark.slow

FOLDER = PROJECT_ROOT / "clients" / "typescript"
SCRIPT = Path(__file__).with_name("calls.ts")


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """The output of a program that ended well."""
    ran = subprocess.run(
        command,
        cwd=cwd,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(cwd), **environment},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_what_is_built_is_current(tmp_path: Path) -> None:
    """Else run `npx tsc` in clients/typescript."""
    need(NPM)
    node = shutil.which("node") or pytest.skip("there is no Node.js on this machine")
    run(node, NPM / "typescript" / "bin" / "tsc", "--outDir", tmp_path, cwd=FOLDER)
    built = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert {path.name: path.read_text() for path in (FOLDER / "dist").iterdir()} == built


@pytest.mark.django_db(transaction=True)
def test_it_reads_writes_uploads_pages_and_verifies(tmp_path: Path, web: str, token: str, world: World) -> None:
    """As calls.ts does, which is compiled strictly; it says in JSON what it saw."""
    need(NPM)
    if shutil.which("npm") is None:
        pytest.skip("there is no npm on this machine")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run("npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", FOLDER, cwd=tmp_path)
    shutil.copy(SCRIPT, tmp_path)
    options = ["--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable"]
    run("node", NPM / "typescript" / "bin" / "tsc", *options, "calls.ts", cwd=tmp_path)
    told = {"CHAT": str(world.chat.pk), "AGENT": str(world.agent.pk), "PICTURE": base64.b64encode(PICTURE).decode()}
    said = json.loads(run("node", "calls.js", cwd=tmp_path, API_URL=web, TOKEN=token, **told))
    assert said == {
        "chats": [world.chat.pk],
        "file": {"name": "roses.png", "size": len(PICTURE)},
        "isSent": True,
        "refused": {"status": 404, "code": "not_found", "afterRetry": False},
        "again": {"code": "idempotency_key_reused", "afterRetry": True, "isTold": True},
        "waits": [3000],
        "event": {"name": "message.created", "key": "k", "body": {"id": "1"}},
        "wrong": ["InvalidSignature", "InvalidSignature"],
    }
