"""`/console/macros`: lists, a look at what one would do, running it, and taking it back."""

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.models import AuditEntry, Widget
from apps.agents.models import Agent
from apps.automations.models import AutomationRun, Macro
from apps.chats.models import Chat, ContactTag, Message
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories.automations import AutomationRunFactory, MacroFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

VIP = [{"do": "tag", "name": "vip"}]
REFUND = {
    "then": [{"do": "reply", "text": "Order {input.order}: refunded, {visitor.first_name|friend}."}, *VIP],
    "inputs": [{"key": "order", "label": "Order", "is_required": True}],
}


@pytest.fixture
def console(alice: Agent) -> Console:
    return Console(alice)


@pytest.fixture
def managers(olga: Agent) -> Console:
    """The console of the owner."""
    return Console(olga)


def test_the_shared_ones_and_ones_own_are_listed_by_name(
    console: Console, shop: Widget, alice: Agent, boris: Agent, rival: Rival
) -> None:
    for name, agent in (("Shared", None), ("Mine", alice), ("Boris's", boris)):
        MacroFactory.create(widget=shop, name=name, agent=agent)
    MacroFactory.create(widget=rival.widget, name="Foreign")
    assert [each["name"] for each in console.data("GET", "/macros")] == ["Mine", "Shared"]


def test_one_makes_changes_and_deletes_ones_own(console: Console, alice: Agent, boris: Agent) -> None:
    made = console.data("POST", "/macros", 201, json={"name": "VIP", "then": VIP, "agent_id": alice.pk})
    assert (made["name"], made["agent_id"], made["key"], made["inputs"]) == ("VIP", alice.pk, None, [])
    changed = console.data("PATCH", f"/macros/{made['id']}", json={"key": 2})
    assert (changed["key"], changed["name"]) == (2, "VIP")
    of_boris = MacroFactory.create(widget=alice.widget, agent=boris)
    before = snapshot()
    assert_problem(console.request("PATCH", f"/macros/{of_boris.pk}", json={"key": 3}), 404, "not_found")
    assert_problem(console.request("DELETE", f"/macros/{of_boris.pk}"), 404, "not_found")
    theirs = {"name": "VIP", "then": VIP, "agent_id": boris.pk}
    assert_problem(console.request("POST", "/macros", json=theirs), 422, "invalid_input", errors=["agent_id"])
    assert snapshot() == before
    assert console.request("DELETE", f"/macros/{made['id']}").status_code == 204
    assert not Macro.objects.filter(pk=made["id"]).exists()


def test_shared_ones_are_changed_by_managers_alone(console: Console, managers: Console, shop: Widget) -> None:
    shared = MacroFactory.create(widget=shop)
    before = snapshot()
    for method, path, body in (
        ("POST", "/macros", {"name": "All", "then": VIP}),
        ("PATCH", f"/macros/{shared.pk}", {"key": 1}),
        ("DELETE", f"/macros/{shared.pk}", None),
    ):
        assert_problem(console.request(method, path, json=body), 403, "managers_only")
    assert snapshot() == before
    made = managers.data("POST", "/macros", 201, json={"name": "All", "then": VIP})
    assert made["agent_id"] is None
    assert AuditEntry.objects.filter(account_id=shop.account_id, object_pk=str(made["id"])).exists()
    assert managers.data("PATCH", f"/macros/{shared.pk}", json={"key": 1})["key"] == 1


def test_a_preview_says_the_text_what_lacks_and_what_is_done(console: Console, shop: Widget, chat: Chat) -> None:
    macro = MacroFactory.create(widget=shop, **REFUND)
    before = snapshot()
    path = f"/chats/{chat.pk}/macros/{macro.pk}"
    shown = console.data("GET", path)
    assert (shown["missing"], shown["does"]) == (["input.order"], ["add the tag “vip”"])
    assert "{input.order}" in shown["text"]
    filled = console.data("GET", f"{path}?input.order=4711")
    assert filled["text"].startswith("Order 4711: refunded, ")
    assert filled["missing"] == []
    assert_problem(console.request("GET", f"{path}?order=1"), 422, "invalid_input", errors=["order"])
    assert_problem(
        console.request("GET", f"{path}?input.order={'9' * 501}"), 422, "invalid_input", errors=["input.order"]
    )
    assert snapshot() == before


def test_a_run_is_ones_own_message_and_acts_once(console: Console, shop: Widget, chat: Chat, alice: Agent) -> None:
    macro = MacroFactory.create(widget=shop, **REFUND)
    body = {"client_id": str(uuid4()), "inputs": {"order": "4711"}, "body": "It is on its way."}
    path = f"/chats/{chat.pk}/macros/{macro.pk}"
    ran = console.data("POST", path, json=body)
    assert (ran["message"]["body"], ran["message"]["sender"]["agent_id"]) == ("It is on its way.", alice.pk)
    assert (ran["run"]["macro_id"], ran["run"]["by"], ran["run"]["state"]) == (macro.pk, alice.pk, "done")
    assert [each["result"] for each in ran["run"]["did"]] == ["done", "done"]
    again = console.data("POST", path, json=body)
    assert (again["run"]["id"], again["message"]["id"]) == (ran["run"]["id"], ran["message"]["id"])
    assert Message.objects.filter(chat=chat, body="It is on its way.").count() == 1
    card = console.data("GET", f"/chats/{chat.pk}")["card"]
    step = next(each for each in card["steps"] if each["kind"] == "automation")
    assert (step["run_id"], step["comment"], step["agent_id"]) == (ran["run"]["id"], macro.name, alice.pk)


def test_without_an_answer_and_a_text_nothing_is_done(console: Console, shop: Widget, chat: Chat) -> None:
    macro = MacroFactory.create(widget=shop, **REFUND)
    before = snapshot()
    answer = console.request("POST", f"/chats/{chat.pk}/macros/{macro.pk}", json={"client_id": str(uuid4())})
    assert assert_problem(answer, 422, "missing")["missing"] == ["input.order"]
    assert snapshot() == before


def test_a_run_is_undone_by_whom_it_was_and_by_managers(
    console: Console, managers: Console, shop: Widget, chat: Chat, alice: Agent, boris: Agent
) -> None:
    macro = MacroFactory.create(widget=shop, then=VIP)

    def run() -> int:
        ran = console.data("POST", f"/chats/{chat.pk}/macros/{macro.pk}", json={"client_id": str(uuid4())})
        return int(ran["run"]["id"])

    first = run()
    assert_problem(Console(boris).request("POST", f"/runs/{first}/undo"), 404, "not_found")
    assert console.data("POST", f"/runs/{first}/undo") == {"undone": ["tag"], "kept": []}
    assert not ContactTag.objects.filter(contact=chat.contact, tag__name="vip").exists()
    assert_problem(console.request("POST", f"/runs/{first}/undo"), 409, "already_undone")
    assert managers.data("POST", f"/runs/{run()}/undo")["undone"] == ["tag"]
    of_automation = AutomationRunFactory.create(chat=chat)
    assert_problem(console.request("POST", f"/runs/{of_automation.pk}/undo"), 404, "not_found")
    assert managers.request("POST", f"/runs/{of_automation.pk}/undo").status_code == 200


def test_another_widgets_are_not_there(console: Console, chat: Chat, shop: Widget, rival: Rival) -> None:
    ours, theirs = MacroFactory.create(widget=shop), MacroFactory.create(widget=rival.widget)
    run = AutomationRunFactory.create(chat=rival.chat)
    once: dict[str, Any] = {"client_id": str(uuid4())}
    before = snapshot()
    for method, path, body in (
        ("GET", f"/chats/{chat.pk}/macros/{theirs.pk}", None),
        ("GET", f"/chats/{rival.chat.pk}/macros/{ours.pk}", None),
        ("POST", f"/chats/{chat.pk}/macros/{theirs.pk}", once),
        ("POST", f"/chats/{rival.chat.pk}/macros/{ours.pk}", once),
        ("PATCH", f"/macros/{theirs.pk}", {"key": 1}),
        ("DELETE", f"/macros/{theirs.pk}", None),
        ("POST", f"/runs/{run.pk}/undo", None),
    ):
        assert_problem(console.request(method, path, json=body), 404, "not_found")
    assert snapshot() == before
    assert AutomationRun.objects.count() == 1
