"""Who waits for an answer: the one rule, whatever the sweep has made of the chat; and what happened to a chat."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.models import Chat, ChatActivity, Message
from apps.chats.querysets.activities import visitor_steps
from apps.chats.rules import Status
from apps.chats.rules.attribution import AttributionEvent
from apps.webhooks.models import Event
from tests.client import ApiClient
from tests.factories import DepartmentFactory
from tests.factories.webhooks import SubscriptionFactory

TEXT = {"type": "text", "body": "Есть кто-нибудь?"}


def ask(chat: Chat) -> int:
    return actions.post_client_message(contact=chat.contact, content=TEXT).id


def answer(chat: Chat, agent: Agent, **options: Any) -> int:
    ids = {"widget_id": chat.widget_id, "chat_id": chat.pk}
    return actions.post_agent_message(**ids, agent_id=agent.pk, content=TEXT, **options).id


def ids_of(chat: Chat) -> dict[str, int]:
    return {"widget_id": chat.widget_id, "chat_id": chat.pk}


def sweep(*, after: timedelta = timedelta(minutes=8)) -> None:
    actions.sweep_chats(as_of=timezone.now() + after)


def again(chat: Chat) -> Chat:
    return Chat.objects.get(pk=chat.pk)


def waits(chat: Chat, *, after: timedelta = timedelta()) -> Any:
    """Since when, or None."""
    found = Chat.objects.for_widget(chat.widget_id).unanswered(timezone.now() + after)
    return found.filter(pk=chat.pk).values_list("waits_since", flat=True).first()


class TestWhoWaits:
    def test_the_visitor_does_since_their_first_word_without_an_answer(self, chat: Chat, alice: Agent) -> None:
        first = ask(chat)
        ask(chat)
        assert waits(chat) == Message.objects.get(pk=first).created_at
        answer(chat, alice)
        assert waits(chat) is None
        again_asked = ask(chat)
        assert waits(chat) == Message.objects.get(pk=again_asked).created_at

    def test_a_chat_in_which_nothing_was_said_waits_for_nobody(self, chat: Chat) -> None:
        """Whoever was called, and whatever closed it: there is nothing to answer."""
        actions.escalate(**ids_of(chat), reason="requested")
        assert (again(chat).handed_over_at is not None, waits(chat)) == (True, None)
        sweep()
        assert waits(chat) is None
        ask(chat)
        assert waits(chat) is not None

    def test_whatever_the_sweep_makes_of_the_chat(self, chat: Chat) -> None:
        first = ask(chat)
        sweep()
        assert (again(chat).status, again(chat).left_unanswered_at is None) == ("expired", False)
        assert waits(chat) == Message.objects.get(pk=first).created_at
        assert waits(chat, after=timedelta(days=31)) is None, "30 days back at most"

    def test_who_was_answered_does_not_after_the_sweep(self, chat: Chat, alice: Agent) -> None:
        ask(chat)
        answer(chat, alice)
        sweep()
        assert (again(chat).left_unanswered_at, waits(chat)) == (None, None)

    def test_a_chat_that_expired_before_the_upgrade_counts_as_dealt_with(self, chat: Chat) -> None:
        ask(chat)
        Chat.objects.filter(pk=chat.pk).update(status="expired", expired_at=timezone.now())
        assert waits(chat) is None

    def test_an_answer_into_an_expired_chat_ends_it_until_the_next_word(self, chat: Chat, alice: Agent) -> None:
        ask(chat)
        sweep()
        answer(chat, alice)
        assert (again(chat).status, again(chat).left_unanswered_at, waits(chat)) == ("active", None, None)
        ask(chat)
        assert waits(chat) is not None

    def test_a_word_into_the_expired_chat_goes_on_waiting_since_the_first(self, chat: Chat) -> None:
        first = ask(chat)
        sweep()
        ask(chat)
        assert again(chat).left_unanswered_at is None
        assert waits(chat) == Message.objects.get(pk=first).created_at

    def test_a_close_by_somebody_ends_it(self, chat: Chat) -> None:
        last = ask(chat)
        actions.close_chat(**ids_of(chat))
        assert (again(chat).dealt_with_message_id, waits(chat)) == (last, None)
        newer = ask(chat)
        assert waits(chat) == Message.objects.get(pk=newer).created_at

    @pytest.mark.parametrize("is_expired", [False, True])
    def test_nothing_to_answer_ends_it_until_the_next_word(self, chat: Chat, is_expired: bool) -> None:
        ask(chat)
        actions.escalate(**ids_of(chat), reason="marker")
        if is_expired:
            sweep()
        before = again(chat).version
        actions.mark_as_dealt_with(**ids_of(chat))
        assert (waits(chat), again(chat).left_unanswered_at, again(chat).version) == (None, None, before + 1)
        actions.mark_as_dealt_with(**ids_of(chat))
        assert again(chat).version == before + 1, "a second time nothing changes"
        newer = ask(chat)
        assert waits(chat) == Message.objects.get(pk=newer).created_at

    def test_that_nothing_needs_an_answer_is_a_step_of_its_operator(self, chat: Chat, alice: Agent) -> None:
        last = ask(chat)
        actions.mark_as_dealt_with(**ids_of(chat), by_agent_id=alice.pk)
        actions.mark_as_dealt_with(**ids_of(chat), by_agent_id=alice.pk)
        steps = ChatActivity.objects.filter(chat=chat).values_list("kind", "agent_id", "after_message_id")
        assert list(steps) == [("dealt_with", alice.pk, last)]
        assert visitor_steps(chat.pk) == [], "visitors are not told"

    def test_neither_spam_nor_colleagues_do(self, chat: Chat) -> None:
        ask(chat)
        Chat.objects.filter(pk=chat.pk).update(internal=True)
        assert waits(chat) is None
        sweep()
        assert again(chat).left_unanswered_at is None
        Chat.objects.filter(pk=chat.pk).update(internal=False, status="active")
        actions.set_chat_state(**ids_of(chat), status=Status.SPAM)
        assert waits(chat) is None

    def test_leaving_expired_by_any_way_forgets_that_it_was_left(self, chat: Chat) -> None:
        ask(chat)
        sweep()
        actions.set_chat_state(**ids_of(chat), status=Status.READY)
        assert again(chat).left_unanswered_at is None
        sweep()
        Chat.objects.filter(pk=chat.pk).update(expired_at=timezone.now())
        actions.sweep_chats(as_of=timezone.now())
        assert (again(chat).status, again(chat).left_unanswered_at) == ("active", None)


class TestMachines:
    @pytest.fixture(autouse=True)
    def ai_at_work(self, chat: Chat) -> None:
        chat.widget.answerers = ["ai"]
        chat.widget.save()

    def test_while_it_is_their_turn_nobody_waits_for_people(self, chat: Chat, ada: Agent) -> None:
        ask(chat)
        assert waits(chat) is None
        actions.escalate(**ids_of(chat), reason="marker")
        assert waits(chat) == again(chat).waiting_since, "the visitor has waited longer than the handover"

    def test_a_handover_waits_also_when_the_machine_spoke_last(self, chat: Chat, ada: Agent, alice: Agent) -> None:
        ask(chat)
        options: dict[str, Any] = {"content": TEXT, "fact": AttributionEvent.AI_ANSWERED}
        actions.post_machine_message(**ids_of(chat), agent_id=ada.pk, client_id=uuid4(), **options)
        assert waits(chat) is None
        actions.escalate(**ids_of(chat), reason="marker")
        assert waits(chat) == again(chat).handed_over_at
        sweep()
        assert waits(chat) == again(chat).handed_over_at
        actions.accept_chat(**ids_of(chat), agent_id=alice.pk)
        assert waits(chat) is None

    def test_a_persons_chat_is_the_persons(self, chat: Chat, alice: Agent) -> None:
        actions.accept_chat(**ids_of(chat), agent_id=alice.pk)
        ask(chat)
        assert waits(chat) is not None

    def test_a_machine_that_never_answered_does_not_hide_who_waits(self, chat: Chat) -> None:
        ask(chat)
        sweep()
        assert waits(chat) is not None

    def test_in_shadow_mode_the_word_is_peoples(self, chat: Chat) -> None:
        chat.widget.answerers = ["ai_shadow"]
        chat.widget.save()
        ask(chat)
        assert waits(chat) is not None


class TestSteps:
    def steps(self, chat: Chat) -> list[tuple[Any, ...]]:
        return list(
            ChatActivity.objects.filter(chat=chat)
            .order_by("id")
            .values_list("kind", "agent_id", "to_agent_id", "department_id", "comment", "after_message_id")
        )

    def test_what_people_do_is_told_between_the_messages(
        self, chat: Chat, alice: Agent, boris: Agent, sales: Department
    ) -> None:
        first = ask(chat)
        ids = ids_of(chat)
        actions.accept_chat(**ids, agent_id=alice.pk)
        note = actions.post_note(**ids, agent_id=alice.pk, content=TEXT).id
        actions.transfer_chat(**ids, agent_id=boris.pk, by_agent_id=alice.pk, comment="Ждёт счёт")
        actions.assign_chat(**ids, agent_id=alice.pk, by_agent_id=boris.pk)
        actions.return_chat(**ids, by_agent_id=alice.pk)
        actions.transfer_chat_to_department(**ids, department_id=sales.pk, by_agent_id=alice.pk)
        actions.close_chat(**ids, reason="решено", by_agent_id=alice.pk)
        actions.set_chat_state(**ids, status=Status.ACTIVE, by_agent_id=alice.pk)
        actions.rate_chat(**ids, value=4)
        assert self.steps(chat) == [
            ("accepted", alice.pk, None, None, "", first),
            ("transferred", alice.pk, boris.pk, None, "Ждёт счёт", note),
            ("assigned", boris.pk, alice.pk, None, "", note),
            ("returned", alice.pk, None, None, "", note),
            ("transferred", alice.pk, None, sales.pk, "", note),
            ("closed", alice.pk, None, None, "решено", note),
            ("reopened", alice.pk, None, None, "", note),
            ("rated", None, None, None, "4", note),
        ]

    def test_a_handover_is_and_the_sweep_is_not(self, chat: Chat) -> None:
        last = ask(chat)
        actions.escalate(**ids_of(chat), reason="marker")
        sweep()
        assert self.steps(chat) == [("waits", None, None, None, "marker", last)]

    def test_what_changes_nothing_is_not(self, chat: Chat, alice: Agent) -> None:
        for _ in range(2):
            actions.accept_chat(**ids_of(chat), agent_id=alice.pk)
        actions.transfer_chat(**ids_of(chat), agent_id=alice.pk)
        assert [kind for kind, *_ in self.steps(chat)] == ["accepted"]

    def test_no_list_transcript_or_webhook_has_one_and_nothing_moves(
        self, api: ApiClient, chat: Chat, alice: Agent
    ) -> None:
        last = ask(chat)
        SubscriptionFactory.create(widget=chat.widget)
        actions.return_chat(**ids_of(chat))
        actions.accept_chat(**ids_of(chat), agent_id=alice.pk)
        events = Event.objects.count()
        actions.return_chat(**ids_of(chat), by_agent_id=alice.pk)
        assert Event.objects.count() == events
        assert again(chat).last_message_id == last
        assert [each["id"] for each in api.get(f"/chats/{chat.pk}/messages").json()["data"]] == [last]
        transcript = b"".join(api.get(f"/chats/{chat.pk}/transcript").streaming_content).decode()
        assert len(transcript.splitlines()) == 1

    def test_a_deleted_department_leaves_its_steps(self, chat: Chat) -> None:
        from apps.agents.actions.departments import delete_department

        gone = DepartmentFactory.create(widget=chat.widget)
        actions.transfer_chat_to_department(**ids_of(chat), department_id=gone.pk)
        delete_department(widget_id=chat.widget_id, department_id=gone.pk)
        assert ChatActivity.objects.get(chat=chat).department_id == gone.pk
