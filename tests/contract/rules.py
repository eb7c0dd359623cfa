"""Rules that hold of every operation: one test an operation goes through those of a file, and says which one fails.

The stage of a test, its token and its request are made once; what a rule writes is taken back before the next one.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from inspect import signature
from typing import Any

import pytest
from django.db import transaction

from apps.core.redis import connection as redis
from tests.contract.requests import Request, to
from tests.contract.routes import ROUTES, Route, first_of_its_kind
from tests.contract.samples import World
from tests.rows import snapshot

When = Callable[[Route], bool]
Rule = Callable[..., None]


class Rules:
    """The rules of a file. A rule takes what its parameters name: of a test's `route`, `world`, `token`, `document`,
    and `request`, which is the valid one."""

    def __init__(self) -> None:
        self._refusals: list[tuple[When, Rule]] = []
        self._others: list[tuple[When, Rule]] = []

    def refusal(self, when: When) -> Callable[[Rule], Rule]:
        """A rule of refusals alone: nothing has changed after it."""
        return lambda rule: _added(self._refusals, when, rule)

    def rule(self, when: When) -> Callable[[Rule], Rule]:
        """A rule that may write."""
        return lambda rule: _added(self._others, when, rule)

    def each_route(self) -> pytest.MarkDecorator:
        """Runs the test for every operation that one of the rules is about, as the argument `route`."""
        picked = [route for route in ROUTES if self._of(self._refusals, route) or self._of(self._others, route)]
        return pytest.mark.parametrize("route", picked, ids=[route.name for route in picked])

    def hold(
        self, route: Route, world: World, token: str, subtests: pytest.Subtests, document: dict[str, Any] | None = None
    ) -> None:
        given: dict[str, Any] = {"route": route, "world": world, "token": token, "document": document}
        if refusals := self._of(self._refusals, route):
            with taken_back():
                request = to(route, world, token)
                before = snapshot()
                for rule in refusals:
                    with subtests.test(rule.__name__), taken_back():
                        _ask(rule, given, lambda: request)
                        assert snapshot() == before
        for rule in self._of(self._others, route):
            with subtests.test(rule.__name__), taken_back():
                _ask(rule, given, lambda: to(route, world, token))

    @staticmethod
    def _of(rules: list[tuple[When, Rule]], route: Route) -> list[Rule]:
        return [rule for when, rule in rules if when(route)]


def _added(rules: list[tuple[When, Rule]], when: When, rule: Rule) -> Rule:
    rules.append((when, rule))
    return rule


def _ask(rule: Rule, given: dict[str, Any], request: Callable[[], Request]) -> None:
    named = signature(rule).parameters.keys()
    made = {"request": request()} if "request" in named else {}  # a rule that makes its own has no other beside it
    rule(**{name: given[name] for name in named & given.keys()}, **made)


def of_a_kind(when: When) -> When:
    """For what the shared layer does for all alike: one operation of each kind (`each_kind_of_route`)."""
    picked = {route.name for route in first_of_its_kind(when)}
    return lambda route: route.name in picked


@contextmanager
def taken_back() -> Iterator[None]:
    """What is written meanwhile is gone afterwards, in the database and in Redis: as between two tests."""
    savepoint: Any = transaction.atomic()
    savepoint._from_testcase = True  # as Django marks those of its own test cases
    with savepoint:
        try:
            yield
        finally:
            transaction.set_rollback(True)
    with suppress(redis.RedisAway):
        redis.ask(lambda client: client.flushdb())
