"""What code may do, by where it is. (Who may import whom is checked by import-linter.)"""

import re
from pathlib import Path

import pytest

from apps.core.problems import ProblemType
from tests.architecture.source import calls, entry_points, imports, name_of, source_files, tree_of

RULES = [path for path in source_files("apps") if path.stem == "rules" or "rules" in path.parts]
API = [path for path in source_files("apps") if "api" in path.parts]

# Modules that rules may not import: the framework, the network, the disk, the clock.
IMPURE = re.compile(
    r"(django|rest_framework|redis|requests|aiohttp|celery|channels|psycopg|socket|subprocess|time|pathlib|shutil|io|os"
    r"|tempfile|threading|asyncio|logging)(\.|$)"
)
A_CLOCK = re.compile(r"(^|\.)(now|utcnow|today|time|time_ns|monotonic|localtime|gmtime|perf_counter)$")
A_WRITE = re.compile(
    r"\.(save|bulk_create|bulk_update|get_or_create|update_or_create|asave|adelete|abulk_create)$"
    r"|\.objects\..*\.?(create|update|delete|acreate|aupdate)$"
)
A_WRITING_STATEMENT = re.compile(
    r"^\s*(INSERT|UPDATE|DELETE|TRUNCATE|MERGE)\b|\b(INSERT INTO|DELETE FROM)\b", re.IGNORECASE
)

# Entry points that write by themselves. May only shrink.


@pytest.mark.parametrize("path", RULES, ids=name_of)
def test_rules_are_pure(path: Path) -> None:
    assert [name for name in imports(tree_of(path)) if IMPURE.match(name)] == []
    assert [
        name for name, _ in calls(tree_of(path)) if A_CLOCK.search(name) or name in ("open", "print", "input")
    ] == []


@pytest.mark.parametrize("path", API, ids=name_of)
def test_the_api_reads_from_its_widget_on_and_has_no_sql(path: Path) -> None:
    tree = tree_of(path)
    starts = [
        re.sub(r"^.*?\.objects\.(\w+).*", r"\1", name, flags=re.DOTALL)
        for name, _ in calls(tree)
        if ".objects." in name
    ]
    assert set(starts) <= {"of"}
    assert [name for name in imports(tree) if name.startswith(("django.db", "apps.core.database"))] == []


def writes(path: Path) -> list[str]:
    tree = tree_of(path)
    by_orm = [name for name, _ in calls(tree) if A_WRITE.search(name)]
    by_sql = [
        name
        for name, call in calls(tree)
        if re.search(r"(execute|executemany|fetch_all|fetch_one)$", name)
        for argument in call.args
        if A_WRITING_STATEMENT.search(str(getattr(argument, "value", "")))
    ]
    return by_orm + by_sql


def test_entry_points_call_actions_and_write_nothing_themselves() -> None:
    assert [name_of(path) for path in entry_points() if writes(path)] == []


def test_querysets_only_read() -> None:
    querysets = [
        path
        for path in source_files("apps")
        if {path.stem, path.parent.name} & {"querysets"} and "accounts" not in path.parts
    ]
    assert {name_of(path): writes(path) for path in querysets if writes(path)} == {}


@pytest.mark.parametrize("path", source_files("apps"), ids=name_of)
def test_problems_are_declared_in_errors_alone(path: Path) -> None:
    """Else the page of a problem, and its place in the documentation, would be missing."""
    if path.name not in ("errors.py", "problems.py"):
        assert [name for name, _ in calls(tree_of(path)) if name.split(".")[-1] == ProblemType.__name__] == []


@pytest.mark.parametrize("path", [p for p in source_files("apps") if p.stem == "models"], ids=name_of)
def test_models_have_no_side_effects(path: Path) -> None:
    source = path.read_text()
    assert not re.search(r"def (save|delete|full_clean)\(", source)
    assert "signals" not in source
