"""The assistant answers visitors: from a posted message to the answer in the chat (specification, "Chat")."""

from collections.abc import Callable
from datetime import timedelta

from apps.agents.models import Agent
from apps.ai.models import Alert, Conversation, Exchange, ReplyJob, Usage
from apps.ai.rules.phrases import PHRASES
from apps.chats.actions import leave_offline_message
from apps.chats.models import Chat
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
        assert desk.prompt()["messages"][-1]["content"] == "Новый вопрос"

    def test_the_offline_form_is_for_people(self, desk: Desk) -> None:
        leave_offline_message(contact=desk.chat.contact, about={}, message="Перезвоните")
        assert not ReplyJob.objects.exists()
        desk.answers("Сколько стоят розы?")
        assert desk.prompt()["messages"][-1]["content"] == "Сколько стоят розы?"


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
        assert desk.answers() == [PHRASES["handover_offline"]["ru"]]
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
