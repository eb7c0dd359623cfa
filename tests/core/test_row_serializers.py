"""Shapes: the one list of an answer's fields, from which the columns, the answer and the document follow."""

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextList, TextOrNull, Time, select_list
from apps.core.endpoints.serializers import Date, Integer, Text

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Loud(Text):
    def to_representation(self, value: str) -> str:
        return value.upper()


class PersonSerializer(RowSerializer):
    id = Integer(source="guid")
    name = TextOrNull()


class StepSerializer(RowSerializer):
    by = Integer(source="agent_id")
    kind = Text(source="type")


class PictureSerializer(RowSerializer):
    id = Integer()
    width = Integer()


class OrderSerializer(RowSerializer):
    json_columns = ("extras",)

    id = Integer()
    word = Loud(allow_null=True)
    tags = TextList()
    buyer = PersonSerializer(allow_null=True)
    buyer_name = TextOrNull(source="buyer.name")
    begun = StepSerializer(source="*", prefix="begun_", absent_without="kind", allow_null=True)
    ended = StepSerializer(source="*", prefix="ended_", absent_without="kind", allow_null=True)
    picture = PictureSerializer(source="extras.picture", allow_null=True)
    width = Integer(source="extras.picture.width", allow_null=True)
    made_at = Time()
    due_on = Date(allow_null=True)


COLUMNS = (
    *("id", "word", "tags", "buyer__guid", "buyer__name", "begun_agent_id", "begun_type"),
    *("ended_agent_id", "ended_type", "extras", "made_at", "due_on"),
)
FULL = (7, "so", ["a"], 3, "Olga", 1, "human", 2, "ai", {"picture": {"id": 9, "width": 40}}, NOON, NOON.date())
BARE = (7, None, [], None, None, None, None, None, None, None, NOON, None)
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
    "due_on": NOON.date(),
}
NOTHING = ("word", "buyer", "buyer_name", "begun", "ended", "picture", "width", "due_on")


def test_each_column_is_read_once_in_the_order_of_the_fields() -> None:
    assert OrderSerializer.columns() == COLUMNS
    assert OrderSerializer.relations() == ("buyer",)


def test_a_row_of_the_columns_becomes_the_answer() -> None:
    assert OrderSerializer.writer()(FULL) == SHOWN
    assert OrderSerializer.writer()((*FULL, "more behind them")) == SHOWN


def test_what_is_not_there_is_null() -> None:
    assert OrderSerializer.writer()(BARE) == {**SHOWN, "tags": [], **dict.fromkeys(NOTHING)}


def test_json_may_come_as_text() -> None:
    row = list(FULL)
    row[COLUMNS.index("extras")] = '{"picture": {"id": 9, "width": 40}, "other": 1}'
    assert OrderSerializer.writer()(row) == SHOWN


@pytest.mark.parametrize("name", ["", None])
def test_a_blank_text_that_is_not_known_is_null(name: Any) -> None:
    row = list(FULL)
    row[COLUMNS.index("buyer__name")] = name
    shown = OrderSerializer.writer()(row)
    assert shown["buyer"] == {"id": 3, "name": None}
    assert shown["buyer_name"] is None


def test_an_object_is_shown_as_its_row_is() -> None:
    buyer = SimpleNamespace(guid=3, name="Olga")
    row: Any = SimpleNamespace(
        **{name: value for name, value in zip(COLUMNS, FULL, strict=True) if "__" not in name}, buyer=buyer
    )
    assert OrderSerializer.show(row) == SHOWN
    row.buyer = None
    assert OrderSerializer.show(row) == {**SHOWN, "buyer": None, "buyer_name": None}


def test_the_columns_as_sql() -> None:
    assert select_list(OrderSerializer, "o", tags="ARRAY(SELECT 1)") == (
        "o.id, o.word, ARRAY(SELECT 1), buyer.guid, buyer.name, o.begun_agent_id, o.begun_type, o.ended_agent_id, "
        "o.ended_type, o.extras, o.made_at, o.due_on"
    )


class PriceSerializer(RowSerializer):
    id = Integer()
    price = MethodField(
        Text(allow_null=True), columns=("amount", "buyer__currency"), from_=lambda amount, name: f"{amount} {name}"
    )
    buyer = PersonSerializer()


def test_a_computed_field_is_made_of_its_columns() -> None:
    assert PriceSerializer.columns() == ("id", "amount", "buyer__currency", "buyer__guid", "buyer__name")
    assert PriceSerializer.writer()((7, 12, "RUB", 3, "Olga")) == {
        "id": 7,
        "price": "12 RUB",
        "buyer": {"id": 3, "name": "Olga"},
    }
