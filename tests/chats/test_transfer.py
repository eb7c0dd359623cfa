"""POST /api/v1/chats/{id}/transfer, and the other ways in which a chat comes to a person."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.chats import actions
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.events import ChatAccepted, ChatTaken, ChatTransferred, ChatUpdated
from apps.chats.models import Chat, Transfer
from apps.chats.rules.attribution import AttributionEvent
from apps.core.bus import DomainEvent
from apps.core.problems import Problem
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, WidgetFactory
from tests.rows import snapshot

TEXT = {"type": "text", "body": "Hello"}


def transfer(api: ApiClient, chat: Chat, agent_id: Any, **options: Any) -> Any:
    return api.post(f"/chats/{chat.pk}/transfer", json={"agent_id": agent_id}, **options)


def transferred(chat: Chat, before: Agent | None, after: Agent) -> ChatTransferred:
    return ChatTransferred(
        widget_id=chat.widget_id,
        widget_guid=chat.widget.guid,
        chat_id=chat.pk,
        contact_guid=chat.contact.guid,
        channel="widget",
        from_agent_id=before and before.pk,
        to_agent_id=after.pk,
        author_type="OPERATOR",
    )


def of_kind(happened: list[DomainEvent], kind: type[DomainEvent]) -> list[DomainEvent]:
    return [event for event in happened if isinstance(event, kind)]


def test_an_answered_chat_is_owned_and_handled_by_whom_it_is_transferred_to(
    api: ApiClient, chat: Chat, alice: Agent, boris: Agent, happened: list[DomainEvent]
) -> None:
    actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=TEXT, agent_id=alice.pk)
    answer = transfer(api, chat, boris.pk)
    assert answer.status_code == 202
    shown = answer.json()["data"]
    assert (shown["agent_id"], shown["handling"], shown["status"]) == (boris.pk, "human", "active")
    assert shown["accepted_by"]["agent_id"] == alice.pk, "who answered first stays"
    assert (shown["handled_by"]["agent_id"], shown["handled_by"]["type"]) == (boris.pk, "human")
    assert api.get(f"/chats/{chat.pk}").json() == answer.json()
    assert of_kind(happened, ChatTransferred) == [transferred(chat, alice, boris)]
    assert list(Transfer.objects.values_list("chat", "from_agent", "to_agent")) == [(chat.pk, alice.pk, boris.pk)]


def test_a_chat_that_nobody_answered_is_routed_and_stays_missed(
    api: ApiClient, chat: Chat, alice: Agent, boris: Agent, happened: list[DomainEvent]
) -> None:
    transfer(api, chat, alice.pk)
    shown = transfer(api, chat, boris.pk).json()["data"]
    assert (shown["agent_id"], shown["handling"]) == (boris.pk, "missed")
    assert (shown["accepted_by"], shown["handled_by"]) == (None, None)
    assert of_kind(happened, ChatTransferred) == [transferred(chat, None, alice), transferred(chat, alice, boris)]
    assert of_kind(happened, ChatAccepted) == []


def test_a_chat_that_the_ai_answered_comes_from_the_ai_operator(
    api: ApiClient, chat: Chat, ada: Agent, boris: Agent, happened: list[DomainEvent]
) -> None:
    actions.report_attribution_event(
        widget_id=chat.widget_id, chat_id=chat.pk, event=AttributionEvent.AI_ANSWERED, agent_id=ada.pk
    )
    shown = transfer(api, chat, boris.pk).json()["data"]
    assert (shown["agent_id"], shown["handling"]) == (boris.pk, "ai_to_human")
    assert (shown["accepted_by"]["type"], shown["handled_by"]["type"]) == ("ai", "human")
    assert of_kind(happened, ChatTransferred) == [transferred(chat, ada, boris)]


def test_a_transfer_to_the_present_owner_is_202_and_changes_nothing(
    api: ApiClient, chat: Chat, alice: Agent, happened: list[DomainEvent]
) -> None:
    transfer(api, chat, alice.pk)
    happened.clear()
    before = api.get(f"/chats/{chat.pk}").json()
    answer = transfer(api, chat, alice.pk)
    assert (answer.status_code, answer.json()) == (202, before)
    assert [type(event) for event in happened] == [ChatTaken]
    assert Transfer.objects.count() == 1


def test_a_department_hands_a_chat_back_to_who_answered_it_without_a_transfer(
    api: ApiClient, chat: Chat, alice: Agent, sales: Department, happened: list[DomainEvent]
) -> None:
    """It was nobody's, and nobody else had it."""
    actions.assign_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
    actions.transfer_chat_to_department(widget_id=chat.widget_id, chat_id=chat.pk, department_id=sales.pk)
    happened.clear()
    assert transfer(api, chat, alice.pk).status_code == 202
    assert Chat.objects.get(pk=chat.pk).agent_id == alice.pk
    assert of_kind(happened, ChatTransferred) == []
    assert not Transfer.objects.exists()


@pytest.mark.parametrize("status", ["active", "ready", "expired"])
def test_the_chats_state_stays(api: ApiClient, chat: Chat, alice: Agent, status: str) -> None:
    Chat.objects.filter(pk=chat.pk).update(status=status)
    assert transfer(api, chat, alice.pk).json()["data"]["status"] == status


def test_a_spam_chat_is_409_and_nothing_changes(api: ApiClient, chat: Chat, alice: Agent) -> None:
    Chat.objects.filter(pk=chat.pk).update(status="spam")
    rows = snapshot()
    assert_problem(transfer(api, chat, alice.pk), 409, "chat_is_spam")
    assert snapshot() == rows


def test_an_agent_who_is_no_person_or_is_banned_is_422_and_nothing_changes(
    api: ApiClient, chat: Chat, shop: Widget, ada: Agent
) -> None:
    webhook = AgentFactory.create(widget=shop, type="webhook", user=None)
    banned = AgentFactory.create(widget=shop, status="banned")
    rows = snapshot()
    for agent in (ada, webhook, banned):
        assert_problem(transfer(api, chat, agent.pk), 422, "invalid_input", errors=["agent_id"])
    assert snapshot() == rows


def test_an_agent_who_relaxes_may_be_given_a_chat(api: ApiClient, chat: Chat, shop: Widget) -> None:
    resting = AgentFactory.create(widget=shop, status="relaxation")
    assert transfer(api, chat, resting.pk).json()["data"]["agent_id"] == resting.pk


def test_anothers_agent_is_404_like_one_that_never_was(api: ApiClient, chat: Chat, shop: Widget, rival: Rival) -> None:
    elsewhere = AgentFactory.create(widget=WidgetFactory.create(account=shop.account))
    rows = snapshot()
    details = {
        assert_problem(transfer(api, chat, agent_id), 404, "not_found")["detail"]
        for agent_id in (rival.agent.pk, elsewhere.pk, 10**12)
    }
    assert len(details) == 1
    assert snapshot() == rows


@pytest.mark.parametrize("body", [{}, {"agent_id": None}, {"agent_id": "1"}, {"agent_id": 0}, {"agent_id": 1.5}])
def test_agent_id_is_required_and_a_number(api: ApiClient, chat: Chat, body: dict[str, Any]) -> None:
    assert_problem(api.post(f"/chats/{chat.pk}/transfer", json=body), 422, "invalid_input", errors=["agent_id"])


def test_one_key_transfers_once(
    api: ApiClient, chat: Chat, alice: Agent, boris: Agent, happened: list[DomainEvent]
) -> None:
    assert transfer(api, chat, alice.pk, idempotency_key="one").status_code == 202
    assert_problem(transfer(api, chat, boris.pk, idempotency_key="one"), 409, "idempotency_key_reused")
    assert Chat.objects.get(pk=chat.pk).agent_id == alice.pk
    assert len(of_kind(happened, ChatTransferred)) == 1


def test_a_refused_transfer_leaves_its_key_free(api: ApiClient, chat: Chat, alice: Agent, ada: Agent) -> None:
    assert transfer(api, chat, ada.pk, idempotency_key="again").status_code == 422
    assert transfer(api, chat, alice.pk, idempotency_key="again").status_code == 202


@pytest.mark.parametrize("give", [actions.accept_chat, actions.assign_chat])
class TestAcceptAndAssign:
    """What the operators' console does."""

    def test_the_first_time_it_accepts_the_chat(
        self, chat: Chat, alice: Agent, happened: list[DomainEvent], give: Any
    ) -> None:
        for _ in range(2):
            found = give(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        assert (found.agent_id, found.handling, found.accepted_agent_id) == (alice.pk, "human", alice.pk)
        accepted = ChatAccepted(
            widget_id=chat.widget_id,
            widget_guid=chat.widget.guid,
            chat_id=chat.pk,
            contact_guid=chat.contact.guid,
            agent_id=alice.pk,
            operator_type="human",
        )
        taken = ChatTaken(
            widget_id=chat.widget_id,
            widget_guid=chat.widget.guid,
            chat_id=chat.pk,
            contact_guid=chat.contact.guid,
            agent_id=alice.pk,
        )
        assert happened == [accepted, ChatUpdated(widget_id=chat.widget_id, chat_id=chat.pk), taken, taken]
        assert not Transfer.objects.exists()
        assert Chat.objects.get(pk=chat.pk).version == chat.version + 1

    def test_a_colleague_takes_it_over_and_nothing_is_accepted_again(
        self, chat: Chat, alice: Agent, boris: Agent, happened: list[DomainEvent], give: Any
    ) -> None:
        give(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        found = give(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=boris.pk)
        assert (found.agent_id, found.handled_agent_id, found.accepted_agent_id) == (boris.pk, boris.pk, alice.pk)
        assert len(of_kind(happened, ChatAccepted)) == 1
        assert Transfer.objects.values_list("from_agent", "to_agent").get() == (alice.pk, boris.pk)
        assert of_kind(happened, ChatTransferred) == [
            ChatTransferred(
                widget_id=chat.widget_id,
                widget_guid=chat.widget.guid,
                chat_id=chat.pk,
                contact_guid=chat.contact.guid,
                channel=chat.channel,
                from_agent_id=alice.pk,
                to_agent_id=boris.pk,
                author_type="OPERATOR",
            )
        ]

    def test_a_spam_chat_is_refused(self, chat: Chat, alice: Agent, give: Any) -> None:
        Chat.objects.filter(pk=chat.pk).update(status="spam")
        with pytest.raises(Problem) as refused:
            give(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk)
        assert refused.value.type is CHAT_IS_SPAM


class TestReportedFacts:
    """What the AI's side says, and what the chat makes of it."""

    def test_the_ai_operators_first_visible_answer_accepts(
        self, chat: Chat, ada: Agent, happened: list[DomainEvent]
    ) -> None:
        found = actions.report_attribution_event(
            widget_id=chat.widget_id, chat_id=chat.pk, event=AttributionEvent.AI_ANSWERED, agent_id=ada.pk
        )
        assert (found.handling, found.agent_id, found.accepted_type) == ("ai", None, "ai")
        (accepted,) = of_kind(happened, ChatAccepted)
        assert isinstance(accepted, ChatAccepted)
        assert (accepted.agent_id, accepted.operator_type) == (ada.pk, "ai")

    def test_a_shadow_reply_changes_nothing(self, chat: Chat, ada: Agent, happened: list[DomainEvent]) -> None:
        rows = snapshot()
        actions.report_attribution_event(
            widget_id=chat.widget_id, chat_id=chat.pk, event=AttributionEvent.AI_ANSWERED_UNSEEN, agent_id=ada.pk
        )
        assert (snapshot(), happened) == (rows, [])

    def test_escalation_and_takeover_are_kept(self, chat: Chat, ada: Agent, alice: Agent, api: ApiClient) -> None:
        def report(event: AttributionEvent, agent: Agent | None) -> dict[str, Any]:
            agent_id = agent and agent.pk
            actions.report_attribution_event(widget_id=chat.widget_id, chat_id=chat.pk, event=event, agent_id=agent_id)
            shown: dict[str, Any] = api.get(f"/chats/{chat.pk}").json()["data"]
            return shown

        report(AttributionEvent.AI_ANSWERED, ada)
        waiting = report(AttributionEvent.ESCALATED, None)
        assert (waiting["handling"], waiting["handled_by"], waiting["agent_id"]) == ("ai_to_human", None, None)
        theirs = report(AttributionEvent.HUMAN_REPLIED, alice)
        assert (theirs["handling"], theirs["handled_by"]["agent_id"], theirs["agent_id"]) == (
            "ai_to_human",
            alice.pk,
            alice.pk,
        )
        taken = report(AttributionEvent.AI_TOOK_OVER, ada)
        assert (taken["handling"], taken["handled_by"]["type"], taken["agent_id"]) == ("human_to_ai", "ai", None)

    def test_another_widgets_chat_is_not_found(self, rival: Rival, shop: Widget, ada: Agent) -> None:
        with pytest.raises(Problem) as refused:
            actions.report_attribution_event(
                widget_id=shop.pk, chat_id=rival.chat.pk, event=AttributionEvent.AI_ANSWERED, agent_id=ada.pk
            )
        assert refused.value.type.status == 404
