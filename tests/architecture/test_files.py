"""Where things are: one name for each kind of thing, the same file name in every app; nothing too long to read."""

import ast
from pathlib import Path, PurePath

from tests.architecture.source import APPS, app_folders, name_of, source_files, tree_of

# One name for each kind of thing; a module grown too long is a package of that name.
VOCABULARY = {
    "actions",
    "admin",
    "api",
    "apps",
    "dashboard",
    "consumers",
    "errors",
    "events",
    "personal_data",
    "export",
    "destinations",
    "serializers",
    "mail",
    "management",
    "migrations",
    "models",
    "broadcasts",
    "openapi",
    "payloads",
    "questions",
    "querysets",
    "handlers",
    "hooks",
    "labels",
    "rules",
    "settings",
    "tasks",
    # The browser's side of it.
    "static",
    "templates",
    "urls",
    "views",
}
# What one app has beside them, because nobody else has the like.
OF_ITS_OWN = {
    "ai": {"cabinet", "drivers", "forms"},
    "agents": {"cabinet", "forms", "presence"},
    "accounts": {"audit", "authentication", "credentials", "scopes", "sign_in_limits", "sign_on", "two_factor"},
    "billing": {"cabinet", "forms", "printing"},
    "chats": {"cabinet", "realtime"},
    "routing": {"cabinet", "forms"},
    "automations": {"cabinet", "forms"},
    "compat": {"authentication", "forms"},
    "documentation": {"generated", "library", "parts"},
    "demo": {"data", "document", "seeding", "servers"},
    "kb": {"authentication", "cabinet", "forms"},
    "support": {"authentication", "cabinet", "forms"},
    "learning": {"marketplace"},
    "assists": {"forms"},
    "articles": {"cabinet", "forms", "sites"},
    "reports": {"cabinet"},
    "reviews": {"cabinet"},
    "cards": {"forms"},
    "letters": {"cabinet", "doors", "forms"},
    "messengers": {"adapters", "cabinet", "forms"},
    "webhooks": {"dispatcher", "forms"},
    "widget": {"shop_page", "authentication", "cabinet", "forms", "presence", "realtime"},
    "console": {"authentication", "forms", "realtime"},
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
# Libraries of mechanisms, each in a module named after it. Those below core have a front: what others import of them.
FREE = {"core", "cabinet", "egress", "extraction", "leases"}
WITH_A_FRONT = {"egress", "extraction", "leases"}

MAX_LINES, MAX_LINES_OF_A_FUNCTION = 400, 50
# What is longer, and by how much it may be. May only shrink.
LONGER_FILES: dict[str, int] = {}
LONGER_FUNCTIONS: dict[str, int] = {}

FILES = source_files("apps", "config", "launcher")
# What Django asks for by this name: the module of an engine (`ENGINE` in DATABASES).
NAMED_BY_DJANGO = ("apps/core/database/base.py",)


def module_names(app: Path) -> set[str]:
    entries = [path for path in app.iterdir() if path.name not in ("__init__.py", "__pycache__", "locale")]
    return {path.stem for path in entries if path.suffix == ".py" or path.is_dir()}


def strangers(app: str, names: set[str]) -> set[str]:
    """The modules of an app that have no name of the vocabulary."""
    return set() if app in FREE else names - VOCABULARY - OF_ITS_OWN.get(app, set())


def test_an_apps_files_have_the_names_of_the_vocabulary() -> None:
    assert {app.name: found for app in app_folders() if (found := strangers(app.name, module_names(app)))} == {}


def test_no_exception_outlives_its_file() -> None:
    for app, names in OF_ITS_OWN.items():
        assert names <= module_names(APPS / app), app


LONGEST_INIT = 130  # lines: a list of names that a package offers, and what is the package itself


def test_no_init_holds_the_code_of_a_room() -> None:
    sizes = {path.relative_to(APPS): len(path.read_text().splitlines()) for path in APPS.rglob("__init__.py")}
    assert {str(path): size for path, size in sizes.items() if size > LONGEST_INIT} == {}


def says_nothing(path: PurePath) -> set[str]:
    return {part.removesuffix(".py") for part in path.parts} & SAY_NOTHING


def test_no_module_has_a_name_that_says_nothing() -> None:
    named = {name_of(path): found for path in FILES if (found := says_nothing(path.relative_to(APPS.parent)))}
    assert named == {path: {"base"} for path in NAMED_BY_DJANGO}


def unsaid(tree: ast.Module) -> list[str]:
    """What is missing of, or beside, the docstring of an app."""
    docstring = ast.get_docstring(tree) or ""
    return [
        *(["what the app owns"] if "own" not in docstring.lower() else []),
        *(["nothing else in the file"] if len(tree.body) != 1 else []),
    ]


def without_front(app: str, tree: ast.Module) -> ast.Module:
    """The file of an app without imports of its own modules, and the list of these names."""
    fronts = [n for n in tree.body if (isinstance(n, ast.ImportFrom) and f"{n.module}.".startswith(f"apps.{app}."))]
    names = [n for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == "__all__"]
    return ast.Module([node for node in tree.body if node not in fronts + names], [])


def test_an_app_says_what_it_owns_and_what_it_does_not() -> None:
    trees = {app.name: tree_of(app / "__init__.py") for app in app_folders()}
    own = {app: without_front(app, tree) if app in WITH_A_FRONT else tree for app, tree in trees.items()}
    assert {app: missing for app, tree in own.items() if (missing := unsaid(tree))} == {}
    assert {app.name for app in app_folders() if (app / "README.md").is_file()} == WITH_A_FRONT


def test_no_file_is_too_long_to_read_at_once() -> None:
    lengths = {name_of(path): len(path.read_text().splitlines()) for path in FILES}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_LINES} == LONGER_FILES


def test_no_function_has_a_second_idea_in_it() -> None:
    """Lines of code, without the docstring: a hard function's docstring lists its constraints."""
    longer = {
        f"{name_of(path)}:{name}": lines for path in FILES for name, lines in long_functions(tree_of(path)).items()
    }
    assert longer == LONGER_FUNCTIONS


def long_functions(tree: ast.AST) -> dict[str, int]:
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {node.name: length_of(node) for node in functions if length_of(node) > MAX_LINES_OF_A_FUNCTION}


def length_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    docstring = function.body[0] if ast.get_docstring(function) is not None else None
    of_docstring = docstring.end_lineno - docstring.lineno + 1 if docstring and docstring.end_lineno else 0
    return (function.end_lineno or function.lineno) - function.lineno + 1 - of_docstring


class TestSamples:
    def test_a_name_of_the_vocabulary_and_any_other(self) -> None:
        assert strangers("webhooks", {"models", "api", "dispatcher"}) == set()
        assert strangers("webhooks", {"models", "manager", "presence"}) == {"manager", "presence"}

    def test_a_name_that_says_something_and_one_that_does_not(self) -> None:
        assert says_nothing(PurePath("apps/chats/rules/states.py")) == set()
        assert says_nothing(PurePath("apps/chats/utils/states.py")) == {"utils"}
        assert says_nothing(PurePath("apps/chats/helpers.py")) == {"helpers"}

    def test_what_an_app_says(self) -> None:
        assert unsaid(ast.parse('"""Chats.\n\nOwns messages."""')) == []
        assert unsaid(ast.parse('"""Chats."""')) == ["what the app owns"]
        assert unsaid(ast.parse('"""Owns chats."""\nimport os')) == ["nothing else in the file"]
        assert unsaid(ast.parse("")) == ["what the app owns", "nothing else in the file"]

    def test_a_front_is_of_the_apps_own_names(self) -> None:
        own, others = "from apps.egress.errors import InvalidUrl", "from apps.leases.models import Leased"
        tree = ast.parse(f'"""Owns calls."""\n{own}\n{others}\n__all__ = ["InvalidUrl"]\nLIMIT = 3')
        assert ast.unparse(without_front("egress", tree).body[1:]) == f"{others}\nLIMIT = 3"

    def test_a_function_of_50_lines_and_one_of_51(self) -> None:
        body = "\n".join(["    pass"] * 49)
        documented = f'def f():\n    """Many\n\n    lines."""\n{body}'
        assert long_functions(ast.parse(documented)) == {}
        assert long_functions(ast.parse(f"async def g():\n{body}\n    pass")) == {"g": 51}
