"""The names of the API's documents by which programs call it and read its answers: what a changelog has to tell.

`python -m tests.documentation.names FILE` writes those of the documents as they are.
The console's own interface is left out: it changes with the console (docs/deprecation.md).
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from config.environment import PROJECT_ROOT

DOCUMENTS = [PROJECT_ROOT / "docs" / name for name in ("openapi.yaml", "openapi-visitor.yaml", "openapi-webhooks.yaml")]
METHODS = ("get", "post", "put", "patch", "delete")


def names_of(document: dict[str, Any]) -> set[str]:
    """Operations ("PUT /widget/{guid}/address"), parameters, members and events; not the values of a list."""
    operations = {**document.get("paths", {}), **document.get("webhooks", {})}
    found: set[str] = set()
    for path, item in operations.items():
        if path.startswith(("/console", "/compat")):
            continue
        for method in METHODS:
            if method in item:
                found.add(path if path in document.get("webhooks", {}) else f"{method.upper()} {path}")
                found |= set(_members(item[method], document, set()))
    return found


def _members(part: Any, document: dict[str, Any], seen: set[str]) -> Iterator[str]:
    if isinstance(part, list):
        for each in part:
            yield from _members(each, document, seen)
    elif isinstance(part, dict):
        reference = part.get("$ref")
        if isinstance(reference, str) and reference not in seen:
            seen.add(reference)
            *_, kind, name = reference.split("/")
            yield from _members(document["components"][kind][name], document, seen)
        if part.get("in") == "query":
            yield part["name"]
        properties = part.get("properties")
        if isinstance(properties, dict):
            yield from (name for name, schema in properties.items() if isinstance(schema, dict))
        yield from _members([value for name, value in part.items() if "example" not in name], document, seen)


def names_now() -> set[str]:
    return {name for path in DOCUMENTS for name in names_of(yaml.load(path.read_text(), yaml.CSafeLoader))}


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(json.dumps(sorted(names_now()), indent=0) + "\n")
