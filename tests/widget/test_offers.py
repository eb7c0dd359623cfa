"""`POST /widget/{guid}/invitations/{id}/offers`: the refusals in their order, caps, the holdout, and whose it is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.actions import begin_presence
from apps.agents.models import Agent, Department
from apps.chats.actions import block_contact
from apps.chats.models import Block, Chat, Contact, Message
from apps.core.redis import connection as redis_connection
from apps.widget.actions.invitations import change_invitation, change_invitation_settings
from apps.widget.actions.previews import is_preview_of, new_preview
from apps.widget.models import ChatInvitation, InvitationOffer
from apps.widget.rules.invitations import is_held
from tests.client import assert_problem
from tests.factories.invitations import KEY, ChatInvitationFactory, InvitationOfferFactory
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

OTHER_KEY = "f" * 32
CLOSED_PORT = "redis://127.0.0.1:1/0"


@pytest.fixture
def invitation(shop: Widget) -> ChatInvitation:
    return ChatInvitationFactory.create(widget=shop, name="Prices", buttons=[{"en": "Yes", "ru": "Да"}])


@pytest.fixture
def no_redis(settings: Settings) -> Iterator[None]:
    """A Redis that nobody answers for."""
    settings.REDIS_URL = CLOSED_PORT
    redis_connection.forget_clients()
    yield
    redis_connection.forget_clients()
    redis_connection._away_until = 0.0


def ask(visitor: VisitorClient, invitation: ChatInvitation, key: str = KEY, **more: Any) -> dict[str, Any]:
    answer = visitor.post(f"invitations/{invitation.pk}/offers", {"key": key, **more})
    assert answer.status_code == 200, answer.content
    data: dict[str, Any] = answer.json()["data"]
    return data


def reason(visitor: VisitorClient, invitation: ChatInvitation, key: str = KEY, **more: Any) -> str | None:
    found: str | None = ask(visitor, invitation, key, **more)["reason"]
    return found


class TestServed:
    def test_browsers_read_the_rules_of_the_live_ones_and_nothing_else(
        self, visitor: VisitorClient, shop: Widget
    ) -> None:
        low, high = (
            ChatInvitationFactory.create(widget=shop, priority=priority, rule={"scroll": 50}) for priority in (1, 99)
        )
        for state in ("draft", "paused"):
            ChatInvitationFactory.create(widget=shop, state=state)
        ChatInvitationFactory.create(widget=shop, ends_at=timezone.now())
        ChatInvitationFactory.create(widget=shop, starts_at=timezone.now() + timedelta(days=1))
        ChatInvitationFactory.create()
        answer = visitor.get("invitations?lang=en")
        assert answer.json()["data"] == {
            "invitations": [
                {
                    "id": each.pk,
                    "rule": {"scroll": 50},
                    "priority": each.priority,
                    "per_visitor": {"times": 1, "days": 30},
                    "goal": None,
                }
                for each in (high, low)
            ],
            "never_on": ["/*checkout*", "/*payment*", "/*login*", "/*signin*", "/*register*"],
            "per_visit": 1,
            "gap_s": 60,
        }
        assert visitor.get("invitations?lang=en", If_None_Match=answer["ETag"]).status_code == 304

    def test_config_says_so_where_one_is_live_and_has_no_member_else(
        self, visitor: VisitorClient, invitation: ChatInvitation, shop: Widget
    ) -> None:
        assert visitor.get("config").json()["data"]["invitations"] is True
        change_invitation_settings(widget_id=shop.pk, changes={"is_on": False})
        assert "invitations" not in visitor.get("config").json()["data"]
        assert visitor.get("invitations").json()["data"]["invitations"] == []
        change_invitation_settings(widget_id=shop.pk, changes={"is_on": True})
        change_invitation(widget_id=shop.pk, invitation_id=invitation.pk, changes={"state": "paused"})
        assert "invitations" not in visitor.get("config").json()["data"]


class TestShown:
    def test_the_words_in_the_visitors_language(self, visitor: VisitorClient, invitation: ChatInvitation) -> None:
        shown = ask(visitor, invitation, lang="ru", page_url="https://shop.example/prices")
        assert isinstance(shown.pop("offer_id"), int)
        assert shown == {
            "show": True,
            "reason": None,
            "text": "Вам помочь?",
            "buttons": ["Да"],
            "from": {"name": "Flower shop", "avatar_url": None, "ai": False},
        }

    def test_another_language_reads_the_fallbacks(self, visitor: VisitorClient, invitation: ChatInvitation) -> None:
        assert ask(visitor, invitation, lang="el")["text"] == "May we help?"

    def test_nobody_who_is_shown_it_becomes_a_contact(self, visitor: VisitorClient, invitation: ChatInvitation) -> None:
        ask(visitor, invitation)
        assert (Contact.objects.count(), Chat.objects.count(), InvitationOffer.objects.count()) == (0, 0, 1)
        row = InvitationOffer.objects.get()
        assert KEY not in str(InvitationOffer.objects.values().get())
        assert (row.round, row.is_held, row.contact_id) == (1, False, None)

    @pytest.mark.parametrize("key", ["", "0" * 31, "G" * 32, 7, None])
    def test_a_key_has_32_hexadecimal_digits(
        self, visitor: VisitorClient, invitation: ChatInvitation, key: Any
    ) -> None:
        answer = visitor.post(f"invitations/{invitation.pk}/offers", {"key": key})
        assert (answer.status_code, list(answer.json()["errors"])) == (422, ["key"])

    def test_a_draft_an_unknown_and_another_widgets_are_404(self, visitor: VisitorClient, shop: Widget) -> None:
        draft = ChatInvitationFactory.create(widget=shop, state="draft")
        others = ChatInvitationFactory.create()
        for pk in (draft.pk, others.pk, 2**40):
            assert_problem(visitor.post(f"invitations/{pk}/offers", {"key": KEY}), 404, "not_found")
        assert not InvitationOffer.objects.exists()


class TestWho:
    def test_an_operator_who_is_here_is_shown(
        self, visitor: VisitorClient, shop: Widget, alice: Agent, invitation: ChatInvitation
    ) -> None:
        ChatInvitation.objects.update(speaker="agent", agent=alice)
        assert ask(visitor, invitation)["from"] == {"name": "Flower shop", "avatar_url": None, "ai": False}
        begin_presence(agent_id=alice.pk, process=uuid4())
        shown = ask(visitor, invitation, OTHER_KEY)["from"]
        assert shown == {"name": "Alice Weber", "avatar_url": None, "ai": False}

    @pytest.mark.usefixtures("no_redis")
    def test_without_redis_there_are_no_people(
        self, visitor: VisitorClient, alice: Agent, invitation: ChatInvitation
    ) -> None:
        Agent.objects.filter(pk=alice.pk).update(online_since=timezone.now())
        ChatInvitation.objects.update(speaker="agent", agent=alice, rule={"answering": "people"})
        assert ask(visitor, invitation)["reason"] == "answering"
        ChatInvitation.objects.update(rule={})
        assert ask(visitor, invitation)["from"]["name"] == "Flower shop"

    def test_ai_that_does_not_answer_is_not_shown(self, visitor: VisitorClient, invitation: ChatInvitation) -> None:
        ChatInvitation.objects.update(speaker="ai")
        assert ask(visitor, invitation)["from"] == {"name": "Flower shop", "avatar_url": None, "ai": False}


class TestRefusals:
    """The first that applies: each test has all that come behind it, too."""

    def test_off_comes_first(
        self, ivans_browser: VisitorClient, ivan: Contact, chat: Chat, invitation: ChatInvitation, shop: Widget
    ) -> None:
        self._all_refuse(ivan, chat)
        change_invitation_settings(widget_id=shop.pk, changes={"is_on": False})
        assert reason(ivans_browser, invitation) == "off"
        change_invitation_settings(widget_id=shop.pk, changes={"is_on": True})
        for change in ({"state": "paused"}, {"ends_at": timezone.now()}, {"starts_at": timezone.now() + timedelta(1)}):
            ChatInvitation.objects.update(**{"state": "live", "starts_at": None, "ends_at": None, **change})
            assert reason(ivans_browser, invitation) == "off"

    def test_then_each_in_its_place(
        self, ivans_browser: VisitorClient, ivan: Contact, chat: Chat, invitation: ChatInvitation, shop: Widget
    ) -> None:
        self._all_refuse(ivan, chat)
        assert reason(ivans_browser, invitation) == "blocked"
        Block.objects.all().delete()
        assert reason(ivans_browser, invitation) == "in_chat"
        Chat.objects.update(last_message_at=timezone.now() - timedelta(hours=24))
        assert reason(ivans_browser, invitation) == "answering"
        ChatInvitation.objects.update(rule={"hours": "closed"})
        assert reason(ivans_browser, invitation) == "hours"
        ChatInvitation.objects.update(rule={"hours": "open", "answering": "nobody"})
        assert reason(ivans_browser, invitation) == "seen"
        InvitationOffer.objects.filter(invitation=invitation).update(created_at=timezone.now() - timedelta(days=31))
        assert reason(ivans_browser, invitation) == "seen"  # dismissed within 30 days
        InvitationOffer.objects.update(dismissed_at=timezone.now() - timedelta(days=30))
        assert reason(ivans_browser, invitation) == "per_visit"
        InvitationOffer.objects.update(created_at=timezone.now() - timedelta(days=31))
        assert reason(ivans_browser, invitation) == "per_day"
        ChatInvitation.objects.update(per_day=None)
        held = ask(ivans_browser, invitation)
        assert (held["reason"], held["show"], held["text"], held["buttons"], held["from"]) == (
            *("holdout", False, None, None),
            None,
        )
        assert isinstance(held["offer_id"], int)
        ChatInvitation.objects.update(holdout=0)
        assert reason(ivans_browser, invitation) is None

    def test_who_is_refused_leaves_nothing(
        self, ivans_browser: VisitorClient, ivan: Contact, chat: Chat, invitation: ChatInvitation
    ) -> None:
        self._all_refuse(ivan, chat)
        Block.objects.all().delete()
        reason(ivans_browser, invitation)
        before = snapshot()
        refused = ask(ivans_browser, invitation)
        assert refused == {
            "offer_id": None,
            "show": False,
            "reason": "in_chat",
            "text": None,
            "buttons": None,
            "from": None,
        }
        assert snapshot() == before

    def _all_refuse(self, ivan: Contact, chat: Chat) -> None:
        today = timezone.now().date()
        ChatInvitation.objects.update(
            rule={"answering": "people", "hours": "closed"},
            per_day=1,
            shown_on=today,
            shown_that_day=1,
            holdout=50,
        )
        invitation = ChatInvitation.objects.get()
        key = next(f"{n:032x}" for n in range(1000) if is_held(f"{n:032x}", invitation.pk, 1, 50))
        ivan.guid = key  # of who has a bearer, the contact's guid is the key
        ivan.save(update_fields=["guid"])
        InvitationOfferFactory.create(invitation=invitation, dismissed_at=timezone.now())
        InvitationOfferFactory.create(
            invitation=ChatInvitationFactory.create(widget=invitation.widget, state="paused", rule={}), contact=ivan
        )
        ChatInvitation.objects.exclude(pk=invitation.pk).update(per_day=None, holdout=0)
        Chat.objects.filter(pk=chat.pk).update(last_message_at=timezone.now())
        block_contact(widget_id=ivan.widget_id, contact=ivan, reason="", hours=None)


class TestRule:
    def test_who_answers(self, visitor: VisitorClient, alice: Agent, invitation: ChatInvitation) -> None:
        def judged(**rule: str) -> str | None:
            ChatInvitation.objects.update(rule=rule)
            InvitationOffer.objects.all().delete()
            return reason(visitor, invitation)

        nobody_here = {each: judged(answering=each) for each in ("people", "ai", "anyone", "nobody")}
        assert nobody_here == {"people": "answering", "ai": "answering", "anyone": "answering", "nobody": None}
        begin_presence(agent_id=alice.pk, process=uuid4())
        with_alice = {each: judged(answering=each) for each in ("people", "ai", "anyone", "nobody")}
        assert with_alice == {"people": None, "ai": "answering", "anyone": None, "nobody": "answering"}

    def test_the_hours_of_the_widget(self, visitor: VisitorClient, shop: Widget, invitation: ChatInvitation) -> None:
        Department.objects.create(widget=shop, name="Never", channels=["smb"], schedule={})
        ChatInvitation.objects.update(rule={"hours": "open"})
        assert reason(visitor, invitation) == "hours"
        ChatInvitation.objects.update(rule={"hours": "closed"})
        assert reason(visitor, invitation) is None

    def test_in_any_of_the_branches_that_hold_in_the_page(
        self, visitor: VisitorClient, invitation: ChatInvitation
    ) -> None:
        rule = {"any": [{"page": ["/a"], "answering": "people"}, {"page": ["/b"]}]}
        ChatInvitation.objects.update(rule=rule)
        assert reason(visitor, invitation, any=[0]) == "answering"
        assert reason(visitor, invitation, any=[0, 1]) is None

    def test_the_page_may_ask_for_it_whatever_its_rule_and_caps(
        self, visitor: VisitorClient, shop: Widget, invitation: ChatInvitation
    ) -> None:
        ask(visitor, invitation)
        ChatInvitation.objects.update(rule={"answering": "people"}, per_day=1)
        assert reason(visitor, invitation) == "answering"
        assert reason(visitor, invitation, now=True) is None
        change_invitation_settings(widget_id=shop.pk, changes={"is_on": False})
        assert reason(visitor, invitation, now=True) == "off"


class TestCaps:
    def test_a_visitor_meets_it_as_often_as_said(
        self, visitor: VisitorClient, invitation: ChatInvitation, shop: Widget
    ) -> None:
        ChatInvitation.objects.update(times=2, days=7)
        change_invitation_settings(widget_id=shop.pk, changes={"per_visit": 10})
        assert [reason(visitor, invitation) for _ in range(3)] == [None, None, "seen"]
        assert reason(visitor, invitation, OTHER_KEY) is None
        InvitationOffer.objects.update(created_at=timezone.now() - timedelta(days=7))
        assert reason(visitor, invitation) is None

    def test_a_visit_has_as_many_as_said_over_all_invitations(
        self, visitor: VisitorClient, invitation: ChatInvitation, shop: Widget
    ) -> None:
        second, third = ChatInvitationFactory.create_batch(2, widget=shop)
        change_invitation_settings(widget_id=shop.pk, changes={"per_visit": 2})
        assert [reason(visitor, each) for each in (invitation, second, third)] == [None, None, "per_visit"]
        InvitationOffer.objects.update(created_at=timezone.now() - timedelta(minutes=30))
        assert reason(visitor, third) is None

    def test_a_day_has_as_many_as_said_and_the_next_begins_anew(
        self, visitor: VisitorClient, invitation: ChatInvitation
    ) -> None:
        ChatInvitation.objects.update(per_day=2)
        assert [reason(visitor, invitation, f"{n:032x}") for n in range(3)] == [None, None, "per_day"]
        ChatInvitation.objects.update(shown_on=timezone.now().date() - timedelta(days=1))
        assert reason(visitor, invitation, f"{9:032x}") is None

    def test_an_address_has_a_quarter_of_the_visitors_calls(
        self, visitor: VisitorClient, invitation: ChatInvitation, settings: Settings
    ) -> None:
        settings.VISITOR_RATE_LIMIT = 8
        calls = [visitor.post(f"invitations/{invitation.pk}/offers", {"key": f"{n:032x}"}) for n in range(3)]
        assert [answer.status_code for answer in calls] == [200, 200, 429]


class TestHoldout:
    def test_it_is_computed_of_the_key_and_stays_the_same(
        self, visitor: VisitorClient, invitation: ChatInvitation
    ) -> None:
        ChatInvitation.objects.update(holdout=30)
        keys = [f"{number:032x}" for number in range(40)]
        held = [key for key in keys if is_held(key, invitation.pk, 1, 30)]
        assert [key for key in keys if reason(visitor, invitation, key) == "holdout"] == held
        again = [ask(visitor, invitation, key) for key in held]
        assert {each["reason"] for each in again} == {"holdout"}
        assert InvitationOffer.objects.filter(is_held=True).count() == len(held)  # each once, however often they ask
        assert {each["offer_id"] for each in again} == set(
            InvitationOffer.objects.filter(is_held=True).values_list("pk", flat=True)
        )

    def test_of_a_session_the_contact_is_the_key(
        self, ivans_browser: VisitorClient, ivan: Contact, invitation: ChatInvitation
    ) -> None:
        ChatInvitation.objects.update(holdout=50)
        expected = "holdout" if is_held(ivan.guid, invitation.pk, 1, 50) else None
        other = next(f"{n:032x}" for n in range(99) if is_held(f"{n:032x}", invitation.pk, 1, 50) != bool(expected))
        assert reason(ivans_browser, invitation, other) == expected

    def test_a_new_round_draws_others(self, visitor: VisitorClient, invitation: ChatInvitation) -> None:
        ChatInvitation.objects.update(holdout=50, round=2)
        keys = [f"{number:032x}" for number in range(20)]
        held = [key for key in keys if is_held(key, invitation.pk, 2, 50)]
        assert [key for key in keys if reason(visitor, invitation, key) == "holdout"] == held


class TestWhose:
    def test_a_session_that_tells_the_key_has_what_it_was_offered(
        self, visitor: VisitorClient, shop: Widget, invitation: ChatInvitation
    ) -> None:
        ask(visitor, invitation)
        came = visitor.come(key=KEY)
        assert InvitationOffer.objects.get().contact == Contact.objects.get(guid=came["contact_id"])
        phone = VisitorClient(shop, visitor.token)
        assert reason(phone, invitation, OTHER_KEY) == "seen"  # over devices

    def test_a_session_without_a_key_asks_nothing_more_of_the_database(self, visitor: VisitorClient) -> None:
        visitor.come()
        with CaptureQueriesContext(connection) as asked:
            visitor.come(visitor_token=visitor.token)
        assert not [each for each in asked if "invitationoffer" in each["sql"]]

    def test_a_wrong_token_is_as_none(self, shop: Widget, invitation: ChatInvitation) -> None:
        assert reason(VisitorClient(shop, "vt_" + "a" * 40), invitation) is None


class TestPreview:
    def test_the_owner_sees_drafts_too_and_nothing_counts(
        self, visitor: VisitorClient, shop: Widget, capsys: pytest.CaptureFixture[str]
    ) -> None:
        draft = ChatInvitationFactory.create(widget=shop, state="draft", name="New", holdout=50)
        call_command("invitation_preview", "--widget", shop.guid)
        token = capsys.readouterr().out.strip()
        served = visitor.get(f"invitations?preview={token}").json()["data"]["invitations"]
        assert [(each["id"], each["name"], each["state"]) for each in served] == [(draft.pk, "New", "draft")]
        assert [each["sentences"] for each in served] == [{}]
        before = snapshot()
        shown = [ask(visitor, draft, f"{n:032x}", preview=token) for n in range(5)]
        assert {(each["show"], each["offer_id"], each["text"]) for each in shown} == {(True, None, "May we help?")}
        assert snapshot() == before

    def test_its_conditions_are_told_in_the_owners_language(self, visitor: VisitorClient, shop: Widget) -> None:
        rule = {"seconds": 30, "any": [{"scroll": 50}, {"device": "mobile"}]}
        ChatInvitationFactory.create(widget=shop, state="draft", rule=rule)
        token = new_preview(shop.pk)
        (russian,) = visitor.get(f"invitations?lang=ru&preview={token}").json()["data"]["invitations"]
        assert russian["sentences"] == {
            "seconds": "страница на виду 30 секунд",
            "any.0.scroll": "просмотрено 50 % страницы",
            "any.1.device": "на телефоне",
        }
        (other,) = visitor.get(f"invitations?lang=el&preview={token}").json()["data"]["invitations"]
        assert other["sentences"]["any.1.device"] == "on a phone"

    def test_it_says_why_it_would_not_be_shown_with_its_words(self, visitor: VisitorClient, shop: Widget) -> None:
        draft = ChatInvitationFactory.create(widget=shop, state="draft", rule={"answering": "people"})
        shown = ask(visitor, draft, preview=new_preview(shop.pk))
        assert (shown["show"], shown["reason"], shown["text"]) == (False, "answering", "May we help?")

    def test_another_widgets_token_and_an_old_one_are_404(
        self, visitor: VisitorClient, shop: Widget, rival: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        draft = ChatInvitationFactory.create(widget=shop, state="draft")
        own = new_preview(shop.pk)
        for token in (new_preview(rival.widget.pk), "nonsense"):
            assert_problem(visitor.get(f"invitations?preview={token}"), 404, "not_found")
            answer = visitor.post(f"invitations/{draft.pk}/offers", {"key": KEY, "preview": token})
            assert_problem(answer, 404, "not_found")
        later = timezone.now() + timedelta(minutes=30)
        assert is_preview_of(shop.pk, own)
        monkeypatch.setattr("apps.widget.actions.previews.timezone.now", lambda: later)
        assert not is_preview_of(shop.pk, own)


class TestMessages:
    def test_no_message_is_an_offers(self, invitation: ChatInvitation, visitor: VisitorClient) -> None:
        ask(visitor, invitation)
        assert not Message.objects.exists()
