"""The routes of operations, and all problems of each."""

import re
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from apps.core.endpoints.operations import Operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.problems import ProblemType

_ARGUMENT = re.compile(r"[<{](?:[^>:}]+:)?([^>}]+)[>}]")


@dataclass(frozen=True, slots=True)
class RoutedOperation:
    """An operation at its address: the path is a template without the leading slash."""

    method: str
    path: str
    operation: Operation
    viewset: type[EndpointViewSet]

    @property
    def object_arguments(self) -> list[str]:
        """The arguments of the path that lead to an object."""
        return self.viewset.object_arguments(_ARGUMENT.findall(self.path))

    @property
    def problems(self) -> tuple[ProblemType, ...]:
        """All that it may refuse with: its authenticator's, its own, and what follows from both declarations."""
        not_there = [self.operation.missing] if self.object_arguments or self.viewset.shared_arguments else []
        unexpected = [self.viewset.authenticator.unexpected_body] if self.method == "GET" else []
        not_there += [problem for problem in unexpected if problem is not None]
        implied = [*self.viewset.authenticator.problems, *self.operation.implied_problems(self.method), *not_there]
        return tuple(dict.fromkeys([*implied, *self.operation.problems]))


def routed_operations() -> list[RoutedOperation]:
    """Every routed operation."""
    found: list[RoutedOperation] = []

    def walk(patterns: list[Any], prefix: str) -> None:
        for pattern in patterns:
            path = prefix + str(pattern.pattern)
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, path)
            elif isinstance(pattern, URLPattern) and (actions := getattr(pattern.callback, "actions", None)):
                viewset: Any = getattr(pattern.callback, "cls", None)
                for method, name in actions.items():
                    if method == "head":  # DRF adds it to the table at a view's first request
                        continue
                    operation = getattr(viewset, "operations", {}).get(name)
                    if operation is not None:
                        found.append(RoutedOperation(method.upper(), path, operation, viewset))

    walk(get_resolver().url_patterns, "")
    return found
