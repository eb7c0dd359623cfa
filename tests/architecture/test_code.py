"""What code may do, by where it is. (Who may import whom is checked by import-linter; statements and reads by
`test_statements.py`.) Each check is a function of a module's source: it also has to tell good samples from bad."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from apps.core.problems import ProblemType
from tests.architecture.exceptions import WRITING_ENTRY_POINTS, WRITING_QUERYSETS
from tests.architecture.source import calls, entry_points, imports, name_of, source_files, tree_of

RULES = [path for path in source_files("apps") if path.stem == "rules" or "rules" in path.parts]
API = [path for path in source_files("apps") if "api" in path.parts]
QUERYSETS = [path for path in source_files("apps") if {path.stem, path.parent.name} & {"querysets"}]
MODELS = [path for path in source_files("apps") if path.stem == "models"]
ELSEWHERE = [path for path in source_files("apps") if path.name not in ("errors.py", "problems.py")]

# Modules that rules may not import: the framework, the network, the disk, the clock.
IMPURE = re.compile(
    r"(django|rest_framework|redis|requests|aiohttp|celery|channels|psycopg|socket|subprocess|time|pathlib|shutil|io|os"
    r"|tempfile|threading|asyncio|logging)(\.|$)"
)
A_CLOCK = re.compile(r"(^|\.)(now|utcnow|today|time|time_ns|monotonic|localtime|gmtime|perf_counter)$")
A_WRITE = re.compile(
    r"\.(save|delete|bulk_create|bulk_update|get_or_create|update_or_create|asave|adelete|abulk_create)$"
    r"|\.objects\b.*\b(create|update|acreate|aupdate)$|(^self|\)|\b(rows|queryset))\.a?update$",
    re.DOTALL,
)
A_WRITING_STATEMENT = re.compile(
    r"\b(INSERT\s+INTO|DELETE\s+FROM|TRUNCATE|MERGE\s+INTO)\b|(?<!FOR )(?<!KEY )\bUPDATE\s+\w+\s+(\w+\s+)?SET\b",
    re.IGNORECASE,
)


def impurities(tree: ast.AST) -> list[str]:
    called = [name for name, _ in calls(tree) if A_CLOCK.search(name) or name in ("open", "print", "input")]
    return [name for name in imports(tree) if IMPURE.match(name)] + called


def database_imports(tree: ast.AST) -> list[str]:
    return [name for name in imports(tree) if re.match(r"(django\.db|apps\.core\.database)\b", name)]


def orm_writes(tree: ast.AST) -> list[str]:
    return [name for name, _ in calls(tree) if A_WRITE.search(name)]


def declared_problems(tree: ast.AST) -> list[str]:
    return [name for name, _ in calls(tree) if name.split(".")[-1] == ProblemType.__name__]


def other_entry_points(tree: ast.AST) -> list[str]:
    """What is imported from an entry point: each calls actions, and shares what several need below them."""
    entry = r"apps\.(?!core\b)\w+\.(api|admin|tasks|handlers|consumers|management|views)\b"
    return [name for name in imports(tree) if re.match(entry, name)]


def side_effects(tree: ast.AST) -> list[str]:
    """Methods that do more than Django's, and signals."""
    methods = {"save", "delete", "full_clean", "asave", "adelete"}
    functions = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return [name for name in functions if name in methods] + [name for name in imports(tree) if "signals" in name]


def offenders(check: "Check", paths: list[Path], *, at_least: int) -> dict[str, list[str]]:
    """Those of the files that a check finds something in, by name; so many files have to be there."""
    assert len(paths) >= at_least
    return {name_of(path): found for path in paths if (found := check(tree_of(path)))}


def test_rules_are_pure() -> None:
    assert offenders(impurities, RULES, at_least=100) == {}


def test_the_api_has_no_sql() -> None:
    assert offenders(database_imports, API, at_least=50) == {}


def test_no_entry_point_imports_another() -> None:
    callers = [path for path in entry_points() if path.name not in ("urls.py", "__init__.py")]
    assert offenders(other_entry_points, callers, at_least=100) == {}


def writes_by_sql(tree: ast.AST) -> bool:
    """Whether a text of the file is, or begins or goes on, a statement that writes."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return any(A_WRITING_STATEMENT.search(text) for text in texts)


def test_statements_that_write_are_in_actions() -> None:
    found = {name_of(path) for path in source_files("apps") if writes_by_sql(tree_of(path))}
    assert any("/actions/" in path for path in found)
    assert [path for path in sorted(found) if not re.search(r"/actions\b|^apps/(core|extraction|leases)/", path)] == []


def test_entry_points_call_actions_and_write_nothing_themselves() -> None:
    assert len(entry_points()) > 20
    assert {name_of(path) for path in entry_points() if orm_writes(tree_of(path))} == WRITING_ENTRY_POINTS.keys()


def test_querysets_only_read() -> None:
    assert len(QUERYSETS) > 5
    assert {name_of(path) for path in QUERYSETS if orm_writes(tree_of(path))} == WRITING_QUERYSETS.keys()


def test_problems_are_declared_in_errors_alone() -> None:
    """Else the page of a problem, and its place in the documentation, would be missing."""
    assert offenders(declared_problems, ELSEWHERE, at_least=500) == {}


def test_models_have_no_side_effects() -> None:
    assert offenders(side_effects, MODELS, at_least=10) == {}


Check = Callable[[ast.AST], list[str]]
GOOD: list[tuple[Check, str]] = [
    (impurities, "from datetime import timedelta\ndef is_due(at, now): return at + timedelta(days=1) <= now"),
    (impurities, "import secrets\ndef new_token(): return secrets.token_hex(16)"),
    (database_imports, "from apps.chats.models import Chat\nfrom apps.core.endpoints.viewsets import ApiViewSet"),
    (
        other_entry_points,
        "from apps.widget.serializers.requests import VisitorSeenBody\nfrom apps.core.views import not_found",
    ),
    (
        orm_writes,
        "close_chat(widget_id=1, chat_id=2)\nparameters.update(a=1)\nChat.objects.for_widget(1).filter(pk=2).first()",
    ),
    (declared_problems, "raise NOT_FOUND()"),
    (side_effects, "class Chat(models.Model):\n    def __str__(self): return ''"),
]
BAD: list[tuple[Check, str, str]] = [
    (impurities, "from django.utils import timezone", "django.utils.timezone"),
    (impurities, "import time", "time"),
    (impurities, "def is_due(at): return at <= datetime.now(UTC)", "datetime.now"),
    (impurities, "def read(): return open('x').read()", "open"),
    (database_imports, "from django.db import connection", "django.db.connection"),
    (database_imports, "from apps.core.database import fetch_all", "apps.core.database.fetch_all"),
    (other_entry_points, "from apps.widget.views import demo_page", "apps.widget.views.demo_page"),
    (other_entry_points, "import apps.chats.api.chats", "apps.chats.api.chats"),
    (orm_writes, "chat.save()", "chat.save"),
    (orm_writes, "Chat.objects.create(widget_id=1)", "Chat.objects.create"),
    (orm_writes, "Chat.objects.filter(pk=1).update(status='')", "Chat.objects.filter(pk=1).update"),
    (orm_writes, "self.filter(pk=1).delete()", "self.filter(pk=1).delete"),
    (orm_writes, "self.update(status='')", "self.update"),
    (declared_problems, "GONE = problems.ProblemType('gone', 410, 'Gone')", "problems.ProblemType"),
    (side_effects, "class Chat(models.Model):\n    def save(self, *args): tell()", "save"),
    (side_effects, "from django.db.models.signals import post_save", "django.db.models.signals.post_save"),
]


@pytest.mark.parametrize(("check", "source"), GOOD)
def test_a_good_sample(check: Check, source: str) -> None:
    assert check(ast.parse(dedent(source))) == []


@pytest.mark.parametrize(("check", "source", "found"), BAD)
def test_a_bad_sample(check: Check, source: str, found: str) -> None:
    assert check(ast.parse(dedent(source))) == [found]


@pytest.mark.parametrize("sql", ["SELECT id FROM chats_chat FOR NO KEY UPDATE", "SELECT updated_at FROM chats_contact"])
def test_a_statement_that_reads(sql: str) -> None:
    assert not A_WRITING_STATEMENT.search(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE chats_chat SET status = ''",
        "WITH a AS (UPDATE chats_chat c SET status = '' RETURNING 1) SELECT * FROM a",
        "INSERT INTO chats_chat DEFAULT VALUES",
        "DELETE\nFROM chats_chat",
    ],
)
def test_a_statement_that_writes(sql: str) -> None:
    assert A_WRITING_STATEMENT.search(sql)
