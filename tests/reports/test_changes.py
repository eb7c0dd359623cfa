"""Changes of a week that are no noise, and the group that made most of one."""

import pytest

from apps.reports.rules.changes import (
    Counted,
    GroupPart,
    Timed,
    WeekChange,
    changes_of,
    dimensions,
    most_of,
    strength_of,
)


@pytest.mark.parametrize(
    ("now", "before", "is_told"),
    [
        # The difference must be over 2·√(a + b).
        (Counted(20), Counted(4), True),  # 16 over 9.8
        (Counted(13), Counted(5), False),  # 8 within 8.49
        (Counted(6), Counted(2), False),
        (Counted(0), Counted(0), False),
        (Counted(4), Counted(0), False),  # 4 is not over 4
        (Counted(5), Counted(0), True),
    ],
)
def test_a_count_must_differ_by_over_two_deviations(now: Counted, before: Counted, is_told: bool) -> None:
    assert (strength_of(now, before) > 2) is is_told
    assert strength_of(now, before) == strength_of(before, now)


@pytest.mark.parametrize(
    ("now", "before", "is_told"),
    [
        (Counted(10, 100), Counted(25, 100), True),  # z = 2.79
        (Counted(10, 100), Counted(18, 100), False),  # z = 1.63
        (Counted(0, 20), Counted(10, 20), True),
        (Counted(0, 19), Counted(19, 19), False),  # too few
        (Counted(19, 19), Counted(0, 200), False),
        (Counted(50, 50), Counted(50, 50), False),
        (Counted(0, 50), Counted(0, 50), False),
    ],
)
def test_a_share_is_tested_by_two_proportions_from_twenty_on(now: Counted, before: Counted, is_told: bool) -> None:
    assert (strength_of(now, before) > 2) is is_told


@pytest.mark.parametrize(
    ("now", "before", "is_told"),
    [
        (Timed(20, 150), Timed(20, 100), True),
        (Timed(20, 100), Timed(20, 150), True),
        (Timed(20, 149), Timed(20, 100), False),
        (Timed(19, 900), Timed(20, 100), False),
        (Timed(0, None), Timed(20, 100), False),
        (Timed(20, 60), Timed(20, 0), True),
        (Timed(20, 0), Timed(20, 0), False),
    ],
)
def test_a_time_must_be_half_as_long_again(now: Timed, before: Timed, is_told: bool) -> None:
    assert (strength_of(now, before) > 2) is is_told


def test_a_count_is_not_compared_with_a_time() -> None:
    with pytest.raises(TypeError):
        strength_of(Counted(1), Timed(1, 1))


def test_at_most_five_are_told_the_strongest_first() -> None:
    now = {f"f{place}": Counted(100 + 10 * place) for place in range(8)}
    before = {name: Counted(10) for name in now}
    found = changes_of(now, before)
    assert [change.figure for change in found] == ["f7", "f6", "f5", "f4", "f3"]
    assert all(change.is_more for change in found)
    assert changes_of(before, before) == []


def test_a_change_has_a_direction() -> None:
    (fell,) = changes_of({"answered": Counted(50, 100)}, {"answered": Counted(90, 100)})
    (longer,) = changes_of({"first_reply": Timed(30, 900)}, {"first_reply": Timed(30, 60)})
    (nothing,) = changes_of({"low": Counted(0, 50)}, {"low": Counted(20, 50)})
    assert (fell.is_more, longer.is_more, nothing.is_more) == (False, True, False)


def change(now: Counted | Timed, before: Counted | Timed) -> WeekChange:
    return WeekChange("f", now, before, 3.0)


def test_the_group_with_over_half_of_a_counts_change_made_it() -> None:
    grew = GroupPart("channel", "tg", Counted(50), Counted(10))
    other = GroupPart("channel", "widget", Counted(40), Counted(30))
    assert most_of(change(Counted(90), Counted(40)), [other, grew]) == grew
    even = [GroupPart("channel", code, Counted(45), Counted(20)) for code in ("tg", "wa")]
    assert most_of(change(Counted(90), Counted(40)), even) is None


def test_a_group_that_went_against_a_change_did_not_make_it() -> None:
    fell = GroupPart("channel", "tg", Counted(0), Counted(50))
    grew = GroupPart("channel", "widget", Counted(140), Counted(40))
    assert most_of(change(Counted(140), Counted(90)), [fell, grew]) == grew


def test_of_a_share_the_group_made_it_that_is_farthest_from_what_all_had_before() -> None:
    # All had 90 %. Of Telegram's 50 half are answered now; of the website's 50 still 90 %.
    bad = GroupPart("channel", "tg", Counted(25, 50), Counted(45, 50))
    same = GroupPart("channel", "widget", Counted(45, 50), Counted(45, 50))
    assert most_of(change(Counted(70, 100), Counted(90, 100)), [same, bad]) == bad


def test_nobody_made_a_time_and_nothing_is_made_of_nothing() -> None:
    part = GroupPart("channel", "tg", Counted(5), Counted(1))
    assert most_of(change(Timed(30, 900), Timed(30, 60)), [part]) is None
    assert most_of(change(Counted(5), Counted(5)), [part]) is None
    assert most_of(change(Counted(9), Counted(1)), []) is None


def test_a_dimension_of_one_group_explains_nothing() -> None:
    one = GroupPart("language", "ru", Counted(1), Counted(1))
    two = [GroupPart("channel", code, Counted(1), Counted(1)) for code in ("tg", "widget")]
    assert dimensions([one, *two]) == ["channel"]
