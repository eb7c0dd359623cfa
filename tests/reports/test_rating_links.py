"""A request outside of the widget is a message with one link; its page rates by POST alone."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, Message, Rating, RatingRequest
from apps.messengers.models import OutboundMessage, Peer
from apps.webhooks.models import Event
from tests.client import ApiClient
from tests.reports.asking import answer, asks, elsewhere, ended, first_message, policy
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


def telegram(shop: Widget, alice: Agent) -> Chat:
    """A chat in Telegram that was answered and closed, whose visitor can be written to."""
    chat = elsewhere(shop, "tg", alice)
    Peer.objects.create(widget=shop, channel="tg", conversation=f"{chat.pk}", contact=chat.contact)
    return chat


def asked_in_telegram(shop: Widget, alice: Agent, **changes: Any) -> tuple[Chat, str]:
    policy(shop, **changes)
    chat = telegram(shop, alice)
    (asked,) = asks()["asked"]
    return chat, path_of(asked["url"])


def path_of(url: str) -> str:
    found = re.fullmatch(r"https?://[^/]+(/rate/[A-Za-z0-9_-]{32})", url)
    assert found is not None, url
    return found[1]


class TestTheMessage:
    def test_it_has_the_question_and_one_link(self, shop: Widget, alice: Agent) -> None:
        policy(shop, question_i18n={"en": "Were the roses nice?"})
        chat = telegram(shop, alice)
        before = Chat.objects.get(pk=chat.pk)
        (asked,) = asks()["asked"]
        message = Message.objects.filter(chat=chat).latest("id")
        assert message.body == f"Were the roses nice?\n{asked['url']}"
        assert (message.sender_kind, message.origin, message.is_internal) == ("system", "rating_request", False)
        assert OutboundMessage.objects.filter(message=message).exists()
        after = Chat.objects.get(pk=chat.pk)
        kept = ("status", "agent_id", "last_message_id", "waiting_since", "handling", "handled_agent_id")
        assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]

    def test_the_token_is_kept_as_a_digest(self, shop: Widget, alice: Agent) -> None:
        _chat, path = asked_in_telegram(shop, alice)
        token = path.removeprefix("/rate/")
        request = RatingRequest.objects.get()
        assert request.digest is not None
        assert token not in request.digest
        assert len(request.digest) == 64

    def test_an_operators_request_asks_there_too_and_the_newest_word_is_not_said_twice(
        self, shop: Widget, alice: Agent, api: ApiClient
    ) -> None:
        chat = telegram(shop, alice)
        for _ in range(2):
            assert api.post(f"/chats/{chat.pk}/rate-request").status_code == 202
        words = Message.objects.filter(chat=chat, origin="rating_request")
        assert words.count() == 1
        path = path_of(words.get().body.splitlines()[-1])
        assert Client().post(path, {"value": "4"}).status_code == 200
        assert Rating.objects.get().value == 4

    def test_it_starts_no_webhook_and_no_ai(self, shop: Widget, alice: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
        chat = telegram(shop, alice)
        events = Event.objects.count()
        actions.request_rating(widget_id=shop.pk, chat_id=chat.pk)
        assert Event.objects.count() == events


class TestThePage:
    @pytest.mark.parametrize("method", ["get", "head"])
    def test_opening_it_votes_for_nothing(self, shop: Widget, alice: Agent, method: str) -> None:
        """Programs of mail and messengers follow links, with whatever stands behind them."""
        _chat, path = asked_in_telegram(shop, alice)
        rows = snapshot()
        for address in (path, f"{path}?value=5", f"{path}?value=1&comment=bad"):
            answer_ = getattr(Client(), method)(address)
            assert answer_.status_code == 200
            assert answer_.cookies == {}
        assert snapshot() == rows

    def test_it_shows_the_question_and_the_marks(self, shop: Widget, alice: Agent) -> None:
        _chat, path = asked_in_telegram(shop, alice, question_i18n={"en": "Were the roses nice?"})
        page = Client().get(path)
        text = page.content.decode()
        assert "Were the roses nice?" in text
        assert re.findall(r'name="value" value="(\d)"', text) == list("12345")
        assert shop.name in text
        assert (page.headers["Referrer-Policy"], page.headers["X-Robots-Tag"]) == ("no-referrer", "noindex")
        assert "no-store" in page.headers["Cache-Control"]

    def test_posting_rates_without_cookie_or_proof_against_forgery(self, shop: Widget, alice: Agent) -> None:
        chat, path = asked_in_telegram(shop, alice, thanks_i18n={"en": "Come again!"})
        page = Client(enforce_csrf_checks=True).post(path, {"value": "2", "comment": "Late"})
        assert page.status_code == 200
        assert "Come again!" in page.content.decode()
        assert page.cookies == {}
        rating = Rating.objects.get()
        assert (rating.chat_id, rating.value, rating.comment) == (chat.pk, 2, "Late")
        assert RatingRequest.objects.get().answered_at == rating.rated_at
        assert Chat.objects.get(pk=chat.pk).status == "expired"

    def test_a_second_one_replaces_the_first(self, shop: Widget, alice: Agent) -> None:
        _chat, path = asked_in_telegram(shop, alice)
        for value in ("2", "5"):
            Client().post(path, {"value": value})
        assert [rating.value for rating in Rating.objects.all()] == [5]

    def test_json_is_taken_too(self, shop: Widget, alice: Agent) -> None:
        _chat, path = asked_in_telegram(shop, alice)
        assert Client().post(path, {"value": 3}, content_type="application/json").status_code == 200
        assert Rating.objects.get().value == 3

    @pytest.mark.parametrize(
        "given",
        [
            {},
            {"value": "0"},
            {"value": "6"},
            {"value": "5.0"},
            {"value": "five"},
            {"value": ""},
            {"value": "5", "comment": "a" * 2_001},
            {"value": "5", "comment": "\0"},
        ],
    )
    def test_a_bad_value_is_422_and_nothing_changes(self, shop: Widget, alice: Agent, given: Any) -> None:
        _chat, path = asked_in_telegram(shop, alice)
        rows = snapshot()
        assert Client().post(path, given).status_code == 422
        assert snapshot() == rows

    def test_thumbs_are_one_and_five(self, shop: Widget, alice: Agent) -> None:
        _chat, path = asked_in_telegram(shop, alice, scale="thumbs")
        assert re.findall(r'name="value" value="(\d)"', Client().get(path).content.decode()) == ["1", "5"]
        assert Client().post(path, {"value": "3"}).status_code == 422
        assert Client().post(path, {"value": "5"}).status_code == 200

    def test_unknown_and_over_are_404(self, shop: Widget, alice: Agent) -> None:
        _chat, path = asked_in_telegram(shop, alice)
        RatingRequest.objects.update(until=timezone.now() - timedelta(seconds=1))
        for address in (path, "/rate/" + "x" * 32, "/rate/x"):
            assert Client().get(address).status_code == 404
            assert Client().post(address, {"value": "5"}).status_code == 404
        assert not Rating.objects.exists()

    def test_a_link_rates_the_talk_that_it_asked_about(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        browser = ended(shop, alice)
        episode = first_message(browser.chat_id)
        (asked,) = asks()["asked"]
        browser.say("And tulips?")
        answer(alice, browser.chat_id)
        assert browser.post("rating", {"value": 1}).status_code == 201
        assert Client().post(path_of(asked["url"]), {"value": "5"}).status_code == 200
        places = {rating.value: rating.after_message_id for rating in Rating.objects.all()}
        assert places.keys() == {1, 5}
        tulips = Message.objects.filter(chat_id=browser.chat_id, body="And tulips?").get().pk
        assert episode <= places[5] < tulips <= places[1]


class TestByMail:
    def test_a_letter_asks_from_the_mailbox(self, shop: Widget, alice: Agent) -> None:
        from apps.letters.models import GatherJob, Mailbox, Thread

        policy(shop)
        mailbox = Mailbox.objects.create(widget=shop, address="shop@shop.test", digest=b"0" * 32)
        chat = elsewhere(shop, f"mail__{mailbox.pk}", alice)
        Thread.objects.create(widget=shop, chat=chat, address="ivan@mail.test", right="r" * 20, digest=b"1" * 32)
        GatherJob.objects.all().delete()
        (asked,) = asks()["asked"]
        assert asked["channel"] == f"mail__{mailbox.pk}"
        assert GatherJob.objects.filter(chat=chat).exists()
        assert asked["url"] in Message.objects.filter(chat=chat).latest("id").body


class TestNotNow:
    def test_it_is_204_and_ends_the_asking(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        browser = ended(shop, alice)
        asks()
        assert browser.delete("rating-request").status_code == 204
        assert Chat.objects.get(pk=browser.chat_id).rating_requested_at is None
        assert RatingRequest.objects.get().declined_at is not None
        rows = snapshot()
        assert browser.delete("rating-request").status_code == 204
        assert snapshot() == rows

    def test_without_a_chat_it_is_204_too(self, shop: Widget) -> None:
        browser = VisitorClient(shop)
        browser.come()
        assert browser.delete("rating-request").status_code == 204

    def test_without_a_visitor_it_is_401(self, shop: Widget) -> None:
        assert VisitorClient(shop).delete("rating-request").status_code == 401
