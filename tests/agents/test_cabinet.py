"""Operators in the cabinet: an account's staff name them and say whether visitors see them."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.agents.events import AgentChanged
from apps.agents.models import Agent, AgentEvent
from apps.agents.rules import EVENT_CODES
from tests.cast import Rival
from tests.handlers import also

pytestmark = pytest.mark.django_db


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[AgentChanged]:
    """What was published."""
    heard: list[AgentChanged] = []
    also(monkeypatch, heard.append, AgentChanged)
    return heard


def save(browser: Client, agent: Agent, **fields: Any) -> Any:
    form = {"name": agent.name, "surname": agent.surname, "show_in_header": "on"} | fields
    form = {name: value for name, value in form.items() if value is not None}
    return browser.post(f"/admin/agents/agent/{agent.pk}/change/", form)


def test_an_operator_is_named_and_what_is_served_of_them_is_renewed(
    cabinet: Client, shop: Widget, alice: Agent, told: list[AgentChanged]
) -> None:
    assert save(cabinet, alice, name="Алиса 🌷", surname="", show_in_header=None).status_code == 302
    alice.refresh_from_db()
    assert (alice.name, alice.surname, alice.show_in_header) == ("Алиса 🌷", "", False)
    about = {"widget_id": shop.pk, "widget_guid": shop.guid, "agent_id": alice.pk}
    assert told == [AgentChanged(**about, is_banned=False, changed_fields=("name", "surname", "show_in_header"))]
    event = AgentEvent.objects.get(agent=alice)
    assert event.type_code == EVENT_CODES["profile_updated"]
    assert event.details == {"fields": ["name", "show_in_header", "surname"]}


def test_saving_without_a_change_tells_nobody(cabinet: Client, alice: Agent, told: list[AgentChanged]) -> None:
    assert save(cabinet, alice).status_code == 302
    assert told == []
    assert not AgentEvent.objects.exists()


@pytest.mark.parametrize("name", ["", "   ", "n" * 256, "a\x00b"])
def test_a_name_that_is_none_is_refused(cabinet: Client, alice: Agent, told: list[AgentChanged], name: str) -> None:
    assert save(cabinet, alice, name=name).status_code == 200
    alice.refresh_from_db()
    assert (alice.name, told) == ("Alice", [])


def test_other_fields_stay_unchanged_by_a_form(cabinet: Client, alice: Agent) -> None:
    assert save(cabinet, alice, role="owner", status="banned", email="x@y.test", type="ai").status_code == 302
    alice.refresh_from_db()
    assert (alice.role, alice.status, alice.email, alice.type) == ("operator", "active", "alice@shop.test", "human")


def test_another_accounts_operator_is_not_there(cabinet: Client, rival: Rival, told: list[AgentChanged]) -> None:
    assert save(cabinet, rival.agent, name="Mine").status_code == 404
    rival.agent.refresh_from_db()
    assert (rival.agent.name, told) == ("Wanda", [])


def test_nobody_is_added_or_deleted_here(cabinet: Client, alice: Agent) -> None:
    assert cabinet.get("/admin/agents/agent/add/").status_code == 403
    assert cabinet.post(f"/admin/agents/agent/{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Agent.objects.filter(pk=alice.pk).exists()
