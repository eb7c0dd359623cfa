"""POST /api/v1/chats/{id}/rate-request, and the visitor's POST /widget/{guid}/rating."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError

from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.events import ChatUpdated, RatingCreated
from apps.chats.models import Chat, Contact, Rating, RatingRequest
from apps.core.bus import DomainEvent
from tests.client import ApiClient, assert_problem
from tests.factories import MessageFactory
from tests.factories.widget import VisitorSessionFactory, visitor_token
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

TEXT = {"type": "text", "body": "Hello"}


@pytest.fixture
def talk(chat: Chat) -> Chat:
    """Ivan's chat, in which he wrote something."""
    MessageFactory.create(chat=chat)
    return chat


@pytest.fixture
def ivan_online(ivan: Contact) -> VisitorClient:
    return VisitorClient(ivan.widget, visitor_token(VisitorSessionFactory.create(contact=ivan)))


class TestRequest:
    def ask(self, api: ApiClient, chat: Chat, **options: Any) -> Any:
        return api.post(f"/chats/{chat.pk}/rate-request", **options)

    def test_it_is_answered_202_and_kept_until_the_visitor_rates(
        self, api: ApiClient, talk: Chat, ivan_online: VisitorClient
    ) -> None:
        answer = self.ask(api, talk)
        assert (answer.status_code, answer.json()) == (202, {"data": {"chat_id": talk.pk}})
        asked = Chat.objects.get(pk=talk.pk)
        assert asked.rating_requested_at is not None
        assert asked.version == talk.version + 1
        ivan_online.post("rating", {"value": 5})
        assert Chat.objects.get(pk=talk.pk).rating_requested_at is None

    def test_the_request_is_kept_with_its_cause_and_the_answers_time(
        self, api: ApiClient, talk: Chat, ivan_online: VisitorClient
    ) -> None:
        newest = talk.messages.latest("id").pk
        self.ask(api, talk)
        request = RatingRequest.objects.get()
        assert (request.cause, request.agent_id, request.channel) == ("api", None, "widget")
        assert (request.chat_id, request.after_message_id, request.answered_at) == (talk.pk, newest, None)
        ivan_online.post("rating", {"value": 5})
        assert RatingRequest.objects.get().answered_at == Rating.objects.get().rated_at

    @pytest.mark.parametrize("status", ["active", "ready", "expired"])
    def test_in_every_state_but_spam(self, api: ApiClient, talk: Chat, status: str) -> None:
        Chat.objects.filter(pk=talk.pk).update(status=status)
        assert self.ask(api, talk).status_code == 202
        assert Chat.objects.get(pk=talk.pk).status == status

    def test_a_spam_chat_is_409_and_nothing_changes(self, api: ApiClient, talk: Chat) -> None:
        Chat.objects.filter(pk=talk.pk).update(status="spam")
        rows = snapshot()
        assert_problem(self.ask(api, talk), 409, "chat_is_spam")
        assert snapshot() == rows

    def test_a_chat_without_messages_is_409_and_nothing_changes(self, api: ApiClient, chat: Chat) -> None:
        rows = snapshot()
        assert_problem(self.ask(api, chat), 409, "chat_is_empty")
        assert snapshot() == rows

    def test_it_takes_no_body(self, api: ApiClient, talk: Chat) -> None:
        assert_problem(self.ask(api, talk, json={"value": 5}), 422, "invalid_input", errors=["value"])

    def test_one_key_asks_once(self, api: ApiClient, talk: Chat) -> None:
        assert self.ask(api, talk, idempotency_key="once").status_code == 202
        assert_problem(self.ask(api, talk, idempotency_key="once"), 409, "idempotency_key_reused")
        assert Chat.objects.get(pk=talk.pk).version == talk.version + 1


class TestRating:
    def test_the_first_one_is_201_and_told(
        self, ivan_online: VisitorClient, talk: Chat, ivan: Contact, happened: list[DomainEvent]
    ) -> None:
        answer = ivan_online.post("rating", {"value": 4, "comment": "Быстро"})
        assert answer.status_code == 201
        shown = answer.json()["data"]
        assert (shown["value"], shown["comment"], shown["rated_at"][-1]) == (4, "Быстро", "Z")
        created = RatingCreated(
            widget_id=talk.widget_id,
            widget_guid=talk.widget.guid,
            chat_id=talk.pk,
            contact_guid=ivan.guid,
            channel="widget",
            agent_id=None,
        )
        assert happened == [created, ChatUpdated(widget_id=talk.widget_id, chat_id=talk.pk)]

    def test_a_second_one_replaces_the_first_with_200_and_no_event(
        self, ivan_online: VisitorClient, talk: Chat, happened: list[DomainEvent]
    ) -> None:
        ivan_online.post("rating", {"value": 1, "comment": "Slow"})
        first = Rating.objects.get()
        answer = ivan_online.post("rating", {"value": 5})
        assert (answer.status_code, answer.json()["data"]["comment"]) == (200, None)
        rating = Rating.objects.get()
        assert (rating.pk, rating.value, rating.comment) == (first.pk, 5, "")
        assert rating.created_at == first.created_at
        assert rating.rated_at > first.rated_at
        assert sum(isinstance(event, RatingCreated) for event in happened) == 1

    def test_it_is_said_of_who_handles_the_chat_at_the_time(
        self, ivan_online: VisitorClient, talk: Chat, alice: Agent, boris: Agent, happened: list[DomainEvent]
    ) -> None:
        actions.post_agent_message(widget_id=talk.widget_id, chat_id=talk.pk, content=TEXT, agent_id=alice.pk)
        ivan_online.post("rating", {"value": 5})
        assert [event.agent_id for event in happened if isinstance(event, RatingCreated)] == [alice.pk]
        actions.transfer_chat(widget_id=talk.widget_id, chat_id=talk.pk, agent_id=boris.pk)
        assert Rating.objects.get().agent_id == alice.pk, "a later transfer takes nothing from Alice"
        ivan_online.post("rating", {"value": 2})
        assert Rating.objects.get().agent_id == boris.pk

    def test_a_spam_chats_visitor_notices_nothing(self, ivan_online: VisitorClient, talk: Chat) -> None:
        Chat.objects.filter(pk=talk.pk).update(status="spam")
        assert ivan_online.post("rating", {"value": 3}).status_code == 201
        assert Chat.objects.get(pk=talk.pk).status == "spam"

    def test_before_the_first_message_there_is_nothing_to_rate(self, ivan_online: VisitorClient) -> None:
        assert_problem(ivan_online.post("rating", {"value": 3}), 409, "chat_is_empty")

    def test_an_empty_chat_cannot_be_rated(self, ivan_online: VisitorClient, chat: Chat) -> None:
        rows = snapshot()
        assert_problem(ivan_online.post("rating", {"value": 3}), 409, "chat_is_empty")
        assert snapshot() == rows

    @pytest.mark.parametrize("value", [0, 6, -1, "5", 4.5, None, True, [5]])
    def test_the_value_is_a_number_from_1_to_5(self, ivan_online: VisitorClient, talk: Chat, value: Any) -> None:
        assert_problem(ivan_online.post("rating", {"value": value}), 422, "invalid_input", errors=["value"])
        assert not Rating.objects.exists()

    @pytest.mark.parametrize("value", [1, 5])
    def test_its_bounds_are_in(self, ivan_online: VisitorClient, talk: Chat, value: int) -> None:
        assert ivan_online.post("rating", {"value": value}).status_code == 201

    def test_a_comment_has_at_most_2000_characters(self, ivan_online: VisitorClient, talk: Chat) -> None:
        too_long = ivan_online.post("rating", {"value": 5, "comment": "я" * 2001})
        assert_problem(too_long, 422, "invalid_input", errors=["comment"])
        assert not Rating.objects.exists()
        assert ivan_online.post("rating", {"value": 5, "comment": "я" * 2000}).status_code == 201

    def test_without_a_visitor_token_it_is_401(self, ivan: Contact, talk: Chat) -> None:
        assert_problem(VisitorClient(ivan.widget).post("rating", {"value": 5}), 401, "invalid_visitor_token")

    def test_the_served_config_says_that_there_are_ratings(self, ivan_online: VisitorClient) -> None:
        assert ivan_online.get("config").json()["data"]["features"]["rating"] is True

    @pytest.mark.parametrize("value", [0, 6])
    def test_the_database_keeps_no_other_value(self, talk: Chat, value: int) -> None:
        with pytest.raises(IntegrityError):
            Rating.objects.create(widget_id=talk.widget_id, chat=talk, value=value)


class TestPlace:
    def test_a_rating_stands_behind_the_newest_message(self, ivan_online: VisitorClient, talk: Chat) -> None:
        note = MessageFactory.create(chat=talk, is_internal=True, sender_kind="system")
        ivan_online.post("rating", {"value": 4})
        assert Rating.objects.get().after_message_id == note.pk

    def test_one_that_comes_without_its_place_gets_it_by_its_time(self, talk: Chat) -> None:
        first = talk.messages.latest("id")
        MessageFactory.create(chat=talk, created_at=first.created_at + timedelta(days=2))
        rated_at = first.created_at + timedelta(days=1)
        rating = Rating.objects.create(widget_id=talk.widget_id, chat=talk, value=3, rated_at=rated_at)
        rating.refresh_from_db()
        assert rating.after_message_id == first.pk
