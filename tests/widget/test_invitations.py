"""Invitations to chat over REST, and the widget's settings of them."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.widget.models import ChatInvitation
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import DepartmentFactory
from tests.factories.accounts import ApiTokenFactory, plain_text
from tests.factories.invitations import ChatInvitationFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

URL = "/api/v1/chat-invitations"
SETTINGS = "/api/v1/widget/invitation-settings"
PRICES: dict[str, Any] = {
    "name": "Prices",
    "texts": {"en": "May we help?", "ru": "Помочь\nс выбором?"},
    "buttons": [{"en": "Yes", "ru": "Да"}],
    "rule": {"page": ["/prices*"], "any": [{"seconds": 30}, {"event": {"name": "compared"}}]},
    "goal": {"event": "ordered"},
}


class TestMembers:
    def test_a_new_one_has_the_defaults(self, api: ApiClient) -> None:
        answer = api.post(URL, json={"name": "A", "texts": {"en": "Hi"}})
        data = answer.json()["data"]
        assert answer.status_code == 201
        assert {name: value for name, value in data.items() if name not in ("id", "created_at", "updated_at")} == {
            "name": "A",
            "state": "draft",
            "texts": {"en": "Hi"},
            "buttons": [],
            "from": {"kind": "widget", "agent_id": None},
            "rule": {},
            "priority": 50,
            "holdout": 10,
            "per_visitor": {"times": 1, "days": 30},
            "per_day": None,
            "goal": None,
            "starts_at": None,
            "ends_at": None,
            "department_id": None,
            "round": 1,
        }

    def test_what_was_sent_is_kept_and_read(self, api: ApiClient, alice: Agent, shop: Widget) -> None:
        sales = DepartmentFactory.create(widget=shop, name="Sales")
        body = {
            **PRICES,
            "state": "live",
            "from": {"kind": "agent", "agent_id": alice.pk},
            "priority": 100,
            "holdout": 50,
            "per_visitor": {"times": 10, "days": 365},
            "per_day": 1_000_000,
            "starts_at": "2026-11-01T00:00:00Z",
            "ends_at": "2027-11-01T00:00:00Z",
            "department_id": sales.pk,
        }
        made = api.post(URL, json=body).json()["data"]
        assert made["rule"]["any"][1] == {"event": {"name": "compared", "times": 1, "within_s": None}}
        assert made["goal"] == {"event": "ordered", "hours": 72}
        same = [name for name in body if name not in ("rule", "goal", "starts_at", "ends_at")]
        assert {name: made[name] for name in same} == {name: body[name] for name in same}
        assert api.get(f"{URL}/{made['id']}").json()["data"] == made

    def test_the_list_is_newest_first_and_filtered_by_state(self, api: ApiClient, shop: Widget) -> None:
        old, new = (ChatInvitationFactory.create(widget=shop, state=state) for state in ("draft", "live"))
        assert [each["id"] for each in api.get(URL).json()["data"]] == [new.pk, old.pk]
        assert [each["id"] for each in api.get(f"{URL}?state=draft").json()["data"]] == [old.pk]
        assert api.get(f"{URL}?state=gone").status_code == 422

    @pytest.mark.parametrize(
        ("changes", "path"),
        [
            ({"name": ""}, "name"),
            ({"name": "   "}, "name"),
            ({"name": "a" * 81}, "name"),
            ({"texts": {}}, "texts"),
            ({"texts": {"en": ""}}, "texts.en"),
            ({"texts": {"en": "a" * 501}}, "texts.en"),
            ({"texts": {"xx": "Hi"}}, "texts.xx"),
            ({"buttons": [{"en": "a"}] * 4}, "buttons"),
            ({"buttons": [{"en": "a" * 61}]}, "buttons.0.en"),
            ({"buttons": [{"en": "two\nlines"}]}, "buttons.0.en"),
            ({"from": {"kind": "agent"}}, "from.agent_id"),
            ({"from": {"kind": "agent", "agent_id": 2**40}}, "from.agent_id"),
            ({"from": {"kind": "widget", "agent_id": 1}}, "from.agent_id"),
            ({"from": {"kind": "robot"}}, "from.kind"),
            ({"rule": {"page": ["/a", "javascript:x"]}}, "rule.page.1"),
            ({"rule": {"any": [{"scroll": 0}]}}, "rule.any.0.scroll"),
            ({"rule": {"page": ["*" * 10_000]}}, "rule.page.0"),
            ({"rule": {"any": [{"any": [{"any": [{"any": [{}]}]}]}]}}, "rule.any.0.any"),
            ({"priority": 101}, "priority"),
            ({"holdout": 51}, "holdout"),
            ({"per_visitor": {"times": 0, "days": 1}}, "per_visitor.times"),
            ({"per_visitor": {"times": 1, "days": 366}}, "per_visitor.days"),
            ({"per_day": 0}, "per_day"),
            ({"goal": {"page": ["/a"], "hours": 0}}, "goal.hours"),
            ({"department_id": 2**40}, "department_id"),
            ({"starts_at": "2026-11-02T00:00:00Z", "ends_at": "2026-11-01T00:00:00Z"}, "ends_at"),
            ({"round": 2}, "round"),
        ],
    )
    def test_a_refusal_is_named_by_its_path_and_makes_nothing(
        self, api: ApiClient, shop: Widget, changes: dict[str, Any], path: str
    ) -> None:
        answer = api.post(URL, json={**PRICES, **changes})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [path])
        assert not ChatInvitation.objects.exists()
        row = ChatInvitationFactory.create(widget=shop)
        before = snapshot()
        answer = api.patch(f"{URL}/{row.pk}", json=changes)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [path])
        assert snapshot() == before


class TestRounds:
    @pytest.mark.parametrize(
        "change",
        [
            {"texts": {"en": "Other"}},
            {"buttons": [{"en": "Yes"}]},
            {"from": {"kind": "ai"}},
            {"rule": {"scroll": 50}},
            {"goal": {"event": "paid"}},
            {"holdout": 20},
        ],
    )
    def test_what_visitors_meet_begins_a_round(self, api: ApiClient, shop: Widget, change: dict[str, Any]) -> None:
        row = ChatInvitationFactory.create(widget=shop)
        assert api.patch(f"{URL}/{row.pk}", json=change).json()["data"]["round"] == 2
        assert api.patch(f"{URL}/{row.pk}", json=change).json()["data"]["round"] == 2  # the same again

    def test_nothing_else_does(self, api: ApiClient, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop)
        others = {"name": "B", "priority": 1, "per_visitor": {"times": 2, "days": 2}, "per_day": 5, "state": "paused"}
        data = api.patch(f"{URL}/{row.pk}", json=others).json()["data"]
        assert (data["round"], data["name"], data["per_visitor"]) == (1, "B", {"times": 2, "days": 2})


class TestLimits:
    def test_a_widget_has_50(self, api: ApiClient, shop: Widget) -> None:
        ChatInvitationFactory.create_batch(49, widget=shop, state="draft")
        assert api.post(URL, json=PRICES).status_code == 201
        answer = api.post(URL, json=PRICES)
        assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (409, "too_many_invitations")
        assert ChatInvitation.objects.count() == 50

    def test_20_of_them_live(self, api: ApiClient, shop: Widget) -> None:
        ChatInvitationFactory.create_batch(20, widget=shop)
        paused = ChatInvitationFactory.create(widget=shop, state="paused")
        for answer in (
            api.post(URL, json={**PRICES, "state": "live"}),
            api.patch(f"{URL}/{paused.pk}", json={"state": "live"}),
        ):
            assert (answer.status_code, answer.json()["type"].rpartition("/")[2]) == (409, "too_many_invitations")
        assert ChatInvitation.objects.filter(state="live").count() == 20
        first = ChatInvitation.objects.earliest("pk")
        assert api.patch(f"{URL}/{first.pk}", json={"state": "paused"}).status_code == 200
        assert api.patch(f"{URL}/{paused.pk}", json={"state": "live"}).status_code == 200


class TestOthers:
    def test_another_widgets_is_404(self, rival_api: ApiClient, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop)
        calls = (
            rival_api.get(f"{URL}/{row.pk}"),
            rival_api.patch(f"{URL}/{row.pk}", json={"name": "X"}),
            rival_api.delete(f"{URL}/{row.pk}"),
            rival_api.get(f"{URL}/{row.pk}/results"),
        )
        assert [answer.status_code for answer in calls] == [404] * 4
        assert rival_api.get(URL).json()["data"] == []

    def test_another_widgets_operator_and_department_are_unknown(self, api: ApiClient, rival: Rival) -> None:
        theirs = DepartmentFactory.create(widget=rival.widget)
        answer = api.post(URL, json={**PRICES, "department_id": theirs.pk})
        assert list(answer.json()["errors"]) == ["department_id"]

    def test_it_needs_the_widgets_scopes(self, shop: Widget) -> None:
        reader = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["widget:read"])))
        assert (reader.get(URL).status_code, reader.post(URL, json=PRICES).status_code) == (200, 403)
        other = ApiClient(plain_text(ApiTokenFactory.create(widget=shop, scopes=["chats:read"])))
        assert (other.get(URL).status_code, other.get(SETTINGS).status_code) == (403, 403)

    def test_deleted_is_gone(self, api: ApiClient, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop)
        assert api.delete(f"{URL}/{row.pk}").status_code == 204
        assert api.get(f"{URL}/{row.pk}").status_code == 404


class TestSettings:
    def test_the_defaults_and_a_change(self, api: ApiClient) -> None:
        defaults = {
            "is_on": True,
            "never_on": ["/*checkout*", "/*payment*", "/*login*", "/*signin*", "/*register*"],
            "per_visit": 1,
            "gap_s": 60,
        }
        assert api.get(SETTINGS).json()["data"] == defaults
        changed = api.patch(SETTINGS, json={"never_on": [], "per_visit": 10, "gap_s": 0}).json()["data"]
        assert changed == {"is_on": True, "never_on": [], "per_visit": 10, "gap_s": 0}
        assert api.get(SETTINGS).json()["data"] == changed

    @pytest.mark.parametrize(
        ("changes", "path"),
        [
            ({"never_on": ["/a"] * 51}, "never_on"),
            ({"never_on": ["/a", "no host"]}, "never_on.1"),
            ({"never_on": "/a"}, "never_on"),
            ({"per_visit": 11}, "per_visit"),
            ({"gap_s": 3601}, "gap_s"),
            ({"is_on": None}, "is_on"),
            ({"volume": 1}, "volume"),
        ],
    )
    def test_a_refusal_is_named_and_changes_nothing(self, api: ApiClient, changes: dict[str, Any], path: str) -> None:
        before = api.get(SETTINGS).json()["data"]
        answer = api.patch(SETTINGS, json=changes)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [path])
        assert api.get(SETTINGS).json()["data"] == before
