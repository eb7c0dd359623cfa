"""The rules of reviews: what scores come to, how far a model agrees, what is slow, and the lots of a week."""

from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from apps.reviews.rules.agreement import Agreement, ScoredPair, agreement_of
from apps.reviews.rules.picking import Candidate, flags_of, in_lot_order, moments_of, slow_from, week_before
from apps.reviews.rules.scorecards import Applies, Criterion, CriterionScale, Flag, applying, criteria_refusal, is_key
from apps.reviews.rules.scores import is_blind, score_of
from apps.reviews.rules.suggestions import fold

YES_NO, FIVE = CriterionScale.YES_NO, CriterionScale.FIVE


class TestTheScore:
    """100·Σ weight·x / Σ weight over criteria with a value, half up."""

    @pytest.mark.parametrize(
        ("given", "score"),
        [
            ([(YES_NO, 1, 1)], 100),
            ([(YES_NO, 1, 0)], 0),
            ([(FIVE, 1, 1)], 0),
            ([(FIVE, 1, 4)], 75),
            ([(YES_NO, 5, 1), (FIVE, 3, 3)], 81),  # (5 + 1.5) / 8 = 81.25
            ([(YES_NO, 1, 1), (YES_NO, 1, 0), (YES_NO, 1, 0)], 33),
            ([(YES_NO, 1, 1), (YES_NO, 1, 1), (YES_NO, 1, 0)], 67),
            ([(FIVE, 1, 2), (YES_NO, 1, 0)], 13),  # 12.5
            ([(FIVE, 1, None), (YES_NO, 2, 1)], 100),
            ([(FIVE, 1, None), (YES_NO, 2, None)], None),
            ([], None),
        ],
    )
    def test_it_is_weighted(self, given: list[tuple[CriterionScale, int, int | None]], score: int | None) -> None:
        criteria = {str(n): Criterion(key=str(n), title="T", scale=s, weight=w) for n, (s, w, _) in enumerate(given)}
        scores: list[dict[str, Any]] = [{"key": str(n), "value": value} for n, (_, _, value) in enumerate(given)]
        assert score_of(scores, criteria) == score

    @pytest.mark.parametrize(("value", "score"), [(1, 0), (2, 63), (None, 100)])
    def test_a_critical_criterion_at_its_lowest_is_0(self, value: int | None, score: int) -> None:
        criteria = {
            "a": Criterion(key="a", title="A", scale=FIVE, is_critical=True),
            "b": Criterion(key="b", title="B"),
        }
        assert score_of([{"key": "a", "value": value}, {"key": "b", "value": 1}], criteria) == score


def test_every_fifth_number_is_blind() -> None:
    assert [number for number in range(1, 13) if is_blind(number)] == [5, 10]


def test_a_criterion_applies_to_a_person_to_ai_or_to_both() -> None:
    criteria = [Criterion(key=each, title="T", applies=each) for each in Applies]
    assert list(applying(criteria, "person")) == ["person", "both"]
    assert list(applying(criteria, "ai")) == ["ai", "both"]


@pytest.mark.parametrize(
    ("key", "is_one"), [("a_1", True), ("x" * 40, True), ("x" * 41, False), ("A", False), ("", False), ("é", False)]
)
def test_a_key_has_small_letters_digits_and_underscores(key: str, is_one: bool) -> None:
    assert is_key(key) is is_one


def test_a_scorecard_has_1_to_12_criteria_each_key_once() -> None:
    one = Criterion(key="a", title="A").as_json()
    assert criteria_refusal([one]) is None
    assert criteria_refusal([{**one, "key": f"k{n}"} for n in range(12)]) is None
    for refused in (
        [],
        [{**one, "key": f"k{n}"} for n in range(13)],
        [one, one],
        [{**one, "weight": 6}],
        "a",
        [one, 1],
    ):
        assert criteria_refusal(refused) is not None


class TestAgreement:
    def test_a_yes_or_no_is_equal_and_five_one_apart_at_most(self) -> None:
        pairs = [ScoredPair(1, 1), ScoredPair(1, 0)]
        assert agreement_of("a", YES_NO, pairs) == Agreement("a", 2, 1, None)
        assert agreement_of("b", FIVE, [ScoredPair(5, 4), ScoredPair(5, 3)]) == Agreement("b", 2, 1, None)

    def test_kappa_is_told_from_twenty_on(self) -> None:
        pairs = [ScoredPair(1, 1)] * 10 + [ScoredPair(0, 0)] * 5 + [ScoredPair(1, 0)] * 3 + [ScoredPair(0, 1)] * 2
        # observed 15/20; by chance (13·12 + 7·8) / 400 = 0.53
        assert agreement_of("a", YES_NO, pairs) == Agreement("a", 20, 15, round((0.75 - 0.53) / (1 - 0.53), 4))
        assert agreement_of("a", YES_NO, pairs[1:]).kappa is None

    def test_kappa_is_null_where_chance_alone_would_agree(self) -> None:
        assert agreement_of("a", YES_NO, [ScoredPair(1, 1)] * 20) == Agreement("a", 20, 20, None)


BARE = Candidate(id=1, chat_id=1, agents=(), assistants=(), rating=None, is_reopened=False, wait=None, handover=None)


class TestFlags:
    @pytest.mark.parametrize(
        ("facts", "flag"),
        [
            ({"rating": 2}, Flag.LOW_RATING),
            ({"is_reopened": True}, Flag.REOPENED),
            ({"wait": 90}, Flag.SLOW),
            ({"handover": "untrusted_handoff"}, Flag.UNTRUSTED_HANDOFF),
            ({"handover": "safety_floor"}, Flag.SAFETY),
            ({"machine_flags": frozenset({Flag.THUMB_DOWN})}, Flag.THUMB_DOWN),
            ({"machine_flags": frozenset({Flag.FACTS_REMOVED})}, Flag.FACTS_REMOVED),
        ],
    )
    def test_each_has_its_fact(self, facts: dict[str, Any], flag: Flag) -> None:
        assert flags_of(replace(BARE, **facts), low=2, slow=90) == [flag]

    def test_nothing_is_flagged_without_one(self) -> None:
        assert flags_of(replace(BARE, rating=3, wait=89, handover="human_request"), low=2, slow=90) == []

    @pytest.mark.parametrize(
        ("waits", "slow"),
        [([], None), ([7], 7), ([0, 0, 0], 1), (list(range(1, 11)), 9), (list(range(1, 12)), 10)],
    )
    def test_slow_is_the_90th_percentile_by_nearest_rank(self, waits: list[int], slow: int | None) -> None:
        assert slow_from(waits[::-1]) == slow


class TestTheWeek:
    def test_it_is_the_newest_that_is_over_in_the_widgets_zone(self) -> None:
        tokyo = ZoneInfo("Asia/Tokyo")
        sunday = datetime(2026, 10, 25, 14, 59, tzinfo=UTC)  # 23:59 there
        assert week_before(sunday, tokyo) == date(2026, 10, 12)
        monday = datetime(2026, 10, 25, 15, tzinfo=UTC)
        assert week_before(monday, tokyo) == date(2026, 10, 19)
        assert moments_of(date(2026, 10, 19), tokyo) == (datetime(2026, 10, 18, 15, tzinfo=UTC), monday)

    def test_it_has_an_hour_more_where_clocks_go_back(self) -> None:
        start, end = moments_of(date(2026, 10, 19), ZoneInfo("Europe/Berlin"))
        assert (end - start).total_seconds() == (7 * 24 + 1) * 3600

    def test_the_lots_follow_from_the_secret_the_week_and_the_episode_alone(self) -> None:
        candidates = [replace(BARE, id=number) for number in range(1, 40)]
        week = date(2026, 10, 19)
        order = [each.id for each in in_lot_order(candidates, week, b"secret")]
        assert order == [each.id for each in in_lot_order(candidates[::-1], week, b"secret")]
        assert sorted(order) == [each.id for each in candidates] != order
        assert order != [each.id for each in in_lot_order(candidates, week, b"another")]
        assert order != [each.id for each in in_lot_order(candidates, date(2026, 10, 26), b"secret")]


def test_white_space_is_folded() -> None:
    assert fold("  a\n\t b  c ") == "a b c"
