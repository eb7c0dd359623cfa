"""AI and external operators: how the apps whose they are make, rename, retire and bind them."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents import actions
from apps.agents.events import AgentChanged
from apps.agents.models import Agent, AgentEvent
from apps.agents.rules import event_type
from apps.core.problems import Problem
from tests.factories import AiAgentFactory
from tests.handlers import also


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    events: list[Any] = []
    also(monkeypatch, events.append, AgentChanged)
    return events


def logged(agent: Agent) -> list[str]:
    return [event_type(code) for code in AgentEvent.objects.filter(agent=agent).values_list("type_code", flat=True)]


@pytest.mark.parametrize("type_", [Agent.Type.AI, Agent.Type.WEBHOOK])
def test_one_is_made_without_a_seat(shop: Widget, told: list[Any], type_: Agent.Type) -> None:
    made = actions.create_machine(widget=shop, type_=type_, name="Ada", show_in_header=False, assistant_id=7)
    found = Agent.objects.get(pk=made.pk)
    assert (found.type, found.name, found.user_id, found.role, found.ai_assistant_id) == (
        type_,
        "Ada",
        None,
        "operator",
        7,
    )
    assert not found.show_in_header
    assert not Agent.objects.for_widget(shop.pk).seated().filter(pk=made.pk).exists()
    assert [event.agent_id for event in told] == [made.pk]


def test_no_person_is_made_so(shop: Widget) -> None:
    with pytest.raises(ValueError, match="invitation"):
        actions.create_machine(widget=shop, type_=Agent.Type.HUMAN, name="Ivan")


def test_its_status_changes_and_is_logged(shop: Widget, told: list[Any]) -> None:
    ada = AiAgentFactory.create(widget=shop)
    for status in (Agent.Status.RELAXATION, Agent.Status.BANNED, Agent.Status.BANNED, Agent.Status.ACTIVE):
        actions.set_machine_status(widget_id=shop.pk, agent_id=ada.pk, status=status)
    assert logged(ada) == ["status_changed", "suspended", "restored"]
    assert [event.is_banned for event in told] == [False, True, False]


def test_it_is_renamed_as_people_are(shop: Widget) -> None:
    ada = AiAgentFactory.create(widget=shop)
    actions.update_profile(widget_id=shop.pk, agent_id=ada.pk, changes={"name": "Grace"})
    assert Agent.objects.get(pk=ada.pk).name == "Grace"


def test_it_runs_an_assistant_or_none(shop: Widget, told: list[Any]) -> None:
    ada = AiAgentFactory.create(widget=shop)
    for assistant_id in (7, 7, None):
        actions.bind_assistant(widget_id=shop.pk, agent_id=ada.pk, assistant_id=assistant_id)
    assert Agent.objects.get(pk=ada.pk).ai_assistant_id is None
    assert [event.changed_fields for event in told] == [("ai_assistant_id",)] * 2


def test_a_person_is_none(shop: Widget, alice: Agent) -> None:
    with pytest.raises(Problem) as refused:
        actions.set_machine_status(widget_id=shop.pk, agent_id=alice.pk, status=Agent.Status.BANNED)
    assert refused.value.type.code == "not_found"
    with pytest.raises(Problem):
        actions.bind_assistant(widget_id=shop.pk, agent_id=alice.pk, assistant_id=7)
