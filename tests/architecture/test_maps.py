"""The maps know every room: a newcomer finds each app in the drawing of layers and in docs/where.md."""

import re
import tomllib

from apps.core.endpoints.routing import routed_operations
from config.environment import PROJECT_ROOT
from tests.architecture.source import APPS, app_folders

ARCHITECTURE = (PROJECT_ROOT / "ARCHITECTURE.md").read_text()
WHERE = (PROJECT_ROOT / "docs" / "where.md").read_text()


def drawn() -> list[str]:
    """The lines of the drawing, without the remarks beside them."""
    drawing = re.search(r"^## Layers\n\n((?:    .+\n)+)", ARCHITECTURE, re.MULTILINE)
    assert drawing is not None
    return [re.split(r"  +", line.strip())[0] for line in drawing[1].splitlines()]


def test_the_drawing_of_layers_is_the_one_that_imports_are_checked_by() -> None:
    contracts = tomllib.loads((PROJECT_ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each["id"] == "apps")
    assert drawn() == [re.sub(r"[()]", "", layer) for layer in layers]


def test_every_app_has_its_row_and_its_place() -> None:
    apps = {app.name for app in app_folders()}
    assert set(re.findall(r"^\| `(\w+)` \|", WHERE, re.MULTILINE)) == apps
    assert {name for line in drawn() for name in line.split(" | ")} == apps


def test_the_places_of_the_apps_are_there() -> None:
    rows = WHERE[WHERE.index("## The apps") :]
    places = re.findall(r"`(\w+/[^`]*)`", rows)
    assert len(places) > 30
    assert [place for place in places if not (APPS / place).exists()] == []


def test_a_first_reader_finds_every_guide_document_and_client() -> None:
    linked = set(re.findall(r"\]\(([^)#]+)\)", (PROJECT_ROOT / "README.md").read_text()))
    assert [link for link in linked if not (PROJECT_ROOT / link).exists()] == []
    there = [
        *PROJECT_ROOT.glob("docs/*.md"),
        *PROJECT_ROOT.glob("docs/guides/*.md"),
        *PROJECT_ROOT.glob("clients/*/README.md"),
    ]
    assert {str(path.relative_to(PROJECT_ROOT)) for path in there} - linked == set()


# What a review looks for in the threat model; each has its own section, whose promises name their tests.
PROMISED = (
    *("Letters that come in", "Mailboxes and their servers", "Single sign-on", "What AI learns from people"),
    *("Cards beside a chat", "Drafts, summaries, translations", "Two contacts made one", "MCP over HTTP"),
)
THREATS = (PROJECT_ROOT / "THREAT_MODEL.md").read_text()


def test_each_place_and_test_that_the_threat_model_names_is_there() -> None:
    named = re.findall(r"`((?:tests|docs|config|launcher|[a-z]+)/[\w/.]+)`", THREATS)
    assert len(named) > 100
    folders = (PROJECT_ROOT, APPS)
    assert [name for name in named if not any((folder / name).exists() for folder in folders)] == []


def test_each_promise_of_the_threat_models_sections_names_its_test() -> None:
    sections = dict(re.findall(r"^## (.*)\n((?:(?!^## ).*\n)*)", THREATS, re.MULTILINE))
    for title in PROMISED:
        text = sections[title]
        assert "`tests/" in text, title
        rows = [row for row in text.splitlines() if row.startswith("| ") and row.count("|") == 3]
        _head, *promises = rows or [""]
        untested = [row for row in promises if "`tests/" not in row and "the same" not in row and "---" not in row]
        assert untested == [], title


OF_VISITORS = re.compile(r"widget/<guid:guid>/").match


def test_the_guide_of_the_visitors_side_has_every_call_of_theirs() -> None:
    """By method and first word of the address below the widget's."""
    table = (PROJECT_ROOT / "docs/guides/visitor-side.md").read_text()
    told = set(re.findall(r"^\| `([A-Z]+) (\w+)", table, re.MULTILINE))
    theirs = {
        (routed.method, routed.path.partition(">/")[2]) for routed in routed_operations() if OF_VISITORS(routed.path)
    }
    assert len(theirs) > 15
    assert {(method, re.split(r"\W", path)[0]) for method, path in theirs} - told == set()
