"""Who waits for people in a mailbox: every asker has one answer, whatever AI does there."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.actions.facts import answering_facts
from apps.ai.actions.going_live import waiting_for_ai
from apps.ai.actions.replies.reading import read
from apps.ai.models import AiSettings
from apps.chats.actions import (
    mark_as_dealt_with,
    post_agent_message,
    post_client_message,
    post_machine_message,
    sweep_chats,
)
from apps.chats.actions.offline import leave_offline_message
from apps.chats.dashboard import figures
from apps.chats.models import Chat
from apps.chats.rules.attribution import AttributionEvent
from apps.console.querysets import View, counted_chats, inbox_page, waiting_for
from apps.core.cabinet import Board
from apps.letters.actions.mailbox_proofs import vouch
from apps.letters.actions.mailboxes import save_mailbox
from apps.letters.actions.waiting import wake_operators
from apps.letters.models import Mailbox
from tests.letters.test_mailboxes import PASS, come

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE, MACHINE = True, False
TEXT = {"type": "text", "body": "Yes."}


@pytest.fixture
def mailbox(shop: Widget) -> Mailbox:
    mailbox = save_mailbox(
        widget_id=shop.pk, address="support@flowers.test", changes={"name": "Flowers", "authserv_ids": ["mx.shop.test"]}
    )
    vouch(mailbox)
    return mailbox


def answer_by(widget: Widget, *answerers: str) -> None:
    widget.answerers = list(answerers)
    widget.save()
    a_day_ago = timezone.now() - timedelta(days=1)
    AiSettings.objects.create(widget=widget, enabled=bool(answerers), enabled_since=a_day_ago)


def let(mailbox: Mailbox, ai: str) -> None:
    save_mailbox(widget_id=mailbox.widget_id, address=mailbox.address, changes={"ai": ai})


def askers(chat: Chat, agent: Agent) -> dict[str, bool]:
    """The answer of each place that tells who waits for people."""
    widget_id, now = chat.widget_id, timezone.now()
    view = inbox_page(widget_id=widget_id, agent_id=agent.pk, view=View.UNANSWERED).data
    unanswered = next(figure for figure in figures(Board(widget_id, now, 168, 6)) if figure.title == "Waiting now")
    counted = counted_chats([widget_id])[widget_id]
    return {
        "list": [row["id"] for row in view] == [chat.pk],
        "rings": waiting_for(agent).count == 1,
        "counter": chat.pk in counted and counted[chat.pk].is_unanswered,
        "overview": unanswered.value == "1",
        "mail to operators": wake_operators(as_of=now + timedelta(minutes=11)) == 1,
    }


def all_say(whom: bool, chat: Chat, agent: Agent) -> None:
    told = askers(chat, agent)
    assert set(told.values()) == {whom}, told


@pytest.mark.parametrize(
    ("answerers", "ai", "fields", "whom"),
    [
        ((), "off", PASS, PEOPLE),
        ((), "answers", PASS, PEOPLE),
        (("ai_shadow",), "answers", PASS, PEOPLE),
        (("ai",), "off", PASS, PEOPLE),
        (("ai",), "drafts", PASS, PEOPLE),
        (("ai",), "answers", "", PEOPLE),
        (("ai",), "answers", PASS, MACHINE),
        (("external_operator", "ai"), "off", PASS, PEOPLE),
        (("external_operator", "ai"), "answers", PASS, MACHINE),
    ],
)
def test_a_letter_waits_for_people_from_the_first_unless_ai_answers_it(
    mailbox: Mailbox, alice: Agent, answerers: tuple[str, ...], ai: str, fields: str, whom: bool
) -> None:
    answer_by(mailbox.widget, *answerers)
    let(mailbox, ai)
    row = come(mailbox, "Do you have roses?", fields=fields)
    chat = Chat.objects.select_related("widget").get(pk=row.chat_id)
    all_say(whom, chat, alice)
    if whom is PEOPLE and answerers == ("ai",):
        assert answering_facts(chat.widget_id, [chat.pk])[chat.pk]["mode"] == "waiting"
    context = read(
        widget_id=chat.widget_id, chat_id=chat.pk
    )  # as AI itself reads the chat; in shadow mode it writes a note, and people answer
    assert (context.answers and bool(context.burst) and not context.is_shadow) is not whom


def test_a_letter_for_people_waits_on_after_ai_answered_another(mailbox: Mailbox, ada: Agent, alice: Agent) -> None:
    answer_by(mailbox.widget, "ai")
    let(mailbox, "answers")
    come(mailbox, "Do you have roses?")
    row = come(mailbox, "Pay to this account, please.", fields="")
    chat = Chat.objects.get(pk=row.chat_id)
    ids: dict[str, Any] = {"widget_id": chat.widget_id, "chat_id": chat.pk, "content": TEXT}
    fact = AttributionEvent.AI_ANSWERED
    post_machine_message(**ids, agent_id=ada.pk, fact=fact, client_id="0b3f1f7e-5b0e-4a52-9b5c-0f6d61696c02")
    all_say(PEOPLE, chat, alice)
    post_agent_message(**ids, agent_id=alice.pk)
    all_say(MACHINE, chat, alice)


def test_the_sweep_marks_who_waits_by_the_same_rule(mailbox: Mailbox, ada: Agent, alice: Agent) -> None:
    answer_by(mailbox.widget, "ai")
    row = come(mailbox, "Do you have roses?")
    chat = Chat.objects.get(pk=row.chat_id)
    ids: dict[str, Any] = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    fact = AttributionEvent.AI_ANSWERED
    client_id: Any = "0b3f1f7e-5b0e-4a52-9b5c-0f6d61696c02"
    post_machine_message(**ids, content=TEXT, agent_id=ada.pk, fact=fact, client_id=client_id)
    sweep_chats(as_of=timezone.now() + timedelta(minutes=8))
    chat.refresh_from_db()
    assert (chat.status, chat.left_unanswered_at is None) == ("expired", False)
    all_say(PEOPLE, chat, alice)
    mark_as_dealt_with(**ids)
    all_say(MACHINE, chat, alice)


def test_an_offline_form_waits_for_people_while_ai_answers_the_widget(chat: Chat, alice: Agent) -> None:
    answer_by(chat.widget, "ai")
    leave_offline_message(contact=chat.contact, about={"email": "ivan@mail.test"}, message="Call me, please.")
    all_say(PEOPLE, chat, alice)


def test_a_chat_of_the_widget_is_ais_beside_a_mailbox_of_people(mailbox: Mailbox, chat: Chat, alice: Agent) -> None:
    answer_by(mailbox.widget, "ai")
    post_client_message(contact=chat.contact, content=TEXT)
    all_say(MACHINE, chat, alice)
    assert waiting_for_ai(chat.widget_id) == []  # nobody waits for people, so nobody has to be asked about
