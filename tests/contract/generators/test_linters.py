"""The linters that integrators run over an OpenAPI document have no error over any of ours."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.documentation.parts import calls_of, part_of, parts
from tests.contract.generators.tools import NODE, NPM, need, node

pytestmark = pytest.mark.slow

# Seen in what Redocly recommends, and meant: the document of all calls has the schemas of webhooks for clients; some
# answers lead elsewhere and have no 2xx; `{provider}` beside `av/cabinets` is told apart by the set of providers.
MEANT = {"no-unused-components", "operation-2xx-response", "no-ambiguous-paths"}


@pytest.fixture(scope="module")
def documents(document: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("documents")
    texts = {"all": calls_of(document), **{name: part_of(document, part) for name, part in parts().items()}}
    for name, each in texts.items():
        (folder / f"{name}.json").write_text(json.dumps(each))
    return sorted(folder.glob("*.json"))


def test_redocly(documents: list[Path]) -> None:
    need(NODE, NPM)
    script = NPM / "@redocly" / "cli" / "bin" / "cli.js"
    for document in documents:
        said = node(script, "lint", "--format=json", document, cwd=document.parent, REDOCLY_TELEMETRY="off")
        report = json.JSONDecoder().raw_decode(said, said.index("{"))[0]
        assert report["totals"]["errors"] == 0
        assert {problem["ruleId"] for problem in report["problems"]} <= MEANT


def test_spectral(documents: list[Path]) -> None:
    need(NODE, NPM)
    rules = documents[0].with_name("rules.yaml")
    rules.write_text('extends: ["spectral:oas"]\n')
    script = NPM / "@stoplight" / "spectral-cli" / "dist" / "index.js"
    said = node(script, "lint", "--quiet", "--format=json", "--ruleset", rules, *documents, cwd=rules.parent)
    found = {problem["code"] for problem in json.loads(said[said.index("[") : said.rindex("]") + 1])}
    assert found <= {"oas3-unused-component"}
