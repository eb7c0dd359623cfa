"""The scorecard: five criteria from the first day, and a version with each change."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.reviews.models import Review, Scorecard
from apps.reviews.rules.scorecards import Flag
from tests.client import ApiClient, assert_problem
from tests.console.browser import Console
from tests.reviews.made import ended, review_of, scores

pytestmark = pytest.mark.django_db
ONE = {"key": "kind", "title": "Kind", "scale": "yes_no"}


def test_five_criteria_stand_there_from_the_first_day(alices_console: Console) -> None:
    card = alices_console.data("GET", "/scorecard")
    assert [each["key"] for each in card["criteria"]] == ["correct", "complete", "clear", "friendly", "right_hands"]
    assert card["criteria"][0].keys() == {"key", "title", "about", "scale", "weight", "is_critical", "applies"}
    rest = {name: value for name, value in card.items() if name != "criteria"}
    assert rest == {"version": 1, "per_operator": 3, "ai": 10, "flags": list(Flag), "prefill": "off"}
    assert not Scorecard.objects.exists()


def test_each_change_is_a_version_and_what_is_not_named_stays(olgas_console: Console) -> None:
    changed = olgas_console.data("PUT", "/scorecard", json={"version": 1, "criteria": [ONE], "per_operator": 5})
    assert (changed["version"], changed["per_operator"], changed["ai"]) == (2, 5, 10)
    defaults = {"about": "", "weight": 1, "is_critical": False, "applies": "both"}
    assert changed["criteria"] == [{**ONE, **defaults}]
    again = olgas_console.data("PUT", "/scorecard", json={"version": 2, "prefill": "reviews", "flags": ["slow"]})
    assert (again["version"], again["prefill"], again["flags"]) == (3, "reviews", ["slow"])
    assert again["criteria"] == changed["criteria"]
    assert olgas_console.data("GET", "/scorecard", query={"version": "2"}) == changed
    assert olgas_console.data("GET", "/scorecard", query={"version": "1"})["per_operator"] == 3


def test_a_version_of_before_is_409_and_changes_nothing(olgas_console: Console) -> None:
    olgas_console.data("PUT", "/scorecard", json={"version": 1, "ai": 0})
    refused = olgas_console.request("PUT", "/scorecard", json={"version": 1, "ai": 50})
    assert_problem(refused, 409, "scorecard_changed")
    assert Scorecard.objects.get().ai == 0


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"criteria": []}, "criteria"),
        ({"criteria": [ONE, ONE]}, "criteria"),
        ({"criteria": [{**ONE, "key": f"k{n}"} for n in range(13)]}, "criteria"),
        ({"criteria": [{**ONE, "key": "Kind"}]}, "criteria.0.key"),
        ({"criteria": [{**ONE, "title": "x" * 81}]}, "criteria.0.title"),
        ({"criteria": [{**ONE, "about": "x" * 501}]}, "criteria.0.about"),
        ({"criteria": [{**ONE, "weight": 6}]}, "criteria.0.weight"),
        ({"criteria": [{**ONE, "scale": "ten"}]}, "criteria.0.scale"),
        ({"per_operator": 51}, "per_operator"),
        ({"ai": -1}, "ai"),
        ({"prefill": "all"}, "prefill"),
        ({"flags": ["slow", "slow"]}, "flags"),
        ({"flags": ["fast"]}, "flags.0"),
    ],
)
def test_what_is_no_scorecard_is_422_and_changes_nothing(
    olgas_console: Console, body: dict[str, Any], named: str
) -> None:
    refused = olgas_console.request("PUT", "/scorecard", json={"version": 1, **body})
    assert list(assert_problem(refused, 422, "invalid_input")["errors"]) == [named]
    assert not Scorecard.objects.exists()


def test_operators_do_not_change_it(alices_console: Console) -> None:
    assert_problem(alices_console.request("PUT", "/scorecard", json={"version": 1, "ai": 0}), 403, "managers_only")
    assert not Scorecard.objects.exists()


def test_programs_read_what_was_scored(
    api: ApiClient, olgas_console: Console, shop: Widget, alice: Any, rival: Any
) -> None:
    review = review_of(ended(shop, alice), alice, blind=False)
    Review.objects.create(
        widget=rival.widget, chat=rival.chat, episode_id=1, kind="ai", origin="sample", scorecard_version=1
    )
    body = {"version": 1, "scores": scores(), "comment": "Between us."}
    done = olgas_console.data("PUT", f"/reviews/{review.pk}/scores", json=body)
    assert api.get("/reviews").json()["data"] == [
        {
            "id": review.pk,
            "chat_id": review.chat_id,
            "episode_id": review.episode_id,
            "subject": {"kind": "person", "agent_id": alice.pk, "assistant_id": None},
            "score": 100,
            "state": "done",
            "done_at": done["done_at"],
        }
    ]
