"""Finding the view of an endpoint's path in constant time, however many routes there are.

Django tries routes one after the other, which takes 8 to 12 % of the instructions of a page with 25
of them, up to 45 % with 187 (docs/guides/benchmarks.md). Paths that differ in ids and guids alone have one route:
Django finds it for the first, and it is remembered for the others.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.urls import ResolverMatch, resolve
from django.urls.converters import get_converters

_VARIABLE = re.compile(r"(?<=/)(?:[0-9]{1,18}|[0-9a-f]{32})(?=/|$)")
_CONVERTED = re.compile(r"<(?:(?P<converter>[^>:]+):)?(?P<name>[^>]+)>")


class _Route(NamedTuple):
    """A view, and which segments of the path are which of its arguments."""

    view: Callable[..., Any]
    arguments: tuple[tuple[int, str, Any], ...]


# By what is left of a path without its ids. As many as there are routes, so nothing needs to be forgotten.
_remembered: dict[str, _Route] = {}


def find(path: str) -> tuple[Callable[..., Any], Mapping[str, Any]]:
    """The view of a path and its keyword arguments. Raises Resolver404."""
    form = _VARIABLE.sub("*", path)
    route = _remembered.get(form)
    if route is None:
        match = resolve(path)
        if (route := _route_of(match, path, form)) is not None:
            _remembered[form] = route
        return match.func, match.kwargs
    if not route.arguments:
        return route.view, {}
    segments = path.split("/")
    kwargs: dict[str, Any] = {}
    for place, name, converter in route.arguments:
        if not re.fullmatch(converter.regex, segments[place]):
            match = resolve(path)
            return match.func, match.kwargs
        kwargs[name] = converter.to_python(segments[place])
    return route.view, kwargs


def _route_of(match: ResolverMatch, path: str, form: str) -> _Route | None:
    """The route of a match, if its paths differ only in what `form` leaves out; else None."""
    converters = get_converters()
    segments, forms, routes = path.split("/"), form.split("/"), ["", *match.route.split("/")]
    if match.args or len(segments) != len(routes):
        return None
    arguments = []
    for place, (segment, of_form, of_route) in enumerate(zip(segments, forms, routes, strict=True)):
        if found := _CONVERTED.fullmatch(of_route):
            if of_form != "*":
                return None
            arguments.append((place, found["name"], converters[found["converter"] or "str"]))
        elif segment != of_route or of_form == "*":
            return None
    if {name for _, name, _ in arguments} != set(match.kwargs):
        return None
    return _Route(match.func, tuple(arguments))
