"""The OpenAPI document and its parts: each part is what the whole says of its callers, and stands alone.

The other contract tests read the whole document, which is what clients have been generated from; so what they find
holds of the parts as well.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from jsonschema import Draft202012Validator

from apps.documentation.parts import REST, calls_of, part_of, parts
from tests.contract.routes import ROUTES, shape

each_part = pytest.mark.parametrize("name", list(parts()))


@pytest.fixture(scope="module")
def documents(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every part, by name."""
    return {name: part_of(document, part) for name, part in parts().items()}


def operations(document: dict[str, Any], kind: str = "paths") -> dict[tuple[str, str], Any]:
    """The operations, or the webhooks, by path and method."""
    items = document.get(kind, {}).items()
    return {(path, method): operation for path, item in items for method, operation in item.items()}


def test_there_is_a_part_for_each_kind_of_callers(documents: dict[str, dict[str, Any]]) -> None:
    assert list(documents) == [REST, "webhooks", "visitor", "console", "compat"]
    assert [each["info"]["title"] for each in documents.values()] == [part.title for part in parts().values()]


@pytest.mark.parametrize("kind", ["paths", "webhooks"])
def test_each_operation_is_in_one_part_as_it_is_in_the_whole(
    kind: str, document: dict[str, Any], documents: dict[str, dict[str, Any]]
) -> None:
    found: list[tuple[Any, Any]] = [one for part in documents.values() for one in operations(part, kind).items()]
    assert len(found) == len(operations(document, kind))
    assert dict(found) == operations(document, kind)


def test_operations_have_names_of_their_own(document: dict[str, Any]) -> None:
    """Of two with one name, the generator would number one, and so name a function of generated clients."""
    names = [operation["operationId"] for operation in operations(document).values()]
    assert len(set(names)) == len(names)
    assert [name for name in names if re.search(r"_\d+$", name)] == []


@each_part
def test_a_part_has_the_calls_of_its_callers(name: str, documents: dict[str, dict[str, Any]]) -> None:
    routed = {
        shape(route.method, route.path) for route in ROUTES if (route.routed.viewset.authenticator.tag or REST) == name
    }
    assert {shape(method.upper(), path) for path, method in operations(documents[name])} == routed


def test_webhooks_have_a_document_of_their_own_with_one_tag(
    document: dict[str, Any], documents: dict[str, dict[str, Any]]
) -> None:
    """Generators take webhooks for calls: in a document with calls, those of one tag would vanish."""
    webhooks = operations(documents["webhooks"], "webhooks")
    assert webhooks == operations(document, "webhooks")
    assert documents["webhooks"]["paths"] == {}
    assert {tuple(webhook["tags"]) for webhook in webhooks.values()} == {("webhooks",)}
    assert [tag["name"] for tag in documents["webhooks"]["tags"]] == ["webhooks"]
    assert [name for name, part in documents.items() if "webhooks" in part] == ["webhooks"]
    served = Client().get("/api/schema?format=json").json()
    assert "webhooks" not in served
    assert served["paths"] == json.loads(json.dumps(document["paths"]))
    assert served["components"]["schemas"] == json.loads(json.dumps(document["components"]["schemas"]))


def test_each_group_of_operations_is_described(document: dict[str, Any], documents: dict[str, dict[str, Any]]) -> None:
    """And none that has no operation."""
    for each in (calls_of(document), *documents.values()):
        every = [*operations(each).values(), *operations(each, "webhooks").values()]
        assert {tag["name"] for tag in each["tags"]} == {tag for operation in every for tag in operation["tags"]}
        assert all(tag["description"].endswith(".") for tag in each["tags"])
        assert each["info"]["license"]["identifier"] == "Apache-2.0"
        assert each["info"]["contact"]


def test_a_form_comes_before_json(document: dict[str, Any]) -> None:
    """Many generators know but the first kind of body: with JSON first, their clients could upload no file."""
    kinds = [list(each["requestBody"]["content"]) for each in operations(document).values() if "requestBody" in each]
    forms = [of_body for of_body in kinds if "multipart/form-data" in of_body]
    assert ["multipart/form-data", "application/json"] in forms
    assert {of_body[0] for of_body in forms} == {"multipart/form-data"}


def test_refusals_that_pass_by_waiting_declare_retry_after(document: dict[str, Any]) -> None:
    declared = {
        (status, "Retry-After" in answer.get("headers", {}))
        for operation in operations(document).values()
        for status, answer in operation["responses"].items()
        if status >= "400"
    }
    assert {status for status, has_header in declared if has_header} == {"429", "503"}
    assert {status for status, has_header in declared if not has_header}.isdisjoint({"429", "503"})


def examples(node: Any, document: dict[str, Any]) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Every example with its schema."""
    for _, each in nodes(node):
        if "schema" in each:
            named = [one.get("value", one) for one in each.get("examples", {}).values()]
            for example in [*([each["example"]] if "example" in each else []), *named]:
                if isinstance(example, dict) and example.keys() == {"$ref"}:
                    kind, name = example["$ref"].removeprefix("#/components/").split("/")
                    example = document["components"][kind][name]["value"]
                yield example, each["schema"]


def test_examples_are_valid(document: dict[str, Any]) -> None:
    """Those of bodies, answers, problems and parameters."""
    found = list(examples({kind: document[kind] for kind in ("paths", "webhooks", "components")}, document))
    assert len(found) > 1000
    validators: dict[str, Any] = {}
    faults = set()
    for example, schema in found:
        key = json.dumps(schema, default=str)
        if key not in validators:
            whole = {**json.loads(key), "components": document["components"]}
            validators[key] = Draft202012Validator(whole, format_checker=Draft202012Validator.FORMAT_CHECKER)
        faults |= {f"{error.message}: {key[:100]}" for error in validators[key].iter_errors(example)}
    assert faults == set()


@each_part
def test_a_part_has_the_components_that_it_refers_to_and_no_others(
    name: str, document: dict[str, Any], documents: dict[str, dict[str, Any]]
) -> None:
    part = documents[name]
    kept = {(kind, each): component for kind, named in part["components"].items() for each, component in named.items()}
    referred = set(re.findall(r'"#/components/(\w+)/([^"]+)"', json.dumps(part)))
    every = [*operations(part).values(), *operations(part, "webhooks").values()]
    referred |= {("securitySchemes", scheme) for each in every for schemes in each["security"] for scheme in schemes}
    assert kept.keys() == referred
    assert all(document["components"][kind][each] == component for (kind, each), component in kept.items())


def nodes(node: Any, path: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every object in the document, and where it is."""
    if isinstance(node, dict):
        yield path, node
        for name, member in node.items():
            yield from nodes(member, f"{path}/{name}")
    elif isinstance(node, list):
        for number, member in enumerate(node):
            yield from nodes(member, f"{path}/{number}")


def dated(document: dict[str, Any]) -> list[str]:
    """What OpenAPI 3.0 said, and 3.1 no longer knows, or readers of it pass over."""
    return [
        *(f"{path} is nullable" for path, node in nodes(document) if "nullable" in node),
        *(f"{path} has siblings" for path, node in nodes(document) if "$ref" in node and len(node) > 1),
    ]


def test_nothing_is_nullable_and_no_reference_has_siblings(
    document: dict[str, Any], documents: dict[str, dict[str, Any]]
) -> None:
    """What may be null has null among its types; what is said of a reference is said around it."""
    assert [dated(each) for each in (document, *documents.values())] == [[]] * (1 + len(documents))


def test_the_check_above_would_notice() -> None:
    schema = {"a": {"type": "string", "nullable": True}, "b": [{"$ref": "#/components/schemas/B", "description": "B"}]}
    assert dated(schema) == ["#/a is nullable", "#/b/0 has siblings"]


@each_part
def test_a_part_has_its_document_and_pages(name: str, documents: dict[str, dict[str, Any]]) -> None:
    below = "" if name == REST else f"/{name}"
    answer = Client().get(f"/api/schema/{name}?format=json")
    assert answer.headers["Content-Disposition"] == f'inline; filename="openapi-{name}.json"'
    assert answer.json() == json.loads(json.dumps(documents[name]))
    shown = Client().get(f"/api/docs{below}").content.decode()
    assert f"<title>{parts()[name].title}</title>".replace("'", "&#x27;") in shown
    assert f'data-schema="/api/schema/{name}?format=json"' in shown
    older = Client().get(f"/api/redoc{below}")
    assert (older.status_code, older.headers["Location"]) == (301, f"/api/docs{below}")


@each_part
def test_where_a_front_page_leads_is_there(name: str) -> None:
    links = re.findall(r"\]\((/[^)]*)\)", parts()[name].front_page)
    assert links
    assert {link: Client().get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_the_first_front_page_leads_to_every_part() -> None:
    front_page = parts()[REST].front_page
    for name in parts():
        assert f"](/api/schema/{name})" in front_page
        assert name == REST or f"](/api/docs/{name})" in front_page


def test_a_part_that_is_none_is_404() -> None:
    assert [Client().get(f"/api/{place}/nothing").status_code for place in ("schema", "docs", "redoc")] == [404] * 3
