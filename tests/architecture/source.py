"""The product's source, as the architecture tests read it."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from config.environment import PROJECT_ROOT

APPS = PROJECT_ROOT / "apps"


def source_files(*folders: str) -> list[Path]:
    """Every Python file of those folders of the project, but for migrations."""
    files = [path for folder in folders for path in sorted((PROJECT_ROOT / folder).rglob("*.py"))]
    return [path for path in files if "migrations" not in path.parts]


def app_folders() -> list[Path]:
    return sorted(path.parent for path in APPS.glob("*/__init__.py"))


def entry_points() -> list[Path]:
    """The files through which somebody calls: they may ask for an action, and write nothing themselves."""
    names = {"api", "admin", "tasks", "handlers", "consumers", "management", "views"}
    return [path for path in source_files("apps") if {part.removesuffix(".py") for part in path.parts} & names]


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT_ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(), filename=str(path))


@cache
def calls(tree: ast.AST) -> tuple[tuple[str, ast.Call], ...]:
    """Every call, with the dotted text of what is called."""
    return tuple((ast.unparse(node.func), node) for node in ast.walk(tree) if isinstance(node, ast.Call))


@cache
def imports(tree: ast.AST) -> tuple[str, ...]:
    """Every imported name, dotted and absolute."""
    return tuple(_imports(tree))


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
