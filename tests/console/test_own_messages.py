"""What operators edit and delete of their own messages, for how long, and who sees what."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.events import MessageChanged
from apps.chats.models import Chat, Message, MessageEdit
from apps.chats.querysets.edits import changed_messages
from apps.chats.rules import Via
from apps.chats.rules.translations import translations_of
from apps.console.querysets import inbox_rows
from apps.core.bus import DomainEvent
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.factories import MessageFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(chat: Chat) -> Message:
    return MessageFactory.create(chat=chat, body="Is it in stock?")


@pytest.fixture
def answer(question: Message, alice: Agent) -> Message:
    """Alice's answer, from her console."""
    return say(question.chat, alice)


def say(chat: Chat, agent: Agent, body: str = "Yes, 5 pieces", post: Any = actions.post_agent_message) -> Message:
    posted = post(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        agent_id=agent.pk,
        content={"type": "text", "body": body},
        client_id=uuid4(),
        via=Via.CONSOLE,
    )
    return Message.objects.get(pk=posted.id)


def edit(console: Console, message: Message, **text: str) -> Any:
    return console.patch(f"/messages/{message.pk}", json=text or {"body": "Yes, 50 pieces"})


def delete(console: Console, message: Message) -> Any:
    return console.delete(f"/messages/{message.pk}")


class TestEditing:
    def test_the_new_text_is_everywhere_and_the_former_is_kept(
        self, answer: Message, alice: Agent, alices_console: Console, api: ApiClient, happened: list[DomainEvent]
    ) -> None:
        happened.clear()
        shown = edit(alices_console, answer).json()["data"]
        assert (shown["body"], shown["deleted_at"]) == ("Yes, 50 pieces", None)
        assert shown["edited_at"] is not None
        over_api = api.get(f"/chats/{answer.chat_id}/messages").json()["data"][0]
        assert (over_api["body"], over_api["edited_at"]) == ("Yes, 50 pieces", shown["edited_at"])
        assert inbox_rows(answer.widget_id, [answer.chat_id])[0]["last_message"]["preview"] == "Yes, 50 pieces"
        former = alices_console.data("GET", f"/messages/{answer.pk}/edits")
        assert [(each["change"], each["body"], each["agent_id"]) for each in former] == [
            ("edited", "Yes, 5 pieces", alice.pk)
        ]
        (event,) = [each for each in happened if isinstance(each, MessageChanged)]
        assert (event.message_id, event.change, event.is_internal) == (answer.pk, "edited", False)

    @pytest.mark.parametrize("text", [{"body": "Yes, 5 pieces"}, {}])
    def test_the_same_text_and_none_change_nothing(
        self, answer: Message, alices_console: Console, text: dict[str, str]
    ) -> None:
        before = snapshot()
        shown = alices_console.patch(f"/messages/{answer.pk}", json=text).json()["data"]
        assert (shown["body"], shown["edited_at"]) == ("Yes, 5 pieces", None)
        assert snapshot() == before

    def test_marks_arrive_as_formatting(self, answer: Message, alices_console: Console) -> None:
        shown = edit(alices_console, answer, markdown="Yes, **50** pieces").json()["data"]
        assert (shown["body"], shown["markdown"]) == ("Yes, 50 pieces", "Yes, **50** pieces")
        shown = edit(alices_console, answer, markdown="2*3*4 of my_order").json()["data"]
        assert (shown["body"], shown["markdown"]) == ("2*3*4 of my_order", None)

    def test_a_note_is_edited_too(self, question: Message, alice: Agent, alices_console: Console) -> None:
        note = say(question.chat, alice, "Call him", actions.post_note)
        assert edit(alices_console, note, body="Call her").json()["data"]["body"] == "Call her"
        assert changed_messages(chat_id=note.chat_id, for_visitor=True, after_edit=0) == []
        assert [each["id"] for each in changed_messages(chat_id=note.chat_id, for_visitor=False, after_edit=0)] == [
            note.pk
        ]

    @pytest.mark.parametrize(
        "text",
        [
            {"body": "a", "markdown": "b"},
            {"body": ""},
            {"markdown": " "},
            {"source": {"text": "Да, 5 штук", "lang": "ru"}},
        ],
    )
    def test_one_text_with_words_is_needed(
        self, answer: Message, alices_console: Console, text: dict[str, Any]
    ) -> None:
        before = snapshot()
        assert alices_console.patch(f"/messages/{answer.pk}", json=text).status_code == 422
        assert snapshot() == before


class TestTranslated:
    """A message whose text is the translation of what Alice wrote."""

    @pytest.fixture
    def translated(self, answer: Message, alices_console: Console) -> Message:
        source = {"text": "Да, 5 штук", "lang": "ru"}
        body = {"body": "Yes, 5 items", "source": source}
        assert alices_console.patch(f"/messages/{answer.pk}", json=body).status_code == 200
        answer.refresh_from_db()
        assert own_words_of(answer) == ["Да, 5 штук"]
        return answer

    def test_its_new_words_stand_beside_its_new_text(self, translated: Message, alices_console: Console) -> None:
        body = {"body": "Yes, 50 pieces", "source": {"text": "Да, 50 штук", "lang": "ru"}}
        assert alices_console.patch(f"/messages/{translated.pk}", json=body).status_code == 200
        translated.refresh_from_db()
        assert (translated.body, own_words_of(translated)) == ("Yes, 50 pieces", ["Да, 50 штук"])

    def test_former_words_do_not_stand_beside_another_text(self, translated: Message, alices_console: Console) -> None:
        edit(alices_console, translated)
        translated.refresh_from_db()
        assert (translated.body, own_words_of(translated)) == ("Yes, 50 pieces", [])

    def test_another_number_in_the_translation_is_refused(self, translated: Message, alices_console: Console) -> None:
        before = snapshot()
        body = {"body": "Yes, 60 pieces", "source": {"text": "Да, 50 штук", "lang": "ru"}}
        refused = alices_console.patch(f"/messages/{translated.pk}", json=body)
        problem = assert_problem(refused, 422, "translation_differs")
        assert [(one["source"], one["text"]) for one in problem["differs"]] == [("50", "60")]
        assert snapshot() == before


def own_words_of(message: Message) -> list[str]:
    return [each["text"] for each in translations_of(message.details) if each["is_source"]]


class TestRefusals:
    def test_only_what_one_wrote_in_the_console_oneself(
        self, answer: Message, question: Message, alice: Agent, boriss_console: Console, alices_console: Console
    ) -> None:
        by_program = MessageFactory.create(chat=question.chat, agent=alice)
        before = snapshot()
        for console, message in ((boriss_console, answer), (alices_console, question), (alices_console, by_program)):
            for refused in (edit(console, message), delete(console, message)):
                assert (refused.status_code, refused.json()["code"]) == (403, "not_yours")
        assert snapshot() == before

    def test_after_fifteen_minutes_it_is_too_late(self, answer: Message, alices_console: Console) -> None:
        Message.objects.filter(pk=answer.pk).update(created_at=timezone.now() - timedelta(minutes=15, seconds=1))
        before = snapshot()
        for refused in (edit(alices_console, answer), delete(alices_console, answer)):
            assert (refused.status_code, refused.json()["code"]) == (409, "too_late")
        assert snapshot() == before

    def test_what_has_left_by_a_messenger_is_not_called_back(self, answer: Message, alices_console: Console) -> None:
        Chat.objects.update(channel="cian")
        before = snapshot()
        assert edit(alices_console, answer).json()["code"] == "channel_cannot_edit"
        assert delete(alices_console, answer).json()["code"] == "channel_cannot_delete"
        assert snapshot() == before

    def test_a_deleted_one_is_not_edited_and_deleted_again_without_a_word(
        self, answer: Message, alices_console: Console
    ) -> None:
        assert [delete(alices_console, answer).status_code for _ in range(2)] == [204, 204]
        assert MessageEdit.objects.count() == 1
        refused = edit(alices_console, answer)
        assert (refused.status_code, refused.json()["code"]) == (409, "message_deleted")

    def test_another_widgets_message_is_404(self, alices_console: Console, rival: Any) -> None:
        message = MessageFactory.create(chat=rival.chat)
        before = snapshot()
        assert [edit(alices_console, message).status_code, delete(alices_console, message).status_code] == [404, 404]
        assert snapshot() == before


class TestDeleting:
    def test_the_row_stays_without_content(
        self, answer: Message, alice: Agent, alices_console: Console, api: ApiClient
    ) -> None:
        delete(alices_console, answer)
        shown = api.get(f"/chats/{answer.chat_id}/messages").json()["data"][0]
        assert (shown["id"], shown["type"], shown["body"], shown["file"]) == (answer.pk, "text", "", None)
        assert shown["deleted_at"] is not None
        (over_console, _) = alices_console.data("GET", f"/chats/{answer.chat_id}/messages")
        assert over_console["deleted_by"] == alice.pk

    def test_the_visitor_waits_again_since_they_asked(
        self, question: Message, answer: Message, alices_console: Console
    ) -> None:
        (row,) = inbox_rows(answer.widget_id, [answer.chat_id])
        assert row["waits_since"] is None
        delete(alices_console, answer)
        (row,) = inbox_rows(answer.widget_id, [answer.chat_id])
        assert row["waits_since"] == question.created_at
        assert row["last_message"]["preview"] == "Is it in stock?"

    def test_what_it_was_is_for_managers(
        self, answer: Message, alice: Agent, alices_console: Console, boriss_console: Console
    ) -> None:
        delete(alices_console, answer)
        path = f"/messages/{answer.pk}/edits"
        alice.refresh_from_db()
        by_role = {alice.role: alices_console.data("GET", path), "operator": boriss_console.data("GET", path)}
        assert by_role["operator"] == []

    def test_a_transcript_has_nothing_of_it(self, answer: Message, alices_console: Console, api: ApiClient) -> None:
        delete(alices_console, answer)
        text = b"".join(api.get(f"/chats/{answer.chat_id}/transcript")).decode()
        assert "Is it in stock?" in text
        assert "5 pieces" not in text
        assert "Alice" not in text
