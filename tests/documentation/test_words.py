"""Texts that callers read have JSON's words for types, not Python's, and name no file of the repository."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from rest_framework.exceptions import ValidationError

from apps.core.endpoints.routing import routed_operations
from apps.core.endpoints.serializers import flatten
from apps.core.problems import problem_types
from apps.documentation.parts import parts

OF_PYTHON = re.compile(r"\b(dictionary|dict|NoneType|tuple|str|int|float|bool|biginteger|pk)\b")
VALUES: tuple[Any, ...] = (None, "x", 1, 1.5, True, [], {}, [None], [[1]], {"a": None}, {"a": [1]})
# A file of the project by its path or its kind; addresses of the service have neither.
FILES = re.compile(r"(?<![/\w])(?:docs|apps|config|tests)/\w|\w\.(?:md|py|ya?ml|toml)\b|\bREADME\b|\bADR \d")


def fields_of(field: Any) -> Iterator[Any]:
    """A field and those inside it."""
    yield field
    if hasattr(field, "fields"):
        for inner in field.fields.values():
            yield from fields_of(inner)
    elif getattr(field, "child", None) is not None:
        yield from fields_of(field.child)


def refusals(field: Any) -> Iterator[str]:
    """What it says to values of every type of JSON."""
    for value in VALUES:
        try:
            field.run_validation(value)
        except ValidationError as error:
            for messages in flatten(error.detail).values():
                yield from messages
        except Exception:  # a field that asks others, such as the database, got the value as right
            continue


def test_no_body_is_refused_in_words_of_python() -> None:
    bodies = {
        type(routed.operation.body): routed.operation.body for routed in routed_operations() if routed.operation.body
    }
    fields = [field for body in bodies.values() for field in fields_of(body)]
    said = {message for field in fields for message in refusals(field)}
    assert len(fields) > 300
    assert "Must be an object, not a string." in said
    assert "Must be an array, not an object." in said
    assert {message for message in said if OF_PYTHON.search(message)} == set()


def texts(node: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a document that people read, with its place."""
    if isinstance(node, dict):
        for name, inner in node.items():
            if name not in ("example", "examples", "pattern"):
                yield from texts(inner, f"{path}/{name}")
    elif isinstance(node, list):
        for number, inner in enumerate(node):
            yield from texts(inner, f"{path}/{number}")
    elif isinstance(node, str) and path.endswith(("/description", "/summary", "/title")):
        yield path, node


@pytest.mark.parametrize("name", [None, *parts()])
def test_no_text_of_a_document_names_a_file_of_the_repository(name: str | None) -> None:
    address = f"/api/schema/{name}" if name else "/api/schema"
    document = Client().get(f"{address}?format=json").json()
    said = list(texts(document))
    assert len(said) > 50
    assert [(path, text) for path, text in said if FILES.search(text)] == []


def test_no_problem_names_one() -> None:
    assert [code for code, problem in problem_types().items() if FILES.search(json.dumps(problem.example))] == []


def test_the_check_above_would_notice() -> None:
    for text in ("the guide `docs/guides/webhooks.md`", "see agent.py", "run.yaml", "ADR 0017", "the README"):
        assert FILES.search(text), text
