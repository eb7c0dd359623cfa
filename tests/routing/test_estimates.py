"""What a visitor is told of their wait: the rest of waits like theirs, or nothing."""

import random
from heapq import heappop, heappush

import pytest

from apps.routing.rules.estimates import EndedWait, Estimate, estimate, held, nearest_rank

HOUR = 3600


def waits(*minutes: float, ago: float = 60) -> list[EndedWait]:
    return [EndedWait(ago=ago, waited=each * 60) for each in minutes]


def test_the_median_and_the_ninetieth_percentile_are_told_in_whole_minutes_up() -> None:
    assert estimate(waits(*range(1, 11)), waited=0) == Estimate(5, 9)
    assert estimate(waits(*(each - 0.5 for each in range(1, 11))), waited=0) == Estimate(5, 9)


def test_the_upper_number_is_above_the_lower() -> None:
    assert estimate(waits(*[3] * 10), waited=0) == Estimate(3, 4)


@pytest.mark.parametrize(("count", "told"), [(9, None), (10, Estimate(3, 4))])
def test_fewer_than_ten_waits_tell_nothing(count: int, told: Estimate | None) -> None:
    assert estimate(waits(*[3] * count), waited=0) == told


def test_only_waits_longer_than_this_one_count_and_their_rest_is_told() -> None:
    """An average would promise a visitor of the fifth minute less than nothing."""
    ended = waits(*[1] * 90, *[10] * 10)
    assert estimate(ended, waited=0) == Estimate(1, 2)
    assert estimate(ended, waited=5 * 60) == Estimate(5, 6)
    assert estimate(ended, waited=10 * 60) is None


@pytest.mark.parametrize(("minutes", "told"), [(59, Estimate(59, 60)), (60, None), (61, None)])
def test_more_than_an_hour_is_not_told(minutes: int, told: Estimate | None) -> None:
    assert estimate(waits(*[minutes] * 10), waited=0) == told


def test_a_day_is_looked_at_where_less_than_twenty_ended_in_two_hours() -> None:
    earlier = waits(*[30] * 40, ago=3 * HOUR)
    assert estimate(waits(*[3] * 20) + earlier, waited=0) == Estimate(3, 4)
    assert estimate(waits(*[3] * 19) + earlier, waited=0) == Estimate(30, 31)
    assert estimate(waits(*[3] * 9) + waits(*[3] * 30, ago=25 * HOUR), waited=0) is None


@pytest.mark.parametrize(("waited", "kept"), [(120, True), (421, False), (420, True)])
def test_an_estimate_held_if_the_wait_ended_by_its_upper_number(waited: float, kept: bool) -> None:
    """It was told after 60 s, that it takes 2–6 minutes."""
    assert held(6, 60, waited) is kept


def test_a_percentile_is_one_of_the_values() -> None:
    assert [nearest_rank([1, 2, 3, 4], percent) for percent in (0, 25, 50, 51, 90, 100)] == [1, 1, 2, 3, 4, 4]


def test_estimates_hold_for_85_of_100_waits_of_a_steady_day() -> None:
    """A steady morning, played: each visitor is told at a random moment of the wait."""
    dice = random.Random(69)
    past = [EndedWait(60, dice.lognormvariate(5, 0.6)) for _ in range(300)]
    told = []
    for _ in range(2_000):
        whole = dice.lognormvariate(5, 0.6)
        so_far = dice.uniform(0, whole)
        if (said := estimate(past, so_far)) is not None:
            told.append(held(said.to_min, so_far, whole))
    assert len(told) > 1_000
    assert sum(told) / len(told) >= 0.85


def played(dice: random.Random, *, an_hour: float, operators: int = 5) -> list[tuple[float, float]]:
    """Six hours of a queue: when each wait began and ended, in seconds. A conversation takes four minutes or so."""
    free, waits, begins = [0.0] * operators, [], 0.0
    while begins < 6 * HOUR:
        begins += dice.expovariate(an_hour / HOUR)
        ends = max(begins, heappop(free)) + dice.uniform(3, 15)
        heappush(free, ends + dice.lognormvariate(5.5, 0.5))
        waits.append((begins, ends))
    return waits


def first_tellings(waits: list[tuple[float, float]]) -> list[bool]:
    """Whether the time held that each visitor was told first: a second after the wait began, else each 15 s."""
    kept = []
    for begins, ends in waits:
        at = begins + 1
        while at < ends:
            over = [EndedWait(at - ended, ended - begun) for begun, ended in waits if ended <= at]
            if (said := estimate(over, at - begins)) is not None:
                kept.append(held(said.to_min, at - begins, ends - begins))
                break
            at += 15
    return kept


@pytest.mark.parametrize("an_hour", [35, 45])
def test_first_tellings_hold_for_85_of_100_waits_of_a_played_queue(an_hour: int) -> None:
    """Five operators, who are busy for half to two thirds of six hours; the waits are those of the queue before."""
    kept = first_tellings(played(random.Random(69), an_hour=an_hour))
    assert len(kept) > 150
    assert sum(kept) / len(kept) >= 0.85


def test_a_queue_that_grows_all_day_shows_in_the_figure() -> None:
    """More come than four operators can answer: what was usual is too little, and managers see that it is."""
    kept = first_tellings(played(random.Random(69), an_hour=65, operators=4))
    assert len(kept) > 150
    assert sum(kept) / len(kept) < 0.7
