"""No central list names an app: what an app adds to the whole stands in that app, and the ground only sorts it.

The ground is `core`, `accounts` and `cabinet`. None of their texts, but for docstrings, is an app above, or a module, a
file, a model, a scope or an address of one.
"""

import ast
import re

import pytest

from apps.core import plugins
from apps.core.problems import ProblemType
from config.settings import PARLEY_APPS
from tests.architecture.source import name_of, source_files, tree_of

LOW = ("core", "accounts", "cabinet")
ABOVE = {app.removeprefix("apps.") for app in PARLEY_APPS} - {*LOW, "documentation"}
# Words that are a field, a key or a format as well as an app: alone they name no app.
WORDS = {"agents", "ai", "cards", "chats", "console", "letters", "support", "webhooks", "widget"}
# The names that stand there all the same, by file. May only shrink.
NAMED = {
    # A problem of several apps, which the lowest declares.
    "apps/core/errors.py": {"ai_budget_exhausted"},
    # The addresses whose secrets no line of the log shows, and those of programs, which are answered in JSON.
    "apps/core/observability/logs.py": {"/compat/l"},
    "apps/core/views.py": {"/widget/", "/compat/"},
    # Where operators go, who may not come in here.
    "apps/accounts/credentials.py": {"/console/"},
}
# Problems of apps above whose codes a question between apps has.
CODES: dict[str, set[str]] = {}
_NAMES = re.compile(
    rf"(?<![\w./:-])(?:apps[./]|admin:|/admin/|/)?(?:{'|'.join(sorted(ABOVE))})(?:[./:][a-z*]|/|_[a-z]+_[a-z]+$)"
)


def texts_of(tree: ast.Module) -> list[str]:
    """The texts of a module that are no docstring."""
    said = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    constants = (each for each in ast.walk(tree) if isinstance(each, ast.Constant) and id(each) not in said)
    return [each.value for each in constants if isinstance(each.value, str)]


def names_in(text: str) -> set[str]:
    """The names in a text that are an app above, or of a module, a file, a model, a scope or an address of one."""
    return {text} if text in ABOVE - WORDS else {found[0] for found in _NAMES.finditer(text)}


def sources() -> dict[str, set[str]]:
    """The texts of each file of the ground."""
    return {name_of(path): {*texts_of(tree_of(path))} for app in LOW for path in source_files(f"apps/{app}")}


def test_no_central_list_names_an_app() -> None:
    found = {path: {name for text in texts for name in names_in(text)} for path, texts in sources().items()}
    assert {path: names for path, names in found.items() if names} == NAMED


def test_no_central_list_names_a_problem_of_an_app() -> None:
    declared = plugins.declared("errors", ProblemType)
    above = {problem.code for app, of_app in declared.items() if app in ABOVE for problem in of_app}
    assert {path: above & texts for path, texts in sources().items() if above & texts} == CODES


@pytest.mark.parametrize(
    "text",
    [
        *("messengers", "apps.kb.models", "apps/support/mail.py", "ai.replyjob", "kb:read", "admin:ai_case_add"),
        *("/console/", "see `chats/rules`", "/admin/ai/assistant/"),
    ],
)
def test_a_name_is_found(text: str) -> None:
    assert names_in(text)


@pytest.mark.parametrize("text", ["widget", "widget__account_id", "Chats and contacts", "the widget: one"])
def test_a_word_is_no_name(text: str) -> None:
    assert not names_in(text)
