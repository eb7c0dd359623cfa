"""The cabinet's pages of reviews: scores with how many, agreement, the list without words, and the scorecard."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.reviews.models import Review, Scorecard, UnconfirmedScore
from apps.reviews.querysets.scorecards import scorecard_of
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory
from tests.reviews.made import ended, review_of

pytestmark = pytest.mark.django_db


def page_of(widget: Widget, kind: str = "widgetreviews") -> str:
    return reverse(f"admin:reviews_{kind}_change", args=[widget.pk])


def html_of(browser: Client, address: str, **query: str) -> str:
    answer = browser.get(address, query, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return str(answer.content.decode())


@pytest.fixture
def scored(shop: Widget, alice: Agent, boris: Agent, rival: Rival) -> Widget:
    """Two scored reviews of Alice's chats, an open one of Boris', and one of the rival's."""
    now = timezone.now()
    for score in (80, 91):
        chat = ended(shop, alice)
        review_of(chat, alice, state="done", score=score, done_at=now, comment="Secret words")
    review_of(ended(shop, boris), boris, origin="flag", flags=["slow"])
    stranger = Agent.objects.create(widget=rival.widget, name="Eve", email="eve@rival.example", type="human")
    review_of(ended(rival.widget, stranger), stranger, state="done", score=1, done_at=now)
    return shop


class TestReviews:
    def test_scores_stand_with_how_many_they_are_of(self, cabinet: Client, scored: Widget, alice: Agent) -> None:
        html = html_of(cabinet, page_of(scored))
        row = re.search(rf'<tr data-key="person-{alice.pk}">(.*?)</tr>', html, re.DOTALL)
        assert row is not None
        assert "86 in 2 reviews" in row[1], "85.5, half up"
        assert len(re.findall('<tr data-key="person-', html)) == 1

    def test_the_list_has_the_widgets_reviews_and_nobodys_words(self, cabinet: Client, scored: Widget) -> None:
        html = html_of(cabinet, page_of(scored))
        assert len(re.findall("<tr data-review=", html)) == 3
        assert "flagged: among the longest waits" in html
        assert "Secret words" not in html
        assert len(re.findall("<tr data-review=", html_of(cabinet, page_of(scored), state="open"))) == 1

    def test_a_window_narrows_scores_and_list(self, cabinet: Client, scored: Widget) -> None:
        Review.objects.update(
            created_at=timezone.now() - timedelta(days=50), done_at=timezone.now() - timedelta(days=50)
        )
        html = html_of(cabinet, page_of(scored))
        assert "<tr data-review=" not in html
        assert "Nobody has scored a chat in these days." in html

    def test_a_models_scores_stand_apart_beside_the_agreement(self, cabinet: Client, scored: Widget) -> None:
        chat = Review.objects.for_widget(scored.pk)[0].chat
        UnconfirmedScore.objects.create(
            episode_id=1, widget=scored, chat=chat, scorecard_version=1, scores=[], score=40
        )
        html = html_of(cabinet, page_of(scored))
        assert "Scores by a model, not confirmed" in html
        assert "nobody knows how far the model agrees" in html
        assert "86 in 2 reviews" in html, "of people alone"

    def test_an_impossible_window_is_refused_beside_its_field(self, cabinet: Client, shop: Widget) -> None:
        answer = cabinet.get(page_of(shop), {"from": "2026-02-01", "to": "2026-01-01"})
        assert (answer.status_code, [*answer.context["form"].errors]) == (422, ["to"])

    def test_a_viewer_reads_it_and_a_stranger_does_not(self, scored: Widget, rival: Rival) -> None:
        viewer = signed_in(StaffFactory.create(account=scored.account, role="viewer"))
        assert "86 in 2 reviews" in html_of(viewer, page_of(scored))
        stranger = signed_in(StaffFactory.create(account=rival.widget.account, role="owner"))
        assert stranger.get(page_of(scored)).status_code == 404

    def test_the_page_is_only_read(self, cabinet: Client, scored: Widget) -> None:
        assert cabinet.post(page_of(scored), {}).status_code == 403


def sent(widget: Widget, **changes: Any) -> dict[str, Any]:
    """The form of the scorecard as it stands, with changes."""
    card = scorecard_of(widget.pk)
    form: dict[str, Any] = {
        "version": card.version,
        "per_operator": card.per_operator,
        "ai": card.ai,
        "flags": card.flags,
        "prefill": card.prefill,
        "criteria-TOTAL_FORMS": len(card.criteria) + 1,
        "criteria-INITIAL_FORMS": len(card.criteria),
    }
    for place, each in enumerate(card.criteria):
        form |= {f"criteria-{place}-{name}": value for name, value in each.items() if name != "is_critical"}
        form |= {f"criteria-{place}-is_critical": "on"} if each["is_critical"] else {}
    new = {"scale": "yes_no", "weight": 1, "applies": "both"}
    return {**form, **{f"criteria-{len(card.criteria)}-{name}": value for name, value in new.items()}, **changes}


class TestTheScorecard:
    def test_it_shows_the_five_of_the_first_day(self, cabinet: Client, shop: Widget) -> None:
        html = html_of(cabinet, page_of(shop, "widgetscorecard"))
        assert re.findall(r'name="criteria-\d-key" value="(\w+)"', html) == [
            *("correct", "complete", "clear", "friendly", "right_hands"),
        ]

    def test_a_change_is_a_version(self, cabinet: Client, shop: Widget) -> None:
        form = sent(shop, per_operator=7, **{"criteria-0-DELETE": "on", "criteria-5-key": "upsell"})
        form["criteria-5-title"] = "Something more was offered"
        assert cabinet.post(page_of(shop, "widgetscorecard"), form).status_code == 302
        card = Scorecard.objects.get()
        assert (card.version, card.per_operator, card.ai) == (2, 7, 10)
        assert [each["key"] for each in card.criteria] == ["complete", "clear", "friendly", "right_hands", "upsell"]
        assert card.criteria[-1] == {
            "key": "upsell",
            "title": "Something more was offered",
            "about": "",
            "scale": "yes_no",
            "weight": 1,
            "is_critical": False,
            "applies": "both",
        }

    @pytest.mark.parametrize(
        ("changes", "said"),
        [
            ({"criteria-1-key": "correct"}, "Each key may stand once."),
            ({"criteria-1-key": "Bad key"}, "Small letters, digits and _ alone."),
            ({f"criteria-{n}-DELETE": "on" for n in range(5)}, "At least one criterion is needed."),
            ({"per_operator": 51}, "50"),
        ],
    )
    def test_impossible_criteria_are_refused_and_nothing_is_saved(
        self, cabinet: Client, shop: Widget, changes: dict[str, Any], said: str
    ) -> None:
        answer = cabinet.post(
            page_of(shop, "widgetscorecard"), sent(shop, **changes), headers={"accept-language": "en"}
        )
        assert answer.status_code == 422
        assert said in answer.content.decode()
        assert not Scorecard.objects.exists()

    def test_a_version_of_before_is_refused(self, cabinet: Client, shop: Widget) -> None:
        form = sent(shop)
        assert cabinet.post(page_of(shop, "widgetscorecard"), form).status_code == 302
        answer = cabinet.post(page_of(shop, "widgetscorecard"), form, headers={"accept-language": "en"})
        assert answer.status_code == 422
        assert "Somebody has changed the scorecard meanwhile." in answer.content.decode()
        assert Scorecard.objects.count() == 1

    def test_a_viewer_reads_it_alone(self, shop: Widget) -> None:
        viewer = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
        assert "Owners and managers of the account change it." in html_of(viewer, page_of(shop, "widgetscorecard"))
        assert viewer.post(page_of(shop, "widgetscorecard"), sent(shop)).status_code == 403
        assert not Scorecard.objects.exists()
