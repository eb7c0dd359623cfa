"""Whom a waiting chat rings for, and what becomes of the chats of operators who are away or gone."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.actions import change_user
from apps.accounts.models import Widget
from apps.agents.actions.agents import remove_agent, suspend_agent
from apps.agents.actions.breaks import set_on_break
from apps.agents.actions.presence import begin_presence
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.actions.desk import change_desk_settings
from apps.chats.actions.ringing import tell_of_absence
from apps.chats.events import ChatReturned, ChatUpdated
from apps.chats.models import Chat, ChatActivity
from apps.chats.querysets.ringing import rings_for
from apps.chats.querysets.waiting import waits_since
from apps.core.bus import DomainEvent
from tests.client import ApiClient
from tests.factories import MessageFactory

pytestmark = pytest.mark.django_db


def ago(minutes: float) -> Any:
    return timezone.now() - timedelta(minutes=minutes)


def ringing(chat: Chat) -> str:
    now = timezone.now()
    chats = Chat.objects.filter(pk=chat.pk).annotate(waits_since=waits_since(now))
    found: str = chats.annotate(rings=rings_for(now)).values_list("rings", flat=True).get()
    return found


def waits(chat: Chat, owner: Agent | None, minutes: float) -> None:
    MessageFactory.create(chat=chat, created_at=ago(minutes))
    Chat.objects.update(agent=owner, waiting_since=ago(minutes))


class TestWhom:
    @pytest.mark.parametrize(
        ("is_online", "status", "away_min", "waits_min", "expected"),
        [
            (True, "active", None, 60, "owner"),
            (False, "active", 20, 20, "all"),
            (False, "active", 14, 60, "owner"),
            (False, "active", 60, 14, "owner"),
            (True, "relaxation", 16, 16, "all"),
            (False, "banned", 1, 1, "all"),
        ],
    )
    def test_it_counts_from_when_the_owner_is_away_and_the_visitor_waits(
        self, chat: Chat, boris: Agent, is_online: bool, status: str, away_min: int, waits_min: int, expected: str
    ) -> None:
        away = None if away_min is None else ago(away_min)
        online = ago(90) if is_online else None
        Agent.objects.filter(pk=boris.pk).update(online_since=online, status=status, away_since=away)
        waits(chat, boris, waits_min)
        assert ringing(chat) == expected

    def test_a_chat_without_an_owner_rings_for_all_and_one_that_waits_not_for_nobody(
        self, chat: Chat, boris: Agent
    ) -> None:
        waits(chat, None, 1)
        assert ringing(chat) == "all"
        MessageFactory.create(chat=chat, agent=boris)
        assert ringing(chat) == "nobody"

    @pytest.mark.parametrize(("minutes", "expected"), [(0, "owner"), (30, "owner"), (20, "all")])
    def test_after_how_long_the_widget_says(self, chat: Chat, boris: Agent, minutes: int, expected: str) -> None:
        change_desk_settings(widget_id=chat.widget_id, changes={"away_minutes": minutes})
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(25))
        waits(chat, boris, 25)
        assert ringing(chat) == expected


class TestAbsence:
    def test_operators_are_told_once_and_again_when_the_owner_is_back(
        self, chat: Chat, boris: Agent, happened: list[DomainEvent]
    ) -> None:
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(20))
        waits(chat, boris, 20)
        happened.clear()
        assert [tell_of_absence(as_of=timezone.now()), tell_of_absence(as_of=timezone.now())] == [1, 0]
        assert happened == [ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk)]
        from uuid import uuid4

        begin_presence(agent_id=boris.pk, process=uuid4())
        assert [event for event in happened[1:] if isinstance(event, ChatUpdated)] == [happened[0]]
        chat.refresh_from_db()
        assert (chat.owner_away_at, chat.agent, ringing(chat)) == (None, boris, "owner")

    def test_a_break_is_an_absence_and_its_end_is_none(self, chat: Chat, boris: Agent) -> None:
        Agent.objects.filter(pk=boris.pk).update(online_since=ago(60))
        set_on_break(widget_id=boris.widget_id, agent_id=boris.pk, on_break=True)
        boris.refresh_from_db()
        assert boris.away_since is not None
        set_on_break(widget_id=boris.widget_id, agent_id=boris.pk, on_break=False)
        boris.refresh_from_db()
        assert boris.away_since is None


class TestGone:
    def test_those_of_a_person_whose_sign_in_has_ended_are_nobodys_too(
        self, chat: Chat, boris: Agent, happened: list[DomainEvent]
    ) -> None:
        waits(chat, boris, 1)
        change_user(user_id=boris.user_id or 0, changes={"name": "Borya"})
        chat.refresh_from_db()
        assert chat.agent_id == boris.pk
        happened.clear()
        change_user(user_id=boris.user_id or 0, changes={"is_active": False})
        chat.refresh_from_db()
        assert (chat.agent_id, ringing(chat)) == (None, "all")
        assert [event.from_agent_id for event in happened if isinstance(event, ChatReturned)] == [boris.pk]

    @pytest.mark.parametrize("end", [suspend_agent, remove_agent])
    def test_the_open_chats_of_who_is_gone_are_nobodys(
        self, chat: Chat, boris: Agent, end: Any, happened: list[DomainEvent]
    ) -> None:
        waits(chat, boris, 1)
        happened.clear()
        end(widget_id=boris.widget_id, agent_id=boris.pk)
        chat.refresh_from_db()
        assert (chat.agent_id, ringing(chat)) == (None, "all")
        step = ChatActivity.objects.get(chat=chat)
        assert (step.kind, step.comment, step.agent_id) == ("returned", "owner_gone", boris.pk)
        returned = [event for event in happened if isinstance(event, ChatReturned)]
        assert [event.from_agent_id for event in returned] == [boris.pk]

    def test_a_closed_chat_of_theirs_is_nobodys_once_it_reopens(self, chat: Chat, boris: Agent) -> None:
        waits(chat, boris, 1)
        Chat.objects.update(status="expired", expired_at=timezone.now())
        suspend_agent(widget_id=boris.widget_id, agent_id=boris.pk)
        chat.refresh_from_db()
        assert chat.agent_id == boris.pk
        actions.post_client_message(contact=chat.contact, content={"type": "text", "body": "Hello?"})
        chat.refresh_from_db()
        assert (chat.status, chat.agent_id) == ("active", None)

    def test_so_is_one_that_an_operator_reopens(self, chat: Chat, boris: Agent, shop: Widget) -> None:
        Chat.objects.update(status="expired", expired_at=timezone.now(), agent=boris)
        suspend_agent(widget_id=boris.widget_id, agent_id=boris.pk)
        from apps.chats.rules import Status

        actions.set_chat_state(widget_id=shop.pk, chat_id=chat.pk, status=Status.ACTIVE)
        chat.refresh_from_db()
        assert chat.agent_id is None

    def test_a_message_without_an_agent_is_refused_as_in_a_chat_without_an_owner(
        self, chat: Chat, boris: Agent, api: ApiClient
    ) -> None:
        Chat.objects.update(status="expired", expired_at=timezone.now(), agent=boris)
        suspend_agent(widget_id=boris.widget_id, agent_id=boris.pk)
        answer = api.post(f"/chats/{chat.pk}/messages", json={"type": "text", "body": "Hi"})
        assert answer.status_code == 422
        assert "no assigned agent" in answer.json()["errors"]["agent_id"][0]
