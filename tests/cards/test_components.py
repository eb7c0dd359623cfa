"""What a card may hold, and where it is wrong."""

from typing import Any

import pytest

from apps.cards.rules.components import BadCard, plain_text, read_components
from apps.cards.rules.settings import cards_refusal, read_card, written

GOOD: list[dict[str, Any]] = [
    {"type": "text", "text": "Two lines\nof text", "tone": "muted"},
    {"type": "row", "label": "Order", "value": "4711", "copy": True},
    {"type": "badge", "text": "paid", "tone": "good"},
    {"type": "money", "label": "Sum", "amount_minor": -5, "currency": "EUR", "minor_unit_scale": 2},
    {"type": "time", "label": "Sent", "at": "2026-11-27T10:00:00+03:00"},
    {"type": "link", "label": "Open", "url": "https://shop.example/orders/4711?a=1#top"},
    {"type": "button", "label": "Cancel", "action": "order.cancel", "confirm": "Sure?", "style": "danger"},
    {"type": "divider"},
]


def test_every_type_is_kept_as_it_came() -> None:
    assert read_components(GOOD) == GOOD


def test_unknown_types_and_members_are_left_out() -> None:
    given = [{"type": "chart", "url": "javascript:x"}, {"type": "divider", "onclick": "x"}]
    assert read_components(given) == [{"type": "divider"}]


@pytest.mark.parametrize(
    ("components", "path"),
    [
        ("text", "components"),
        ({"type": "text"}, "components"),
        ([{"type": "divider"}] * 26, "components"),
        (["text"], "components[0]"),
        ([{"text": "x"}], "components[0].type"),
        ([{"type": ["text"], "text": "x"}], "components[0].type"),
        ([*GOOD[:3], {"type": "link", "label": "x", "url": "javascript:alert(1)"}], "components[3].url"),
        ([{"type": "link", "label": "x", "url": "http://shop.example/"}], "components[0].url"),
        ([{"type": "link", "label": "x", "url": "https://"}], "components[0].url"),
        ([{"type": "link", "label": "x", "url": "https://shop.example@evil.example/"}], "components[0].url"),
        ([{"type": "link", "label": "x", "url": "https://shop.example:99999/"}], "components[0].url"),
        ([{"type": "link", "label": "x", "url": "https://[/"}], "components[0].url"),
        ([{"type": "link", "label": "x", "url": " https://shop.example/"}], "components[0].url"),
        ([{"type": "link", "label": "x", "url": "java\nscript:x"}], "components[0].url"),
        ([{"type": "text", "text": "x" * 501}], "components[0].text"),
        ([{"type": "text", "text": "a\x00b"}], "components[0].text"),
        ([{"type": "text", "text": ""}], "components[0].text"),
        ([{"type": "text", "text": "x", "tone": "pink"}], "components[0].tone"),
        ([{"type": "text", "text": "x", "tone": []}], "components[0].tone"),
        ([{"type": "row", "label": "x", "value": 5}], "components[0].value"),
        ([{"type": "row", "label": "x", "value": "5", "copy": "yes"}], "components[0].copy"),
        ([{"type": "money", **GOOD[3], "amount_minor": 1.5}], "components[0].amount_minor"),
        ([{"type": "money", **GOOD[3], "amount_minor": True}], "components[0].amount_minor"),
        ([{"type": "money", **GOOD[3], "currency": "евро"}], "components[0].currency"),
        ([{"type": "time", "label": "x", "at": "2026-11-27T10:00:00"}], "components[0].at"),
        ([{"type": "time", "label": "x", "at": "yesterday"}], "components[0].at"),
        ([{"type": "button", "label": "x", "action": "Cancel!"}], "components[0].action"),
        ([{"type": "button", "label": "x" * 41, "action": "a"}], "components[0].label"),
        ([{"type": "button", "label": "x", "action": "a", "confirm": "x" * 201}], "components[0].confirm"),
        ([{"type": "button", "label": "x", "action": "a"}, {"type": "button", "label": "y", "action": "a"}],
         "components[1].action"),
    ],
)  # fmt: skip
def test_the_path_of_what_is_wrong_is_told(components: Any, path: str) -> None:
    with pytest.raises(BadCard) as refused:
        read_components(components)
    assert refused.value.path == path


def test_the_words_of_a_card_are_cut_and_without_its_buttons() -> None:
    assert plain_text("Order", GOOD, longest=2_000).splitlines() == [
        "Order",
        "Two lines",
        "of text",
        "Order: 4711",
        "paid",
        "Sum: -0.05 EUR",
        "Sent: 2026-11-27T10:00:00+03:00",
        "Open: https://shop.example/orders/4711?a=1#top",
    ]
    assert plain_text("Order", GOOD, longest=8) == "Order\nTw"


def test_a_line_of_settings_is_read_and_written() -> None:
    assert read_card("order:Last order") == {"key": "order", "title": "Last order", "ttl_seconds": 300}
    assert read_card("order:Order: last:60") == {"key": "order", "title": "Order: last", "ttl_seconds": 60}
    assert written(read_card("order:Last order:0")) == "order:Last order:0"


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ([], "1 to 8"),
        ([f"k{number}:T" for number in range(9)], "1 to 8"),
        (["Order:T"], "Order"),
        (["order:"], "blank"),
        (["order:" + "x" * 81], "80"),
        (["order:T:86401"], "86400"),
        (["order:T", "order:U"], "own"),
    ],
)
def test_cards_that_can_not_be_are_refused(lines: list[str], named: str) -> None:
    assert named in str(cards_refusal([read_card(line) for line in lines]))
