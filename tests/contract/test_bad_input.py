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
    each_route,
    reads_query,
    refuses_unknown_members,
    takes_body,
    takes_ids,
)
from tests.contract.rules import Rules, of_a_kind
from tests.contract.samples import World
from tests.rows import snapshot

RULES = Rules()
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


# No visitor's message is refused for the offer that it names: a wrong one is ignored
# (tests/widget/test_answered_invitations.py).
NEVER_REFUSED = {("POST /widget/{guid}/messages", "offer_id")}


def takes_query(route: Route) -> bool:
    return route.operation.filters is not None


@RULES.refusal(of_a_kind(takes_body))
def bytes_that_are_no_json_are_400(request: Request) -> None:
    for kind, body in UNREADABLE.items():
        response = send(with_bytes(request, body), kind)
        assert response.status_code == 400, (kind, response.content)
        assert_problem(response, 400, "invalid_json")


@RULES.refusal(of_a_kind(takes_body))
def documents_that_cannot_be_meant_are_422(request: Request) -> None:
    for kind, body in UNMEANT.items():
        response = send(with_bytes(request, body), kind)
        assert response.status_code == 422, (kind, response.content)
        assert assert_problem(response, 422, "invalid_input")["errors"], kind
    for kind, body in DUPLICATES.items():
        response = send(with_bytes(request, body), kind)
        assert assert_problem(response, 422, "duplicate_member")["errors"], kind


@RULES.refusal(refuses_unknown_members)
def what_is_wrong_is_named_beside_valid_members(request: Request, route: Route, world: World) -> None:
    for name, value in {"no_such_member": 1, "id": 1, "widget_id": world.rival.widget.pk}.items():
        response = request.but(json={**(request.json or {}), name: value}).send()
        has_code = KB_READ_ONLY_FIELD in route.operation.problems and name == "id"
        code = "kb_read_only_field" if has_code else "invalid_input"
        assert name in assert_problem(response, 422, code)["errors"]


@RULES.refusal(of_a_kind(takes_body))
def another_content_type_is_415(request: Request, route: Route) -> None:
    for content_type in OTHER_MEDIA_TYPES:
        if route.operation.upload is not None and content_type.startswith("multipart/form-data"):
            continue
        if content_type.startswith("text/plain") and route.name == "POST /widget/{guid}/signals":
            continue  # a beacon's
        response = with_bytes(request, b'{"a": 1}', content_type).send()
        assert response.status_code == 415, (content_type, response.content)
        assert_problem(response, 415, "unsupported_media_type")


@RULES.rule(of_a_kind(takes_body))
def a_charset_beside_the_content_type_is_no_other_type(request: Request, route: Route) -> None:
    response = request.but(content_type="Application/JSON; charset=utf-8").send()
    assert response.status_code in route.successes, response.content


@RULES.refusal(of_a_kind(takes_body))
def a_body_over_the_limit_is_413(request: Request, route: Route) -> None:
    usual = route.routed.viewset.authenticator.max_body or settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    limit = route.operation.max_body or usual
    assert_problem(send(with_bytes(request, b" " * (limit + 1)), "over"), 413, "body_too_large")
    for kind, body in {
        "blank": b" " * limit,
        "brackets": b"[]" * (limit // 2),
        "braces": b'"' + b"[" * (limit - 2) + b'"',
    }.items():
        assert send(with_bytes(request, body), kind).status_code in (400, 422), kind


@RULES.refusal(takes_body)
def a_member_of_another_type_is_422_by_name(request: Request, route: Route, document: dict[str, Any]) -> None:
    """All members at once, each of which is refused by its name; alone, where another's refusal comes before."""
    wrong = {name: of_other_types(schema) for name, schema in member_schemas(route, document).items()}
    wrong = {name: values for name, values in wrong.items() if (route.name, name) not in NEVER_REFUSED}
    for number in range(max(map(len, wrong.values()), default=0)):
        values = {name: each[number] for name, each in wrong.items() if number < len(each)}
        unnamed = values.keys() - refused(request, values)
        for name in unnamed:
            assert refused(request, {name: values[name]}) == {name}, values[name]


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


@RULES.refusal(takes_body)
def a_missing_required_member_is_422_by_name(request: Request, route: Route, document: dict[str, Any]) -> None:
    content = described(route, document)["requestBody"]["content"][JSON]["schema"]
    for name in resolved(content, document).get("required", []):
        response = request.but(json={key: value for key, value in request.json.items() if key != name}).send()
        assert name in assert_problem(response, 422, "invalid_input")["errors"]


@RULES.rule(takes_body)
def what_may_not_be_blank_has_a_character_in_the_document(
    request: Request, route: Route, document: dict[str, Any]
) -> None:
    for name, schema in member_schemas(route, document).items():
        if "string" in types_of(schema):
            response = request.but(json={**(request.json or {}), name: ""}).send()
            assert refuses_blank(response, name) == asks_for_a_character(schema), (name, response.content)


@RULES.rule(takes_query)
def a_parameter_that_may_not_be_blank_has_a_character_in_the_document(
    request: Request, route: Route, document: dict[str, Any]
) -> None:
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


@RULES.refusal(of_a_kind(lambda route: route.method != "GET" and not takes_body(route) and not route.operation.upload))
def a_body_that_nobody_asked_for_is_refused_as_documented(
    request: Request, route: Route, document: dict[str, Any]
) -> None:
    documented = described(route, document)["responses"]
    for kind, (body, content_type, status, code) in BODIES_NOBODY_ASKED_FOR.items():
        assert_problem(send(with_bytes(request, body, content_type), kind), status, code)
        examples = documented[str(status)]["content"]["application/problem+json"]["examples"]
        assert code in examples, kind


@RULES.refusal(lambda route: route.method in ("PATCH", "PUT") and takes_body(route))
def a_change_without_a_body_is_refused(request: Request) -> None:
    request = request.but(json=None, data=b"")
    assert_problem(request.but(headers={"Content-Type": JSON}).send(), 400, "invalid_json")
    assert_problem(request.send(), 415, "unsupported_media_type")


@RULES.rule(lambda route: route.method in ("PATCH", "PUT") and takes_body(route))
def an_empty_object_is_a_change_unless_a_member_is_required(request: Request, route: Route) -> None:
    response = with_bytes(request, b"{}").send()
    if route.operation.has_required_members:
        assert assert_problem(response, 422, "invalid_input")["errors"]
    else:
        assert response.status_code in route.successes, response.content


@RULES.rule(takes_body)
def naughty_texts_never_break_a_member(
    request: Request, route: Route, document: dict[str, Any], often: int = 1
) -> None:
    """Each text in one member, in turn, or in three: members of an operation see all sorts of texts."""
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


@RULES.refusal(reads_query)
def an_unknown_parameter_is_422_by_name(request: Request, route: Route) -> None:
    own = () if route.operation.filters is None else route.operation.filters.fields
    names = ("no_such_parameter", "Limit", "limit[]", "page", "offset", "", "\0")
    for name in (each for each in names if each not in own):
        query = {**(request.query or {}), name: "1"}
        errors = assert_problem(request.but(query=query).send(), 422, "invalid_input")["errors"]
        assert list(errors) == [name]


@RULES.refusal(of_a_kind(lambda route: True))
def very_many_parameters_are_422(request: Request) -> None:
    response = request.but(query={f"p{n}": "1" for n in range(2_000)}).send()
    assert_problem(response, 422, "invalid_input", errors=[""])


@RULES.refusal(takes_query)
def a_bad_parameter_is_422_by_name(request: Request, route: Route) -> None:
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


@RULES.refusal(takes_query)
def a_repeated_parameter_is_422_by_name(request: Request, route: Route) -> None:
    for name in route.operation.filters.fields:  # type: ignore[union-attr]
        response = request.but(query={**(request.query or {}), name: ["1", "1"]}).send()
        assert list(assert_problem(response, 422, "invalid_input")["errors"]) == [name]


@RULES.rule(takes_query)
def naughty_texts_never_break_a_parameter(request: Request, route: Route, often: int = 1) -> None:
    before = snapshot()
    for text, name in in_turn(list(route.operation.filters.fields), often):  # type: ignore[union-attr]
        response = send(request.but(query={**(request.query or {}), name: text}), (name, text[:40]))
        assert_done_or_refused(route, response, (name, text[:40]))
    spent = {"ai.Usage": []} if route.operation.calls_out else {}  # a read that asks a provider writes that down
    assert snapshot() | spent == before | spent


@RULES.refusal(lambda route: takes_query(route) and "cursor" in route.operation.filters.fields)
def a_tampered_or_foreign_cursor_is_422(request: Request) -> None:
    genuine = write_cursor("another list", ("2026-11-21T00:00:00Z", 1))
    for cursor in (genuine, genuine[:-1], genuine + "A", genuine.swapcase(), genuine + "=", f" {genuine}"):
        response = request.but(query={**(request.query or {}), "cursor": cursor}).send()
        assert_problem(response, 422, "invalid_input", errors=["cursor"])


@RULES.refusal(takes_ids)
def what_is_no_id_is_404(request: Request, route: Route) -> None:
    for place, foreign in enumerate(request.sample.foreign_ids):
        if foreign is None:
            continue
        for text in NO_IDS:
            ids = [quote(str(value), safe="") for value in request.ids]
            ids[place] = quote(text, safe="")
            response = request.but(ids=tuple(ids)).send()
            assert response.status_code == 404, (text, response.content)
            assert response.json()["code"] in ("not_found", route.operation.missing.code)


@RULES.each_route()
def test_bad_input_is_refused_by_name_and_changes_nothing(
    route: Route, world: World, token: str, document: dict[str, Any], subtests: pytest.Subtests
) -> None:
    RULES.hold(route, world, token, subtests, document)


@pytest.mark.slow
@each_route(when=takes_body)
def test_naughty_texts_never_break_three_members(
    route: Route, world: World, token: str, document: dict[str, Any]
) -> None:
    naughty_texts_never_break_a_member(to(route, world, token), route, document, often=3)


@pytest.mark.slow
@each_route(when=takes_query)
def test_naughty_texts_never_break_three_parameters(route: Route, world: World, token: str) -> None:
    naughty_texts_never_break_a_parameter(to(route, world, token), route, often=3)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/chats/%ff%fe", "/%00", "//chats", "/chats/./1", "/chats?" + "a" * 20_000])
def test_a_naughty_path_is_a_problem(path: str, api: ApiClient) -> None:
    response = api.get(path)
    assert response.status_code in (404, 422), response.content
    assert_problem(response, response.status_code, response.json()["code"])
