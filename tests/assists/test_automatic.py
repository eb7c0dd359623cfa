"""Assists that nobody asks for: drafts where a visitor waits, summaries where a chat changes hands."""

import json
from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actions.settings import change_settings
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.assists.actions.automatic import chat_opened
from apps.assists.actions.outcomes import note_sent
from apps.assists.models import Assist, ChatSummary
from apps.chats.actions import post_note
from apps.chats.actions.attribution import assign_chat, transfer_chat_to_department
from apps.chats.actions.states import set_chat_state
from apps.chats.rules import Status
from apps.chats.settings import SETTINGS
from tests.assists.help import Help

pytestmark = pytest.mark.django_db

SUMMARY = {"wants": "Розы", "done": "", "open": ["Адрес"], "promised": [], "tags": []}


def talk(help_: Help, messages: int = 6) -> None:
    """A conversation with people, of so many messages and of more than 400 characters."""
    for number in range(messages):
        words = f"{number} " + "розы и тюльпаны " * 6
        if number % 2:
            help_.desk.person_writes(help_.operator, words)
        else:
            help_.desk.writes(words)


def settings(help_: Help, **changes: Any) -> None:
    change_settings(SETTINGS, widget_id=help_.desk.widget.pk, changes=changes)


@pytest.fixture
def people(help_: Help) -> Help:
    """AI answers nobody; its model helps."""
    help_.desk.switch(enabled=False)
    help_.model_says(json.dumps(SUMMARY))
    return help_


class TestDrafts:
    def test_one_is_made_where_a_visitor_waits_once_for_a_state_of_the_chat(self, people: Help) -> None:
        settings(people, drafts="waiting")
        people.desk.writes()
        for _ in range(2):
            chat_opened(agent=people.operator, chat_id=people.chat_id)
        assist = Assist.objects.get()
        assert (assist.kind, assist.agent_id, assist.is_automatic) == ("draft", people.operator.pk, True)

    def test_none_is_made_by_itself_otherwise(self, people: Help) -> None:
        people.desk.writes()
        chat_opened(agent=people.operator, chat_id=people.chat_id)
        settings(people, drafts="waiting")
        people.desk.person_writes(people.operator)
        chat_opened(agent=people.operator, chat_id=people.chat_id)
        assert not Assist.objects.exists()

    def test_the_last_tenth_of_the_day_is_left_to_people(self, people: Help) -> None:
        from apps.ai.models import AiSettings, Usage

        settings(people, drafts="waiting")
        AiSettings.objects.update(daily_token_budget=10_000)
        Usage.objects.create(
            widget=people.desk.widget, purpose="reply", model="m-1", outcome="ok", latency_ms=1, prompt_tokens=9_001
        )
        people.desk.writes()
        chat_opened(agent=people.operator, chat_id=people.chat_id)
        assert not Assist.objects.exists()
        assert people.request().status_code == 202
        Usage.objects.update(prompt_tokens=10_000)
        answer = people.request()
        assert (answer.status_code, answer.json()["code"]) == (429, "budget_exhausted")
        assert int(answer.headers["Retry-After"]) > 0


class TestSummaries:
    def test_one_is_made_for_whom_the_chat_is_given_in_their_language(self, people: Help, boris: Agent) -> None:
        User.objects.filter(pk=boris.user_id).update(language="ru")
        talk(people)
        assign_chat(widget_id=people.desk.widget.pk, chat_id=people.chat_id, agent_id=people.operator.pk)
        people.works()
        Assist.objects.all().delete()
        ChatSummary.objects.all().delete()
        assign_chat(widget_id=people.desk.widget.pk, chat_id=people.chat_id, agent_id=boris.pk)
        people.works()
        assert ChatSummary.objects.get().language == "ru"
        card = people.console.data("GET", f"/chats/{people.chat_id}")["card"]
        assert (card["summary"]["wants"], card["summary"]["open"]) == ("Розы", ["Адрес"])
        assert card["suggested_tags"] == []

    def test_for_a_department_in_the_widgets(self, people: Help, sales: Any) -> None:
        talk(people)
        transfer_chat_to_department(widget_id=people.desk.widget.pk, chat_id=people.chat_id, department_id=sales.pk)
        people.works()
        assert ChatSummary.objects.get().language == "en"

    def test_a_short_talk_is_none_by_itself(self, people: Help, boris: Agent) -> None:
        talk(people, 5)
        assign_chat(widget_id=people.desk.widget.pk, chat_id=people.chat_id, agent_id=boris.pk)
        assert not Assist.objects.exists()

    def test_who_takes_a_chat_over_gets_one_if_four_messages_are_new(self, people: Help, boris: Agent) -> None:
        talk(people)
        assign_chat(widget_id=people.desk.widget.pk, chat_id=people.chat_id, agent_id=boris.pk)
        people.works()
        assert Assist.objects.count() == 1
        from apps.chats.actions import accept_chat

        talk(people, 2)
        accept_chat(widget_id=people.desk.widget.pk, chat_id=people.chat_id, agent_id=boris.pk)
        assert Assist.objects.count() == 1
        talk(people, 2)
        accept_chat(widget_id=people.desk.widget.pk, chat_id=people.chat_id, agent_id=boris.pk)
        assert Assist.objects.count() == 2

    def test_opening_a_long_chat_that_nobody_has_seen_makes_one_where_it_is_wanted(self, people: Help) -> None:
        talk(people, 19)
        chat_opened(agent=people.operator, chat_id=people.chat_id)
        settings(people, summaries="auto")
        chat_opened(agent=people.operator, chat_id=people.chat_id)
        assert not Assist.objects.exists()
        talk(people, 1)
        chat_opened(agent=people.operator, chat_id=people.chat_id)
        assert Assist.objects.get().kind == "summary"


class TestWhatGoes:
    def test_with_spam(self, people: Help) -> None:
        people.desk.writes()
        people.begins()
        set_chat_state(widget_id=people.desk.widget.pk, chat_id=people.chat_id, status=Status.SPAM)
        assert not Assist.objects.exists()

    def test_with_a_suspended_operator(self, people: Help) -> None:
        from apps.agents.actions import suspend_agent

        people.desk.writes()
        people.begins()
        lease = people.take()
        suspend_agent(widget_id=people.desk.widget.pk, agent_id=people.operator.pk)
        lease.run()
        assert not Assist.objects.exists()


class TestWhatWasSent:
    def sent(self, help_: Help, body: str, **source: int) -> Assist:
        note_sent(agent=help_.operator, chat_id=help_.chat_id, message_id=7, body=body, client_id=uuid4(), **source)
        return Assist.objects.latest("pk")

    def test_as_it_was_drafted_is_used(self, help_: Help) -> None:
        help_.desk.writes()
        made = help_.asks()
        row = self.sent(help_, " По 90 рублей.\n", assist_id=made["id"])
        assert (row.outcome, row.distance, row.sent, row.sent_message_id) == ("used", 0.0, " По 90 рублей.\n", 7)

    def test_otherwise_is_edited_and_by_how_much(self, help_: Help) -> None:
        help_.desk.writes()
        made = help_.asks()
        row = self.sent(help_, "По 95 рублей.", assist_id=made["id"])
        assert (row.outcome, row.distance) == ("edited", 0.25)

    def test_a_machines_note_is_one_too(self, help_: Help) -> None:
        help_.desk.writes("Сколько? ivan@mail.test")
        note = post_note(
            widget_id=help_.desk.widget.pk,
            chat_id=help_.chat_id,
            agent_id=help_.desk.operator.pk,
            content={"type": "text", "body": "По 90 рублей.", "origin": "ai_shadow"},
            client_id=uuid4(),
        )
        row = self.sent(help_, "По 90 рублей.", from_message_id=note.id)
        assert (row.tool, row.outcome, row.question, row.due_at) == ("shadow", "used", "Сколько? [EMAIL_1]", None)

    def test_a_persons_note_is_none(self, help_: Help) -> None:
        help_.desk.writes()
        note = post_note(
            widget_id=help_.desk.widget.pk,
            chat_id=help_.chat_id,
            agent_id=help_.operator.pk,
            content={"type": "text", "body": "x"},
            client_id=uuid4(),
        )
        note_sent(
            agent=help_.operator,
            chat_id=help_.chat_id,
            message_id=7,
            body="x",
            client_id=uuid4(),
            from_message_id=note.id,
        )
        assert not Assist.objects.exists()
