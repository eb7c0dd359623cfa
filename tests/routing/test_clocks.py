"""One clock: open time, pauses, its warning, its miss, its end (apps/routing/rules/clocks.py)."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from apps.agents.rules.hours import Calendar, OpenHours
from apps.routing.rules.clocks import AnswerClock, AnswerTarget, ClockState, EndedBy, OpenTime, SlaMetric

BERLIN = ZoneInfo("Europe/Berlin")
ALWAYS = OpenTime()
# 9 to 13 and 14 to 18 on workdays: a lunch, nights and weekends are no working time.
OFFICE = OpenTime(OpenHours((Calendar([[(540, 780), (840, 1080)]] * 5 + [[], []], BERLIN),)))


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def begun(moment: datetime, minutes: int | None = 60, metric: SlaMetric = SlaMetric.FIRST_REPLY) -> AnswerClock:
    return AnswerClock.begun(metric, moment, AnswerTarget(minutes))


def test_a_clock_round_the_clock_is_due_after_its_minutes_and_warns_at_its_share() -> None:
    clock = begun(at("2027-03-01T03:00"))
    assert clock.due_at(ALWAYS) == at("2027-03-01T04:00")
    assert clock.warns_at(ALWAYS) == at("2027-03-01T03:48")
    assert clock.used(ALWAYS, at("2027-03-01T03:10")) == 600


@pytest.mark.parametrize(
    ("since", "minutes", "due"),
    [
        pytest.param("2027-03-01T12:30", 60, "2027-03-01T14:30", id="a lunch does not count"),
        pytest.param("2027-03-01T17:30", 60, "2027-03-02T09:30", id="a night does not count"),
        pytest.param("2027-03-05T17:30", 60, "2027-03-08T09:30", id="a weekend does not count"),
        pytest.param("2027-03-06T11:00", 60, "2027-03-08T10:00", id="begun while it is closed"),
        pytest.param("2027-03-01T09:00", 8 * 60, "2027-03-01T18:00", id="it ends with the day"),
    ],
)
def test_only_open_time_counts(since: str, minutes: int, due: str) -> None:
    clock = begun(at(since), minutes)
    assert clock.due_at(OFFICE) == at(due)
    assert clock.judged(at(due) - timedelta(seconds=1), OFFICE).breached_at is None
    assert clock.judged(at(due), OFFICE).breached_at == at(due)


def test_a_clock_that_never_opens_again_is_never_due() -> None:
    closed = OpenTime(OpenHours((Calendar([[]] * 7, BERLIN),)))
    clock = begun(at("2027-03-01T09:00"))
    assert clock.due_at(closed) is None
    assert clock.judged(at("2028-03-01T09:00"), closed) == clock


@pytest.mark.parametrize(
    ("since", "due"),
    [
        pytest.param("2027-03-28T01:30", "2027-03-28T03:30", id="23 hours: what the clocks skip is no time"),
        pytest.param("2027-10-31T01:30", "2027-10-31T02:30", id="25 hours: the hour that comes twice counts twice"),
    ],
)
def test_clocks_count_real_minutes_when_the_zones_clocks_are_changed(since: str, due: str) -> None:
    nights = OpenTime(OpenHours((Calendar([[(0, 360)]] * 7, BERLIN),)))
    clock = begun(at(since), 60)
    assert clock.due_at(nights) == at(due)
    assert clock.used(nights, clock.since + timedelta(hours=1)) == 3600


def test_a_zone_that_is_changed_while_a_clock_runs_has_it_due_anew() -> None:
    tokyo = OpenTime(OpenHours((Calendar([[(540, 1080)]] * 7, ZoneInfo("Asia/Tokyo")),)))
    clock = begun(at("2027-03-01T17:30"), 60)
    assert clock.due_at(OFFICE) == at("2027-03-02T09:30")
    assert clock.due_at(tokyo) == at("2027-03-02T10:00", ZoneInfo("Asia/Tokyo"))


def test_a_pause_keeps_what_was_used() -> None:
    clock = begun(at("2027-03-01T09:00"), 60, SlaMetric.NEXT_REPLY).paused(at("2027-03-01T09:20"), OFFICE)
    assert (clock.state, clock.due_at(OFFICE), clock.used(OFFICE, at("2027-03-03T12:00"))) == (
        ClockState.PAUSED,
        None,
        1200,
    )
    resumed = clock.resumed(at("2027-03-02T10:00"))
    assert resumed.due_at(OFFICE) == at("2027-03-02T10:40")
    assert resumed.warns_at(OFFICE) == at("2027-03-02T10:28")


def test_a_pause_or_resumption_of_what_is_so_changes_nothing() -> None:
    clock = begun(at("2027-03-01T09:00"))
    assert clock.resumed(at("2027-03-01T10:00")) is clock
    paused = clock.paused(at("2027-03-01T09:20"), OFFICE)
    assert paused.paused(at("2027-03-01T09:40"), OFFICE) is paused


def test_a_clock_resumes_no_earlier_than_it_was_paused() -> None:
    paused = begun(at("2027-03-01T09:00")).paused(at("2027-03-01T09:20"), OFFICE)
    assert paused.resumed(at("2027-03-01T09:10")).running_since == at("2027-03-01T09:20")


def test_a_warning_and_a_miss_are_told_once_each() -> None:
    clock = begun(at("2027-03-01T09:00"), 60)
    warned = clock.judged(at("2027-03-01T09:50"), OFFICE)
    assert (warned.warned_at, warned.breached_at) == (at("2027-03-01T09:48"), None)
    assert warned.judged(at("2027-03-01T09:55"), OFFICE) == warned
    missed = warned.judged(at("2027-03-01T11:00"), OFFICE)
    assert (missed.warned_at, missed.breached_at) == (at("2027-03-01T09:48"), at("2027-03-01T10:00"))
    assert missed.judged(at("2027-03-01T12:00"), OFFICE) == missed


@pytest.mark.parametrize("percent", [50, 80, 95])
def test_a_warning_comes_at_the_share_that_is_set(percent: int) -> None:
    clock = AnswerClock.begun(SlaMetric.NEXT_REPLY, at("2027-03-01T09:00"), AnswerTarget(100, percent))
    assert clock.warns_at(OFFICE) == at("2027-03-01T09:00") + timedelta(minutes=percent)


def test_an_answer_in_time_meets_and_a_late_one_misses_though_no_timer_rang() -> None:
    clock = begun(at("2027-03-01T09:00"), 60)
    met = clock.ended(at("2027-03-01T09:59:59"), EndedBy.PERSON, OFFICE, after_id=7)
    assert (met.is_met, met.used_seconds, met.ended_after_id) == (True, 3599, 7)
    late = clock.ended(at("2027-03-01T10:00"), EndedBy.PERSON, OFFICE)
    assert (late.is_met, late.breached_at, late.used_seconds) == (False, at("2027-03-01T10:00"), 3600)


def test_a_clock_ends_once() -> None:
    met = begun(at("2027-03-01T09:00")).ended(at("2027-03-01T09:10"), EndedBy.PERSON, OFFICE)
    assert met.ended(at("2027-03-01T12:00"), EndedBy.CLOSED, OFFICE) is met
    assert (met.due_at(OFFICE), met.resumed(at("2027-03-01T12:00"))) == (None, met)


@pytest.mark.parametrize(
    ("metric", "by", "is_met"),
    [
        *((metric, by, True) for metric in ("first_reply", "next_reply") for by in ("person", "ai")),
        *((metric, by, False) for metric in ("first_reply", "next_reply") for by in ("closed", "dealt_with", "spam")),
        *(("resolution", by, True) for by in ("closed", "dealt_with")),
        ("resolution", "spam", False),
    ],
)
def test_who_ends_a_clock_meets_it_or_gives_it_up(metric: str, by: str, is_met: bool) -> None:
    clock = begun(at("2027-03-01T09:00"), metric=SlaMetric(metric)).ended(at("2027-03-01T09:10"), EndedBy(by), OFFICE)
    assert clock.is_met is is_met


def test_another_target_counts_from_the_same_begin_with_what_was_used() -> None:
    clock = begun(at("2027-03-01T09:00"), 240).paused(at("2027-03-01T09:30"), OFFICE).resumed(at("2027-03-01T11:00"))
    aimed = clock.aimed(AnswerTarget(60), at("2027-03-01T11:10"), OFFICE)
    assert (aimed.since, aimed.due_at(OFFICE)) == (at("2027-03-01T09:00"), at("2027-03-01T11:30"))
    assert (
        clock.aimed(AnswerTarget(20), at("2027-03-01T11:10"), OFFICE).judged(at("2027-03-01T11:10"), OFFICE).breached_at
    )


def test_a_target_in_other_hours_counts_what_the_former_hours_used() -> None:
    clock = begun(at("2027-03-01T12:30"), 120).aimed(AnswerTarget(120), at("2027-03-01T13:30"), OFFICE)
    assert clock.due_at(ALWAYS) == at("2027-03-01T15:00")  # half an hour was used by the lunch


def test_what_was_told_stays_told_under_another_target() -> None:
    missed = begun(at("2027-03-01T09:00"), 10).judged(at("2027-03-01T09:30"), OFFICE)
    aimed = missed.aimed(AnswerTarget(600), at("2027-03-01T09:30"), OFFICE).judged(at("2027-03-01T09:31"), OFFICE)
    assert (aimed.warned_at, aimed.breached_at) == (missed.warned_at, missed.breached_at)


def test_a_clock_without_a_target_counts_until_one_comes() -> None:
    clock = begun(at("2027-03-01T09:00"), None)
    assert (clock.due_at(OFFICE), clock.judged(at("2027-03-02T09:00"), OFFICE)) == (None, clock)
    assert clock.aimed(AnswerTarget(60), at("2027-03-01T09:30"), OFFICE).due_at(OFFICE) == at("2027-03-01T10:00")


def test_a_deleted_answer_lets_the_clock_run_on() -> None:
    ended = begun(at("2027-03-01T09:00"), 60).ended(at("2027-03-01T09:20"), EndedBy.PERSON, OFFICE, after_id=7)
    again = ended.reopened()
    assert (again.state, again.ended_by, again.due_at(OFFICE)) == (ClockState.RUNNING, None, at("2027-03-01T10:00"))


def test_a_resolution_is_read_as_over_once_its_episode_ended_by_silence() -> None:
    paused = begun(at("2027-03-01T09:00"), metric=SlaMetric.RESOLUTION).paused(at("2027-03-01T09:30"), ALWAYS)
    assert paused.settled(at("2027-03-02T09:30")) is paused
    over = paused.settled(at("2027-03-02T09:31"))
    assert (over.ended_at, over.ended_by, over.is_met) == (at("2027-03-01T09:30"), EndedBy.CLOSED, True)
    reply = begun(at("2027-03-01T09:00"), metric=SlaMetric.NEXT_REPLY).paused(at("2027-03-01T09:30"), ALWAYS)
    assert reply.settled(at("2027-03-05T09:30")) is reply
