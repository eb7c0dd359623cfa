"""Who else speaks in a chat: AI and external operators, the system; what is said meanwhile; who waits for a person."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.events import ChatAccepted, ChatUpdated, MessagePosted, RatingChanged, SystemMessagePosted
from apps.chats.models import Chat, Message
from apps.chats.querysets import messages_after
from apps.chats.querysets.counted_messages import COUNTED
from apps.chats.rules import Status, Via
from apps.chats.rules.attribution import AttributionEvent
from apps.core import bus
from apps.core.bus import DomainEvent, When
from apps.core.problems import Problem
from apps.webhooks.models import Event
from tests.cast import Rival
from tests.client import ApiClient
from tests.factories import AiAgentFactory, MessageFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.rows import snapshot

TEXT = {"type": "text", "body": "Здравствуйте"}


@pytest.fixture
def hook_agent(chat: Chat) -> Agent:
    """An external operator of the shop."""
    return AiAgentFactory.create(widget=chat.widget, type="webhook", name="Hook")


def say(chat: Chat, agent: Agent, **options: Any) -> Any:
    whole = {"content": TEXT, "fact": AttributionEvent.AI_ANSWERED, "client_id": uuid4(), **options}
    return actions.post_machine_message(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=agent.pk, **whole)


def again(chat: Chat) -> Chat:
    return Chat.objects.get(pk=chat.pk)


class TestMachines:
    def test_an_ai_operator_answers_under_its_name_and_accepts(
        self, chat: Chat, ada: Agent, happened: list[DomainEvent]
    ) -> None:
        Chat.objects.filter(pk=chat.pk).update(status="expired")
        message = say(chat, ada).message
        assert message["sender"] == {"kind": "ai", "agent_id": ada.pk, "name": ada.full_name}
        found = again(chat)
        assert (found.status, found.handling, found.accepted_agent, found.agent) == ("active", "ai", ada, None)
        assert found.last_message_id == message["id"]
        posted, accepted, updated = happened
        assert isinstance(posted, MessagePosted)
        assert posted.author_type == "OPERATOR"
        assert isinstance(accepted, ChatAccepted)
        assert (accepted.agent_id, accepted.operator_type) == (ada.pk, "ai")
        assert isinstance(updated, ChatUpdated)

    def test_an_external_operator_answers_and_counts_as_ai(self, chat: Chat, hook_agent: Agent) -> None:
        message = say(chat, hook_agent, fact=AttributionEvent.EXTERNAL_ANSWERED).message
        assert message["sender"]["kind"] == "external_operator"
        assert again(chat).handled_type == "ai"

    def test_the_same_client_id_gives_the_message_that_it_stored(self, chat: Chat, ada: Agent) -> None:
        client_id = uuid4()
        first, second = say(chat, ada, client_id=client_id), say(chat, ada, client_id=client_id)
        assert (first.is_new, second.is_new, first.id) == (True, False, second.id)

    def test_a_person_and_a_retired_operator_are_refused(self, chat: Chat, alice: Agent) -> None:
        for agent in (alice, AiAgentFactory.create(widget=chat.widget, status="banned")):
            before = snapshot()
            with pytest.raises(Problem) as refused:
                say(chat, agent)
            assert list(refused.value.errors) == ["agent_id"]
            assert snapshot() == before

    def test_another_widgets_operator_is_404_and_spam_409(self, chat: Chat, ada: Agent, rival: Rival) -> None:
        with pytest.raises(Problem) as refused:
            say(chat, rival.agent)
        assert refused.value.type.code == "not_found"
        Chat.objects.filter(pk=chat.pk).update(status="spam")
        with pytest.raises(Problem) as refused:
            say(chat, ada)
        assert refused.value.type.code == "chat_is_spam"

    def test_a_fact_that_no_message_tells_is_an_error(self, chat: Chat, ada: Agent) -> None:
        with pytest.raises(ValueError, match="no machine"):
            say(chat, ada, fact=AttributionEvent.HUMAN_REPLIED)


class TestSaidMeanwhile:
    def test_nothing_is_posted_after_a_newer_word_than_was_read(self, chat: Chat, ada: Agent, alice: Agent) -> None:
        read = actions.post_client_message(contact=chat.contact, content=TEXT)
        newer = actions.post_client_message(contact=chat.contact, content=TEXT)
        before = snapshot()
        ids = {"widget_id": chat.widget_id, "chat_id": chat.pk}
        with pytest.raises(actions.SaidMeanwhile) as refused:
            say(chat, ada, read_up_to=read.id)
        assert refused.value.last_message_id == newer.id
        with pytest.raises(actions.SaidMeanwhile):
            actions.post_agent_message(**ids, content=TEXT, agent_id=alice.pk, read_up_to=read.id)
        assert snapshot() == before
        assert say(chat, ada, read_up_to=newer.id).is_new

    def test_notes_and_system_messages_are_no_words(self, chat: Chat, ada: Agent, alice: Agent) -> None:
        read = actions.post_client_message(contact=chat.contact, content=TEXT)
        actions.post_note(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content=TEXT)
        actions.post_system_message(widget_id=chat.widget_id, chat_id=chat.pk, body="Назовите почту")
        assert say(chat, ada, read_up_to=read.id).is_new


class TestSystemMessages:
    def test_moves_neither_state_nor_the_last_message(self, chat: Chat, happened: list[DomainEvent]) -> None:
        last = MessageFactory.create(chat=chat)
        Chat.objects.filter(pk=chat.pk).update(status="expired")
        before = again(chat)
        written = actions.post_system_message(widget_id=chat.widget_id, chat_id=chat.pk, body="Назовите почту")
        after = again(chat)
        assert written.message["sender"]["kind"] == "system"
        assert (after.status, after.last_message_id, after.last_message_at, after.version) == (
            "expired",
            last.pk,
            before.last_message_at,
            before.version + 1,
        )
        shown = messages_after(chat_id=chat.pk, after_id=last.pk, limit=10, for_visitor=True)
        assert [row[0] for row in shown] == [written.id], "the visitor sees it"
        (posted,) = happened
        assert posted == SystemMessagePosted(
            widget_id=chat.widget_id, chat_id=chat.pk, message_id=written.id, channel=chat.channel
        )

    def test_a_transcript_ends_with_it(self, api: ApiClient, chat: Chat) -> None:
        MessageFactory.create(chat=chat)
        actions.post_system_message(widget_id=chat.widget_id, chat_id=chat.pk, body="Назовите почту")
        text = b"".join(api.get(f"/chats/{chat.pk}/transcript").streaming_content).decode()
        assert text.splitlines()[-1].endswith("Система: Назовите почту")

    def test_no_webhook_tells_of_it(self, chat: Chat) -> None:
        SubscriptionFactory.create(widget=chat.widget)
        actions.post_system_message(widget_id=chat.widget_id, chat_id=chat.pk, body="Назовите почту")
        assert not Event.objects.exists()

    def test_the_same_client_id_writes_once(self, chat: Chat) -> None:
        options: dict[str, Any] = {"widget_id": chat.widget_id, "chat_id": chat.pk, "client_id": uuid4()}
        first = actions.post_system_message(**options, body="Назовите почту")
        second = actions.post_system_message(**options, body="Назовите почту")
        assert (second.id, second.is_new) == (first.id, False)


class TestShopWord:
    def test_is_nobodys_answer(self, api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]) -> None:
        asked = actions.post_client_message(contact=chat.contact, content=TEXT)
        Chat.objects.filter(pk=chat.pk).update(status="expired", agent=alice)
        before = again(chat)
        happened.clear()
        written = actions.post_shop_word(widget_id=chat.widget_id, chat_id=chat.pk, body="Ответим завтра", name="Лавка")
        after = again(chat)
        assert written.message["sender"] == {"kind": "system", "agent_id": None, "name": "Лавка"}
        assert (written.message["origin"], written.message["body"]) == ("automation", "Ответим завтра")
        kept = ("status", "last_message_id", "last_message_at", "waiting_since", "accepted_agent_id", "handling")
        assert {name: getattr(after, name) for name in kept} == {name: getattr(before, name) for name in kept}
        assert (after.last_message_id, after.version) == (asked.id, before.version + 1)
        assert Chat.objects.for_widget(chat.widget_id).get(pk=chat.pk).waiting_since is not None
        shown = messages_after(chat_id=chat.pk, after_id=asked.id, limit=10, for_visitor=True)
        assert [row[0] for row in shown] == [written.id]
        (posted,) = happened
        assert isinstance(posted, SystemMessagePosted)
        assert posted.is_carried
        assert posted.said is not None
        assert (posted.said.body, posted.said.sender_name) == ("Ответим завтра", "Лавка")

    def test_no_webhook_tells_of_it_and_no_statistic_counts_it(self, chat: Chat) -> None:
        actions.post_client_message(contact=chat.contact, content=TEXT)
        SubscriptionFactory.create(widget=chat.widget)
        actions.post_shop_word(widget_id=chat.widget_id, chat_id=chat.pk, body="Ответим завтра", name="Лавка")
        assert not Event.objects.exists()
        assert Message.objects.filter(COUNTED).count() == 1

    def test_spam_is_refused_and_another_widgets_chat_404(self, chat: Chat, rival: Rival) -> None:
        Chat.objects.filter(pk=chat.pk).update(status="spam")
        before = snapshot()
        for widget_id, code in ((chat.widget_id, "chat_is_spam"), (rival.widget.pk, "not_found")):
            with pytest.raises(Problem) as refused:
                actions.post_shop_word(widget_id=widget_id, chat_id=chat.pk, body="Ответим завтра", name="Лавка")
            assert refused.value.type.code == code
        assert snapshot() == before

    def test_the_same_client_id_writes_once(self, chat: Chat) -> None:
        options: dict[str, Any] = {"widget_id": chat.widget_id, "chat_id": chat.pk, "client_id": uuid4()}
        first, second = (actions.post_shop_word(**options, body="Завтра", name="Лавка") for _ in range(2))
        assert (second.id, second.is_new) == (first.id, False)


class TestVia:
    def test_the_apis_messages_say_so_whatever_their_origin(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        posted = api.post(f"/chats/{chat.pk}/messages", json={**TEXT, "agent_id": alice.pk, "origin": "legacy_bot"})
        assert Message.objects.get(pk=posted.json()["data"]["message_id"]).via == Via.API

    def test_a_visitors_and_a_machines_have_none(self, chat: Chat, ada: Agent) -> None:
        actions.post_client_message(contact=chat.contact, content=TEXT)
        say(chat, ada)
        assert set(Message.objects.values_list("via", flat=True)) == {None}


class TestHandover:
    def hand_over(self, chat: Chat, **options: Any) -> Chat:
        actions.escalate(widget_id=chat.widget_id, chat_id=chat.pk, **{"reason": "human_request", **options})
        return again(chat)

    def test_a_chat_waits_for_a_person(self, chat: Chat, ada: Agent, happened: list[DomainEvent]) -> None:
        say(chat, ada)
        happened.clear()
        waiting = self.hand_over(chat)
        assert waiting.handed_over_at is not None
        assert (waiting.handover_reason, waiting.handling, waiting.handled_agent) == (
            "human_request",
            "ai_to_human",
            None,
        )
        assert [type(event) for event in happened] == [ChatUpdated]

    def test_until_a_person_answers(self, api: ApiClient, chat: Chat, ada: Agent, alice: Agent) -> None:
        say(chat, ada)
        self.hand_over(chat)
        assert api.post(f"/chats/{chat.pk}/messages", json={**TEXT, "agent_id": alice.pk}).status_code == 202
        assert (again(chat).handed_over_at, again(chat).handover_reason) == (None, None)

    @pytest.mark.parametrize("take", [actions.accept_chat, actions.assign_chat, actions.transfer_chat])
    def test_until_a_person_has_the_chat(self, chat: Chat, ada: Agent, alice: Agent, take: Any) -> None:
        say(chat, ada)
        self.hand_over(chat)
        take(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        assert again(chat).handed_over_at is None

    def test_until_a_machine_takes_over(self, chat: Chat, ada: Agent) -> None:
        say(chat, ada)
        self.hand_over(chat)
        say(chat, ada)
        assert again(chat).handed_over_at is not None, "it only helps meanwhile"
        say(chat, ada, fact=AttributionEvent.AI_TOOK_OVER)
        assert (again(chat).handed_over_at, again(chat).handling) == (None, "ai")

    def test_every_close_but_the_sweeps_ends_it(self, chat: Chat, ada: Agent) -> None:
        say(chat, ada)
        self.hand_over(chat)
        actions.sweep_chats(as_of=timezone.now() + timedelta(days=1))
        assert again(chat).status == "expired"
        assert again(chat).handed_over_at is not None
        actions.set_chat_state(widget_id=chat.widget_id, chat_id=chat.pk, status=Status.ACTIVE)
        actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
        assert (again(chat).handed_over_at, again(chat).handover_reason) == (None, None)

    def test_a_person_who_was_quicker_has_it(self, api: ApiClient, chat: Chat, alice: Agent) -> None:
        actions.accept_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        before = again(chat).version
        assert self.hand_over(chat).handed_over_at is None
        assert again(chat).version == before

    def test_a_visitors_words_leave_it_waiting_since_when_it_did(self, chat: Chat, ada: Agent) -> None:
        say(chat, ada)
        since = self.hand_over(chat).handed_over_at
        actions.post_client_message(contact=chat.contact, content=TEXT)
        assert self.hand_over(chat, reason="safety_floor").handed_over_at == since
        assert again(chat).handover_reason == "safety_floor"


def test_nothing_reacts_at_once_to_a_message() -> None:
    """A handler in the transaction would put BEGIN and COMMIT around the statement that is run most often."""
    at_once = [each.handler for each in bus.handlers()[MessagePosted] if each.when is When.AT_ONCE]
    assert at_once == []


def test_a_message_tells_who_answers_here(chat: Chat, alice: Agent, happened: list[DomainEvent]) -> None:
    chat.widget.answerers = ["ai"]
    chat.widget.save()
    actions.post_client_message(contact=chat.contact, content=TEXT)
    actions.accept_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
    actions.close_chat(widget_id=chat.widget_id, chat_id=chat.pk)
    told = [event.answerers for event in happened if hasattr(event, "answerers")]
    assert told == [("ai",)] * 3


def test_another_value_of_a_rating_is_an_event_and_the_same_is_none(chat: Chat, happened: list[DomainEvent]) -> None:
    MessageFactory.create(chat=chat)
    for value in (2, 2, 5):
        actions.rate_chat(widget_id=chat.widget_id, chat_id=chat.pk, value=value)
    changed = [event for event in happened if isinstance(event, RatingChanged)]
    assert [(event.value_before, event.value) for event in changed] == [(2, 5)]
