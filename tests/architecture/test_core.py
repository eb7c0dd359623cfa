"""Core stays small, and apps ask each other in one way. The figures are of today: they may only shrink."""

import ast
from collections.abc import Iterator

from apps.core import plugins
from apps.core.plugins import Hooks, HookSet
from tests.architecture.source import name_of, source_files, tree_of

# Lines of Python in core, but for migrations; with the design tokens of all pages and letters.
MOST_LINES = 8_735
# The names of core that other apps import.
MOST_EXPORTS = 232
# The members of `Hooks`, the questions of core itself.
MOST_HOOKS = 2
# Those with a set of questions of their own.
APPS_THAT_ASK = ("accounts", "agents", "ai", "articles", "assists", "automations", "chats", "kb")
# How often a module asks whether an app is installed, and imports it there: the second way beside hooks.
MOST_ASKED_INSTALLED = 38


def test_core_is_no_longer_than_today() -> None:
    lines = sum(len(path.read_text().splitlines()) for path in source_files("apps/core"))
    assert MOST_LINES - 100 < lines <= MOST_LINES, "where it shrank by much, lower the bound"


def exports() -> set[str]:
    """The names of core that a module of another app imports."""
    others = (path for path in source_files("apps") if not name_of(path).startswith("apps/core/"))
    return {name for path in others for name in _from_core(tree_of(path))}


def _from_core(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("apps.core"):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_core_exports_no_more_than_today() -> None:
    assert len(exports()) <= MOST_EXPORTS


def test_core_has_no_question_of_an_app() -> None:
    assert len(Hooks.__dataclass_fields__) <= MOST_HOOKS


def test_each_set_of_questions_is_its_apps_own() -> None:
    sets = {kind.__module__ for kind in HookSet.__subclasses__()} - {Hooks.__module__}
    assert sets == {f"apps.{app}.questions" for app in APPS_THAT_ASK}
    answered = [type(each).__module__ for of_app in plugins.declared("hooks", HookSet).values() for each in of_app]
    assert set(answered) == sets | {Hooks.__module__}


def test_apps_ask_whether_another_is_installed_no_more_often_than_today() -> None:
    asked = [
        name_of(path)
        for path in source_files("apps")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "is_installed"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and str(node.args[0].value).startswith("apps.")
    ]
    assert len(asked) <= MOST_ASKED_INSTALLED, asked
