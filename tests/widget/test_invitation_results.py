"""Signals of browsers, the figures of an invitation, and a week of played visitors whose true effect is known."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.actions import copy_of_contact, erase_contact
from apps.chats.models import Chat, Contact
from apps.widget.actions.retention import forget_offers
from apps.widget.models import ChatInvitation, InvitationOffer
from apps.widget.rules.invitations import is_held
from tests.client import ApiClient
from tests.factories.invitations import KEY, ChatInvitationFactory, InvitationOfferFactory
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

OTHER_KEY = "e" * 32


@pytest.fixture
def invitation(shop: Widget) -> ChatInvitation:
    return ChatInvitationFactory.create(widget=shop, goal={"event": "ordered", "hours": 72})


def signal(visitor: VisitorClient, *signals: dict[str, Any], key: str = KEY) -> None:
    answer = visitor.post("signals", {"key": key, "signals": list(signals)})
    assert (answer.status_code, answer.content) == (204, b"")


def goal(invitation: ChatInvitation) -> dict[str, Any]:
    return {"kind": "goal", "invitation_id": invitation.pk}


def results(api: ApiClient, invitation: ChatInvitation, query: str = "") -> dict[str, Any]:
    answer = api.get(f"/api/v1/chat-invitations/{invitation.pk}/results{query}")
    assert answer.status_code == 200, answer.content
    data: dict[str, Any] = answer.json()["data"]
    return data


class TestSignals:
    def test_what_was_opened_and_dismissed_is_noted_once(
        self, visitor: VisitorClient, invitation: ChatInvitation
    ) -> None:
        row = InvitationOfferFactory.create(invitation=invitation)
        told = [{"kind": kind, "offer_id": row.pk} for kind in ("opened", "dismissed")]
        signal(visitor, *told)
        row.refresh_from_db()
        first = (row.opened_at, row.dismissed_at)
        assert None not in first
        signal(visitor, *told)
        row.refresh_from_db()
        assert (row.opened_at, row.dismissed_at) == first

    def test_a_beacons_text_is_read(self, visitor: VisitorClient, invitation: ChatInvitation) -> None:
        row = InvitationOfferFactory.create(invitation=invitation)
        body = json.dumps({"key": KEY, "signals": [{"kind": "dismissed", "offer_id": row.pk}]}).encode()
        for content_type in ("text/plain", "text/plain;charset=UTF-8"):
            assert visitor.post("signals", body, content_type=content_type).status_code == 204
        assert InvitationOffer.objects.get().dismissed_at is not None

    def test_what_is_unknown_or_another_keys_is_passed_over(
        self, visitor: VisitorClient, invitation: ChatInvitation
    ) -> None:
        row = InvitationOfferFactory.create(invitation=invitation)
        foreign = InvitationOfferFactory.create()
        signal(visitor, {"kind": "opened", "offer_id": row.pk}, key=OTHER_KEY)
        signal(visitor, {"kind": "opened", "offer_id": 1}, {"kind": "opened", "offer_id": foreign.pk})
        signal(visitor, {"kind": "goal", "invitation_id": 2**40}, {"kind": "goal", "invitation_id": foreign.pk})
        assert not InvitationOffer.objects.exclude(opened_at=None, converted_at=None).exists()

    @pytest.mark.parametrize(
        ("body", "path"),
        [
            ({"key": KEY, "signals": []}, "signals"),
            ({"key": KEY, "signals": [{"kind": "opened", "offer_id": 1}] * 21}, "signals"),
            ({"key": KEY, "signals": [{"kind": "opened"}]}, "signals.0.offer_id"),
            ({"key": KEY, "signals": [{"kind": "goal", "offer_id": 1}]}, "signals.0.invitation_id"),
            ({"key": KEY, "signals": [{"kind": "bought"}]}, "signals.0.kind"),
            ({"key": "short", "signals": [{"kind": "opened", "offer_id": 1}]}, "key"),
        ],
    )
    def test_what_is_no_signal_is_refused(self, visitor: VisitorClient, body: Any, path: str) -> None:
        answer = visitor.post("signals", body)
        assert (answer.status_code, list(answer.json()["errors"])) == (422, [path])


class TestGoals:
    def test_it_counts_once_for_a_key_that_was_shown_or_held(
        self, visitor: VisitorClient, invitation: ChatInvitation, api: ApiClient
    ) -> None:
        InvitationOfferFactory.create(invitation=invitation)
        InvitationOfferFactory.create(invitation=invitation, key=OTHER_KEY, is_held=True)
        for key in (KEY, OTHER_KEY, "d" * 32):
            signal(visitor, goal(invitation), goal(invitation), key=key)
            signal(visitor, goal(invitation), key=key)
        assert results(api, invitation)["converted"] == {"shown": 1, "held": 1}

    def test_it_counts_within_its_hours(
        self, visitor: VisitorClient, invitation: ChatInvitation, api: ApiClient
    ) -> None:
        made = InvitationOfferFactory.create(invitation=invitation)
        InvitationOffer.objects.filter(pk=made.pk).update(created_at=timezone.now() - timedelta(hours=72))
        signal(visitor, goal(invitation))
        assert results(api, invitation)["converted"] == {"shown": 0, "held": 0}
        InvitationOffer.objects.update(created_at=timezone.now() - timedelta(hours=71))
        signal(visitor, goal(invitation))
        assert results(api, invitation)["converted"] == {"shown": 1, "held": 0}

    def test_without_a_goal_nothing_counts(
        self, visitor: VisitorClient, invitation: ChatInvitation, api: ApiClient
    ) -> None:
        ChatInvitation.objects.update(goal=None)
        InvitationOfferFactory.create(invitation=invitation)
        signal(visitor, goal(invitation))
        assert results(api, invitation)["converted"] == {"shown": 0, "held": 0}


class TestResults:
    def test_nothing_yet(self, api: ApiClient, invitation: ChatInvitation) -> None:
        found = results(api, invitation)
        assert found.pop("since") is not None
        assert found == {
            "round": 1,
            **dict.fromkeys(("shown", "held", "dismissed", "opened", "answered"), 0),
            "converted": {"shown": 0, "held": 0},
            "rate": {"shown": None, "held": None},
            "effect": None,
            "is_enough": False,
            "days": [],
        }

    def test_the_days_are_of_utc_and_add_up(self, api: ApiClient, invitation: ChatInvitation) -> None:
        late = timezone.now().astimezone(UTC).replace(hour=23, minute=59, second=59) - timedelta(days=2)
        next_day = late + timedelta(seconds=2)
        about: Any = {"invitation": invitation}
        InvitationOfferFactory.create(**about, created_at=late, opened_at=late, answered_at=late)
        InvitationOfferFactory.create(**about, key=OTHER_KEY, created_at=next_day, dismissed_at=next_day)
        InvitationOfferFactory.create(**about, key="d" * 32, created_at=next_day, is_held=True, converted_at=next_day)
        found = results(api, invitation)
        nothing = dict.fromkeys(("shown", "held", "dismissed", "opened", "answered"), 0)
        assert found["days"] == [
            {
                "day": str(late.date()),
                **nothing,
                "shown": 1,
                "opened": 1,
                "answered": 1,
                "converted": {"shown": 0, "held": 0},
            },
            {
                "day": str(next_day.date()),
                **nothing,
                "shown": 1,
                "held": 1,
                "dismissed": 1,
                "converted": {"shown": 0, "held": 1},
            },
        ]
        assert (found["shown"], found["held"], found["rate"]) == (2, 1, {"shown": 0.0, "held": 1.0})

    def test_a_visitor_who_met_it_twice_is_one(self, api: ApiClient, invitation: ChatInvitation) -> None:
        InvitationOfferFactory.create(invitation=invitation)
        InvitationOfferFactory.create(invitation=invitation, converted_at=timezone.now())
        found = results(api, invitation)
        assert (found["shown"], found["rate"]["shown"]) == (2, 1.0)

    def test_rounds_never_mix(self, api: ApiClient, invitation: ChatInvitation) -> None:
        InvitationOfferFactory.create(invitation=invitation)
        api.patch(f"/api/v1/chat-invitations/{invitation.pk}", json={"holdout": 20})
        assert (results(api, invitation)["round"], results(api, invitation)["shown"]) == (2, 0)
        assert results(api, invitation, "?round=1")["shown"] == 1
        for query in ("?round=3", "?round=0", "?round=x"):
            assert api.get(f"/api/v1/chat-invitations/{invitation.pk}/results{query}").status_code == 422

    def test_an_effect_is_said_from_100_of_both_on(self, api: ApiClient, invitation: ChatInvitation) -> None:
        def add(number: int, *, is_held: bool, converted: bool) -> None:
            about: Any = {"invitation": invitation, "is_held": is_held}
            when = timezone.now() if converted else None
            InvitationOfferFactory.create(**about, key=f"{is_held:d}{number:031x}", converted_at=when)

        for number in range(100):
            add(number, is_held=False, converted=number < 30)
        for number in range(99):
            add(number, is_held=True, converted=number < 10)
        assert (results(api, invitation)["effect"], results(api, invitation)["is_enough"]) == (None, False)
        add(99, is_held=True, converted=False)
        found = results(api, invitation)
        assert found["is_enough"] is True
        assert {name: round(value, 4) for name, value in found["effect"].items()} == {
            "difference": 0.2,
            "low": 0.09,
            "high": 0.3058,
        }


class TestPlayedWeek:
    """Visitors through the public calls: who is held, and who orders, is computed of their keys."""

    @pytest.mark.parametrize(("of_shown", "is_effect"), [(30, True), (10, False)])
    def test_the_true_effect_is_in_the_interval(
        self, shop: Widget, api: ApiClient, of_shown: int, is_effect: bool
    ) -> None:
        """10 of 100 order by themselves; where it is shown, 30 of 100 (an effect of 20 %), or as many (none)."""
        invitation = ChatInvitationFactory.create(widget=shop, goal={"event": "ordered", "hours": 72}, holdout=50)
        keys = [f"{number * 7919:032x}" for number in range(1, 421)]
        seen = dict.fromkeys((True, False), 0)
        for key in keys:
            browser = VisitorClient(shop)
            told = browser.post(f"invitations/{invitation.pk}/offers", {"key": key}).json()["data"]
            held = told["reason"] == "holdout"
            assert held is is_held(key, invitation.pk, 1, 50)
            seen[held] += 1
            if seen[held] * 37 % 100 < (10 if held else of_shown):
                signal(browser, goal(invitation), key=key)
        found = results(api, invitation)
        assert (found["shown"], found["held"]) == (seen[False], seen[True])
        assert found["is_enough"] is True
        effect, true = found["effect"], (of_shown - 10) / 100
        assert effect["low"] <= true <= effect["high"]
        assert (effect["low"] > 0) is is_effect

    @pytest.mark.parametrize(("percent", "is_effect"), [(18, True), (10, False)])
    def test_a_week_of_2_400_visitors_finds_8_percent_and_nothing(
        self, shop: Widget, api: ApiClient, percent: int, is_effect: bool
    ) -> None:
        invitation = ChatInvitationFactory.create(widget=shop, goal={"event": "ordered", "hours": 72}, holdout=50)
        rows, seen, now = [], dict.fromkeys((True, False), 0), timezone.now()
        for number in range(2400):
            key = hashlib.sha256(f"{number}".encode()).hexdigest()[:32]
            held = is_held(key, invitation.pk, 1, 50)
            seen[held] += 1
            orders = seen[held] * 37 % 100 < (10 if held else percent)
            made = InvitationOfferFactory.build(
                invitation=invitation,
                widget=shop,
                key=key,
                is_held=held,
                created_at=now - timedelta(days=number % 7),
                converted_at=now if orders else None,
            )
            rows.append(made)
        InvitationOffer.objects.bulk_create(rows)
        found = results(api, invitation)
        assert (len(found["days"]), found["shown"] + found["held"]) == (7, 2400)
        effect, true = found["effect"], (percent - 10) / 100
        assert effect["low"] <= true <= effect["high"]
        assert (effect["low"] > 0) is is_effect


class TestKept:
    def test_offers_live_for_90_days_and_those_with_a_chat_without_their_key(
        self, invitation: ChatInvitation, chat: Chat
    ) -> None:
        now = timezone.now()
        old, young = now - timedelta(days=90, seconds=1), now - timedelta(days=89)
        gone = InvitationOfferFactory.create(invitation=invitation, created_at=old)
        kept = InvitationOfferFactory.create(invitation=invitation, created_at=young)
        began = InvitationOfferFactory.create(invitation=invitation, created_at=old, chat=chat, contact=chat.contact)
        assert forget_offers(as_of=now) == 1
        assert set(InvitationOffer.objects.values_list("pk", flat=True)) == {kept.pk, began.pk}
        began.refresh_from_db()
        assert began.key_digest is None
        assert gone.pk not in (kept.pk, began.pk)

    def test_a_contacts_copy_has_them_and_an_erasure_takes_them(
        self, invitation: ChatInvitation, ivan: Contact
    ) -> None:
        InvitationOfferFactory.create(invitation=invitation, contact=ivan)
        others = InvitationOfferFactory.create(invitation=invitation, key=OTHER_KEY)
        pieces = b"".join(copy_of_contact(widget_id=ivan.widget_id, guid=ivan.guid))
        with zipfile.ZipFile(io.BytesIO(pieces)) as archive:
            (row,) = [json.loads(line) for line in archive.read("invitations.jsonl").splitlines()]
        assert (row["text"], row["is_held"]) == ("May we help?", False)
        assert "key_digest" not in row
        assert datetime.fromisoformat(row["created_at"]).tzinfo is not None
        erase_contact(widget_id=ivan.widget_id, guid=ivan.guid)
        assert list(InvitationOffer.objects.values_list("pk", flat=True)) == [others.pk]
