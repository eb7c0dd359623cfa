"""Shapes: the one list of an answer's fields, from which the columns, the answer and the document follow."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from apps.core.endpoints.serializers import Integer, Text
from apps.core.endpoints.shapes import Computed, Shape, TextList, TextOrNull, Time, select_list

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Loud(Text):
    def to_representation(self, value: str) -> str:
        return value.upper()


class PersonShape(Shape):
    id = Integer(source="guid")
    name = TextOrNull()


class StepShape(Shape):
    by = Integer(source="agent_id")
    kind = Text(source="type")


class PictureShape(Shape):
    id = Integer()
    width = Integer()


class OrderShape(Shape):
    json_columns = ("extras",)

    id = Integer()
    word = Loud(allow_null=True)
    tags = TextList()
    buyer = PersonShape(allow_null=True)
    buyer_name = TextOrNull(source="buyer.name")
    begun = StepShape(source="*", prefix="begun_", absent_without="kind", allow_null=True)
    ended = StepShape(source="*", prefix="ended_", absent_without="kind", allow_null=True)
    picture = PictureShape(source="extras.picture", allow_null=True)
    width = Integer(source="extras.picture.width", allow_null=True)
    made_at = Time()


COLUMNS = (
    *("id", "word", "tags", "buyer__guid", "buyer__name", "begun_agent_id", "begun_type"),
    *("ended_agent_id", "ended_type", "extras", "made_at"),
)
FULL = (7, "so", ["a"], 3, "Olga", 1, "human", 2, "ai", {"picture": {"id": 9, "width": 40}}, NOON)
BARE = (7, None, [], None, None, None, None, None, None, None, NOON)
SHOWN = {
    "id": 7,
    "word": "SO",
    "tags": ["a"],
    "buyer": {"id": 3, "name": "Olga"},
    "buyer_name": "Olga",
    "begun": {"by": 1, "kind": "human"},
    "ended": {"by": 2, "kind": "ai"},
    "picture": {"id": 9, "width": 40},
    "width": 40,
    "made_at": NOON,
}
NOTHING = ("word", "buyer", "buyer_name", "begun", "ended", "picture", "width")


def test_each_column_is_read_once_in_the_order_of_the_fields() -> None:
    assert OrderShape.columns() == COLUMNS
    assert OrderShape.relations() == ("buyer",)


def test_a_row_of_the_columns_becomes_the_answer() -> None:
    assert OrderShape.writer()(FULL) == SHOWN
    assert OrderShape.writer()((*FULL, "more behind them")) == SHOWN


def test_what_is_not_there_is_null() -> None:
    assert OrderShape.writer()(BARE) == {**SHOWN, "tags": [], **dict.fromkeys(NOTHING)}


def test_json_may_come_as_text() -> None:
    row = list(FULL)
    row[COLUMNS.index("extras")] = '{"picture": {"id": 9, "width": 40}, "other": 1}'
    assert OrderShape.writer()(row) == SHOWN


@pytest.mark.parametrize("name", ["", None])
def test_a_blank_text_that_is_not_known_is_null(name: Any) -> None:
    row = list(FULL)
    row[COLUMNS.index("buyer__name")] = name
    shown = OrderShape.writer()(row)
    assert shown["buyer"] == {"id": 3, "name": None}
    assert shown["buyer_name"] is None


def test_an_object_is_shown_as_its_row_is() -> None:
    buyer = SimpleNamespace(guid=3, name="Olga")
    row: Any = SimpleNamespace(
        **{name: value for name, value in zip(COLUMNS, FULL, strict=True) if "__" not in name}, buyer=buyer
    )
    assert OrderShape.show(row) == SHOWN
    row.buyer = None
    assert OrderShape.show(row) == {**SHOWN, "buyer": None, "buyer_name": None}


def test_the_columns_as_sql() -> None:
    assert select_list(OrderShape, "o", tags="ARRAY(SELECT 1)") == (
        "o.id, o.word, ARRAY(SELECT 1), buyer.guid, buyer.name, o.begun_agent_id, o.begun_type, o.ended_agent_id, "
        "o.ended_type, o.extras, o.made_at"
    )


class PriceShape(Shape):
    id = Integer()
    price = Computed(
        Text(allow_null=True), columns=("amount", "buyer__currency"), from_=lambda amount, name: f"{amount} {name}"
    )
    buyer = PersonShape()


def test_a_computed_field_is_made_of_its_columns() -> None:
    assert PriceShape.columns() == ("id", "amount", "buyer__currency", "buyer__guid", "buyer__name")
    assert PriceShape.writer()((7, 12, "RUB", 3, "Olga")) == {
        "id": 7,
        "price": "12 RUB",
        "buyer": {"id": 3, "name": "Olga"},
    }
