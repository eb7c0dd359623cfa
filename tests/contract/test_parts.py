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

from apps.core.endpoints.parts import REST, part_of, parts
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
    assert list(documents) == [REST, "visitor", "console", "compat"]
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


def test_a_bots_webhooks_are_in_the_part_of_bots(documents: dict[str, dict[str, Any]]) -> None:
    of_bots = {name for name, _ in operations(documents["compat"], "webhooks")}
    assert of_bots
    assert all(name.startswith("legacy_bot.") for name in of_bots)
    assert "webhooks" not in documents["visitor"]
    assert "webhooks" not in documents["console"]


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
    for page, script in ((f"/api/docs{below}", "?script"), (f"/api/redoc{below}", "")):
        shown = Client().get(page).content.decode()
        assert f"<title>{parts()[name].title}</title>".replace("'", "&#x27;") in shown
        assert f"/api/schema/{name}" in Client().get(page + script).content.decode()


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
