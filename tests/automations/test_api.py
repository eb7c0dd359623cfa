"""Automations, macros, their runs and trials over REST."""

from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.automations.models import Automation, AutomationRun, Macro
from apps.chats.models import Chat
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.factories.automations import AutomationFactory, AutomationRunFactory, MacroFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

REFUND: dict[str, Any] = {
    "name": "Refunds",
    "when": {"event": "visitor.wrote"},
    "if": {"all": [{"field": "text", "op": "has_word", "value": "refund"}]},
    "then": [{"do": "priority", "value": "urgent"}, {"do": "tag", "name": "refund"}],
    "stop": True,
}


class TestAutomations:
    def test_a_new_one_is_switched_off_and_last(self, api: ApiClient, shop: Widget) -> None:
        AutomationFactory.create(widget=shop, position=4)
        answer = api.post("/api/v1/automations", json=REFUND)
        data = answer.json()["data"]
        assert (answer.status_code, {name: data[name] for name in REFUND}) == (201, REFUND)
        assert (data["is_enabled"], data["version"], data["tried"], data["problem"]) == (False, 1, None, None)
        assert api.get(f"/api/v1/automations/{data['id']}").json()["data"] == data
        assert [each["id"] for each in api.get("/api/v1/automations").json()["data"]][-1] == data["id"]

    def test_a_wait_counts_open_minutes_unless_told_otherwise(self, api: ApiClient, shop: Widget) -> None:
        body = {**REFUND, "when": {"wait": "visitor_waits", "minutes": 10}, "if": None}
        assert api.post("/api/v1/automations", json=body).json()["data"]["when"] == {
            "wait": "visitor_waits",
            "minutes": 10,
            "clock": "open",
        }

    @pytest.mark.parametrize(
        ("changes", "path"),
        [
            ({"name": ""}, "name"),
            ({"when": {"event": "chat.exploded"}}, "when.event"),
            ({"when": {"wait": "visitor_waits", "minutes": 0}}, "when.minutes"),
            ({"if": {"all": []}}, "if.all"),
            ({"if": {"any": [{"field": "color", "op": "is", "value": "red"}]}}, "if.any.0.field"),
            ({"if": {"not": {"field": "text", "op": "matches", "value": "."}}}, "if.not.op"),
            ({"if": {"all": [{"field": "rating", "op": "gt", "value": 1}] * 31}}, "if.all"),
            ({"then": []}, "then"),
            ({"then": [{"do": "explode"}]}, "then.0.do"),
            ({"then": [{"do": "assign", "agent_id": 2**40}]}, "then.0.agent_id"),
            ({"then": [{"do": "reply", "text": "Hello {visitor.password}"}]}, "then.0.text"),
            ({"then": [{"do": "reply", "text": "Hello {visitor.name}"}]}, "then.0.text"),
            ({"stop": "yes"}, "stop"),
            ({"is_enabled": True}, "is_enabled"),
            ({"webhook": "https://elsewhere.example"}, "webhook"),
        ],
    )
    def test_a_bad_member_is_refused_by_its_path_and_nothing_is_kept(
        self, api: ApiClient, shop: Widget, changes: dict[str, Any], path: str
    ) -> None:
        refused = api.post("/api/v1/automations", json={**REFUND, **changes})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, [path])
        assert not Automation.objects.exists()

    def test_another_widgets_ids_are_like_none(self, api: ApiClient, rival: Rival, shop: Widget) -> None:
        then = [{"do": "send_to", "department_id": rival.department.pk}]
        refused = api.post("/api/v1/automations", json={**REFUND, "then": then})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, ["then.0.department_id"])
        theirs = AutomationFactory.create(widget=rival.widget)
        before = snapshot()
        for call in (api.get, api.delete):
            assert call(f"/api/v1/automations/{theirs.pk}").status_code == 404
        assert api.patch(f"/api/v1/automations/{theirs.pk}", json={"name": "Mine"}).status_code == 404
        assert snapshot() == before

    def test_one_that_was_not_tried_cannot_be_switched_on(self, api: ApiClient, shop: Widget) -> None:
        made = api.post("/api/v1/automations", json=REFUND).json()["data"]
        path = f"/api/v1/automations/{made['id']}"
        refused = api.patch(path, json={"is_enabled": True})
        assert (refused.status_code, refused.json()["code"]) == (409, "automation_not_tried")
        assert api.get(path).json()["data"] == made
        tried = api.post(f"{path}/try", json={}).json()["data"]
        assert (tried["version"], tried["runs"]) == (1, 0)
        switched = api.patch(path, json={"is_enabled": True}).json()["data"]
        assert (switched["is_enabled"], switched["tried"]["version"], switched["tried"]["chats"]) == (True, 1, 0)

    def test_another_definition_is_a_new_version_and_switched_off(self, api: ApiClient, shop: Widget) -> None:
        automation = AutomationFactory.create(widget=shop, tried_at=timezone.now())
        path = f"/api/v1/automations/{automation.pk}"
        renamed = api.patch(path, json={"name": "Begin"}).json()["data"]
        assert (renamed["is_enabled"], renamed["version"]) == (True, 1)
        changed = api.patch(path, json={"then": [{"do": "close"}]}).json()["data"]
        assert (changed["is_enabled"], changed["version"], changed["tried"]["version"]) == (False, 2, 1)

    def test_they_are_ordered_all_at_once(self, api: ApiClient, shop: Widget) -> None:
        first, second = AutomationFactory.create(widget=shop), AutomationFactory.create(widget=shop)
        ordered = api.put("/api/v1/automations/order", json={"ids": [second.pk, first.pk]}).json()["data"]
        assert [each["id"] for each in ordered] == [second.pk, first.pk]
        for ids in ([first.pk], [first.pk, first.pk], [first.pk, second.pk, 2**40]):
            refused = api.put("/api/v1/automations/order", json={"ids": ids})
            assert (refused.status_code, list(refused.json()["errors"])) == (422, ["ids"])
        assert [each["id"] for each in api.get("/api/v1/automations").json()["data"]] == [second.pk, first.pk]

    def test_a_deleted_ones_runs_stay(self, api: ApiClient, chat: Chat) -> None:
        automation = AutomationFactory.create(widget=chat.widget)
        run = AutomationRunFactory.create(chat=chat, automation=automation)
        assert [each["id"] for each in api.get(f"/api/v1/automations/{automation.pk}/runs").json()["data"]] == [run.pk]
        assert api.delete(f"/api/v1/automations/{automation.pk}").status_code == 204
        (kept,) = api.get("/api/v1/automation-runs", query={"chat_id": chat.pk}).json()["data"]
        assert (kept["id"], kept["automation_id"], kept["chat_id"], kept["by"]) == (run.pk, None, chat.pk, None)
        assert api.get("/api/v1/automation-runs", query={"chat_id": 2**40}).json()["data"] == []

    def test_a_hundred_at_most(self, api: ApiClient, shop: Widget) -> None:
        AutomationFactory.create_batch(100, widget=shop)
        refused = api.post("/api/v1/automations", json=REFUND)
        assert (refused.status_code, refused.json()["code"]) == (409, "automation_limit")
        assert Automation.objects.count() == 100


class TestUndoing:
    def test_a_run_is_taken_back_once(self, api: ApiClient, chat: Chat) -> None:
        run = AutomationRunFactory.create(chat=chat, did=[], before=[])
        path = f"/api/v1/automation-runs/{run.pk}/undo"
        assert api.post(path).json()["data"] == {"undone": [], "kept": []}
        refused = api.post(path)
        assert (refused.status_code, refused.json()["code"]) == (409, "already_undone")

    def test_all_since_a_moment_are_taken_back_in_the_background(self, api: ApiClient, chat: Chat) -> None:
        automation = AutomationFactory.create(widget=chat.widget)
        AutomationRunFactory.create(chat=chat, automation=automation)
        path = f"/api/v1/automations/{automation.pk}/undo"
        answer = api.post(path, json={"since": "2020-01-01T00:00:00Z"})
        assert (answer.status_code, answer.json()["data"]) == (202, {"runs": 1})
        refused = api.post(path, json={"since": "yesterday"})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, ["since"])


class TestMacros:
    THANKS: dict[str, Any] = {
        "name": "Refund",
        "key": 1,
        "then": [{"do": "tag", "name": "refund"}, {"do": "reply", "text": "Order {input.order} is refunded."}],
        "inputs": [{"key": "order", "label": "Order", "is_required": True}],
    }

    def test_it_is_made_read_changed_and_deleted(self, api: ApiClient, shop: Widget) -> None:
        made = api.post("/api/v1/macros", json=self.THANKS)
        data = made.json()["data"]
        assert (made.status_code, {name: data[name] for name in self.THANKS}) == (201, self.THANKS)
        path = f"/api/v1/macros/{data['id']}"
        assert api.get(path).json()["data"] == data
        assert api.patch(path, json={"key": None}).json()["data"]["key"] is None
        assert api.delete(path).status_code == 204
        assert not Macro.objects.exists()

    @pytest.mark.parametrize(
        ("changes", "path"),
        [
            ({"key": 0}, "key"),
            ({"key": 10}, "key"),
            ({"then": [{"do": "reply", "text": "{input.size}"}]}, "then.0.text"),
            ({"then": [{"do": "reply", "reply_id": 2**40}]}, "then.0.reply_id"),
            ({"agent_id": 2**40}, "agent_id"),
        ],
    )
    def test_a_bad_member_is_refused_by_its_path_and_nothing_is_kept(
        self, api: ApiClient, shop: Widget, changes: dict[str, Any], path: str
    ) -> None:
        refused = api.post("/api/v1/macros", json={**self.THANKS, **changes})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, [path])
        assert not Macro.objects.exists()

    def test_an_operators_own_is_theirs(self, api: ApiClient, boris: Agent) -> None:
        own = api.post("/api/v1/macros", json={**self.THANKS, "agent_id": boris.pk}).json()["data"]
        assert own["agent_id"] == boris.pk
        shared = MacroFactory.create(widget=boris.widget)
        assert [each["id"] for each in api.get("/api/v1/macros").json()["data"]] == [shared.pk, own["id"]]


class TestScopes:
    @pytest.mark.parametrize("path", ["automations", "macros", "automation-runs"])
    def test_reading_does_not_let_write(self, shop: Widget, path: str) -> None:
        reader = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["automations:read"])))
        assert reader.get(f"/api/v1/{path}").status_code == 200
        if path != "automation-runs":
            refused = reader.post(f"/api/v1/{path}", json=REFUND)
            assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
        assert not AutomationRun.objects.exists()
