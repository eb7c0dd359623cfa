"""Every call of a vendor that costs money asks the day's budget: it is made where `vendor_call` has been asked."""

import ast
from collections.abc import Iterator
from textwrap import dedent

from tests.architecture.source import APPS, calls, imports, name_of, source_files, tree_of

DRIVERS = APPS / "ai" / "drivers"
OUTSIDE = [path for path in source_files("apps") if DRIVERS not in path.parents and "demo" not in path.parts]
ASKS = "vendor_call"
# Of a driver's functions these cost nothing.
FREE = {"models"}
# Anything that could reach a vendor's models besides the drivers: their SDKs, and the client that these are given.
SDKS = ("openai", "anthropic", "google.genai", "httpx2", "apps.egress.sdk")


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def paid_functions() -> set[str]:
    """The drivers' public functions that go through the wire (`drivers.client`), but for the free ones."""
    found: set[str] = set()
    for path in DRIVERS.glob("*.py"):
        for function in functions(tree_of(path)):
            names = {name.split(".")[-1] for name, _ in calls(function)}
            if names & {"wired", "wired_body"}:
                found.add(function.name)
    return {name for name in found if not name.startswith("_")} - FREE


def unasked(tree: ast.Module, paid: set[str]) -> list[str]:
    """The outermost functions of a module that call a vendor, and in which nothing asks the budget."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    outermost = [*tree.body, *(part for one in classes for part in one.body)]
    bodies = {one.name: one for one in outermost if isinstance(one, ast.FunctionDef)}
    called = {name: {each.split(".")[-1] for each, _ in calls(body)} for name, body in bodies.items()}

    def asks(name: str, seen: frozenset[str] = frozenset()) -> bool:
        inner = called[name]
        return ASKS in inner or any(asks(one, seen | {name}) for one in inner & bodies.keys() - seen - {name})

    return [name for name, inner in called.items() if inner & paid and not asks(name)]


def uses_drivers(tree: ast.AST) -> bool:
    return any(name.startswith("apps.ai.drivers") for name in imports(tree))


def test_the_paid_functions_are_found() -> None:
    assert paid_functions() >= {"complete", "embed", "converse", "transcribe", "speak"}


def test_no_paid_call_is_made_without_asking_the_budget() -> None:
    paid, callers = paid_functions(), [path for path in OUTSIDE if uses_drivers(tree_of(path))]
    assert len(callers) > 10
    assert {name_of(path): found for path in callers if (found := unasked(tree_of(path), paid))} == {}


def sdks_of(tree: ast.AST) -> list[str]:
    return [name for name in imports(tree) if name.startswith(SDKS)]


def test_vendors_of_models_are_reached_by_drivers_alone() -> None:
    assert len(OUTSIDE) > 500
    reached = {name_of(path): found for path in OUTSIDE if (found := sdks_of(tree_of(path)))}
    assert reached.keys() - {"apps/egress/sdk.py"} == set(), reached


def test_the_check_tells_good_samples_from_bad() -> None:
    bad = dedent(
        """
        def summary(driver):
            return driver.complete("…")
        class Later:
            def run(self):
                return speech.speak("…")
        """
    )
    good = dedent(
        """
        def summary(driver):
            with vendor_call(purpose="summary") as call:
                return driver.complete("…")
        def said(sources):
            def ask(source):
                return converse(source)
            return _first(sources, ask)
        def _first(sources, ask):
            with vendor_call(purpose="turn"):
                return ask(sources[0])
        """
    )
    paid = {"complete", "speak", "converse"}
    assert unasked(ast.parse(bad), paid) == ["summary", "run"]
    assert unasked(ast.parse(good), paid) == []
