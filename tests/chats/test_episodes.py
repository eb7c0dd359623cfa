"""The episodes of a chat, rule by rule."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.chats.rules.episodes import ChatEpisode, EpisodeOutcome, episode_at, episodes_of, note_returns
from apps.chats.rules.histories import (
    ChatHistory,
    ChatWord,
    EpisodeStep,
    EpisodeStepKind,
    RatingWord,
    WordSide,
    side_of,
)

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANNA, BORIS, ROBOT, ASSISTANT = 1, 2, 3, 40
SALES, CARE = 70, 71
Fact = ChatWord | EpisodeStep


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def visitor(hours: float, text: str | None = "Where is my order", **more: Any) -> ChatWord:
    return ChatWord(0, at(hours), WordSide.VISITOR, text, **more)


def person(hours: float, text: str = "It is on its way.", agent_id: int = ANNA) -> ChatWord:
    return ChatWord(0, at(hours), WordSide.PERSON, text, agent_id)


def machine(hours: float, text: str = "It is on its way.", agent_id: int = ROBOT) -> ChatWord:
    return ChatWord(0, at(hours), WordSide.AI, text, agent_id, ASSISTANT)


def step(kind: EpisodeStepKind, hours: float, **more: Any) -> EpisodeStep:
    return EpisodeStep(0, 0, at(hours), kind, **more)


def closed(hours: float, agent_id: int | None = ANNA) -> EpisodeStep:
    return step(EpisodeStepKind.CLOSED, hours, agent_id=agent_id)


def handed_over(hours: float, reason: str = "human_request") -> EpisodeStep:
    return step(EpisodeStepKind.HANDED_OVER, hours, reason=reason)


def dealt_with(hours: float) -> EpisodeStep:
    return step(EpisodeStepKind.DEALT_WITH, hours, agent_id=ANNA)


def moved(hours: float, department_id: int) -> EpisodeStep:
    return step(EpisodeStepKind.OTHER, hours, department_id=department_id)


def history_of(*facts: Fact, **more: Any) -> ChatHistory:
    """The facts in the order of the talk: words get the numbers 10, 20 and so on, and a step names the word before."""
    words: list[ChatWord] = []
    steps: list[EpisodeStep] = []
    for fact in facts:
        if isinstance(fact, ChatWord):
            words.append(fact._replace(id=10 * (len(words) + 1)))
        else:
            steps.append(fact._replace(id=len(steps) + 1, after_id=10 * len(words)))
    return ChatHistory(words, steps, **more)


def episodes(*facts: Fact, **more: Any) -> list[ChatEpisode]:
    return episodes_of(history_of(*facts, **more))


def elsewhere(*facts: Fact) -> list[ChatEpisode]:
    """The episodes of another chat, whose messages have other numbers."""
    history = history_of(*facts)
    words = [word._replace(id=1_000 + word.id) for word in history.words]
    return episodes_of(ChatHistory(words, [step._replace(after_id=1_000 + step.after_id) for step in history.steps]))


def ends(found: Sequence[ChatEpisode]) -> list[tuple[int, str, datetime]]:
    return [(episode.id, str(episode.ended_by), episode.ended_at) for episode in found]


class TestOpening:
    def test_a_visitors_word_opens_one_while_none_is_open(self) -> None:
        [episode] = episodes(visitor(0), person(1), visitor(2), person(3))
        assert (episode.id, episode.opened_at, episode.opened_by) == (10, at(0), "visitor")

    def test_the_operators_side_opens_none(self) -> None:
        assert episodes(person(0), machine(1)) == []

    def test_a_word_behind_an_outbound_one_is_opened_by_the_operator(self) -> None:
        [episode] = episodes(person(0), visitor(1))
        assert (episode.id, episode.opened_by) == (20, "operator")
        assert episode.messages == {WordSide.VISITOR: 1, WordSide.PERSON: 0, WordSide.AI: 0}

    def test_an_outbound_word_in_an_ended_episode_counts_for_the_next(self) -> None:
        found = episodes(visitor(0), closed(1), machine(2), visitor(3))
        assert [episode.opened_by for episode in found] == ["visitor", "operator"]
        assert found[0].first_reply is None

    def test_what_was_said_before_the_outbound_word_does_not_matter(self) -> None:
        found = episodes(person(0), visitor(1), closed(2), visitor(3))
        assert [episode.opened_by for episode in found] == ["operator", "visitor"]

    def test_the_language_and_the_page_are_those_of_the_first_word(self) -> None:
        [episode] = episodes(visitor(0, language="ru", page="shop.example/a"), visitor(1, language="en"))
        assert (episode.language, episode.page) == ("ru", "shop.example/a")


class TestEnding:
    def test_a_close_ends_it_by_its_operator(self) -> None:
        [episode] = episodes(visitor(0), person(1), closed(2))
        assert (episode.ended_by, episode.ended_at, episode.ended_by_agent_id) == ("operator", at(2), ANNA)
        assert not episode.is_ended(at(2) - timedelta(microseconds=1))
        assert episode.is_ended(at(2))

    def test_a_close_by_nobody_is_the_apis(self) -> None:
        [episode] = episodes(visitor(0), closed(2, agent_id=None))
        assert (episode.ended_by, episode.ended_by_agent_id) == ("api", None)

    def test_over_a_day_of_silence_ends_it_with_its_last_message(self) -> None:
        found = episodes(visitor(0), person(1), visitor(26))
        assert ends(found[:1]) == [(10, "silence", at(1))]
        assert [episode.id for episode in found] == [10, 30]

    def test_a_day_is_not_over_a_day(self) -> None:
        assert len(episodes(visitor(0), person(1), visitor(25))) == 1

    def test_silence_is_true_only_once_it_is_over_a_day(self) -> None:
        [episode] = episodes(visitor(0), person(1))
        assert (episode.ended_by, episode.ended_at) == ("silence", at(1))
        assert not episode.is_ended(at(25))
        assert episode.is_ended(at(25) + timedelta(microseconds=1))

    def test_no_silence_while_the_visitor_waits(self) -> None:
        assert len(episodes(visitor(0), visitor(24 * 20), visitor(24 * 49), person(24 * 50))) == 1

    def test_over_thirty_days_after_their_last_message_nobody_answered(self) -> None:
        found = episodes(visitor(0), visitor(5), visitor(5 + 24 * 30 + 1))
        assert ends(found[:1]) == [(10, "nobody", at(5 + 24 * 30))]
        assert found[0].outcome is EpisodeOutcome.UNANSWERED
        assert found[1].id == 30

    def test_an_answer_after_thirty_days_is_outbound(self) -> None:
        found = episodes(visitor(0), person(24 * 30 + 1), visitor(24 * 30 + 2))
        assert [(episode.outcome, episode.opened_by) for episode in found] == [
            ("unanswered", "visitor"),
            ("unanswered", "operator"),
        ]
        assert found[0].first_reply is None

    def test_a_close_after_the_end_changes_nothing(self) -> None:
        found = episodes(visitor(0), person(1), closed(26))
        assert ends(found) == [(10, "silence", at(1))]

    def test_a_close_without_an_open_episode_is_none(self) -> None:
        assert ends(episodes(visitor(0), closed(1), closed(2))) == [(10, "operator", at(1))]

    def test_a_word_without_need_of_an_answer_lets_silence_end_it(self) -> None:
        [episode] = episodes(visitor(0), dealt_with(72))
        assert (episode.ended_by, episode.ended_at, episode.ended_from) == ("silence", at(0), at(72))
        assert episode.waits == [(at(0), at(72))]

    def test_a_handover_that_nobody_takes_ends_it_thirty_days_after_the_visitor(self) -> None:
        [episode] = episodes(visitor(0), machine(1), handed_over(2))
        assert ends([episode]) == [(10, "nobody", at(24 * 30))]
        assert episode.waits_since == at(2)


class TestCourtesies:
    def test_thanks_open_nothing(self) -> None:
        found = episodes(visitor(0), person(1), closed(2), visitor(3, "Thanks!"))
        assert ends(found) == [(10, "operator", at(2))]
        assert found[0].messages[WordSide.VISITOR] == 1

    def test_thanks_belong_to_the_open_episode_and_wait_for_nothing(self) -> None:
        [episode] = episodes(visitor(0), person(1), visitor(2, "Спасибо!"), visitor(3, "👍"))
        assert (episode.ended_by, episode.ended_at) == ("silence", at(3))
        assert episode.messages[WordSide.VISITOR] == 3

    def test_thanks_after_a_question_are_an_answer(self) -> None:
        [episode] = episodes(visitor(0), person(1, "Is that all?"), visitor(2, "Ok"))
        assert (episode.ended_by, episode.waits_since) == ("nobody", at(2))

    def test_thanks_after_more_than_a_day_are_a_word(self) -> None:
        found = episodes(visitor(0), person(1), closed(2), visitor(25.5, "Thanks"))
        assert [episode.id for episode in found] == [10, 30]
        assert len(episodes(visitor(0), person(1), closed(2), visitor(25, "Thanks"))) == 1

    def test_thanks_behind_another_word_are_a_word(self) -> None:
        [episode] = episodes(visitor(0), person(1), visitor(2), dealt_with(3), visitor(4, "Thanks"))
        assert episode.waits_since == at(4)

    def test_a_greeting_and_a_picture_are_no_courtesies(self) -> None:
        for text in ("Hello", None):
            assert episodes(visitor(0), person(1), visitor(2, text))[0].waits_since == at(2)

    def test_thanks_before_any_answer_open_an_episode(self) -> None:
        assert episodes(visitor(0, "Thanks"))[0].waits_since == at(0)

    def test_thanks_for_an_outbound_word_open_nothing(self) -> None:
        assert episodes(person(0, "Your order has come."), visitor(1, "Спасибо")) == []

    def test_a_handovers_phrase_is_no_answer_to_thank_for(self) -> None:
        [episode] = episodes(visitor(0), person(1), visitor(2), machine(2.1), handed_over(2.1), visitor(3, "ok"))
        assert episode.waits_since == at(2)


class TestWaits:
    def test_a_wait_begins_with_the_first_word_behind_the_last_answer(self) -> None:
        [episode] = episodes(visitor(0), visitor(1), person(3), person(4), visitor(5), machine(6))
        assert episode.waits == [(at(0), at(3)), (at(5), at(6))]
        assert episode.longest_wait_seconds == 3 * 3600

    def test_a_wait_begins_with_a_handover_while_none_runs(self) -> None:
        [episode] = episodes(visitor(0), machine(1), handed_over(2), visitor(3), person(4))
        assert episode.waits == [(at(0), at(1)), (at(2), at(4))]

    def test_a_handover_while_one_runs_begins_none(self) -> None:
        [episode] = episodes(visitor(0), handed_over(2), person(4))
        assert episode.waits == [(at(0), at(4))]

    def test_a_close_ends_a_wait(self) -> None:
        [episode] = episodes(visitor(0), closed(2))
        assert (episode.waits, episode.waits_since, episode.outcome) == ([(at(0), at(2))], None, "dismissed")

    def test_no_need_of_an_answer_ends_a_wait_and_the_next_word_begins_another(self) -> None:
        [episode] = episodes(visitor(0), dealt_with(2), visitor(5), person(6))
        assert episode.waits == [(at(0), at(2)), (at(5), at(6))]

    def test_a_clock_that_was_set_back_makes_a_wait_of_nothing(self) -> None:
        [episode] = episodes(visitor(2), person(1))
        assert episode.first_reply is not None
        assert (episode.first_reply.seconds, episode.longest_wait_seconds) == (0, 0)

    def test_seconds_are_whole_and_rounded_down(self) -> None:
        [episode] = episodes(visitor(0), person(1.9999 / 3600))
        assert episode.first_reply is not None
        assert episode.first_reply.seconds == 1


class TestReplies:
    def test_the_first_answer_counts_from_the_opening(self) -> None:
        [episode] = episodes(visitor(0), dealt_with(1), visitor(2), machine(3), person(4))
        assert episode.first_reply is not None
        reply = episode.first_reply
        assert (reply.at, reply.seconds, reply.kind, reply.agent_id) == (at(3), 3 * 3600, "ai", ROBOT)

    def test_a_machines_phrase_is_no_answer(self) -> None:
        [episode] = episodes(visitor(0), machine(1), handed_over(1), person(2))
        assert (episode.first_reply and episode.first_reply.at) == at(2)
        assert (episode.agents, episode.messages[WordSide.AI]) == ([ANNA], 1)

    def test_a_word_that_a_handover_names_later_than_a_minute_is_an_answer(self) -> None:
        minute = 1 / 60
        [episode] = episodes(visitor(0), machine(1), handed_over(1 + minute))
        assert episode.first_reply is None
        [episode] = episodes(visitor(0), machine(1), handed_over(1 + minute + 0.001))
        assert (episode.first_reply and episode.first_reply.at) == at(1)

    def test_a_phrase_stays_one_if_a_later_handover_names_it_too(self) -> None:
        [episode] = episodes(visitor(0), machine(1), handed_over(1), handed_over(5))
        assert episode.first_reply is None

    def test_a_persons_word_that_a_handover_names_is_an_answer(self) -> None:
        [episode] = episodes(visitor(0), person(1), handed_over(1))
        assert (episode.first_reply and episode.first_reply.at) == at(1)

    def test_a_persons_reply_counts_from_the_wait_that_it_ends(self) -> None:
        [episode] = episodes(visitor(0), machine(1), visitor(2), person(5))
        assert episode.person_reply is not None
        assert (episode.person_reply.since, episode.person_reply.seconds) == (at(2), 3 * 3600)

    def test_a_persons_reply_counts_from_the_first_handover_before_it(self) -> None:
        [episode] = episodes(visitor(0), handed_over(1), machine(2), visitor(3), handed_over(4), person(5))
        assert episode.person_reply is not None
        assert (episode.person_reply.since, episode.person_reply.seconds) == (at(1), 4 * 3600)

    def test_a_persons_first_word_to_nobody_who_waits_is_no_reply(self) -> None:
        [episode] = episodes(visitor(0), machine(1), person(2), visitor(3), person(4))
        assert episode.person_reply is None

    def test_who_wrote_answers(self) -> None:
        [episode] = episodes(visitor(0), person(1, agent_id=BORIS), machine(2), person(3), person(4, agent_id=BORIS))
        assert (episode.agents, episode.assistants) == ([ANNA, BORIS, ROBOT], [ASSISTANT])


class TestHandovers:
    def test_the_first_handover_is_told(self) -> None:
        [episode] = episodes(visitor(0), handed_over(1, "trigger"), handed_over(2, "requested"))
        assert (episode.handed_over_at, episode.handed_over_reason) == (at(1), "trigger")

    def test_a_handover_without_an_open_episode_is_none_of_any(self) -> None:
        found = episodes(visitor(0), closed(1), handed_over(2), visitor(3))
        assert [episode.handed_over_at for episode in found] == [None, None]

    def test_a_machine_was_there_if_it_answered_or_handed_over(self) -> None:
        assert episodes(visitor(0), machine(1))[0].is_ai_involved
        assert episodes(visitor(0), handed_over(1), person(2))[0].is_ai_involved
        assert not episodes(visitor(0), person(1))[0].is_ai_involved


class TestOutcomes:
    @pytest.mark.parametrize(
        ("facts", "outcome"),
        [
            ([visitor(0), person(1), machine(2), closed(3)], "person"),
            ([visitor(0), machine(1), closed(3)], "ai"),
            ([visitor(0), machine(1), handed_over(2), closed(3)], "dismissed"),
            ([visitor(0), handed_over(1), machine(2), closed(3)], "ai"),
            ([visitor(0), machine(1), handed_over(1), closed(3)], "dismissed"),
            ([visitor(0), closed(3)], "dismissed"),
            ([visitor(0), dealt_with(3)], "dismissed"),
            ([visitor(0), person(1), visitor(2)], "unanswered"),
        ],
    )
    def test_outcome(self, facts: list[Fact], outcome: str) -> None:
        assert episodes(*facts)[0].outcome == outcome


class TestDepartments:
    def test_the_last_step_by_the_end_that_names_one(self) -> None:
        found = episodes(visitor(0), moved(1, SALES), closed(2), visitor(3), moved(4, CARE), department_id=CARE)
        assert [episode.department_id for episode in found] == [SALES, CARE]

    def test_the_chats_own_if_no_step_names_one(self) -> None:
        assert episodes(visitor(0), closed(1), department_id=SALES)[0].department_id == SALES

    def test_none_if_only_a_later_step_names_one(self) -> None:
        found = episodes(visitor(0), closed(1), visitor(2), moved(3, CARE), department_id=CARE)
        assert [episode.department_id for episode in found] == [None, CARE]

    def test_a_step_behind_the_last_message_counts_only_while_it_is_open(self) -> None:
        [episode] = episodes(visitor(0), person(1), moved(2, SALES), department_id=SALES)
        assert (episode.department_id, episode.open_department_id) == (None, SALES)


class TestRatings:
    def test_a_rating_belongs_to_the_episode_before_it_up_to_the_next(self) -> None:
        facts = [visitor(0), person(1), closed(2), visitor(3), machine(4)]
        ratings = [RatingWord(20, at(2.5), 5), RatingWord(40, at(5), 2)]
        found = episodes(*facts, ratings=ratings)
        assert [episode.rating for episode in found] == [(5, at(2.5), "person", ANNA), (2, at(5), "ai", ROBOT)]

    def test_of_two_in_an_episode_the_last_counts(self) -> None:
        ratings = [RatingWord(20, at(4), 1), RatingWord(20, at(3), 5)]
        assert episodes(visitor(0), person(1), ratings=ratings)[0].rating == (1, at(4), "person", ANNA)

    def test_a_rating_is_of_who_answered_last_before_it(self) -> None:
        facts = [visitor(0), machine(1), person(2)]
        assert episodes(*facts, ratings=[RatingWord(20, at(1.5), 4)])[0].rating == (4, at(1.5), "ai", ROBOT)
        assert episodes(*facts, ratings=[RatingWord(10, at(0.5), 4)])[0].rating == (4, at(0.5), None, None)

    def test_the_first_request_of_each_episode_is_told(self) -> None:
        facts = [person(-1), visitor(0), person(1), closed(2), visitor(3)]
        requests = [RatingWord(10, at(-0.5)), RatingWord(30, at(5)), RatingWord(30, at(4)), RatingWord(40, at(6))]
        assert [episode.asked_at for episode in episodes(*facts, requests=requests)] == [at(4), at(6)]

    def test_a_moment_before_the_first_episode_belongs_to_none(self) -> None:
        found = episodes(person(0), visitor(1), closed(2), visitor(3))
        belong = [episode_at(found, message_id) for message_id in (10, 20, 25, 30)]
        assert [episode and episode.id for episode in belong] == [None, 20, 20, 30]


class TestReturns:
    def returned_at(self, *chats: list[ChatEpisode]) -> list[datetime | None]:
        found = [episode for each in chats for episode in each]
        note_returns(found)
        return [episode.reopened_at for episode in found]

    def test_a_visitor_who_comes_back_within_a_week(self) -> None:
        found = episodes(visitor(0), person(1), closed(2), visitor(2 + 7 * 24), person(171), closed(172))
        assert self.returned_at(found) == [at(2 + 7 * 24), None]

    def test_a_week_later_is_no_return(self) -> None:
        found = episodes(visitor(0), person(1), closed(2), visitor(2 + 7 * 24 + 0.1))
        assert self.returned_at(found)[0] is None

    def test_what_the_shop_began_is_no_return_and_hides_none(self) -> None:
        found = episodes(visitor(0), closed(1), person(2), visitor(3), closed(4), visitor(5))
        assert self.returned_at(found) == [at(5), at(5), None]

    def test_a_return_in_another_chat_of_the_same_person(self) -> None:
        assert self.returned_at(episodes(visitor(0), closed(1)), elsewhere(visitor(5), closed(6))) == [at(5), None]

    def test_an_episode_that_began_before_the_end_is_no_return(self) -> None:
        assert self.returned_at(episodes(visitor(0), closed(5)), elsewhere(visitor(1), closed(6))) == [None, None]

    def test_an_episode_of_one_moment_does_not_return_to_itself(self) -> None:
        assert self.returned_at(episodes(visitor(0), dealt_with(1))) == [None]


@pytest.mark.parametrize(
    ("sender_kind", "via", "details", "side"),
    [
        ("client", None, None, "visitor"),
        ("agent", "console", None, "person"),
        ("agent", "legacy_bot", None, "ai"),
        ("ai", None, None, "ai"),
        ("external_operator", None, {}, "ai"),
        ("external_operator", None, {"by_person": True}, "person"),
    ],
)
def test_the_side_of_a_message(sender_kind: str, via: str | None, details: dict[str, Any] | None, side: str) -> None:
    assert side_of(sender_kind, via, details) == side
