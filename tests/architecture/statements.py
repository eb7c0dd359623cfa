"""Every statement in SQL that the product's source runs, resolved.

A statement is run by `.execute`, `.executemany`, `.raw`, `.extra` or `RawSQL`. A function whose parameter is such a
statement is a forwarder: in its place every call of it is looked at, and so on; so is a class of which a method runs
what it was made with. Only a call whose statement is known, or one that is known not to be, ends the way.
"""

import ast
import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from config.environment import PROJECT_ROOT
from tests.architecture.resolving import Function, Hole, Known, Scope
from tests.architecture.source import source_files, tree_of

RUNS_SQL = {"execute", "executemany", "raw", "extra", "RawSQL"}
_HOLE = re.compile(r"⟦([^⟧]+)⟧")


@dataclass(frozen=True, slots=True)
class Site:
    """A call, and the functions and class around it."""

    module: str
    functions: tuple[Function, ...]
    owner: str | None
    call: ast.Call

    @property
    def place(self) -> str:
        """The dotted name of the function in which it stands: the same wherever in the file that is."""
        return ".".join([self.module, *([self.owner] if self.owner else []), *(f.name for f in self.functions)])


@dataclass(slots=True)
class Statements:
    """What was found: the statements by place, what could not be resolved, and the calls that were looked at."""

    by_place: dict[str, set[str]] = field(default_factory=dict)
    unresolved: dict[str, str] = field(default_factory=dict)
    judged: set[ast.Call] = field(default_factory=set)
    forwarders: set[str] = field(default_factory=set)


def module_of(path: Path) -> str:
    parts = path.relative_to(PROJECT_ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sites_in(module: str, tree: ast.AST) -> Iterator[Site]:
    """Every call in a module."""

    def walk(node: ast.AST, functions: tuple[Function, ...], owner: str | None) -> Iterator[Site]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Call):
                yield Site(module, functions, owner, child)
            if isinstance(child, Function):
                yield from walk(child, (*functions, child), owner)
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, functions, child.name)
            else:
                yield from walk(child, functions, owner)

    yield from walk(tree, (), None)


@cache
def product_sites() -> tuple[Site, ...]:
    return tuple(site for path in source_files("apps") for site in sites_in(module_of(path), tree_of(path)))


def called_name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def runs_sql(site: Site) -> bool:
    return called_name(site.call) in RUNS_SQL and bool(site.call.args or site.call.keywords)


def find_statements(sites: tuple[Site, ...]) -> Statements:
    """Resolves the statement of every call that runs one, and of every call of what only forwards it."""
    found = Statements()
    for site in filter(runs_sql, sites):
        statement = site.call.args[0] if site.call.args else site.call.keywords[0].value
        _judge(site, lambda known, site=site, statement=statement: _scope(site, known).values(statement), found, sites)
    return found


def _scope(site: Site, known: Known) -> Scope:
    return Scope(importlib.import_module(site.module), site.functions, known)


def _judge(site: Site, statement: Callable[[Known], list[Any]], found: Statements, sites: tuple[Site, ...]) -> None:
    """`statement` gives what it may be, from what is known of the parameters of the function around the site."""
    found.judged.add(site.call)
    texts = {str(value) for value in statement({})}
    holes = {name for text in texts for name in _HOLE.findall(text)}
    if not holes or holes == {"?"}:
        found.by_place.setdefault(site.place, set()).update(texts)
        if holes:
            found.unresolved[site.place] = ast.unparse(site.call)
        return
    callers = list(_callers(site, holes, sites))
    if not callers:
        found.unresolved[site.place] = f"{ast.unparse(site.call)}: nobody calls the function"
    for caller, known in callers:
        found.forwarders.add(called_name(caller.call))
        found.judged.add(caller.call)
        if caller.functions[:1] != site.functions[:1]:  # else it calls itself with what it was called with
            _judge(caller, lambda given, known=known: statement(known(given)), found, sites)


def _callers(site: Site, holes: set[str], sites: tuple[Site, ...]) -> Iterator[tuple[Site, Callable[[Known], Known]]]:
    """The calls of the function around a site (of its class, where the statement is kept in `self`).

    Each with a function which gives what is then known of the parameters, from what is known of those of the caller.
    """
    module = importlib.import_module(site.module)
    if any(name.startswith("self.") for name in holes) and site.owner:
        made = getattr(module, site.owner)
        names = list(inspect.signature(made).parameters)
        for caller in _calls_of(made, sites):
            yield caller, lambda given, caller=caller: _fields(_scope(caller, given), caller.call, names)
        return
    definition = site.functions[0]
    target = getattr(getattr(module, site.owner) if site.owner else module, definition.name)
    for caller in _calls_of(target, sites):
        yield caller, lambda given, caller=caller: _scope(caller, given).arguments(caller.call, definition, module)


def _calls_of(target: Any, sites: tuple[Site, ...]) -> Iterator[Site]:
    """The calls of a function or a class; of a method, every call of that name on what is not known."""
    wanted = inspect.unwrap(target)
    is_method = inspect.isfunction(wanted) and "." in wanted.__qualname__
    for site in sites:
        if called_name(site.call) == wanted.__name__:
            called = _scope(site, {}).values(site.call.func)
            if any(
                (isinstance(each, Hole) and is_method) or (callable(each) and inspect.unwrap(each) is wanted)
                for each in called
            ):
                yield site


def _fields(scope: Scope, call: ast.Call, names: list[str]) -> Known:
    """What a class was made with, as its methods see it."""
    passed = [*zip(names, call.args, strict=False), *((keyword.arg, keyword.value) for keyword in call.keywords)]
    return {f"self.{name}": cache(lambda node=node: scope.values(node)) for name, node in passed}
