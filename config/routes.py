"""Finding the view of an endpoint's path in constant time, however many routes there are.

Django tries routes one after the other, which takes 8 to 12 % of the instructions of a page with 25
of them, up to 45 % with 187 (docs/guides/benchmarks.md). Paths that differ in ids and guids alone have one route:
Django finds it for the first, and it is remembered for the others. A path with a word in it (a provider, a slug) has
one by itself; of those, the last MAX_WORDS are remembered.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.urls import ResolverMatch, resolve
from django.urls.converters import StringConverter, get_converters

from apps.core.endpoints.converters import SecretConverter

MAX_WORDS = 512

_VARIABLE = re.compile(r"(?<=/)(?:[0-9]{1,18}|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=/|$)")
_CONVERTED = re.compile(r"<(?:(?P<converter>[^>:]+):)?(?P<name>[^>]+)>")


class RouteMatch(NamedTuple):
    """The view of a path, its keyword arguments, and the path's template (`/api/v1/chats/{chat_id}`)."""

    view: Callable[..., Any]
    kwargs: Mapping[str, Any]
    template: str


class _Route(NamedTuple):
    """A view, which segments of the path are which of its arguments, the path's template, and if any is a word."""

    view: Callable[..., Any]
    arguments: tuple[tuple[int, str, Any], ...]
    template: str
    has_words: bool


# By what is left of a path without its ids. As many as there are routes, so nothing needs to be forgotten.
_remembered: dict[str, _Route] = {}
# The same of paths with words, of which there are as many as somebody asks for: the oldest are forgotten.
_with_words: OrderedDict[str, _Route] = OrderedDict()


def template_of(route: str) -> str:
    """A route as Django has it (`api/v1/chats/<id:chat_id>`) as the template of its paths."""
    return "/" + _CONVERTED.sub(r"{\g<name>}", route)


def find(path: str) -> RouteMatch:
    """The view of a path, with its arguments. Raises Resolver404."""
    form = _VARIABLE.sub("*", path)
    route = _remembered.get(form) or _with_words.get(form)
    if route is None:
        match = resolve(path)
        if (route := _route_of(match, path, form)) is not None:
            _remember(form, route)
        return _as_found(match)
    if not route.arguments:
        return RouteMatch(route.view, {}, route.template)
    segments = path.split("/")
    kwargs: dict[str, Any] = {}
    for place, name, converter in route.arguments:
        if not re.fullmatch(converter.regex, segments[place]):
            return _as_found(resolve(path))
        kwargs[name] = converter.to_python(segments[place])
    return RouteMatch(route.view, kwargs, route.template)


def _remember(form: str, route: _Route) -> None:
    if not route.has_words:
        _remembered[form] = route
        return
    _with_words[form] = route
    while len(_with_words) > MAX_WORDS:
        _with_words.popitem(last=False)


def _as_found(match: ResolverMatch) -> RouteMatch:
    return RouteMatch(match.func, match.kwargs, template_of(match.route))


def _route_of(match: ResolverMatch, path: str, form: str) -> _Route | None:
    """The route of a match; None where its arguments are no whole segments, or a secret, of which none is kept."""
    converters = get_converters()
    segments, forms, routes = path.split("/"), form.split("/"), ["", *match.route.split("/")]
    if match.args or len(segments) != len(routes):
        return None
    arguments = []
    has_words = False
    for place, (segment, of_form, of_route) in enumerate(zip(segments, forms, routes, strict=True)):
        if found := _CONVERTED.fullmatch(of_route):
            converter = converters[found["converter"] or "str"]
            if of_form != "*":
                if isinstance(converter, SecretConverter):
                    return None
                has_words = True
            elif isinstance(converter, StringConverter):
                return None  # what may be a number or a word is looked for by what it is
            arguments.append((place, found["name"], converter))
        elif segment != of_route or of_form == "*":
            return None
    if {name for _, name, _ in arguments} != set(match.kwargs):
        return None
    return _Route(match.func, tuple(arguments), template_of(match.route), has_words)
