"""One dialect of changes: a body derived from the one that creates, and a row of which what differs is saved."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.core.database.changes import save_changed, set_changes
from apps.core.endpoints.operations import operation
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import READ_ONLY, UNKNOWN_MEMBER, Body, Boolean, Integer, PatchBody, Text
from apps.core.endpoints.serializers import validated_body as validated
from apps.core.problems import Problem
from tests.factories.agents import DepartmentFactory


class ThingBody(Body):
    name = Text(max_length=5)
    size = Integer(required=False, default=7)
    secret = Text()


class ThingChanges(PatchBody):
    of, without, read_only_members = ThingBody, ("secret",), ("secret",)

    is_active = Boolean(required=False)


class ThingSerializer(RowSerializer):
    id = Integer()
    name = Text()
    size = Integer()


@operation(summary="Change a thing", takes=ThingChanges, answers=ThingSerializer)
def change(call: Any) -> None: ...


BODY = change.operation.body  # type: ignore[attr-defined]


def refusals(document: dict[str, Any]) -> Any:
    with pytest.raises(Problem) as refused:
        validated(BODY, document)
    return refused.value.errors


@pytest.mark.parametrize("document", [{}, {"name": "tea"}, {"size": 1, "is_active": False}])
def test_what_is_sent_is_what_is_changed(document: dict[str, Any]) -> None:
    assert validated(BODY, document) == document


def test_a_member_is_checked_as_when_it_is_created() -> None:
    assert refusals({"name": "too long", "size": "1"}).keys() == {"name", "size"}


def test_what_the_answer_shows_besides_is_read_only() -> None:
    assert refusals({"id": 1, "secret": "s", "colour": "red"}) == {
        "id": [READ_ONLY],
        "secret": [READ_ONLY],
        "colour": [UNKNOWN_MEMBER],
    }


def test_the_creating_body_stays_as_it_is() -> None:
    assert validated(ThingBody(), {"name": "tea", "secret": "s"}) == {"name": "tea", "secret": "s", "size": 7}


def test_what_differs_is_saved_by_name_and_nothing_else(shop: Widget, django_assert_num_queries: Any) -> None:
    department = DepartmentFactory.create(widget=shop, name="Sales")
    before = department.updated_at
    with django_assert_num_queries(0):
        save_changed(department, set_changes(department, {"name": "Sales"}))
    with CaptureQueriesContext(connection) as queries:
        save_changed(department, set_changes(department, {"name": "Returns", "channels": department.channels}))
    assert_names_only(queries, {"name", "updated_at"})
    department.refresh_from_db()
    assert department.name == "Returns"
    assert department.updated_at > before


def assert_names_only(queries: CaptureQueriesContext, names: set[str]) -> None:
    (update,) = [query["sql"] for query in queries.captured_queries if query["sql"].startswith("UPDATE")]
    assignments = update.partition(" SET ")[2].partition(" WHERE ")[0]
    assert {part.split('"')[1] for part in assignments.split(", ")} == names
