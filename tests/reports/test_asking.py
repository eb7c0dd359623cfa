"""The policy asks about each ended episode once, or says why not."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from prometheus_client import REGISTRY

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, ContactJoin, Message, RatingRequest
from apps.core import redis
from apps.letters.models import Address, Mailbox, Thread
from apps.letters.rules.addresses import digest_of
from apps.messengers.models import Peer
from apps.reports.models import RatingDecision, RatingPolicy
from apps.widget.models import VisitorSession
from tests.cast import Rival
from tests.factories import MessageFactory
from tests.reports.asking import DAY, answer, asks, elsewhere, ended, first_message, policy, reasons, visitor
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

# No decision of a widget can be stored.
REFUSED = """
CREATE FUNCTION pg_temp.refused() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''refused''; END';
CREATE TRIGGER refused BEFORE INSERT ON reports_ratingdecision FOR EACH ROW
WHEN (NEW.widget_id = {widget}) EXECUTE FUNCTION pg_temp.refused();
"""


def counted(state: str) -> float:
    return REGISTRY.get_sample_value("parley_rating_requests_total", {"state": state}) or 0


class TestAsked:
    def test_an_ended_talk_is_asked_about_once(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        browser = ended(shop, alice)
        before = counted("asked")
        found = asks()
        (asked,) = found["asked"]
        about = {"chat_id": browser.chat_id, "episode_id": first_message(browser.chat_id), "channel": "widget"}
        assert {**asked, "url": ""} == {**about, "url": ""}
        assert found["not_asked"] == []
        request = RatingRequest.objects.get()
        assert (request.cause, request.chat_id, request.agent_id) == ("policy", browser.chat_id, None)
        assert Chat.objects.get(pk=browser.chat_id).rating_requested_at == request.at
        assert counted("asked") == before + 1
        assert asks() == asks(after=DAY * 40) == {"asked": [], "not_asked": []}

    def test_nothing_is_decided_unless_the_owner_wants_it(self, shop: Widget, alice: Agent) -> None:
        ended(shop, alice)
        assert asks() == {"asked": [], "not_asked": []}
        policy(shop, ask="manual")
        assert asks() == {"asked": [], "not_asked": []}

    def test_only_what_ends_from_then_on_is_decided_about(self, shop: Widget, alice: Agent) -> None:
        ended(shop, alice)
        policy(shop)
        assert asks() == {"asked": [], "not_asked": []}
        browser = ended(shop, alice)
        assert [each["chat_id"] for each in asks()["asked"]] == [browser.chat_id]

    def test_the_delay_counts_from_the_end(self, shop: Widget, alice: Agent) -> None:
        policy(shop, delay_minutes=30)
        ended(shop, alice)
        assert asks(after=timedelta(minutes=29)) == {"asked": [], "not_asked": []}
        assert len(asks(after=timedelta(minutes=31))["asked"]) == 1

    def test_a_day_of_silence_is_an_end_where_the_owner_says_so(self, shop: Widget, alice: Agent) -> None:
        policy(shop, ended_by=["silence"])
        browser = visitor(shop)
        answer(alice, browser.chat_id)
        assert asks(after=timedelta(hours=23)) == {"asked": [], "not_asked": []}
        assert [each["chat_id"] for each in asks(after=timedelta(hours=25))["asked"]] == [browser.chat_id]

    def test_another_widget_is_not_asked(self, shop: Widget, rival: Rival, alice: Agent) -> None:
        policy(shop)
        MessageFactory.create(chat=rival.chat)
        actions.close_chat(widget_id=rival.widget.pk, chat_id=rival.chat.pk)
        assert asks() == {"asked": [], "not_asked": []}

    def test_a_widget_that_fails_does_not_keep_the_others_waiting(
        self, shop: Widget, rival: Rival, alice: Agent
    ) -> None:
        for widget in (shop, rival.widget):
            policy(widget)
        ended(shop, alice)
        with connection.cursor() as cursor:
            cursor.execute(REFUSED.format(widget=shop.pk))
        MessageFactory.create(chat=rival.chat)
        actions.close_chat(widget_id=rival.widget.pk, chat_id=rival.chat.pk)
        assert [(each["chat_id"], each["reason"]) for each in asks()["not_asked"]] == [(rival.chat.pk, "outcome")]
        assert not RatingRequest.objects.exists()
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER refused ON reports_ratingdecision")
        assert len(asks()["asked"]) == 1

    def test_a_request_changes_nothing_else_of_the_chat(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        browser = ended(shop, alice)
        before = Chat.objects.get(pk=browser.chat_id)
        asks()
        after = Chat.objects.get(pk=browser.chat_id)
        changed = {
            each.attname
            for each in Chat._meta.concrete_fields
            if getattr(before, each.attname) != getattr(after, each.attname)
        }
        assert changed == {"rating_requested_at", "version"}

    def test_an_imported_policy_begins_when_it_is_seen(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        RatingPolicy.objects.update(since=None)
        ended(shop, alice)
        assert asks() == {"asked": [], "not_asked": []}
        assert RatingPolicy.objects.get().since is not None


class TestNotAsked:
    def test_outcome(self, shop: Widget) -> None:
        policy(shop)
        browser = visitor(shop)
        actions.close_chat(widget_id=shop.pk, chat_id=browser.chat_id)
        before = counted("not_asked")
        found = asks()
        assert found["not_asked"] == [
            {"chat_id": browser.chat_id, "episode_id": first_message(browser.chat_id), "reason": "outcome"}
        ]
        assert found["asked"] == []
        assert counted("not_asked") == before + 1
        assert not RatingRequest.objects.exists()
        assert RatingDecision.objects.get().reason == "outcome"

    def test_ended_by(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        ended(shop, alice, by_api=True)
        assert reasons(asks()) == ["ended_by"]

    def test_channel(self, shop: Widget, alice: Agent) -> None:
        policy(shop, channels=["tg"])
        ended(shop, alice)
        assert reasons(asks()) == ["channel"]

    def test_asked_lately(self, shop: Widget, alice: Agent) -> None:
        policy(shop, again_days=30)
        browser = ended(shop, alice)
        assert len(asks()["asked"]) == 1
        browser.say("And tulips?")
        answer(alice, browser.chat_id)
        actions.close_chat(widget_id=shop.pk, chat_id=browser.chat_id, by_agent_id=alice.pk)
        assert reasons(asks()) == ["asked_lately"]

    def test_an_operators_own_request_counts(self, shop: Widget, alice: Agent) -> None:
        policy(shop, again_days=1)
        browser = ended(shop, alice)
        actions.request_rating(widget_id=shop.pk, chat_id=browser.chat_id)
        assert reasons(asks()) == ["asked_lately"]

    def test_joined_contacts_are_one_person(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        first = ended(shop, alice)
        asks()
        second = ended(shop, alice)
        contacts = [Chat.objects.get(pk=each.chat_id).contact for each in (first, second)]
        ContactJoin.objects.create(widget=shop, first=contacts[0], contact=contacts[1])
        assert reasons(asks()) == ["asked_lately"]

    def test_without_a_pause_the_next_talk_is_asked_about(self, shop: Widget, alice: Agent) -> None:
        policy(shop, again_days=0)
        browser = ended(shop, alice)
        asks()
        browser.say("And tulips?")
        answer(alice, browser.chat_id)
        actions.close_chat(widget_id=shop.pk, chat_id=browser.chat_id, by_agent_id=alice.pk)
        assert len(asks()["asked"]) == 1

    def test_who_rated_of_themselves_is_not_asked(self, shop: Widget, alice: Agent) -> None:
        policy(shop, again_days=0)
        browser = ended(shop, alice)
        browser.post("rating", {"value": 5})
        assert reasons(asks()) == ["asked_lately"]

    def test_wrote_again(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        browser = ended(shop, alice)
        browser.say("And tulips?")
        assert reasons(asks()) == ["wrote_again"]

    def test_thanks_are_no_return(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        browser = ended(shop, alice)
        browser.say("Thanks!")
        assert len(asks()["asked"]) == 1

    def test_unreachable_who_has_not_come_for_a_week(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        browser = ended(shop, alice)
        VisitorSession.objects.update(last_seen_at=timezone.now() - 8 * DAY)
        assert reasons(asks()) == ["unreachable"]
        assert Chat.objects.get(pk=browser.chat_id).rating_requested_at is None

    def test_unreachable_behind_a_vendors_window(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        chat = elsewhere(shop, "wa", alice)
        Peer.objects.create(widget=shop, channel="wa", conversation="4915", contact=chat.contact)
        Message.objects.filter(chat=chat, sender_kind="client").update(created_at=timezone.now() - timedelta(hours=25))
        assert reasons(asks()) == ["unreachable"]

    def test_unreachable_whom_the_messenger_does_not_know(self, shop: Widget, alice: Agent) -> None:
        policy(shop)
        elsewhere(shop, "tg", alice)
        assert reasons(asks()) == ["unreachable"]

    @pytest.mark.parametrize("state", ["dead", "stopped", "removed"])
    def test_unreachable_at_a_dead_address(self, shop: Widget, alice: Agent, state: str) -> None:
        policy(shop)
        _chat, mailbox = mail_chat(shop, alice)
        about = {"digest": digest_of("ivan@mail.test"), "email": "ivan@mail.test"}
        if state == "removed":
            mailbox.delete()
        else:
            Address.objects.create(widget=shop, **about, **{f"{state}_at": timezone.now()})
        assert reasons(asks()) == ["unreachable"]


def mail_chat(shop: Widget, alice: Agent) -> tuple[Chat, Mailbox]:
    mailbox = Mailbox.objects.create(widget=shop, address="shop@shop.test", digest=b"0" * 32)
    chat = elsewhere(shop, f"mail__{mailbox.pk}", alice)
    Thread.objects.create(widget=shop, chat=chat, address="ivan@mail.test", right="r" * 20, digest=b"1" * 32)
    return chat, mailbox


def test_requests_that_are_over_are_asked_no_longer(shop: Widget, alice: Agent) -> None:
    policy(shop, valid_days=3)
    browser = ended(shop, alice)
    asks()
    asks(after=timedelta(days=2))
    assert Chat.objects.get(pk=browser.chat_id).rating_requested_at is not None
    before = counted("over")
    asks(after=timedelta(days=4))
    assert Chat.objects.get(pk=browser.chat_id).rating_requested_at is None
    assert counted("over") == before + 1


def test_without_redis_it_is_asked_all_the_same(shop: Widget, alice: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    policy(shop)
    ended(shop, alice)

    def away(*args: Any) -> Any:
        raise redis.RedisAway

    monkeypatch.setattr(redis, "ask", away)
    assert len(asks()["asked"]) == 1


def test_an_erased_chat_is_not_decided_about(shop: Widget, alice: Agent) -> None:
    policy(shop)
    browser = ended(shop, alice)
    Chat.objects.get(pk=browser.chat_id).delete()
    rows = snapshot()
    assert asks() == {"asked": [], "not_asked": []}
    assert {name: each for name, each in snapshot().items() if "rating" in name} == {
        name: each for name, each in rows.items() if "rating" in name
    }
