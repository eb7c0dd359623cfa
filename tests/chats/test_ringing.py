"""Whom a waiting chat rings for, and what becomes of the chats of operators who are away or gone."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.accounts.actions import change_user
from apps.accounts.actions.settings import change_settings
from apps.accounts.models import Widget
from apps.agents.actions.agents import remove_agent, suspend_agent
from apps.agents.actions.breaks import set_on_break
from apps.agents.actions.presence import begin_presence, end_presence
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.actions import post_client_message, posting
from apps.chats.actions.owners import follow_owners
from apps.chats.actions.timers import run_due
from apps.chats.events import ChatReturned, ChatUpdated
from apps.chats.models import Chat, ChatActivity, Timer
from apps.chats.querysets.ringing import rings_for, rings_for_operator
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules.ringing import whom
from apps.chats.settings import SETTINGS
from apps.core.bus import DomainEvent
from tests.client import ApiClient
from tests.factories import MessageFactory

pytestmark = pytest.mark.django_db

PATIENCE = timedelta(minutes=15)


def ago(minutes: float) -> Any:
    return timezone.now() - timedelta(minutes=minutes)


def ringing(chat: Chat) -> str:
    chats = Chat.objects.filter(pk=chat.pk).annotate(waits_since=waits_since(timezone.now()))
    found: str = chats.annotate(rings=rings_for()).values_list("rings", flat=True).get()
    return found


def waits(chat: Chat, owner: Agent | None, minutes: float) -> None:
    """Its visitor has waited for so long; what the owner's going would have set is looked at."""
    MessageFactory.create(chat=chat, created_at=ago(minutes))
    Chat.objects.update(agent=owner, waiting_since=ago(minutes))
    follow_owners(widget_id=chat.widget_id)
    run_due()


def due_at(chat: Chat) -> Any:
    return Timer.objects.filter(chat=chat, kind="owner_away").values_list("due_at", flat=True).first()


def write(chat: Chat) -> None:
    post_client_message(contact=chat.contact, content={"type": "text", "body": "Are you there?"})


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
        change_settings(SETTINGS, widget_id=chat.widget_id, changes={"away_minutes": minutes})
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(25))
        waits(chat, boris, 25)
        assert ringing(chat) == expected

    @pytest.mark.parametrize(
        ("facts", "expected"),
        [
            ({}, "owner"),
            ({"owner_silent_at": 1}, "all"),
            ({"owner_silent_at": 9}, "owner"),
            ({"owner_silent_at": 1, "queued_at": 1}, "queue"),
            ({"queued_at": 1}, "owner"),
            ({"agent": None, "queued_at": 1}, "queue"),
            ({"queued_at": 1, "offered_to": "alice"}, "offered"),
            ({"queued_at": 1, "offered_to": "alice", "answer_missed_at": 0}, "all"),
            ({"waiting_since": None, "dealt_with_message_id": 2**62, "answer_missed_at": 0}, "nobody"),
        ],
    )
    def test_the_first_line_of_the_table_that_holds(
        self, chat: Chat, boris: Agent, alice: Agent, facts: dict[str, Any], expected: str
    ) -> None:
        Agent.objects.filter(pk=boris.pk).update(online_since=ago(60), away_since=None)
        waits(chat, boris, 5)
        moments = {name: ago(value) for name, value in facts.items() if name.endswith("_at") and value is not None}
        Chat.objects.update(**{**facts, **moments, **({"offered_to": alice} if "offered_to" in facts else {})})
        assert ringing(chat) == expected
        rings = Chat.objects.annotate(waits_since=waits_since(timezone.now())).annotate(rings=rings_for())
        told = [each.pk for each in (alice, boris) if rings.filter(rings_for_operator(each.pk)).exists()]
        everybody = [alice.pk, boris.pk]
        assert told == {"all": everybody, "offered": [alice.pk], "owner": [boris.pk]}.get(expected, [])


@pytest.mark.parametrize(
    ("rings", "owner", "offered_to", "expected"),
    [
        ("nobody", 1, 2, []),
        ("owner", 1, 2, [1]),
        ("owner", 9, None, [2, 3]),
        ("offered", 1, 3, [3]),
        ("queue", 1, None, [2, 3]),
        ("all", 1, 2, [2, 3]),
    ],
)
def test_who_is_told_by_whom_it_rings_for(
    rings: str, owner: int | None, offered_to: int | None, expected: list[int]
) -> None:
    named = {"owner_id": owner, "offered_to_id": offered_to}
    assert list(whom(rings, **named, members=[2, 3, 8], everybody=[1, 2, 3])) == expected
    assert list(whom("all", **named, members=[8], everybody=[1, 2, 3])) == [1, 2, 3], "nobody of it may be told"


class TestAbsence:
    def test_operators_are_told_once_and_again_when_the_owner_is_back(
        self, chat: Chat, boris: Agent, happened: list[DomainEvent]
    ) -> None:
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(20))
        waits(chat, boris, 20)
        told = ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk)
        assert happened.count(told) == 1
        follow_owners(widget_id=chat.widget_id)
        assert run_due() == {"owner_away": 1}
        assert happened.count(told) == 1
        begin_presence(agent_id=boris.pk, process=uuid4())
        assert happened.count(told) == 2
        chat.refresh_from_db()
        assert (chat.owner_away_at, chat.agent, ringing(chat)) == (None, boris, "owner")

    def test_who_goes_while_somebody_waits_sets_the_timer_and_who_waits_when_they_are_away_too(
        self, chat: Chat, boris: Agent
    ) -> None:
        process = uuid4()
        begin_presence(agent_id=boris.pk, process=process)
        Chat.objects.update(agent=boris)
        write(chat)
        assert due_at(chat) is None, "the owner is here: posting sets nothing"
        end_presence(agent_id=boris.pk, process=process)
        boris.refresh_from_db()
        assert due_at(chat) == boris.away_since + PATIENCE
        Timer.objects.all().delete()
        Chat.objects.update(waiting_since=None)
        write(chat)
        chat.refresh_from_db()
        assert due_at(chat) == chat.waiting_since + PATIENCE
        assert (run_due(as_of=timezone.now() + PATIENCE), ringing(chat)) == ({"owner_away": 1}, "all")
        write(chat)
        assert due_at(chat) is None, "it rings for all by now"

    def test_a_new_wait_begins_with_patience(self, chat: Chat, boris: Agent, alice: Agent) -> None:
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(20))
        waits(chat, boris, 20)
        assert ringing(chat) == "all"
        MessageFactory.create(chat=chat, agent=alice)
        Chat.objects.update(waiting_since=None)
        write(chat)
        chat.refresh_from_db()
        assert (ringing(chat), due_at(chat)) == ("owner", chat.waiting_since + PATIENCE)

    def test_a_timer_that_is_too_early_is_set_once_more(self, chat: Chat, boris: Agent) -> None:
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(20))
        Chat.objects.update(agent=boris)
        write(chat)
        chat.refresh_from_db()
        Timer.objects.update(due_at=ago(1))
        assert run_due() == {"owner_away": 1}
        assert (ringing(chat), due_at(chat)) == ("owner", chat.waiting_since + PATIENCE)

    def test_who_is_given_a_chat_while_away_is_waited_for_anew(self, chat: Chat, boris: Agent, alice: Agent) -> None:
        write(chat)
        Chat.objects.update(owner_away_at=ago(0), owner_silent_at=ago(0))
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(5))
        actions.transfer_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=boris.pk)
        chat.refresh_from_db()
        assert (chat.owner_away_at, chat.owner_silent_at) == (None, None)
        assert due_at(chat) == chat.waiting_since + PATIENCE

    def test_other_minutes_hold_at_once_for_who_waits(self, chat: Chat, boris: Agent) -> None:
        Agent.objects.filter(pk=boris.pk).update(away_since=ago(20))
        waits(chat, boris, 20)
        for minutes, expected in ((30, "owner"), (5, "all"), (0, "owner")):
            change_settings(SETTINGS, widget_id=chat.widget_id, changes={"away_minutes": minutes})
            run_due()
            assert (minutes, ringing(chat)) == (minutes, expected)

    def test_a_message_that_was_decided_on_before_the_owner_went_sees_them_away(
        self, chat: Chat, boris: Agent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        process = uuid4()
        begin_presence(agent_id=boris.pk, process=process)
        Chat.objects.update(agent=boris)
        write_now, went = posting._write, []

        def go_before(*args: Any) -> Any:
            if not went:
                went.append(True)
                end_presence(agent_id=boris.pk, process=process)
            return write_now(*args)

        # An answer stands last, so that the chat may wait but does not: the owner's going sets no timer.
        MessageFactory.create(chat=chat, agent=boris)
        monkeypatch.setattr(posting, "_write", go_before)
        write(chat)
        chat.refresh_from_db()
        assert due_at(chat) == chat.waiting_since + PATIENCE

    def test_a_break_is_an_absence_and_its_end_is_none(self, chat: Chat, boris: Agent) -> None:
        Agent.objects.filter(pk=boris.pk).update(online_since=ago(60))
        waits(chat, boris, 1)
        set_on_break(widget_id=boris.widget_id, agent_id=boris.pk, on_break=True)
        boris.refresh_from_db()
        assert boris.away_since is not None
        assert due_at(chat) == boris.away_since + PATIENCE
        assert (run_due(as_of=due_at(chat)), ringing(chat)) == ({"owner_away": 1}, "all")
        set_on_break(widget_id=boris.widget_id, agent_id=boris.pk, on_break=False)
        boris.refresh_from_db()
        assert (boris.away_since, ringing(chat)) == (None, "owner")

    def test_who_passes_on_waiting_chats_is_not_waited_for(
        self, chat: Chat, boris: Agent, happened: list[DomainEvent]
    ) -> None:
        Agent.objects.filter(pk=boris.pk).update(online_since=ago(60))
        waits(chat, boris, 1)
        happened.clear()
        set_on_break(widget_id=boris.widget_id, agent_id=boris.pk, on_break=True)
        assert ringing(chat) == "owner"
        set_on_break(widget_id=boris.widget_id, agent_id=boris.pk, on_break=True, pass_on=True)
        assert (ringing(chat), ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk) in happened) == ("all", True)


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
