"""The assistant answers visitors: from a posted message to the answer in the chat (specification, "Chat")."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from apps.agents.models import Agent
from apps.ai.models import Alert, Conversation, Exchange, ReplyJob, Usage
from apps.ai.rules.phrases import PHRASES
from apps.chats import actions
from apps.chats.actions import leave_offline_message, return_chat
from apps.chats.models import Chat
from apps.demo.servers.language_models import chat
from tests.ai.desk import Desk

Meanwhile = Callable[[Callable[[], object]], None]


class TestAnAnswer:
    def test_is_the_models_under_the_operators_name(self, desk: Desk) -> None:
        question = desk.writes()
        desk.quiet()
        desk.works()
        (answer,) = desk.said(after=question)
        assert (answer.body, answer.sender_kind, answer.agent_id) == ("По 90 рублей.", "ai", desk.operator.pk)
        chat = desk.now
        assert (chat.handling, chat.accepted_type, chat.agent_id) == ("ai", "ai", None)
        conversation = Conversation.objects.get(pk=chat.pk)
        assert (conversation.mode, conversation.answered_message_id, conversation.language) == ("ai", question, "ru")
        assert (desk.job.due_at, desk.job.waiting_since, desk.job.restarts) == (None, None, 0)

    def test_names_its_assistant(self, desk: Desk) -> None:
        question = desk.writes()
        desk.quiet()
        desk.works()
        (answer,) = desk.said(after=question)
        assert answer.assistant_id == desk.assistant.pk

    def test_a_burst_is_answered_once_with_all_of_it(self, desk: Desk) -> None:
        desk.writes("Здравствуйте")
        assert desk.answers("Сколько стоят розы?") == ["По 90 рублей."]
        assert [line["content"] for line in desk.prompt()["messages"]][-1] == "Здравствуйте\nСколько стоят розы?"
        assert len(desk.vendor.asked) == 1

    def test_the_next_burst_has_the_answer_in_its_history(self, desk: Desk) -> None:
        desk.answers("Сколько стоят розы?")
        desk.answers("А тюльпаны?")
        assert [(line["role"], line["content"]) for line in desk.prompt()["messages"]][1:] == [
            ("user", "Сколько стоят розы?"),
            ("assistant", "По 90 рублей."),
            ("user", "А тюльпаны?"),
        ]

    def test_leaves_an_exchange_and_its_cost(self, desk: Desk) -> None:
        desk.answers("Мой адрес ivan@mail.test, сколько стоят розы?")
        exchange = desk.exchange
        assert exchange.question == "Мой адрес [EMAIL_1], сколько стоят розы?"
        assert (exchange.answer, exchange.outcome, exchange.transformation) == ("По 90 рублей.", "shown", "answer")
        assert (exchange.model, exchange.operations, exchange.prompt_tokens) == ("m-1", 1, 11)
        assert Usage.objects.get().chat_id == desk.chat.pk


class TestFactsThatStandNowhere:
    def test_what_was_taken_out_is_kept_with_the_exchange(self, desk: Desk) -> None:
        desk.vendor.will_say(chat("По 120 рублей."), chat("Розы есть. По 130 рублей."))
        assert desk.answers() == ["Розы есть."]
        assert desk.exchange.facts_removed == ["130 рублей"]

    def test_personal_data_of_it_has_names(self, desk: Desk) -> None:
        desk.vendor.will_say(chat("Звоните +7 900 123-45-67."), chat("Розы есть. Звоните +7 900 123-45-67."))
        assert desk.answers() == ["Розы есть."]
        assert desk.exchange.facts_removed == ["[PHONE_1]"]

    def test_an_answer_without_such_facts_keeps_none(self, desk: Desk) -> None:
        desk.vendor.will_say(chat("Розы есть."))
        desk.answers()
        assert desk.exchange.facts_removed == []


class TestMarkup:
    MARKED = "**Розы** по 90 ₽:\n* красные\n* белые"

    def test_the_body_is_the_words_and_markdown_what_the_model_wrote(self, desk: Desk) -> None:
        desk.vendor.will_say(chat(self.MARKED))
        question = desk.writes()
        desk.quiet()
        desk.works()
        (answer,) = desk.said(after=question)
        assert (answer.body, answer.markdown) == ("Розы по 90 ₽:\n• красные\n• белые", self.MARKED)

    def test_without_marks_there_is_no_markdown(self, desk: Desk) -> None:
        desk.vendor.will_say(chat("розы < пионов [см. выше], роза_белая"))
        question = desk.writes()
        desk.quiet()
        desk.works()
        (answer,) = desk.said(after=question)
        assert (answer.body, answer.markdown) == ("розы < пионов [см. выше], роза_белая", None)

    def test_a_note_of_shadow_mode_has_both(self, desk: Desk) -> None:
        desk.switch(shadow_mode=True)
        desk.vendor.will_say(chat("**Да**"))
        desk.answers()
        (note,) = desk.notes()
        assert (note.body, note.markdown) == ("Да", "**Да**")


class TestTheSwitch:
    def test_while_it_is_off_no_job_is_made(self, desk: Desk) -> None:
        desk.switch(enabled=False)
        assert desk.answers() == []
        assert not ReplyJob.objects.exists()

    def test_switched_off_while_a_reply_is_under_way_nothing_is_shown(self, desk: Desk, meanwhile: Meanwhile) -> None:
        meanwhile(lambda: desk.switch(enabled=False))
        assert desk.answers() == []
        assert (desk.exchange.outcome, desk.job.due_at) == ("dropped", None)

    def test_what_was_written_before_is_peoples(self, desk: Desk) -> None:
        desk.switch(enabled=False)
        desk.writes("Давний вопрос")
        desk.switch(enabled=True)
        desk.answers("Новый вопрос")
        assert desk.prompt()["messages"][-1]["content"] == "Давний вопрос\n\nНовый вопрос", "the old one is history"

    def test_the_offline_form_is_for_people(self, desk: Desk) -> None:
        leave_offline_message(contact=desk.chat.contact, about={}, message="Перезвоните")
        assert not ReplyJob.objects.exists()
        desk.answers("Сколько стоят розы?")
        assert desk.prompt()["messages"][-1]["content"] == "Перезвоните\n\nСколько стоят розы?"


class TestHandovers:
    def test_a_wish_for_a_person_needs_no_model(self, desk: Desk) -> None:
        assert desk.answers("Позовите оператора") == [PHRASES["handover_offline"]["ru"]]
        assert desk.vendor.asked == []
        chat = desk.now
        assert (chat.handover_reason, chat.handed_over_at is not None) == ("human_request", True)
        conversation = Conversation.objects.get(pk=chat.pk)
        assert (conversation.mode, conversation.mode_since) == ("offline", chat.handed_over_at)

    def test_a_failing_vendor_hands_over_after_one_more_try(self, desk: Desk) -> None:
        desk.vendor.will_say({"error": "no"})
        assert desk.answers() == [PHRASES["handover_unknown"]["ru"]]
        assert len(desk.vendor.asked) == 2
        assert desk.now.handover_reason == "provider_failure"
        assert Alert.objects.get().code == "provider_failure"

    def test_nobody_able_leaves_the_chat_to_people(self, desk: Desk) -> None:
        desk.credential.delete()
        assert desk.answers() == []
        assert desk.now.handover_reason == "not_configured"
        assert Alert.objects.get().code == "not_configured"


class TestPeople:
    def test_a_person_who_was_quicker_has_the_word(self, desk: Desk, alice: Agent, meanwhile: Meanwhile) -> None:
        meanwhile(lambda: desk.person_writes(alice))
        assert desk.answers() == ["Я здесь"]
        assert (Exchange.objects.get().outcome, desk.job.due_at) == ("dropped", None)

    def test_takeover_says_who_answers(self, desk: Desk, alice: Agent) -> None:
        desk.writes()
        desk.person_writes(alice)
        assert desk.answers("И тюльпаны?") == []
        due = desk.job.due_at
        assert due is not None
        assert abs(due - desk.said()[-1].created_at - timedelta(seconds=300)) < timedelta(seconds=2)
        desk.passes(seconds=301)
        desk.works()
        assert [said.body for said in desk.said()][-2:] == [PHRASES["handoff_to_ai"]["ru"], "По 90 рублей."]
        chat = desk.now
        assert (chat.handling, chat.agent_id, chat.handled_type) == ("human_to_ai", None, "ai")


def test_shadow_mode_leaves_notes(desk: Desk) -> None:
    desk.switch(shadow_mode=True)
    before = Chat.objects.get(pk=desk.chat.pk)
    assert desk.answers() == []
    (note,) = desk.notes()
    assert (note.body, note.origin, note.agent_id) == ("По 90 рублей.", "ai_shadow", desk.operator.pk)
    assert (desk.now.handling, desk.now.handed_over_at) == (before.handling, None)
    assert desk.exchange.outcome == "shadow"


class TestLetters:
    """Of a mailbox's chat: the answer is a letter."""

    @pytest.fixture(autouse=True)
    def by_letters(self, desk: Desk) -> None:
        Chat.objects.filter(pk=desk.chat.pk).update(channel="mail__7")

    def writes(self, desk: Desk, text: str = "Сколько стоят розы?") -> list[str]:
        before = desk.newest
        desk.writes(text, channel="mail__7")
        desk.quiet()
        desk.works()
        assert desk.said(after=before)[1:] == [], "another letter may come within a minute"
        desk.passes(seconds=61)
        desk.works()
        return [said.body for said in desk.said(after=before) if said.sender_kind != "client"]

    def test_a_burst_ends_after_a_minute(self, desk: Desk) -> None:
        assert self.writes(desk) == ["По 90 рублей."]
        assert "Your answer is sent as a letter" in desk.prompt()["messages"][0]["content"]

    def test_it_has_3000_characters_at_most(self, desk: Desk) -> None:
        sorts = (first + second for first in "абвгдежзик" for second in "лмнопрстуфхц")
        desk.vendor.will_say(chat(" ".join(f"Хороша и роза сорта {sort} из нашего сада." for sort in sorts)))
        (answer,) = self.writes(desk)
        assert 2_900 < len(answer) <= 3_000

    def test_after_three_in_a_row_people_answer(self, desk: Desk) -> None:
        for _ in range(3):
            assert self.writes(desk) == ["По 90 рублей."]
        assert self.writes(desk) == [PHRASES["handover_offline"]["ru"]]
        assert desk.now.handover_reason == "letters_limit"
        assert self.writes(desk) == []

    def test_people_are_named_once_a_day(self, desk: Desk, alice: Agent) -> None:
        for is_told in (True, False, True):
            said = self.writes(desk, "Позовите оператора")
            assert said == ([PHRASES["handover_offline"]["ru"]] if is_told else [])
            assert desk.now.agent_id is None, "it rings for all"
            desk.person_writes(alice)
            return_chat(widget_id=desk.widget.pk, chat_id=desk.chat.pk, by_agent_id=alice.pk)
            if not is_told:
                desk.passes(days=1)


def test_who_waits_when_shadow_mode_ends_is_answered_at_once_and_stays_unanswered_till_then(desk: Desk) -> None:
    desk.switch(shadow_mode=True)
    assert desk.answers() == []
    waiting = Chat.objects.for_widget(desk.widget.pk).unanswered
    assert waiting(timezone.now()).count() == 1
    desk.switch(shadow_mode=False)
    assert waiting(timezone.now()).count() == 1
    desk.works()
    assert [said.body for said in desk.said() if said.sender_kind == "ai"] == ["По 90 рублей."]
    assert waiting(timezone.now()).count() == 0
    desk.writes("А тюльпаны?")
    assert waiting(timezone.now()).count() == 0


def test_a_chat_that_a_person_has_is_left_to_them_when_shadow_mode_ends(desk: Desk, alice: Agent) -> None:
    desk.switch(shadow_mode=True)
    desk.answers()
    actions.accept_chat(widget_id=desk.widget.pk, chat_id=desk.chat.pk, agent_id=alice.pk)
    desk.switch(shadow_mode=False)
    desk.works()
    assert [said for said in desk.said() if said.sender_kind == "ai"] == []
