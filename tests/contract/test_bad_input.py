"""Bad input, of every class, at every operation: refused by name, with a problem, and nothing has changed."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings

from apps.core.endpoints.paging import write_cursor
from apps.kb.errors import KB_READ_ONLY_FIELD
from tests.client import ApiClient, assert_problem
from tests.contract.document import described, member_schemas, resolved
from tests.contract.naughty import (
    BAD_PARAMETERS,
    DUPLICATES,
    NO_IDS,
    OTHER_MEDIA_TYPES,
    TEXTS,
    UNMEANT,
    UNREADABLE,
)
from tests.contract.requests import Request, to
from tests.contract.routes import (
    Route,
    each_kind_of_route,
    each_route,
    reads_query,
    refuses_unknown_members,
    takes_body,
    takes_ids,
)
from tests.contract.samples import World
from tests.rows import snapshot

JSON = "application/json"
BLANK = "This field may not be blank."
LONGEST_REFUSAL = 16 * 1024  # bytes, however much was wrong

OF_EACH_TYPE: dict[str, tuple[Any, ...]] = {
    "null": (None,),
    "boolean": (True, False),
    "integer": (1, 0, -1, 2**62),
    "number": (1.5, -0.5, 1e300),
    "string": ("text", "1", "true", ""),
    "array": ([], [1], ["text"], [{}]),
    "object": ({}, {"a": 1}, {"$gt": ""}),
}


def send(request: Request, hint: object) -> Any:
    """Sends a request, and asserts that a refusal can be read."""
    response = request.send()
    assert response.status_code < 400 or len(response.content) <= LONGEST_REFUSAL, hint
    return response


def with_bytes(request: Request, body: bytes, content_type: str = JSON) -> Request:
    return request.but(json=None, data=body, content_type=content_type)


def takes_query(route: Route) -> bool:
    return route.operation.filters is not None


@each_kind_of_route(when=takes_body)
def test_bytes_that_are_no_json_are_400(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    for kind, body in UNREADABLE.items():
        response = send(with_bytes(request, body), kind)
        assert response.status_code == 400, (kind, response.content)
        assert_problem(response, 400, "invalid_json")
    assert snapshot() == before


@each_kind_of_route(when=takes_body)
def test_documents_that_cannot_be_meant_are_422(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    for kind, body in UNMEANT.items():
        response = send(with_bytes(request, body), kind)
        assert response.status_code == 422, (kind, response.content)
        assert assert_problem(response, 422, "invalid_input")["errors"], kind
    for kind, body in DUPLICATES.items():
        response = send(with_bytes(request, body), kind)
        assert assert_problem(response, 422, "duplicate_member")["errors"], kind
    assert snapshot() == before


@each_route(when=refuses_unknown_members)
def test_what_is_wrong_is_named_beside_valid_members(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    for name, value in {"no_such_member": 1, "id": 1, "widget_id": world.rival.widget.pk}.items():
        response = request.but(json={**(request.json or {}), name: value}).send()
        has_code = KB_READ_ONLY_FIELD in route.operation.problems and name == "id"
        code = "kb_read_only_field" if has_code else "invalid_input"
        assert name in assert_problem(response, 422, code)["errors"]
    assert snapshot() == before


@each_kind_of_route(when=takes_body)
def test_another_content_type_is_415(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    for content_type in OTHER_MEDIA_TYPES:
        if route.operation.upload is not None and content_type.startswith("multipart/form-data"):
            continue
        response = with_bytes(request, b'{"a": 1}', content_type).send()
        assert response.status_code == 415, (content_type, response.content)
        assert_problem(response, 415, "unsupported_media_type")
    assert snapshot() == before


@each_kind_of_route(when=takes_body)
def test_a_charset_beside_the_content_type_is_no_other_type(route: Route, world: World, token: str) -> None:
    response = to(route, world, token).but(content_type="Application/JSON; charset=utf-8").send()
    assert response.status_code in route.successes, response.content


@each_kind_of_route(when=takes_body)
def test_a_body_over_the_limit_is_413(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    usual = route.routed.viewset.authenticator.max_body or settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    limit = route.operation.max_body or usual
    assert_problem(send(with_bytes(request, b" " * (limit + 1)), "over"), 413, "body_too_large")
    for kind, body in {
        "blank": b" " * limit,
        "brackets": b"[]" * (limit // 2),
        "braces": b'"' + b"[" * (limit - 2) + b'"',
    }.items():
        assert send(with_bytes(request, body), kind).status_code in (400, 422), kind
    assert snapshot() == before


@each_route(when=takes_body)
def test_a_member_of_another_type_is_422_by_name(
    route: Route, world: World, token: str, document: dict[str, Any]
) -> None:
    """All members at once, each of which is refused by its name; alone, where another's refusal comes before."""
    request = to(route, world, token)
    before = snapshot()
    wrong = {name: of_other_types(schema) for name, schema in member_schemas(route, document).items()}
    for number in range(max(map(len, wrong.values()), default=0)):
        values = {name: each[number] for name, each in wrong.items() if number < len(each)}
        unnamed = values.keys() - refused(request, values)
        for name in unnamed:
            assert refused(request, {name: values[name]}) == {name}, values[name]
    assert snapshot() == before


def refused(request: Request, values: dict[str, Any]) -> set[str]:
    """Which members a 422 names, directly or by what is in them, of a body in which these have other values."""
    response = request.but(json={**(request.json or {}), **values}).send()
    assert response.status_code == 422, (values, response.content)
    return {path.partition(".")[0] for path in assert_problem(response, 422, "invalid_input")["errors"]}


def of_other_types(schema: dict[str, Any]) -> list[Any]:
    """Values of the JSON types that a schema does not allow."""
    allowed = types_of(schema)
    if "number" in allowed:
        allowed = allowed | {"integer"}
    return [value for kind, values in OF_EACH_TYPE.items() if kind not in allowed for value in values]


def types_of(schema: dict[str, Any]) -> set[str]:
    if "type" in schema:
        return {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
    alternatives = schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf") or []
    return set().union(*(types_of(alternative) for alternative in alternatives)) or set(OF_EACH_TYPE)


@each_route(when=takes_body)
def test_a_missing_required_member_is_422_by_name(
    route: Route, world: World, token: str, document: dict[str, Any]
) -> None:
    request = to(route, world, token)
    before = snapshot()
    content = described(route, document)["requestBody"]["content"][JSON]["schema"]
    for name in resolved(content, document).get("required", []):
        response = request.but(json={key: value for key, value in request.json.items() if key != name}).send()
        assert name in assert_problem(response, 422, "invalid_input")["errors"]
    assert snapshot() == before


@each_route(when=takes_body)
def test_what_may_not_be_blank_has_a_character_in_the_document(
    route: Route, world: World, token: str, document: dict[str, Any]
) -> None:
    request = to(route, world, token)
    for name, schema in member_schemas(route, document).items():
        if "string" in types_of(schema):
            response = request.but(json={**(request.json or {}), name: ""}).send()
            assert refuses_blank(response, name) == asks_for_a_character(schema), (name, response.content)


@each_route(when=takes_query)
def test_a_parameter_that_may_not_be_blank_has_a_character_in_the_document(
    route: Route, world: World, token: str, document: dict[str, Any]
) -> None:
    request = to(route, world, token)
    for parameter in described(route, document)["parameters"]:
        name, schema = parameter["name"], parameter["schema"]
        if parameter["in"] == "query" and types_of(schema) == {"string"}:
            response = request.but(query={**(request.query or {}), name: ""}).send()
            assert refuses_blank(response, name) == asks_for_a_character(schema), (name, response.content)


def refuses_blank(response: Any, name: str) -> bool:
    return response.status_code == 422 and BLANK in response.json().get("errors", {}).get(name, [])


def asks_for_a_character(schema: dict[str, Any]) -> bool:
    """Whether every text that the schema allows has one; a closed set of texts says it in its own way."""
    alternatives = schema.get("oneOf") or schema.get("anyOf") or schema.get("allOf") or [schema]
    texts = [each for each in alternatives if "string" in types_of(each) and "enum" not in each]
    return bool(texts) and all(each.get("minLength", 0) > 0 for each in texts)


BODIES_NOBODY_ASKED_FOR = {
    "no JSON": (b"{", JSON, 400, "invalid_json"),
    "a form": (b"a=1", "application/x-www-form-urlencoded", 415, "unsupported_media_type"),
    "a member": (b'{"a": 1}', JSON, 422, "invalid_input"),
    "a member twice": (b'{"a": 1, "a": 1}', JSON, 422, "duplicate_member"),
    "too much": (b" " * (1024 * 1024 + 1), JSON, 413, "body_too_large"),
}


@each_kind_of_route(when=lambda route: route.method != "GET" and not takes_body(route) and not route.operation.upload)
def test_a_body_that_nobody_asked_for_is_refused_as_documented(
    route: Route, world: World, token: str, document: dict[str, Any]
) -> None:
    request = to(route, world, token)
    documented = described(route, document)["responses"]
    before = snapshot()
    for kind, (body, content_type, status, code) in BODIES_NOBODY_ASKED_FOR.items():
        assert_problem(send(with_bytes(request, body, content_type), kind), status, code)
        examples = documented[str(status)]["content"]["application/problem+json"]["examples"]
        assert code in examples, kind
    assert snapshot() == before


@each_route(when=lambda route: route.method in ("PATCH", "PUT") and takes_body(route))
def test_a_change_without_a_body_is_refused(route: Route, world: World, token: str) -> None:
    request = to(route, world, token).but(json=None, data=b"")
    before = snapshot()
    assert_problem(request.but(headers={"Content-Type": JSON}).send(), 400, "invalid_json")
    assert_problem(request.send(), 415, "unsupported_media_type")
    assert snapshot() == before


@each_route(when=lambda route: route.method in ("PATCH", "PUT") and takes_body(route))
def test_an_empty_object_is_a_change_unless_a_member_is_required(route: Route, world: World, token: str) -> None:
    response = with_bytes(to(route, world, token), b"{}").send()
    if route.operation.has_required_members:
        assert assert_problem(response, 422, "invalid_input")["errors"]
    else:
        assert response.status_code in route.successes, response.content


each_often = pytest.mark.parametrize("often", [1, pytest.param(3, marks=pytest.mark.slow)])


@each_often
@each_route(when=takes_body)
def test_naughty_texts_never_break_a_member(
    route: Route, often: int, world: World, token: str, document: dict[str, Any]
) -> None:
    """Each text in one member, in turn, or in three: members of an operation see all sorts of texts."""
    request = to(route, world, token)
    names = [name for name, schema in member_schemas(route, document).items() if "string" in types_of(schema)]
    for text, name in in_turn(names, often):
        response = send(request.but(json={**(request.json or {}), name: text}), (name, text[:40]))
        assert_done_or_refused(route, response, (name, text[:40]))


def in_turn(names: Sequence[str], often: int) -> Iterator[tuple[str, str]]:
    """Each text with that many of the names, in turn."""
    turns = cycle(names)
    for text in TEXTS:
        yield from ((text, name) for name in islice(turns, min(often, len(names))))


def assert_done_or_refused(route: Route, response: Any, hint: object) -> None:
    if response.status_code not in route.successes:
        documented = {problem.status for problem in route.problems}
        assert response.status_code in documented, (hint, response.status_code, response.content[:500])
        assert_problem(response, response.status_code, response.json()["code"])


@each_route(when=reads_query)
def test_an_unknown_parameter_is_422_by_name(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    numbered = route.operation.envelope == "numbered"  # these have a `page`
    for name in ("no_such_parameter", "Limit", "limit[]", *(() if numbered else ("page",)), "offset", "", "\0"):
        query = {**(request.query or {}), name: "1"}
        errors = assert_problem(request.but(query=query).send(), 422, "invalid_input")["errors"]
        assert list(errors) == [name]
    assert snapshot() == before


@each_kind_of_route()
def test_very_many_parameters_are_422(route: Route, world: World, token: str) -> None:
    response = to(route, world, token).but(query={f"p{n}": "1" for n in range(2_000)}).send()
    assert_problem(response, 422, "invalid_input", errors=[""])


@each_route(when=takes_query)
def test_a_bad_parameter_is_422_by_name(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    fields = route.operation.filters.fields  # type: ignore[union-attr]
    for name, field in fields.items():
        most = str(getattr(field, "max_value", None) or 100)
        usual = [value for value in BAD_PARAMETERS.get(name, ()) if value != "101" or most == "100"]
        bad = [*usual, "a\0b", "\ud800".encode("utf-8", "surrogatepass")]
        if hasattr(field, "choices"):
            bad += ["", "no-such-value", next(iter(field.choices)) + " ", "*"]
        for value in bad:
            response = request.but(query={**(request.query or {}), name: value}).send()
            if isinstance(value, bytes) and response.status_code in route.successes:
                continue  # bytes that are no UTF-8 arrive as U+FFFD, which is a text like any other
            assert response.status_code == 422, (name, value, response.content)
            assert name in assert_problem(response, 422, "invalid_input")["errors"]
    assert snapshot() == before


@each_route(when=takes_query)
def test_a_repeated_parameter_is_422_by_name(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    for name in route.operation.filters.fields:  # type: ignore[union-attr]
        response = request.but(query={**(request.query or {}), name: ["1", "1"]}).send()
        assert list(assert_problem(response, 422, "invalid_input")["errors"]) == [name]


@each_often
@each_route(when=takes_query)
def test_naughty_texts_never_break_a_parameter(route: Route, often: int, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    for text, name in in_turn(list(route.operation.filters.fields), often):  # type: ignore[union-attr]
        response = send(request.but(query={**(request.query or {}), name: text}), (name, text[:40]))
        assert_done_or_refused(route, response, (name, text[:40]))
    spent = {"ai.Usage": []} if route.operation.calls_out else {}  # a read that asks a provider writes that down
    assert snapshot() | spent == before | spent


@each_route(when=lambda route: takes_query(route) and "cursor" in route.operation.filters.fields)
def test_a_tampered_or_foreign_cursor_is_422(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    genuine = write_cursor("another list", ("2026-11-21T00:00:00Z", 1))
    for cursor in (genuine, genuine[:-1], genuine + "A", genuine.swapcase(), genuine + "=", f" {genuine}"):
        response = request.but(query={**(request.query or {}), "cursor": cursor}).send()
        assert_problem(response, 422, "invalid_input", errors=["cursor"])


@each_route(when=takes_ids)
def test_what_is_no_id_is_404(route: Route, world: World, token: str) -> None:
    request = to(route, world, token)
    before = snapshot()
    for place, foreign in enumerate(request.sample.foreign_ids):
        if foreign is None:
            continue
        for text in NO_IDS:
            ids = [quote(str(value), safe="") for value in request.ids]
            ids[place] = quote(text, safe="")
            response = request.but(ids=tuple(ids)).send()
            assert response.status_code == 404, (text, response.content)
            assert response.json()["code"] in ("not_found", route.operation.missing.code)
    assert snapshot() == before


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/chats/%ff%fe", "/%00", "//chats", "/chats/./1", "/chats?" + "a" * 20_000])
def test_a_naughty_path_is_a_problem(path: str, api: ApiClient) -> None:
    response = api.get(path)
    assert response.status_code in (404, 422), response.content
    assert_problem(response, response.status_code, response.json()["code"])
