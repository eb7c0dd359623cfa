"""The cabinet's pages of invitations to chat: a clerk writes one in Russian, looks, shows it, and reads its use."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from apps.accounts.models import User, Widget
from apps.agents.models import Agent
from apps.widget.actions.previews import is_preview_of
from apps.widget.cabinet.invitation_words import effect_words, rule_sentences
from apps.widget.models import ChatInvitation, WidgetSettings
from apps.widget.rules.invitation_rules import CONDITIONS
from tests.cast import signed_in
from tests.factories.invitations import ChatInvitationFactory, InvitationOfferFactory

pytestmark = pytest.mark.django_db

LIST, ADD = "/admin/widget/chatinvitation/", "/admin/widget/chatinvitation/add/"
EVERY_RULE: dict[str, Any] = {
    "page": ["/prices*"],
    "not_page": ["/prices/old"],
    "seconds": 120,
    "seconds_visit": 45,
    "scroll": 50,
    "leave": True,
    "visits": {"min": 2},
    "pages": {"min": 2, "max": 5},
    "referrer": ["*.google.com", ""],
    "param": {"utm_source": "news*"},
    "attribute": {"plan": ["pro", 3, True], "city": None},
    "event": {"name": "cart.changed", "times": 3, "within_s": 600},
    "language": ["ru"],
    "device": "mobile",
    "visitor": "returning",
    "answering": "anyone",
    "hours": "open",
    "any": [{"scroll": 10}, {"seconds": 5, "device": "desktop"}],
}


def text_of(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html.unescape(answer.content.decode())))


@pytest.fixture
def russian(olga: Agent) -> Client:
    """Olga's browser, in Russian."""
    User.objects.filter(pk=olga.user_id).update(language="ru")
    client = signed_in(olga.user)
    client.cookies["django_language"] = "ru"
    return client


def page(invitation: ChatInvitation) -> str:
    return f"{LIST}{invitation.pk}/change/"


def typed(client: Client, address: str, **changes: Any) -> dict[str, Any]:
    """The form of a page as a browser would send it."""
    form = client.get(address).context["form"]
    values = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in values.items() if value not in (None, False, "")}
    return {**sent, "does": "save", **changes}


class TestWriting:
    def test_a_clerk_writes_one(self, cabinet: Client, shop: Widget, alice: Agent) -> None:
        sent = {
            "name": "Цены",
            "text_ru": "Помочь с выбором?",
            "button_ru_0": "Да, помогите",
            "speaker": f"agent:{alice.pk}",
            "page": "/prices*\n shop.example/sale ",
            "seconds": "30",
            "answering": "people",
            "attribute": "plan = pro, 3\ncity =",
            "param": "utm_source = news*",
            "goal_kind": "page",
            "goal_value": "/thanks*",
            "holdout": "10",
            "widget": str(shop.pk),
        }
        answer = cabinet.post(ADD, sent)
        made = ChatInvitation.objects.get()
        assert (answer.status_code, answer["Location"]) == (302, page(made))
        assert (made.widget, made.state, made.name, made.holdout) == (shop, "draft", "Цены", 10)
        assert made.texts == {"ru": "Помочь с выбором?"}
        assert made.buttons == [{"ru": "Да, помогите"}]
        assert (made.speaker, made.agent) == ("agent", alice)
        assert made.rule == {
            "page": ["/prices*", "shop.example/sale"],
            "seconds": 30,
            "answering": "people",
            "param": {"utm_source": "news*"},
            "attribute": {"plan": ["pro", 3], "city": None},
        }
        assert made.goal == {"page": ["/thanks*"], "hours": 72}

    def test_saving_what_is_there_changes_nothing(self, cabinet: Client, shop: Widget) -> None:
        """Whatever stands in the rule: a round would begin for nothing."""
        row = ChatInvitationFactory.create(
            widget=shop, rule=EVERY_RULE, goal={"event": "ordered", "hours": 5}, buttons=[{"en": "Yes", "ru": "Да"}]
        )
        assert cabinet.post(page(row), typed(cabinet, page(row))).status_code == 302
        row.refresh_from_db()
        assert (row.rule, row.round, row.goal) == (EVERY_RULE, 1, {"event": "ordered", "hours": 5})

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"page": "/prices*\njavascript:alert(1)"}, "page"),
            ({"text_en": "", "text_ru": ""}, "text_en"),
            ({"any": "[{]"}, "any"),
            ({"any": '[{"scroll": 0}]'}, "any"),
            ({"goal_kind": "event", "goal_value": "Ordered!"}, "goal_value"),
            ({"event_name": "No Name"}, "event_name"),
            ({"language": "русский"}, "language"),
        ],
    )
    def test_a_refusal_stands_at_its_field_and_changes_nothing(
        self, cabinet: Client, shop: Widget, changes: dict[str, str], field: str
    ) -> None:
        row = ChatInvitationFactory.create(widget=shop)
        before = ChatInvitation.objects.values().get()
        answer = cabinet.post(page(row), typed(cabinet, page(row), **changes))
        assert (answer.status_code, list(answer.context["form"].errors)) == (200, [field])
        assert ChatInvitation.objects.values().get() == before


class TestLooking:
    def test_it_is_shown_and_paused(self, cabinet: Client, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop, state="draft")
        for does, state in (("live", "live"), ("paused", "paused")):
            assert cabinet.post(page(row), {"does": does}).status_code == 302
            row.refresh_from_db()
            assert row.state == state

    def test_look_on_your_page_opens_the_site_with_a_token(self, cabinet: Client, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop, state="draft")
        answer = cabinet.post(page(row), {"does": "look", "page": "https://shop.example/prices#top"})
        address, _, token = answer.context["look"].partition("#parley-preview=")
        assert address == "https://shop.example/prices"
        assert is_preview_of(shop.pk, token)
        assert answer.context["look"] in answer.content.decode().replace("&amp;", "&")

    def test_no_script_is_an_address(self, cabinet: Client, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop)
        answer = cabinet.post(page(row), {"does": "look", "page": "javascript:alert(1)"})
        assert answer.context["look"].startswith("#parley-preview=")


class TestRead:
    def test_the_list_has_sentences_in_russian(self, russian: Client, shop: Widget) -> None:
        ChatInvitationFactory.create(widget=shop, name="Prices", rule={"page": ["/prices*"], "seconds": 30})
        shown = text_of(russian.get(LIST))
        assert "Приглашения в чат" in shown
        assert "страница — /prices*; страница на виду 30 секунд" in shown
        assert "Показывается посетителям" in shown

    def test_each_condition_has_a_sentence_in_both_languages(self) -> None:
        assert set(EVERY_RULE) == {*CONDITIONS, "any"}
        with translation.override("en"):
            english = rule_sentences(EVERY_RULE)
        with translation.override("ru"):
            russian = rule_sentences(EVERY_RULE)
        assert len(english) == len(EVERY_RULE)
        assert "the page has been in sight for 2 minutes" in english
        assert "the page reported “cart.changed” 3 times within 10 minutes" in english
        assert not set(english) & set(russian)

    def test_its_use_is_told_in_words(self, cabinet: Client, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop, goal={"event": "ordered", "hours": 72}, holdout=10)
        assert "Too few to say." in text_of(cabinet.get(page(row)))
        for number in range(200):
            is_held = number >= 100
            about: Any = {"invitation": row, "key": f"{number:032x}", "is_held": is_held}
            orders = number % 100 < (10 if is_held else 40)
            InvitationOfferFactory.create(**about, converted_at=timezone.now() if orders else None)
        shown = text_of(cabinet.get(page(row)))
        assert "It helps. 40.0 % of those who saw it reached the goal, and 10.0 % of those who did not." in shown

    @pytest.mark.parametrize(
        ("low", "high", "said"),
        [(0.01, 0.1, "It helps."), (-0.2, -0.01, "It does harm."), (-0.1, 0.1, "No use is seen yet.")],
    )
    def test_an_interval_says_one_of_three(self, low: float, high: float, said: str) -> None:
        results = {"shown": 200, "held": 200, "rate": {"shown": 0.1, "held": 0.1}}
        results["effect"] = {"difference": 0.0, "low": low, "high": high}
        with translation.override("en"):
            assert effect_words(results, has_goal=True, holdout=10).startswith(said)

    def test_without_a_goal_or_a_share_it_says_what_lacks(self) -> None:
        results: dict[str, Any] = {"shown": 5, "held": 0, "effect": None}
        with translation.override("en"):
            assert "say what visitors shall do" in effect_words(results, has_goal=False, holdout=10)
            assert "set a share of visitors" in effect_words(results, has_goal=True, holdout=0)


class TestSettings:
    def test_they_are_read_and_changed(self, cabinet: Client, shop: Widget) -> None:
        address = f"{LIST}settings/?widget={shop.pk}"
        assert "/*checkout*" in cabinet.get(address).content.decode()
        sent = {"never_on": "/cart*\n/kasse", "per_visit": "2", "gap_s": "0"}
        assert cabinet.post(address, sent).status_code == 302
        stored = WidgetSettings.objects.get(widget=shop).invitations
        assert stored == {"is_on": False, "never_on": ["/cart*", "/kasse"], "per_visit": 2, "gap_s": 0}

    def test_a_wrong_page_is_told(self, cabinet: Client, shop: Widget) -> None:
        sent = {"is_on": "on", "never_on": "no host", "per_visit": "2", "gap_s": "0"}
        answer = cabinet.post(f"{LIST}settings/?widget={shop.pk}", sent)
        assert (answer.status_code, list(answer.context["form"].errors)) == (200, ["never_on"])
        assert not WidgetSettings.objects.filter(widget=shop).exclude(invitations={}).exists()


class TestWho:
    def test_another_accounts_is_404(self, cabinet: Client) -> None:
        theirs = ChatInvitationFactory.create()
        for address in (page(theirs), f"{LIST}{theirs.pk}/delete/"):
            assert cabinet.get(address).status_code == 404
        assert cabinet.post(page(theirs), {"does": "live"}).status_code == 404

    def test_a_deleted_one_is_gone(self, cabinet: Client, shop: Widget) -> None:
        row = ChatInvitationFactory.create(widget=shop, created_at=timezone.now() - timedelta(days=1))
        assert cabinet.post(f"{LIST}{row.pk}/delete/", {"post": "yes"}).status_code == 302
        assert not ChatInvitation.objects.exists()
