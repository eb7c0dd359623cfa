"""The parts of the OpenAPI document: one for each kind of callers, with an address and a page of its own.

The REST API's is everything that no app gives a document of its own (`plugins.DocumentPart`). Clients are
generated from the document of all calls: a part has the same operations, ids and components.
Webhooks have a document of their own: common generators take them for calls, or fail.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import spectacular_settings

from apps.core import plugins

Schema = dict[str, Any]

REST = "rest"
_COMPONENTS = "#/components/"


@dataclass(frozen=True, slots=True)
class RenderedPart:
    """A part of the document. `front_page` is the Markdown that its page begins with."""

    name: str
    title: str
    front_page: str


@cache
def parts() -> dict[str, RenderedPart]:
    """All of them by name: the REST API's, then those of the installed apps, lowest first."""
    declared = {
        document.name: RenderedPart(document.name, document.title, _front_page(Path(config.path, "front_page.md")))
        for config in plugins.installed()
        if (document := config.plugin.document)
    }
    return {REST: RenderedPart(REST, spectacular_settings.TITLE, spectacular_settings.DESCRIPTION), **declared}


def _front_page(file: Path) -> str:
    """The Markdown, with this installation's address in its samples."""
    return file.read_text("utf-8").replace("https://chat.example.com", settings.PUBLIC_URL)


def generate_whole() -> Schema:
    """The whole OpenAPI document. Takes a second."""
    whole: Schema = SchemaGenerator().get_schema(request=None, public=True)
    return whole


def calls_of(whole: Schema) -> Schema:
    """The document of all calls: without webhooks, but with the schemas of their bodies, which clients read."""
    made = {name: member for name, member in whole.items() if name != "webhooks"}
    made["tags"] = [tag for tag in whole["tags"] if tag["name"] in _tags_in(whole["paths"])]
    found = _referred_to(made, whole["components"])
    made["components"] = {**found, "schemas": whole["components"]["schemas"]}
    return made


def part_of(whole: Schema, part: RenderedPart) -> Schema:
    """The part's operations and webhooks, with the components that they refer to, and no others."""
    made = {
        **whole,
        "info": {**whole["info"], "title": part.title, "description": part.front_page},
        "paths": _of(part, whole["paths"]),
        "webhooks": _of(part, whole.get("webhooks", {})),
    }
    if not made["webhooks"]:
        del made["webhooks"]
    used = _tags_in(made["paths"]) | _tags_in(made.get("webhooks", {}))
    made["tags"] = [tag for tag in whole["tags"] if tag["name"] in used]
    made["components"] = _referred_to(made, whole["components"])
    return made


def _of(part: RenderedPart, items: Schema) -> Schema:
    """The operations of a part, by path and method."""
    kept = {
        path: {method: operation for method, operation in item.items() if _part_named(operation) == part.name}
        for path, item in items.items()
    }
    return {path: item for path, item in kept.items() if item}


def _tags_in(items: Schema) -> set[str]:
    """The tags of the operations in these."""
    return {tag for item in items.values() for operation in item.values() for tag in operation["tags"]}


def _part_named(operation: Schema) -> str:
    """The part that an operation belongs to, by its tag."""
    tag: str = operation["tags"][0]
    return tag if tag in parts() else REST


def _referred_to(document: Schema, components: Schema) -> Schema:
    """The components, by kind, to which the document's operations refer, and those to which these refer."""
    operations = [
        operation
        for items in (document["paths"], document.get("webhooks", {}))
        for item in items.values()
        for operation in item.values()
    ]
    schemes = {("securitySchemes", name) for each in operations for scheme in each["security"] for name in scheme}
    found, waiting = set(schemes), [*operations, *(components[kind][name] for kind, name in schemes)]
    while waiting:
        new = set(_references(waiting.pop())) - found
        found |= new
        waiting += [components[kind][name] for kind, name in new]
    kept = {
        kind: {name: component for name, component in named.items() if (kind, name) in found}
        for kind, named in components.items()
    }
    return {kind: named for kind, named in kept.items() if named}


def _references(node: Any) -> Iterator[tuple[str, str]]:
    """The components that are named anywhere in a node, by kind and name."""
    if isinstance(node, dict):
        for member in node.values():
            yield from _references(member)
    elif isinstance(node, list):
        for item in node:
            yield from _references(item)
    elif isinstance(node, str) and node.startswith(_COMPONENTS):
        kind, _, name = node.removeprefix(_COMPONENTS).partition("/")
        yield kind, name
