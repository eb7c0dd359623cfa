"""Events, waits and acts: what is taken, and the path of what is refused."""

from typing import Any

import pytest

from apps.automations.rules.acts import ACTS, ActContext, named_rows, then_refusals
from apps.automations.rules.refusals import KnownIds
from apps.automations.rules.triggers import EVENTS, WAITS, read_when, when_refusals

KNOWN = KnownIds(frozenset({1, 2}), frozenset({7}), frozenset({5}))
AUTOMATION = ActContext(KNOWN)
MACRO = ActContext(KNOWN, is_macro=True, inputs=("order",))

GOOD = {
    "assign": {"agent_id": 1},
    "unassign": {},
    "send_to": {"department_id": 7},
    "priority": {"value": "urgent"},
    "snooze": {"minutes": None},
    "close": {"reason": "resolved"},
    "tag": {"name": "VIP"},
    "untag": {"name": "VIP"},
    "attribute": {"key": "plan", "value": True},
    "note": {"text": "Look at {page.url|no page}"},
    "reply": {"text": "Hello, {visitor.name|there}", "texts": {"ru": "Здравствуйте!", "pt-BR": "Oi"}},
    "to_ai": {},
    "to_person": {"reason": "refund"},
    "ask_rating": {},
    "notify": {"whom": {"agent_ids": [1, 2]}, "by": ["console", "mail"], "text": "Look"},
    "webhook": {"name": "refund.asked"},
}


def act(do: str, **members: Any) -> dict[str, Any]:
    return {"do": do, **members}


def paths(then: Any, context: ActContext = AUTOMATION) -> list[str]:
    return [path for path, _ in then_refusals(then, context)]


def test_there_are_sixteen_events_four_waits_and_sixteen_acts() -> None:
    assert (len(EVENTS), len(WAITS), len(ACTS)) == (16, 4, 16)
    assert GOOD.keys() == ACTS.keys()


@pytest.mark.parametrize("do", GOOD)
def test_an_act_is_taken_and_each_required_member_is_asked_for(do: str) -> None:
    assert paths([act(do, **GOOD[do])]) == []
    for name in ACTS[do].members:
        assert paths([act(do, **{each: value for each, value in GOOD[do].items() if each != name})]) == [
            f"then.0.{name}"
        ]


@pytest.mark.parametrize(
    ("then", "path"),
    [
        (None, "then"),
        ([], "then"),
        ([act("unassign")] * 11, "then"),
        (["close"], "then.0"),
        ([act("unassign"), act("explode")], "then.1.do"),
        ([{}], "then.0.do"),
        ([act("unassign", agent_id=1)], "then.0.agent_id"),
        ([act("assign", agent_id=99)], "then.0.agent_id"),
        ([act("assign", agent_id=True)], "then.0.agent_id"),
        ([act("send_to", department_id=8)], "then.0.department_id"),
        ([act("priority", value="hot")], "then.0.value"),
        ([act("snooze", minutes=0)], "then.0.minutes"),
        ([act("snooze", minutes=90 * 24 * 60 + 1)], "then.0.minutes"),
        ([act("close", reason="")], "then.0.reason"),
        ([act("tag", name="x" * 1_000_000)], "then.0.name"),
        ([act("tag", name=" vip")], "then.0.name"),
        ([act("untag", name=7)], "then.0.name"),
        ([act("attribute", key="", value=1)], "then.0.key"),
        ([act("attribute", key="plan", value=[1])], "then.0.value"),
        ([act("note", text="x" * 4_001)], "then.0.text"),
        ([act("note", text="{visitor.password|}")], "then.0.text"),
        ([act("reply")], "then.0.text"),
        ([act("reply", text=" ")], "then.0.text"),
        ([act("reply", text="Hi {visitor.name}")], "then.0.text"),
        ([act("reply", text="Hi {input.order|}")], "then.0.text"),
        ([act("reply", text="Hi", texts=["Hi"])], "then.0.texts"),
        ([act("reply", text="Hi", texts={"ru": "{visitor.name}"})], "then.0.texts.ru"),
        ([act("reply", text="Hi", texts={"../en": "Hi"})], "then.0.texts.../en"),
        ([act("reply", text="Hi", reply_id=5)], "then.0.reply_id"),
        ([act("to_person", reason="Two Words")], "then.0.reason"),
        ([act("to_person", reason="x" * 33)], "then.0.reason"),
        ([act("webhook", name="x" * 41)], "then.0.name"),
        ([act("webhook", name="https://evil.example")], "then.0.name"),
        ([act("notify", whom="everybody", by=["console"], text="x")], "then.0.whom"),
        ([act("notify", whom={"agent_ids": [1, 99]}, by=["console"], text="x")], "then.0.whom.agent_ids.1"),
        ([act("notify", whom={"agent_ids": []}, by=["console"], text="x")], "then.0.whom.agent_ids"),
        ([act("notify", whom={"mail": "a@b"}, by=["console"], text="x")], "then.0.whom.mail"),
        ([act("notify", whom="owner", by=["sms"], text="x")], "then.0.by.0"),
        ([act("notify", whom="owner", by=[], text="x")], "then.0.by"),
        ([act("notify", whom="owner", by=["mail"], text="x" * 501)], "then.0.text"),
    ],
)
def test_another_act_is_refused_by_its_path(then: Any, path: str) -> None:
    assert paths(then) == [path]


class TestMacros:
    def test_a_reply_asks_its_questions_and_needs_no_fallback(self) -> None:
        assert paths([act("reply", text="{input.order} {visitor.name}")], MACRO) == []
        assert paths([act("reply", text="{input.other}")], MACRO) == ["then.0.text"]

    def test_a_canned_reply_stands_for_the_text(self) -> None:
        assert paths([act("reply", reply_id=5)], MACRO) == []
        assert paths([act("reply", reply_id=6)], MACRO) == ["then.0.reply_id"]
        assert paths([act("reply", reply_id=5, text="x")], MACRO) == ["then.0.reply_id"]

    def test_a_macro_has_one_reply(self) -> None:
        assert paths([act("reply", text="x"), act("unassign"), act("reply", text="y")], MACRO) == ["then.2.do"]


@pytest.mark.parametrize(
    ("when", "path"),
    [
        (None, "when"),
        ([], "when"),
        ({}, "when"),
        ({"event": "chat.started", "wait": "unassigned"}, "when"),
        ({"event": "message.created"}, "when.event"),
        ({"event": ["chat.started"]}, "when.event"),
        ({"event": "chat.started", "minutes": 1}, "when.minutes"),
        ({"wait": "forever", "minutes": 1}, "when.wait"),
        ({"wait": "unassigned"}, "when.minutes"),
        ({"wait": "unassigned", "minutes": 43_201}, "when.minutes"),
        ({"wait": "unassigned", "minutes": True}, "when.minutes"),
        ({"wait": "unassigned", "minutes": 5, "clock": "sundial"}, "when.clock"),
        ({"wait": "unassigned", "minutes": 5, "hours": 1}, "when.hours"),
    ],
)
def test_another_trigger_is_refused_by_its_path(when: Any, path: str) -> None:
    assert [where for where, _ in when_refusals(when)] == [path]


def test_every_event_and_wait_is_taken_and_a_wait_counts_open_minutes() -> None:
    for event in EVENTS:
        assert when_refusals({"event": event}) == []
    for wait in WAITS:
        assert when_refusals({"wait": wait, "minutes": 43_200, "clock": "always"}) == []
    assert read_when({"wait": "unassigned", "minutes": 5}) == {"wait": "unassigned", "minutes": 5, "clock": "open"}


def test_the_rows_that_acts_name() -> None:
    then = [
        act("assign", agent_id=1),
        act("send_to", department_id=7),
        act("notify", whom={"agent_ids": [1, 2]}, by=["console"], text="x"),
        act("notify", whom="owner", by=["console"], text="x"),
        act("reply", reply_id=5),
    ]
    assert list(named_rows(then)) == [
        ("then.0.agent_id", "agent", 1),
        ("then.1.department_id", "department", 7),
        ("then.2.whom.agent_ids.0", "agent", 1),
        ("then.2.whom.agent_ids.1", "agent", 2),
        ("then.4.reply_id", "reply", 5),
    ]
