"""Each addition to the API's documents stands in its changelog, as docs/deprecation.md promises."""

import json
import re
from pathlib import Path

from config.environment import PROJECT_ROOT
from tests.documentation.names import names_now, names_of

BEFORE: set[str] = set(json.loads((Path(__file__).parent / "names_before_1_0.json").read_text()))
CHANGELOG = (PROJECT_ROOT / "docs/api-changelog.md").read_text()
DEPRECATION = (PROJECT_ROOT / "docs/deprecation.md").read_text()


def untold(names: set[str], changelog: str) -> list[str]:
    """The names that the changelog does not have in backticks: an operation by its method and path."""
    code = " ".join(re.findall(r"`([^`]+)`", changelog))
    words = set(re.findall(r"[\w.]+", code))
    paths = code.replace("/v1/", "/api/v1/").replace("/api/api/", "/api/").replace("{subscription_id}", "{id}")

    def is_told(name: str) -> bool:
        return name.replace("{subscription_id}", "{id}") in paths if " " in name else name in words

    return sorted(name for name in names if not is_told(name))


def test_each_addition_stands_in_the_changelog_of_the_api() -> None:
    assert len(BEFORE) > 800
    assert untold(names_now() - BEFORE, CHANGELOG) == []


def test_nothing_that_was_there_has_gone_without_a_word() -> None:
    assert sorted(name for name in BEFORE - names_now() if name not in DEPRECATION + CHANGELOG) == []


def test_an_addition_that_is_not_told_is_found() -> None:
    document = {
        "paths": {
            "/api/v1/things": {
                "post": {"requestBody": {"schema": {"$ref": "#/components/schemas/Thing"}}, "parameters": []},
                "get": {"parameters": [{"in": "query", "name": "colour"}, {"in": "path", "name": "unnamed"}]},
            },
            "/console/things": {"get": {}},
        },
        "components": {"schemas": {"Thing": {"properties": {"weight": {"type": "integer"}}}}},
    }
    assert names_of(document) == {"POST /api/v1/things", "GET /api/v1/things", "colour", "weight"}
    assert untold(names_of(document), "`GET /v1/things` takes `colour`") == ["POST /api/v1/things", "weight"]
