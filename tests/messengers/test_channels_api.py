"""Custom channels over REST (specification, Endpoints, "Custom channels")."""

import re
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.accounts.rules import digest
from apps.agents.models import Agent
from apps.messengers import actions
from apps.messengers.models import Channel
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import ApiTokenFactory, plain_text
from tests.factories.messengers import ChannelFactory
from tests.rows import snapshot

PATH = "/channels"
URL = "https://localhost:8443/channel"


@pytest.fixture(autouse=True)
def reachable(settings: Any) -> None:
    """Lets channels name this machine, as an on-premises installation would."""
    settings.EGRESS_ALLOW = ["localhost:8443"]


def body(**changes: Any) -> dict[str, Any]:
    return {"name": "Наше приложение", "outbound_url": URL, **changes}


def come_online(agent: Agent) -> None:
    agent.online_since = timezone.now()
    agent.save(update_fields=["online_since"])


class TestRegistering:
    def test_shows_the_channel_and_once_its_secret(self, api: ApiClient, shop: Widget) -> None:
        answer = api.post(PATH, json=body())
        assert answer.status_code == 201
        data = answer.json()["data"]
        row = Channel.objects.get()
        assert (row.widget, row.outbound_url, row.target) == (shop, URL, URL)
        assert re.fullmatch(r"cs_[A-Za-z0-9_-]{43}", data["secret"])
        assert (row.secret, bytes(row.digest)) == (data["secret"], digest(data["secret"]))
        assert data == {
            "id": row.pk,
            "name": "Наше приложение",
            "code": f"ch{row.pk}",
            "is_active": True,
            "has_secret": True,
            "secret": row.secret,
        }

    def test_can_make_a_disabled_channel(self, api: ApiClient) -> None:
        assert api.post(PATH, json=body(is_active=False)).json()["data"]["is_active"] is False

    def test_gives_each_channel_its_own_secret(self, api: ApiClient) -> None:
        one, other = (api.post(PATH, json=body()).json()["data"] for _ in range(2))
        assert one["secret"] != other["secret"]
        assert one["code"] != other["code"]

    def test_the_secret_is_stored_encrypted(self, api: ApiClient) -> None:
        secret = api.post(PATH, json=body()).json()["data"]["secret"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT secret FROM messengers_channel")
            (stored,) = cursor.fetchone()
        assert secret not in stored
        assert stored.startswith("gAAAA")

    @pytest.mark.parametrize("name", ["", "  ", "x" * 256, "a\nb", None, 5])
    def test_refuses_what_is_no_name(self, api: ApiClient, name: Any) -> None:
        assert_problem(api.post(PATH, json=body(name=name)), 422, "invalid_input", errors=["name"])
        assert not Channel.objects.exists()

    @pytest.mark.parametrize(
        "url",
        [
            "http://channel.example.com/",
            "https://user:pass@localhost:8443/",
            "channel.example.com",
            "",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/",
            "https://no-such-host.invalid/",
            "https://localhost:8443/" + "a" * 2048,
            None,
            7,
        ],
    )
    def test_refuses_an_address_that_may_not_be_called(self, api: ApiClient, url: Any) -> None:
        assert_problem(api.post(PATH, json=body(outbound_url=url)), 422, "invalid_input", errors=["outbound_url"])
        assert not Channel.objects.exists()

    @pytest.mark.parametrize("missing", ["name", "outbound_url"])
    def test_refuses_without_name_or_address(self, api: ApiClient, missing: str) -> None:
        document = body()
        del document[missing]
        assert_problem(api.post(PATH, json=document), 422, "invalid_input", errors=[missing])

    @pytest.mark.parametrize("member", ["id", "code", "has_secret", "secret"])
    def test_refuses_other_members_by_name(self, api: ApiClient, member: str) -> None:
        assert_problem(api.post(PATH, json=body(**{member: True})), 422, "invalid_input", errors=[member])

    def test_has_a_scope_of_its_own(self, shop: Widget) -> None:
        token = plain_text(ApiTokenFactory.create(widget=shop, scopes=["channels:read", "channels:write"]))
        assert_problem(ApiClient(token).post(PATH, json=body()), 403, "missing_scope")
        assert not Channel.objects.exists()


class TestReading:
    def test_shows_neither_secret_nor_address(self, api: ApiClient, shop: Widget) -> None:
        channel = ChannelFactory.create(widget=shop, name="Our app")
        answer = api.get(f"{PATH}/{channel.pk}")
        assert answer.json() == {
            "data": {
                "id": channel.pk,
                "name": "Our app",
                "code": f"ch{channel.pk}",
                "is_active": True,
                "has_secret": True,
            }
        }
        assert channel.secret not in answer.content.decode()

    def test_tells_that_it_is_disabled(self, api: ApiClient, shop: Widget) -> None:
        channel = ChannelFactory.create(widget=shop)
        actions.set_channel_active(channel=channel, is_active=False)
        assert api.get(f"{PATH}/{channel.pk}").json()["data"]["is_active"] is False

    def test_is_404_once_it_is_gone(self, api: ApiClient, shop: Widget) -> None:
        channel = ChannelFactory.create(widget=shop)
        pk = channel.pk
        actions.delete_channel(channel=channel)
        assert_problem(api.get(f"{PATH}/{pk}"), 404, "not_found")
        assert_problem(api.get(f"{PATH}/{pk}/status"), 404, "not_found")

    def test_a_channel_is_read_with_one_statement(
        self, api: ApiClient, shop: Widget, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        channel = ChannelFactory.create(widget=shop)
        api.get(f"{PATH}/{channel.pk}")
        with django_assert_num_queries(1):
            api.get(f"{PATH}/{channel.pk}")


class TestStatus:
    def test_is_1_while_a_person_is_there(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        path = f"{PATH}/{ChannelFactory.create(widget=shop).pk}/status"
        assert api.get(path).json() == {"online": 0}
        come_online(alice)
        assert api.get(path).json() == {"online": 1}

    def test_is_0_while_everybody_is_on_a_break(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        come_online(alice)
        alice.status = "relaxation"
        alice.save(update_fields=["status"])
        assert api.get(f"{PATH}/{ChannelFactory.create(widget=shop).pk}/status").json() == {"online": 0}

    def test_is_0_while_the_channel_is_disabled(self, api: ApiClient, shop: Widget, alice: Agent) -> None:
        come_online(alice)
        channel = ChannelFactory.create(widget=shop, is_active=False)
        assert api.get(f"{PATH}/{channel.pk}/status").json() == {"online": 0}

    def test_does_not_count_another_widgets_people(self, api: ApiClient, shop: Widget, rival: Rival) -> None:
        come_online(rival.agent)
        assert api.get(f"{PATH}/{ChannelFactory.create(widget=shop).pk}/status").json() == {"online": 0}


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("GET", "/status"), ("POST", "/messages")])
def test_another_widgets_channel_is_the_404_of_one_that_never_was(
    api: ApiClient, rival: Rival, method: str, path: str
) -> None:
    foreign = ChannelFactory.create(widget=rival.widget)
    message = {"external_client_id": "1", "external_channel_id": "app", "message": {"type": "text", "text": "?"}}
    before = snapshot()
    problems = [
        assert_problem(
            api.request(method, f"{PATH}/{id_}{path}", json=message if path == "/messages" else None), 404, "not_found"
        )
        for id_ in (foreign.pk, 999_999_999)
    ]
    for problem in problems:
        problem.pop("instance")
    assert problems[0] == problems[1]
    assert snapshot() == before
