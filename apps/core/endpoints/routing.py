"""The routes of operations, and all problems of each."""

import re
from dataclasses import dataclass
from typing import Any

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from apps.core.endpoints.operations import Operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.problems import ProblemType

_BASE = "/api/v1/"
_MAX_NEARLY = 200
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


def nearly(path: str) -> str | None:
    """The address of the API that was probably meant; None where none is near, or the address is right.

    Looked at are the base (`/v1/…`, another version, none), a trailing slash, capitals, and singular for plural.
    """
    words = [word for word in path.split("/") if word]
    if len(path) > _MAX_NEARLY or not words:
        return None
    if words[0].lower() == "api":
        words = words[1:]
    if words and re.fullmatch(r"v\d{1,2}", words[0], re.IGNORECASE):
        words = words[1:]
    small = [word if any(map(str.isdigit, word)) else word.lower() for word in words]
    several = [word if word.endswith("s") or not word.isalpha() else f"{word}s" for word in small]
    for guess in (words, small, [*small[:-1], *several[-1:]], several):
        address = f"{_BASE}{'/'.join(guess)}"
        if address != path and guess and _is_there(address):
            return address
    return None


def _is_there(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
