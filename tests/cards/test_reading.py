"""`GET /console/chats/{id}/cards`: it answers at once, and a job asks the shop's program for what is due."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.cards.actions.reading import fresh_cards
from apps.cards.actions.settings import set_cards
from apps.cards.models import CardSettings, ChatCards
from apps.cards.tasks import CARDS_QUEUE, forget_old_cards
from apps.chats.models import Chat, Contact
from apps.chats.realtime.sockets import frame_of
from apps.console.querysets import shop_cards
from apps.leases import claims
from apps.letters.actions.addresses import note_proof
from apps.letters.models import Address
from apps.letters.rules.addresses import digest_of
from apps.webhooks import rules
from tests.cards.conftest import CARDS
from tests.cards.shop import ORDER, ShopProgram
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories import ChatFactory

pytestmark = pytest.mark.django_db


def look(console: Console, chat: Chat, refresh: str = "") -> dict[str, Any]:
    """The chat's cards, by key."""
    query = f"?refresh={refresh}" if refresh else ""
    return {card["key"]: card for card in console.data("GET", f"/chats/{chat.pk}/cards{query}")}


def ask() -> int:
    """The jobs that are due are done; returns how many there were."""
    leases = claims.claim(CARDS_QUEUE, wanted=9)
    for lease in leases:
        lease.run()
    return len(leases)


def looked_at(console: Console, chat: Chat) -> dict[str, Any]:
    look(console, chat)
    assert ask() == 1
    return look(console, chat)


def age(chat: Chat, **by_key: int) -> None:
    """The cards of those keys were read so many seconds earlier."""
    row = ChatCards.objects.for_widget(chat.widget_id).get(chat=chat)
    kept = json.loads(row.contents or "{}")
    for key, seconds in by_key.items():
        for name in ("fetched_at", "expires_at", "failed_at"):
            if kept[key][name] is not None:
                kept[key][name] -= seconds
    row.contents = json.dumps(kept)
    row.save(update_fields=["contents"])


def prove(chat: Chat) -> None:
    Contact.objects.unscoped("a test").filter(pk=chat.contact_id).update(external_id="user-1")


class TestAsking:
    def test_the_caller_never_waits_and_the_shop_is_asked_once_for_all_keys(
        self, alices_console: Console, alice: Agent, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        before = look(alices_console, chat)
        assert {key: card["state"] for key, card in before.items()} == {"order": "loading", "bonus": "loading"}
        assert not program.heard
        look(alices_console, chat)
        assert ask() == 1
        assert ask() == 0
        (asked,) = program.asked
        assert asked["type"] == "cards.requested"
        assert asked["data"] == {
            "button_guid": alice.widget.guid,
            "keys": ["order", "bonus"],
            "chat_id": chat.pk,
            "channel": chat.channel,
            "contact": {
                "id": chat.contact.guid,
                "external_id": None,
                "email": chat.contact.email or None,
                "phone": chat.contact.phone or None,
                "is_proved": False,
            },
            "agent_id": alice.pk,
            "locale": "en",
        }
        after = look(alices_console, chat)
        assert after["order"]["state"] == after["bonus"]["state"] == "fresh"
        assert after["order"]["components"] == ORDER["components"]
        assert after["bonus"]["components"] == []
        assert ask() == 0

    def test_it_is_signed_and_headed_as_a_webhook(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        looked_at(alices_console, chat)
        (heard,) = program.heard
        assert heard.headers["x-service-signature"] == rules.signature(secret.encode(), heard.body)
        assert heard.headers["x-service-event"] == "cards.requested"
        assert heard.headers["x-service-idempotency-key"] == program.asked[0]["id"]
        assert {"x-service-timestamp", "x-service-delivery"} <= heard.headers.keys()

    def test_what_is_too_old_stays_while_it_is_asked_for_again(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        looked_at(alices_console, chat)
        age(chat, bonus=61)
        assert {key: card["state"] for key, card in look(alices_console, chat).items()} == {
            "order": "fresh",
            "bonus": "stale",
        }
        assert ask() == 1
        assert program.asked[1]["data"]["keys"] == ["bonus"]

    def test_try_again_asks_for_one_card_whatever_its_age(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        before = looked_at(alices_console, chat)
        again = look(alices_console, chat, refresh="order")["order"]
        assert (again["state"], again["fetched_at"]) == ("stale", before["order"]["fetched_at"])
        assert ask() == 1
        assert program.asked[1]["data"]["keys"] == ["order"]

    def test_a_failure_is_asked_for_again_after_thirty_seconds_and_keeps_what_there_was(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        looked_at(alices_console, chat)
        program.status = 500
        look(alices_console, chat, refresh="order")
        ask()
        failed = look(alices_console, chat)["order"]
        assert (failed["state"], failed["error"]) == ("failed", "bad_status")
        assert failed["components"] == ORDER["components"]
        assert ask() == 0
        age(chat, order=31)
        program.status = 200
        assert look(alices_console, chat)["order"]["state"] == "stale"
        assert ask() == 1
        assert look(alices_console, chat)["order"]["state"] == "fresh"

    def test_nothing_is_asked_of_a_widget_without_cards(
        self, alices_console: Console, chat: Chat, program: ShopProgram
    ) -> None:
        assert look(alices_console, chat) == {}
        assert ask() == 0

    def test_settings_that_change_meanwhile_make_an_answer_void(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        look(alices_console, chat)
        (lease,) = claims.claim(CARDS_QUEUE, wanted=9)
        set_cards(widget_id=chat.widget_id, url=program.url, target=program.url, cards=CARDS[:1])
        lease.run()
        assert len(program.heard) == 1
        assert not ChatCards.objects.for_widget(chat.widget_id).exists()


class TestProof:
    def test_a_proved_identity_is_told_and_what_was_read_without_it_is_asked_for_again(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        assert looked_at(alices_console, chat)["order"]["is_proved"] is False
        prove(chat)
        look(alices_console, chat)
        assert ask() == 1
        assert (
            program.asked[1]["data"]["contact"] | {"is_proved": True, "external_id": "user-1"}
            == (program.asked[1]["data"]["contact"])
        )
        assert look(alices_console, chat)["order"]["is_proved"] is True

    def test_a_mailbox_counts_while_its_address_is_the_contacts(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        contacts = Contact.objects.for_widget(chat.widget_id).filter(pk=chat.contact_id)
        contacts.update(email="ivan@mail.test")
        Address.objects.create(
            widget_id=chat.widget_id,
            digest=digest_of("ivan@mail.test"),
            email="ivan@mail.test",
            contact_id=chat.contact_id,
            proven_at=timezone.now(),
            proven_by=Address.Proof.CODE,
        )
        assert looked_at(alices_console, chat)["order"]["is_proved"] is True
        contacts.update(email="boss@mail.test")
        assert looked_at(alices_console, chat)["order"]["is_proved"] is False

    @pytest.mark.parametrize("by", [Address.Proof.LETTER, Address.Proof.OWNER])
    def test_a_letter_from_the_address_proves_nobody_to_the_shop(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str, by: Address.Proof
    ) -> None:
        Contact.objects.for_widget(chat.widget_id).filter(pk=chat.contact_id).update(email="ivan@mail.test")
        note_proof(widget_id=chat.widget_id, email="ivan@mail.test", by=by, contact_id=chat.contact_id)
        assert looked_at(alices_console, chat)["order"]["is_proved"] is False

    def test_a_letter_takes_no_proof_away_that_a_code_gave(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        Contact.objects.for_widget(chat.widget_id).filter(pk=chat.contact_id).update(email="ivan@mail.test")
        for by in (Address.Proof.CODE, Address.Proof.LETTER):
            note_proof(widget_id=chat.widget_id, email="ivan@mail.test", by=by, contact_id=chat.contact_id)
        assert looked_at(alices_console, chat)["order"]["is_proved"] is True

    def test_drafts_read_fresh_cards_of_proved_contacts_alone(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str
    ) -> None:
        looked_at(alices_console, chat)
        assert fresh_cards(chat.widget_id, chat.pk) == []
        prove(chat)
        looked_at(alices_console, chat)
        assert fresh_cards(chat.widget_id, chat.pk) == [("Last order", "Last order\nOrder: 4711\nSum: 1500.00 RUB")]
        age(chat, order=301)
        assert fresh_cards(chat.widget_id, chat.pk) == []


LINK = {"type": "link", "label": "Pay", "url": "javascript:x"}
SCRIPT = json.dumps({"cards": [{"key": "order", "components": [{"type": "divider"}, LINK]}]}).encode()
BIG = b'{"cards": [' + b" " * 1_000_000 + b"]}"


@pytest.mark.parametrize(
    ("raw", "content_type", "error"),
    [
        (BIG, "application/json", "too_large"),
        (b"<html><body>Sign in</body></html>", "text/html", "not_json"),
        (b"<html><body>Sign in</body></html>", "application/json", "not_json"),
        (b'{"cards": []}', "text/plain", "not_json"),
        (b"[" * 10_000, "application/json", "not_json"),
        (b'{"cards": [], "x": "\xff"}', "application/json", "not_json"),
        (b"[]", "application/json", "cards"),
        (b"", "application/json", "cards"),
        (b'{"cards": {"order": []}}', "application/json", "cards"),
        (b'{"cards": [{"key": "order", "components": {}}]}', "application/json", "components"),
        (b'{"cards": [{"key": "order", "ttl_seconds": "5"}]}', "application/json", "ttl_seconds"),
        (SCRIPT, "application/json", "components[1].url"),
    ],
)
def test_an_answer_that_is_none_fails_and_says_where(
    alices_console: Console, chat: Chat, program: ShopProgram, secret: str, raw: bytes, content_type: str, error: str
) -> None:
    program.raw, program.content_type = raw, content_type
    card = looked_at(alices_console, chat)["order"]
    assert (card["state"], card["error"], card["components"]) == ("failed", error, [])


def test_a_bad_card_leaves_the_others(alices_console: Console, chat: Chat, program: ShopProgram, secret: str) -> None:
    points = {"key": "bonus", "components": [{"type": "badge", "text": "120"}], "ttl_seconds": 0}
    foreign = {"key": "other", "components": []}
    program.says = {"cards": [7, None, foreign, {"key": "order", "components": [{"type": "text"}]}, points]}
    cards = looked_at(alices_console, chat)
    assert cards["order"]["error"] == "components[0].text"
    assert cards["bonus"]["components"] == points["components"]
    assert len(cards) == 2


def test_a_slow_shop_fails_after_three_seconds(
    alices_console: Console, chat: Chat, program: ShopProgram, secret: str
) -> None:
    program.waits = 3.5
    assert looked_at(alices_console, chat)["order"]["error"] == "timeout"


def test_no_redirect_is_followed(alices_console: Console, chat: Chat, program: ShopProgram, secret: str) -> None:
    program.status, program.location = 307, program.url
    assert looked_at(alices_console, chat)["order"]["error"] == "bad_status"
    assert len(program.heard) == 1


def test_an_address_that_became_private_is_not_called(
    alices_console: Console, chat: Chat, program: ShopProgram, secret: str, settings: Any
) -> None:
    settings.EGRESS_ALLOW = []
    assert looked_at(alices_console, chat)["order"]["error"] == "unreachable"
    assert not program.heard


class TestWhoSees:
    def test_another_widgets_chat_is_no_chat(
        self, alices_console: Console, rival: Rival, program: ShopProgram, secret: str
    ) -> None:
        foreign = ChatFactory.create(contact__widget=rival.widget)
        assert_problem(alices_console.get(f"/chats/{foreign.pk}/cards"), 404, "not_found")
        assert not ChatCards.objects.unscoped("a test").exists()

    def test_an_operator_of_another_widget_sees_nothing(
        self, chat: Chat, rival: Rival, program: ShopProgram, secret: str
    ) -> None:
        assert_problem(Console(rival.agent).get(f"/chats/{chat.pk}/cards"), 404, "not_found")
        assert ask() == 0


def test_the_frame_says_what_the_call_says(
    alices_console: Console, chat: Chat, program: ShopProgram, secret: str
) -> None:
    looked_at(alices_console, chat)
    press_body = {"client_id": str(uuid4()), "action": "order.cancel"}
    alices_console.data("POST", f"/chats/{chat.pk}/cards/order/actions", 202, json=press_body)
    frame = json.loads(frame_of("cards.updated", {"cards": shop_cards(chat.widget_id, chat.pk)}))
    assert frame["data"]["cards"] == alices_console.data("GET", f"/chats/{chat.pk}/cards")


class TestKeeping:
    def test_what_was_read_is_encrypted_and_gone_within_a_day(
        self, alices_console: Console, chat: Chat, program: ShopProgram, secret: str, shop: Widget
    ) -> None:
        looked_at(alices_console, chat)
        (stored,) = ChatCards.objects.for_widget(shop.pk).extra(select={"raw": "contents"}).values_list("raw")
        assert "4711" not in stored[0]
        forget_old_cards()
        assert ChatCards.objects.for_widget(shop.pk).count() == 1
        a_day_ago = timezone.now() - timedelta(hours=24)
        ChatCards.objects.for_widget(shop.pk).update(kept_since=a_day_ago)
        forget_old_cards()
        assert not ChatCards.objects.for_widget(shop.pk).exists()

    def test_the_secret_is_encrypted(self, secret: str, shop: Widget) -> None:
        (stored,) = CardSettings.objects.for_widget(shop.pk).extra(select={"raw": "secret"}).values_list("raw")
        assert secret not in stored[0]
