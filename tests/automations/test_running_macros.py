"""Macros in a chat: what one would do, and doing it once, in the name of who runs it."""

from typing import Any
from uuid import uuid4

import pytest

from apps.agents.models import Agent
from apps.automations.actions.running_macros import preview_macro, run_macro
from apps.automations.actions.undo import undo_run
from apps.automations.models import AutomationRun, Macro
from apps.chats import actions
from apps.chats.models import Chat, ChatActivity, Message
from apps.console.models import CannedReply
from apps.core.problems import Problem
from tests.cast import Rival
from tests.factories import AgentFactory
from tests.factories.automations import MacroFactory
from tests.rows import snapshot

TEXT = {"type": "text", "body": "Где мой заказ?"}
ORDER = {"key": "order", "label": "Номер заказа", "is_required": True}
ASIDE = {"key": "aside", "label": "Ещё", "is_required": False}


@pytest.fixture
def asked(chat: Chat) -> Chat:
    """A chat whose visitor has written."""
    chat.contact.name = "Ольга Петрова"
    chat.contact.save()
    actions.post_client_message(contact=chat.contact, content=TEXT)
    return Chat.objects.get(pk=chat.pk)


@pytest.fixture
def macro(asked: Chat) -> Macro:
    then = [
        {"do": "reply", "text": "{visitor.first_name}, заказ {input.order} в пути. {input.aside}"},
        {"do": "priority", "value": "high"},
    ]
    return MacroFactory.create(widget=asked.widget, name="В пути", then=then, inputs=[ORDER, ASIDE])


def run(agent: Agent, chat: Chat, macro: Macro, **options: Any) -> tuple[AutomationRun, Message | None]:
    whole = {"client_id": uuid4(), "inputs": {"order": "A-7"}, **options}
    return run_macro(agent=agent, chat_id=chat.pk, macro_id=macro.pk, **whole)


def test_a_preview_changes_nothing_and_says_what_is_missing(asked: Chat, alice: Agent, macro: Macro) -> None:
    before = snapshot()
    found = preview_macro(agent=alice, chat_id=asked.pk, macro_id=macro.pk, inputs={})
    assert found.missing == ["input.order"]
    assert found.does == [{"do": "priority", "value": "high"}]
    whole = preview_macro(agent=alice, chat_id=asked.pk, macro_id=macro.pk, inputs={"order": "A-7", "aside": "Ждите."})
    assert (whole.text, whole.missing) == ("Ольга, заказ A-7 в пути. Ждите.", [])
    assert snapshot() == before


def test_a_run_is_the_operators_own_message_and_acts(asked: Chat, alice: Agent, macro: Macro) -> None:
    made, message = run(alice, asked, macro)
    assert message is not None
    assert (message.sender_kind, message.agent, message.body) == ("agent", alice, "Ольга, заказ A-7 в пути. ")
    found = Chat.objects.get(pk=asked.pk)
    assert (found.priority, found.agent, found.waiting_since) == ("high", alice, None)
    assert (made.macro, made.agent, made.automation, made.state) == (macro, alice, None, "done")
    assert [each["do"] for each in made.did] == ["reply", "priority"]
    steps = ChatActivity.objects.filter(chat=asked, kind="automation")
    assert list(steps.values_list("comment", "agent", "run_id", "version")) == [("В пути", alice.pk, made.pk, None)]
    assert ChatActivity.objects.get(chat=asked, kind="priority").agent == alice


def test_the_same_client_id_is_run_once(asked: Chat, alice: Agent, macro: Macro) -> None:
    client_id = uuid4()
    first = run(alice, asked, macro, client_id=client_id)
    before = snapshot()
    assert run(alice, asked, macro, client_id=client_id) == first
    assert snapshot() == before


def test_what_is_missing_is_refused_and_nothing_is_done(asked: Chat, alice: Agent, macro: Macro) -> None:
    before = snapshot()
    with pytest.raises(Problem) as refused:
        run(alice, asked, macro, inputs={"order": "  "})
    assert (refused.value.type.code, refused.value.members) == ("missing", {"missing": ["input.order"]})
    assert snapshot() == before
    _, message = run(alice, asked, macro, inputs={}, body="Своими словами")
    assert message is not None
    assert message.body == "Своими словами"


def test_spam_another_operators_and_another_widgets_are_refused(
    asked: Chat, alice: Agent, macro: Macro, rival: Rival
) -> None:
    bobs = MacroFactory.create(widget=asked.widget, agent=AgentFactory.create(widget=asked.widget))
    theirs = MacroFactory.create(widget=rival.widget)
    Chat.objects.filter(pk=asked.pk).update(status="spam")
    before = snapshot()
    for one, code in ((bobs, "not_found"), (theirs, "not_found"), (macro, "chat_is_spam")):
        with pytest.raises(Problem) as refused:
            run(alice, asked, one)
        assert refused.value.type.code == code
    with pytest.raises(Problem):
        run_macro(agent=rival.agent, chat_id=asked.pk, macro_id=theirs.pk, client_id=uuid4(), inputs={})
    assert snapshot() == before


def test_a_canned_reply_is_its_text(asked: Chat, alice: Agent) -> None:
    reply = CannedReply.objects.create(widget=asked.widget, shortcut="hi", body="Здравствуйте, {visitor.first_name}!")
    macro = MacroFactory.create(widget=asked.widget, then=[{"do": "reply", "reply_id": reply.pk}])
    _, message = run(alice, asked, macro)
    assert message is not None
    assert message.body == "Здравствуйте, Ольга!"


def test_it_is_taken_back_like_a_run(asked: Chat, alice: Agent, macro: Macro) -> None:
    made, _ = run(alice, asked, macro)
    assert undo_run(widget_id=asked.widget_id, run_id=made.pk, agent=alice) == {
        "undone": ["priority"],
        "kept": [{"do": "reply", "why": "cannot"}],
    }
    assert Chat.objects.get(pk=asked.pk).priority == "normal"


def test_a_visitor_without_a_name_is_missing(asked: Chat, alice: Agent) -> None:
    asked.contact.name = ""
    asked.contact.save()
    macro = MacroFactory.create(widget=asked.widget, then=[{"do": "reply", "text": "Привет, {visitor.first_name}"}])
    found = preview_macro(agent=alice, chat_id=asked.pk, macro_id=macro.pk, inputs={})
    assert (found.text, found.missing) == ("Привет, {visitor.first_name}", ["visitor.first_name"])
