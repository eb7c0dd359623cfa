"""The waits of a chat and the clocks that they move (apps/routing/rules/waits.py, running.py)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product
from typing import Any

import pytest

from apps.chats.rules.histories import WordSide
from apps.routing.rules.clocks import AnswerClock, AnswerTarget, ClockState, OpenTime, SlaMetric
from apps.routing.rules.running import ChatClocks, rewound
from apps.routing.rules.waits import Sight, SpokenWord, WaitStep, WaitStepKind, moments

MONDAY = datetime(2027, 3, 1, 9, tzinfo=UTC)
BEFORE = MONDAY - timedelta(days=30)
SIDES = {"v": WordSide.VISITOR, "p": WordSide.PERSON, "m": WordSide.AI, "t": WordSide.VISITOR, "q": WordSide.PERSON}


def minute(number: float) -> datetime:
    return MONDAY + timedelta(minutes=number)


def read(story: str) -> tuple[list[SpokenWord], list[WaitStep]]:
    """`v0 p5 c9`: at minute 0 the visitor writes, at 5 a person (`q`: asks), at 9 it is closed; `m`: a machine, `h`:
    a handover, `t`: a courtesy of the visitor's. Ids count from 1."""
    words: list[SpokenWord] = []
    steps: list[WaitStep] = []
    for part in story.split():
        kind, moment = part[0], minute(float(part[1:]))
        if kind in "ch":
            steps.append(WaitStep(len(words), moment, WaitStepKind.CLOSED if kind == "c" else WaitStepKind.HANDED_OVER))
        else:
            words.append(SpokenWord(len(words) + 1, moment, SIDES[kind], is_courtesy=kind == "t", asks=kind == "q"))
    return words, steps


def look(
    clocks: Sequence[AnswerClock], story: str, waits: float | None, as_of: float, **facts: Any
) -> list[AnswerClock]:
    """The clocks after a look at a chat with this story, in which the visitor waits since a minute, or does not."""
    words, steps = read(story)
    known = [moment for each in clocks for moment in (each.since, each.paused_at, each.ended_at) if moment is not None]
    followed = ChatClocks(list(clocks), lambda _: AnswerTarget(60), OpenTime())
    sight = Sight(
        words=words,
        steps=steps,
        known_at=max(known, default=BEFORE),
        waiting_from=followed.reply.since if followed.reply else None,
        waited_at=max((each.since for each in clocks if each.metric is not SlaMetric.RESOLUTION), default=None),
        waits_since=None if waits is None else minute(waits),
        as_of=minute(as_of),
        **facts,
    )
    followed.follow(moments(sight))
    return followed.all


def told(clocks: Sequence[AnswerClock]) -> list[str]:
    """`first_reply 0 person 300`: the metric, its first minute, what it is or was ended by, the seconds used."""
    begins = [f"{each.metric} {(each.since - MONDAY).total_seconds() / 60:g}" for each in clocks]
    ends = [f"{each.ended_by or each.state} {each.used_seconds}" for each in clocks]
    return [f"{begin} {end}" for begin, end in zip(begins, ends, strict=True)]


def test_the_first_word_begins_a_first_reply_and_a_resolution() -> None:
    assert told(look([], "v0", 0, 1)) == ["first_reply 0 running 0", "resolution 0 running 0"]


def test_a_second_look_begins_nothing_twice() -> None:
    clocks = look([], "v0", 0, 1)
    assert look(clocks, "v0 v2", 0, 3) == clocks


@pytest.mark.parametrize(("word", "by"), [("p", "person"), ("m", "ai")])
def test_an_answer_ends_the_reply_and_pauses_the_resolution(word: str, by: str) -> None:
    clocks = look(look([], "v0", 0, 1), f"v0 {word}5", None, 6)
    assert told(clocks) == [f"first_reply 0 {by} 300", "resolution 0 paused 300"]


def test_each_later_wait_of_an_episode_is_a_next_reply_and_the_resolution_goes_on() -> None:
    clocks = look(look(look([], "v0", 0, 1), "v0 p5", None, 6), "v0 p5 v10", 10, 11)
    assert told(clocks) == ["first_reply 0 person 300", "resolution 0 running 300", "next_reply 10 running 0"]
    assert told(look(clocks, "v0 p5 v10 p12", None, 13))[1:] == ["resolution 0 paused 420", "next_reply 10 person 120"]


def test_a_late_look_misses_no_wait() -> None:
    clocks = look([], "v0 p5 v10 p12 v20", 20, 25)
    assert told(clocks) == [
        "first_reply 0 person 300",
        "resolution 0 running 420",
        "next_reply 10 person 120",
        "next_reply 20 running 0",
    ]


STORIES = ["v0 p5 v10 p12 v20 p21", "v0 v1 p5 c6 v10 p12", "v0 c3 v4 p9 v30", "v0 p5 v2000 p2001", "v0 t1 p5 t6 v8 p9"]


@pytest.mark.parametrize("story", STORIES)
def test_looks_at_each_moment_and_one_look_at_the_end_tell_the_same(story: str) -> None:
    parts = story.split()
    clocks: list[AnswerClock] = []
    for count, part in enumerate(parts, 1):
        clocks = look(clocks, " ".join(parts[:count]), _waits(parts[:count]), float(part[1:]))
    assert clocks == look([], story, _waits(parts), float(parts[-1][1:]))


def _waits(parts: Sequence[str]) -> float | None:
    """Since when a chat with this story waits, as its columns have it: a courtesy is a word, too."""
    since = None
    for part in parts:
        since = None if part[0] in "pmqc" else float(part[1:]) if since is None else since
    return since


def test_whatever_is_looked_at_there_is_one_reply_and_one_resolution_at_most() -> None:
    for kinds in product("vpct", repeat=6):
        parts = [f"{kind}{place * 7}" for place, kind in enumerate(kinds)]
        for count in (3, 6):
            clocks = look(look([], " ".join(parts[:3]), _waits(parts[:3]), 15), " ".join(parts), _waits(parts), 50)
            open_ones = [each for each in clocks if each.ended_at is None]
            assert len([each for each in open_ones if each.metric is SlaMetric.RESOLUTION]) <= 1, (kinds, count)
            replies = [each for each in open_ones if each.metric is not SlaMetric.RESOLUTION]
            assert len(replies) <= 1, kinds
            # A clock runs exactly while the visitor waits, but for courtesies.
            if _waits(parts) is None:
                assert all(each.state is not ClockState.RUNNING for each in clocks), kinds
            elif "v" in "".join(kinds).rsplit("p", 1)[-1].rsplit("c", 1)[-1]:
                assert [each.state for each in replies] == [ClockState.RUNNING], kinds
            spans = sorted((each.since, each.ended_at) for each in clocks if each.metric is not SlaMetric.RESOLUTION)
            assert all(end is not None and end <= begin for (_, end), (begin, _) in pairwise(spans)), kinds


@pytest.mark.parametrize("end", ["c9", "c9 v9.5 p9.6"])
def test_closing_gives_the_reply_up_and_meets_the_resolution(end: str) -> None:
    clocks = look(look([], "v0", 0, 1), f"v0 {end}", None, 10)
    assert told(clocks)[:2] == ["first_reply 0 closed 540", "resolution 0 closed 540"]
    assert [each.is_met for each in clocks[:2]] == [False, True]


def test_closing_an_answered_chat_ends_its_paused_resolution() -> None:
    clocks = look(look(look([], "v0", 0, 1), "v0 p5", None, 6), "v0 p5 c60", None, 61)
    assert told(clocks) == ["first_reply 0 person 300", "resolution 0 closed 300"]


def test_a_word_after_a_close_begins_an_episode() -> None:
    clocks = look(look([], "v0", 0, 1), "v0 p5 c6 v10", 10, 11)
    assert told(clocks)[2:] == ["first_reply 10 running 0", "resolution 10 running 0"]


def test_a_word_after_a_day_of_silence_begins_an_episode_and_ends_the_one_before_with_its_last_word() -> None:
    clocks = look(look(look([], "v0", 0, 1), "v0 p5", None, 6), "v0 p5 v1446", 1446, 1447)
    assert told(clocks) == [
        "first_reply 0 person 300",
        "resolution 0 closed 300",
        "first_reply 1446 running 0",
        "resolution 1446 running 0",
    ]
    assert told(look([], "v0 p5 v1445", 1445, 1446))[2:] == ["next_reply 1445 running 0"]


def test_words_of_ours_alone_keep_no_episode_open() -> None:
    """Within a day of our word, but behind a day of silence: it opened nothing."""
    clocks = look([], "v0 p5 p3000 v3010", 3010, 3011)
    assert told(clocks)[2:] == ["first_reply 3010 running 0", "resolution 3010 running 0"]


def test_a_wait_of_days_is_no_silence() -> None:
    clocks = look(look([], "v0", 0, 1), "v0 v4000", 0, 4001)
    assert told(clocks) == ["first_reply 0 running 0", "resolution 0 running 0"]


def test_a_courtesy_begins_no_clock() -> None:
    clocks = look([], "v0 p5", None, 6)
    assert look(clocks, "v0 p5 t7", 7, 8) == clocks
    assert told(look(clocks, "v0 p5 t7 v9", 7, 10))[2:] == ["next_reply 9 running 0"]


@pytest.mark.parametrize(
    "story",
    [
        pytest.param("v0 q5 t7", id="our last word was a question"),
        pytest.param("v0 p5 t1446", id="a day later"),
        pytest.param("t7", id="before any answer"),
        pytest.param("v0 p5 v6 t7", id="behind a question of theirs"),
    ],
)
def test_a_courtesy_that_answers_or_opens_is_a_word(story: str) -> None:
    clocks = look([], story, float(story.split()[-1][1:]), 1500)
    assert clocks[-1].state is ClockState.RUNNING or clocks[-2].state is ClockState.RUNNING


def test_dealt_with_gives_the_reply_up_meets_the_resolution_and_keeps_the_episode() -> None:
    clocks = look(look([], "v0", 0, 1), "v0", None, 8, dealt_with_id=1)
    assert told(clocks) == ["first_reply 0 dealt_with 480", "resolution 0 dealt_with 480"]
    assert look(clocks, "v0", None, 9, dealt_with_id=1) == clocks
    assert told(look(clocks, "v0 v20", 20, 21, dealt_with_id=1))[2:] == ["next_reply 20 running 0"]


def test_dealt_with_and_asked_again_between_two_looks_are_two_waits() -> None:
    clocks = look(look([], "v0", 0, 1), "v0 v20", 20, 21, dealt_with_id=1)
    assert told(clocks)[0] == "first_reply 0 dealt_with 1200"
    assert told(clocks)[2:] == ["next_reply 20 running 0"]


def test_an_answered_chat_that_is_dealt_with_is_resolved() -> None:
    clocks = look(look([], "v0 p5", None, 6), "v0 p5", None, 60, dealt_with_id=2)
    assert told(clocks) == ["first_reply 0 person 300", "resolution 0 dealt_with 300"]


def test_spam_gives_all_clocks_up() -> None:
    clocks = look(look([], "v0", 0, 1), "v0", None, 4, is_spam=True)
    assert told(clocks) == ["first_reply 0 spam 240", "resolution 0 spam 240"]
    assert not any(each.is_met for each in clocks)


def test_a_snooze_pauses_next_replies_and_resolutions_and_no_first_reply() -> None:
    first = look(look([], "v0", 0, 1), "v0", None, 10, is_aside=True)
    assert told(first) == ["first_reply 0 running 0", "resolution 0 paused 600"]
    later = look(look([], "v0 p5 v10", 10, 11), "v0 p5 v10", None, 13, is_aside=True)
    assert told(later)[1:] == ["resolution 0 paused 480", "next_reply 10 paused 180"]
    assert look(later, "v0 p5 v10", None, 15, is_aside=True) == later


def test_the_end_of_a_snooze_lets_the_clocks_run_on_from_that_moment() -> None:
    aside = look(look([], "v0 p5 v10", 10, 11), "v0 p5 v10", None, 13, is_aside=True)
    back = look(aside, "v0 p5 v10", 10, 44, resumed_at=minute(43))
    assert [each.running_since for each in back[1:]] == [minute(43), minute(43)]
    written = look(aside, "v0 p5 v10 v30", 10, 44)
    assert [each.running_since for each in written[1:]] == [minute(30), minute(30)]


def test_what_an_ai_has_is_no_wait_until_it_is_handed_over() -> None:
    assert look([], "v0", None, 1, people_have_it=False) == []
    assert look([], "v0 m1", None, 2, people_have_it=False) == []
    handed_over = look([], "v0 m1 v2 m3 h3.1", 2, 4, people_have_it=False)
    assert told(handed_over) == ["first_reply 2 running 0", "resolution 2 running 0"]


def test_the_phrase_of_a_handover_ends_no_wait() -> None:
    assert told(look([], "v0 m1 h1 p9", None, 10, people_have_it=False))[0] == "first_reply 0 person 540"


def test_a_machines_word_while_people_are_waited_for_ends_no_wait() -> None:
    clocks = look([], "v0 h1", 0, 2, people_have_it=False)
    assert look(clocks, "v0 h1 m5", 0, 6, people_have_it=False) == clocks


def test_a_chat_given_back_to_the_ai_stops_its_clocks_until_that_answers() -> None:
    clocks = look(look([], "v0", 0, 1), "v0", None, 5, people_have_it=False)
    assert told(clocks) == ["first_reply 0 paused 300", "resolution 0 paused 300"]
    answered = look(clocks, "v0 m7", None, 8, people_have_it=False)
    assert told(answered) == ["first_reply 0 ai 300", "resolution 0 paused 300"]


def test_a_person_who_has_the_chat_is_waited_for_beside_an_ai() -> None:
    clocks = look([], "v0 h1 p5", None, 6, people_have_it=False, is_owned=True)
    later = look(clocks, "v0 h1 p5 v7 p8", None, 9, people_have_it=False, is_owned=True)
    assert told(later)[2:] == ["next_reply 7 person 60"]


def test_a_deleted_answer_lets_its_clock_run_on_as_if_it_had_never_been() -> None:
    clocks = look([], "v0 p5", None, 6)
    again = look(rewound(clocks, {2}.__contains__), "v0", 0, 9)
    assert told(again) == ["first_reply 0 running 300", "resolution 0 running 300"]
    assert [each.running_since for each in again] == [minute(5), minute(5)]


def test_a_wait_that_began_behind_a_deleted_answer_is_the_one_before_it() -> None:
    clocks = look([], "v0 p5 v10", 10, 11)
    words, _ = read("v0 p5 v10")
    again = rewound(clocks, {2}.__contains__)
    assert [each.metric for each in again] == [SlaMetric.FIRST_REPLY, SlaMetric.RESOLUTION]
    assert all(each.state is ClockState.RUNNING for each in again)
    assert rewound(clocks, set().__contains__) == clocks
    assert replace(words[0], id=9).id == 9
