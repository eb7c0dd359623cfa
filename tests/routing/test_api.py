"""Routing over REST: settings, operators' places, and where a chat stands."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.models import Chat, Contact
from apps.routing.actions.settings import change_routing
from apps.routing.models import OperatorPlaces, RoutingSettings
from tests.cast import Rival
from tests.client import ApiClient
from tests.routing.served import come, serve
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
DEFAULTS = {
    "mode": "manual",
    "accept_seconds": 40,
    "silent_minutes": 0,
    "prefer_last": True,
    "languages": "prefer",
    "answer_times": [],
    "warn_percent": 80,
    "clock": "open",
}
OF_WIDGET = {"capacity": 5, "misses": 3, "show_place": True, "show_expected": True}


class TestSettings:
    def test_a_widget_has_the_defaults(self, api: ApiClient, shop: Widget) -> None:
        assert api.get("/api/v1/routing").json()["data"] == {**DEFAULTS, **OF_WIDGET}

    def test_those_that_are_sent_change(self, api: ApiClient, shop: Widget) -> None:
        times = [{"priority": "urgent", "first_reply": 5}, {"resolution": 600}]
        answer = api.patch("/api/v1/routing", json={"mode": "routed", "answer_times": times, "capacity": 0}).json()[
            "data"
        ]
        assert (answer["mode"], answer["capacity"], answer["accept_seconds"]) == ("routed", 0, 40)
        assert answer["answer_times"] == [
            {"priority": "urgent", "first_reply": 5, "next_reply": None, "resolution": None},
            {"priority": None, "first_reply": None, "next_reply": None, "resolution": 600},
        ]
        assert api.get("/api/v1/routing").json()["data"] == answer

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"mode": None}, "mode"),
            ({"mode": "auto"}, "mode"),
            ({"accept_seconds": 9}, "accept_seconds"),
            ({"accept_seconds": 601}, "accept_seconds"),
            ({"accept_seconds": True}, "accept_seconds"),
            ({"silent_minutes": -1}, "silent_minutes"),
            ({"silent_minutes": 1441}, "silent_minutes"),
            ({"prefer_last": 1}, "prefer_last"),
            ({"languages": "all"}, "languages"),
            ({"warn_percent": 49}, "warn_percent"),
            ({"warn_percent": 96}, "warn_percent"),
            ({"clock": "closed"}, "clock"),
            ({"capacity": 101}, "capacity"),
            ({"misses": 11}, "misses"),
            ({"show_place": "x"}, "show_place"),
            ({"overflow": None}, "overflow"),
            ({"answer_times": [{}] * 6}, "answer_times"),
            ({"answer_times": [{"first_reply": 0}]}, "answer_times.0.first_reply"),
            ({"answer_times": [{"priority": "low"}, {"priority": "low"}]}, "answer_times.1.priority"),
        ],
    )
    def test_a_bad_value_is_refused_by_its_path_and_changes_nothing(
        self, api: ApiClient, shop: Widget, body: dict[str, Any], path: str
    ) -> None:
        refused = api.patch("/api/v1/routing", json=body)
        assert (refused.status_code, list(refused.json()["errors"])) == (422, [path])
        assert not RoutingSettings.objects.exists()

    def test_a_department_shows_its_own_and_those_that_hold(
        self, api: ApiClient, shop: Widget, sales: Department
    ) -> None:
        api.patch("/api/v1/routing", json={"mode": "routed"})
        address = f"/api/v1/departments/{sales.pk}/routing"
        answer = api.patch(address, json={"silent_minutes": 7}).json()["data"]
        nothing = dict.fromkeys((*DEFAULTS, "overflow"))
        assert answer == {
            **nothing,
            "silent_minutes": 7,
            "effective": {**DEFAULTS, "overflow": None, "mode": "routed", "silent_minutes": 7},
        }
        assert api.patch(address, json={"silent_minutes": None}).json()["data"]["effective"]["silent_minutes"] == 0

    def test_overflow_names_another_department_of_the_widget(
        self, api: ApiClient, shop: Widget, sales: Department, rival: Rival
    ) -> None:
        address = f"/api/v1/departments/{sales.pk}/routing"
        helpers = Department.objects.create(widget=shop, name="Helpers")
        foreign = Department.objects.create(widget=rival.widget, name="Theirs")
        wanted = {"department_id": helpers.pk, "minutes": 10}
        assert api.patch(address, json={"overflow": wanted}).json()["data"]["overflow"] == wanted
        for refused in (sales.pk, foreign.pk):
            answer = api.patch(address, json={"overflow": {"department_id": refused, "minutes": 10}})
            assert (answer.status_code, list(answer.json()["errors"])) == (422, ["overflow.department_id"])
        assert api.patch(address, json={"overflow": {"department_id": helpers.pk}}).status_code == 422
        assert api.get(address).json()["data"]["overflow"] == wanted
        assert api.patch(address, json={"overflow": None}).json()["data"]["overflow"] is None

    def test_another_widgets_department_is_not_there(self, rival_api: ApiClient, sales: Department) -> None:
        assert rival_api.get(f"/api/v1/departments/{sales.pk}/routing").status_code == 404
        assert rival_api.patch(f"/api/v1/departments/{sales.pk}/routing", json={"mode": "routed"}).status_code == 404


class TestPlaces:
    def test_an_operator_has_places_and_chats(
        self, api: ApiClient, shop: Widget, sales: Department, alice: Agent, chat: Chat
    ) -> None:
        Chat.objects.filter(pk=chat.pk).update(agent=alice, department=sales)
        address = f"/api/v1/agents/{alice.pk}/routing"
        body = {"capacity": 1, "departments": [{"department_id": sales.pk, "capacity": 2}]}
        answer = api.patch(address, json=body).json()["data"]
        assert (answer["capacity"], answer["effective_capacity"], answer["load"]) == (1, 1, 1)
        assert answer["departments"] == [{"department_id": sales.pk, "capacity": 2, "load": 1}]
        assert (answer["is_available"], answer["why_not"], answer["last_given_at"]) == (False, "offline", None)
        come(alice)
        assert api.get(address).json()["data"]["why_not"] == "full"
        assert api.patch(address, json={"capacity": 0}).json()["data"]["why_not"] == "excluded"
        answer = api.patch(address, json={"capacity": None}).json()["data"]
        assert (answer["effective_capacity"], answer["is_available"], answer["why_not"]) == (5, True, None)
        Agent.objects.filter(pk=alice.pk).update(status="relaxation")
        assert api.get(address).json()["data"]["why_not"] == "on_break"

    @pytest.mark.parametrize("kind", [each for each in Agent.Type if each != Agent.Type.HUMAN])
    def test_machines_have_none(self, api: ApiClient, ada: Agent, kind: str) -> None:
        Agent.objects.filter(pk=ada.pk).update(type=kind)
        for answer in (
            api.get(f"/api/v1/agents/{ada.pk}/routing"),
            api.patch(f"/api/v1/agents/{ada.pk}/routing", json={"capacity": 1}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (409, "not_routable")
        assert not OperatorPlaces.objects.exists()

    def test_a_department_that_is_not_theirs_is_refused_and_nothing_changes(
        self, api: ApiClient, shop: Widget, sales: Department, alice: Agent, rival: Rival
    ) -> None:
        address = f"/api/v1/agents/{alice.pk}/routing"
        before = {"capacity": 3, "departments": [{"department_id": sales.pk, "capacity": 2}]}
        assert api.patch(address, json=before).status_code == 200
        other = Department.objects.create(widget=shop, name="Other")
        rows = snapshot()
        for refused in (other.pk, rival.department.pk, 2**62):
            wanted = [{"department_id": sales.pk, "capacity": 1}, {"department_id": refused, "capacity": 1}]
            answer = api.patch(address, json={"capacity": 7, "departments": wanted})
            assert (answer.status_code, list(answer.json()["errors"])) == (422, ["departments.1.department_id"])
        assert snapshot() == rows

    def test_a_department_is_named_once(self, api: ApiClient, sales: Department, alice: Agent) -> None:
        row = {"department_id": sales.pk, "capacity": 1}
        answer = api.patch(f"/api/v1/agents/{alice.pk}/routing", json={"departments": [row, row, {**row}]})
        assert answer.status_code == 422
        assert answer.json()["errors"] == {
            f"departments.{place}.department_id": ["Each department is named once."] for place in (1, 2)
        }
        assert not OperatorPlaces.objects.exists()

    def test_another_widgets_operator_is_not_there(self, rival_api: ApiClient, alice: Agent) -> None:
        assert rival_api.patch(f"/api/v1/agents/{alice.pk}/routing", json={"capacity": 1}).status_code == 404
        assert not OperatorPlaces.objects.exists()

    @pytest.mark.parametrize("capacity", [-1, 101, True, "5", 1.5])
    def test_a_bad_capacity_is_refused(self, api: ApiClient, alice: Agent, capacity: Any) -> None:
        answer = api.patch(f"/api/v1/agents/{alice.pk}/routing", json={"capacity": capacity})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["capacity"])
        assert not OperatorPlaces.objects.exists()


class TestChat:
    @pytest.fixture
    def offered(self, shop: Widget, sales: Department, ivan: Contact, chat: Chat, alice: Agent) -> Chat:
        change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
        Chat.objects.filter(pk=chat.pk).update(department=sales)
        come(alice)
        actions.post_client_message(contact=ivan, content={"type": "text", "body": "Hello"})
        serve()
        return chat

    def test_it_says_where_it_stands_and_why(self, api: ApiClient, offered: Chat, alice: Agent) -> None:
        answer = api.get(f"/api/v1/chats/{offered.pk}/routing").json()["data"]
        assert (answer["rings_for"], answer["queue"]) == ("offered", {"place": 1, "of": 1})
        assert answer["offer"]["agent_id"] == alice.pk
        assert answer["offer"]["why"]["reasons"] == ["only_one"]
        assert "owner_id" not in answer["offer"]["why"]
        [row] = answer["assignments"]
        assert (row["agent_id"], row["outcome"], row["until"]) == (alice.pk, None, answer["offer"]["until"])

    def test_it_is_sent_to_a_department(self, api: ApiClient, shop: Widget, offered: Chat, rival: Rival) -> None:
        other = Department.objects.create(widget=shop, name="Other")
        answer = api.post(f"/api/v1/chats/{offered.pk}/route", json={"department_id": other.pk})
        assert (answer.status_code, answer.json()["data"]["id"]) == (202, offered.pk)
        offered.refresh_from_db()
        assert (offered.department_id, offered.agent_id) == (other.pk, None)
        foreign = Department.objects.create(widget=rival.widget, name="Theirs")
        answer = api.post(f"/api/v1/chats/{offered.pk}/route", json={"department_id": foreign.pk})
        assert answer.status_code == 404
        offered.refresh_from_db()
        assert offered.department_id == other.pk

    def test_another_widgets_chat_is_not_there(self, rival_api: ApiClient, offered: Chat) -> None:
        assert rival_api.get(f"/api/v1/chats/{offered.pk}/routing").status_code == 404
