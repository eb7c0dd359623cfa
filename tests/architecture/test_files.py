"""Where things are: one name for each kind of thing, the same file name in every app; nothing too long to read."""

import ast
from pathlib import Path

import pytest

from tests.architecture.source import APPS, app_folders, name_of, source_files, tree_of

# One name for each kind of thing; a module grown too long is a package of that name.
VOCABULARY = {
    "actions",
    "admin",
    "api",
    "apps",
    "consumers",
    "errors",
    "events",
    "inputs",
    "management",
    "migrations",
    "models",
    "nudges",
    "querysets",
    "reactions",
    "rules",
    "shapes",
    "tasks",
    # The app's rows of the demo data, and the browser's side of it.
    "demo",
    "static",
    "templates",
    "urls",
    "views",
}
# What one app has beside them, because nobody else has the like.
OF_ITS_OWN = {
    "agents": {"presence"},
    "accounts": {"authentication", "cabinet", "forms", "scopes"},
    "chats": {"realtime"},
    "webhooks": {"deliverer"},
    "widget": {"admission", "realtime"},
}
# Names that say nothing draw everything.
SAY_NOTHING = {
    "utils",
    "util",
    "helpers",
    "helper",
    "common",
    "services",
    "service",
    "managers",
    "signals",
    "misc",
    "base",
}
# Core is a library of mechanisms, each in a module named after it.
FREE = {"core"}

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 400, 50
# What is longer, and by how much it may be. May only shrink.
LONGER_FILES: dict[str, int] = {}
LONGER_FUNCTIONS: dict[str, int] = {}

FILES = source_files("apps", "config", "launcher")


def module_names(app: Path) -> set[str]:
    entries = [path for path in app.iterdir() if path.name not in ("__init__.py", "__pycache__", "locale")]
    return {path.stem for path in entries if path.suffix == ".py" or path.is_dir()}


@pytest.mark.parametrize("app", app_folders(), ids=lambda app: app.name)
def test_an_apps_files_have_the_names_of_the_vocabulary(app: Path) -> None:
    if app.name not in FREE:
        assert module_names(app) - VOCABULARY - OF_ITS_OWN.get(app.name, set()) == set()


def test_no_exception_outlives_its_file() -> None:
    for app, names in OF_ITS_OWN.items():
        assert names <= module_names(APPS / app), app


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_module_has_a_name_that_says_nothing(path: Path) -> None:
    assert not {part.removesuffix(".py") for part in path.relative_to(APPS.parent).parts} & SAY_NOTHING


@pytest.mark.parametrize("app", app_folders(), ids=lambda app: app.name)
def test_an_app_says_what_it_owns_and_what_it_does_not(app: Path) -> None:
    tree = tree_of(app / "__init__.py")
    docstring = ast.get_docstring(tree)
    assert docstring, "the docstring says what the app owns"
    assert "own" in docstring.lower()
    assert len(tree.body) == 1, "and nothing else is in the file"


def test_no_file_is_too_long_to_read_at_once() -> None:
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in FILES}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == LONGER_FILES


def test_no_function_has_a_second_idea_in_it() -> None:
    """Lines of code, without the docstring: a hard function's docstring lists its constraints."""
    longer = {
        f"{name_of(path)}:{node.name}": lines
        for path in FILES
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := length_of(node)) > MOST_LINES_OF_A_FUNCTION
    }
    assert longer == LONGER_FUNCTIONS


def length_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    of_docstring = docstring.end_lineno - docstring.lineno + 1 if docstring and docstring.end_lineno else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - of_docstring
