"""Reviews in the console: choosing a chat, scoring, the operator's reply, settling (design, section 5)."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.reviews.models import Review
from tests.cast import Rival
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories import AiAgentFactory, ChatFactory, MessageFactory
from tests.reviews.made import ended, episode_of, review_of, scores

pytestmark = pytest.mark.django_db

MEMBERS = {
    *("id", "chat_id", "episode_id", "subject", "origin", "flags", "state", "version", "scorecard_version", "scores"),
    *("score", "comment", "reviewer", "is_blind", "prefill", "reply", "created_at", "done_at"),
}


@pytest.fixture
def answered(shop: Widget, alice: Agent) -> Chat:
    return ended(shop, alice)


@pytest.fixture
def review(answered: Chat, alice: Agent) -> Review:
    return review_of(answered, alice, blind=False)


class TestChoosingAChat:
    def test_it_is_of_the_newest_ended_episode_and_who_wrote_its_last_answer(
        self, olgas_console: Console, answered: Chat, alice: Agent
    ) -> None:
        made = olgas_console.data("POST", "/reviews", 201, json={"chat_id": answered.pk})
        assert made.keys() == MEMBERS
        assert (made["chat_id"], made["episode_id"]) == (answered.pk, episode_of(answered))
        assert made["subject"] == {"kind": "person", "agent_id": alice.pk, "assistant_id": None}
        assert (made["origin"], made["flags"], made["state"], made["version"]) == ("person", [], "open", 1)
        assert (made["scores"], made["score"], made["reviewer"], made["reply"]) == ([], None, None, None)
        assert made["prefill"] == {"state": "none", "scores": []}

    def test_the_same_again_is_the_one_that_is_there(self, olgas_console: Console, answered: Chat) -> None:
        made = olgas_console.data("POST", "/reviews", 201, json={"chat_id": answered.pk})
        again = olgas_console.data(
            "POST", "/reviews", 200, json={"chat_id": answered.pk, "episode_id": episode_of(answered)}
        )
        assert again == made
        assert Review.objects.count() == 1

    def test_an_operator_may_be_named_who_answered_in_it(
        self, olgas_console: Console, answered: Chat, alice: Agent, boris: Agent
    ) -> None:
        body = {"chat_id": answered.pk, "agent_id": alice.pk}
        assert olgas_console.data("POST", "/reviews", 201, json=body)["subject"]["agent_id"] == alice.pk
        refused = olgas_console.request("POST", "/reviews", json={"chat_id": answered.pk, "agent_id": boris.pk})
        assert list(assert_problem(refused, 422, "invalid_input")["errors"]) == ["agent_id"]

    def test_an_answer_of_ai_is_of_its_assistant(self, olgas_console: Console, shop: Widget) -> None:
        flora = AiAgentFactory.create(widget=shop)
        chat = ended(shop, flora, sender_kind="ai", assistant_id=77)
        made = olgas_console.data("POST", "/reviews", 201, json={"chat_id": chat.pk})
        assert made["subject"] == {"kind": "ai", "agent_id": flora.pk, "assistant_id": 77}

    def test_a_chat_that_has_no_ended_episode_is_422(self, olgas_console: Console, shop: Widget) -> None:
        chat = ChatFactory.create(contact__widget=shop)
        MessageFactory.create(chat=chat)
        refused = olgas_console.request("POST", "/reviews", json={"chat_id": chat.pk})
        assert list(assert_problem(refused, 422, "invalid_input")["errors"]) == ["chat_id"]

    def test_another_widgets_chat_is_422_as_one_that_never_was(self, olgas_console: Console, rival: Rival) -> None:
        told = [
            assert_problem(olgas_console.request("POST", "/reviews", json={"chat_id": pk}), 422, "invalid_input")
            for pk in (rival.chat.pk, 99_999_999)
        ]
        assert told[0]["errors"] == told[1]["errors"]
        assert list(told[0]["errors"]) == ["chat_id"]
        assert not Review.objects.exists()

    def test_operators_choose_none(self, alices_console: Console, answered: Chat) -> None:
        assert_problem(alices_console.request("POST", "/reviews", json={"chat_id": answered.pk}), 403, "managers_only")
        assert not Review.objects.exists()


class TestScoring:
    def test_each_criterion_that_applies_is_scored_once(
        self, olgas_console: Console, review: Review, olga: Agent
    ) -> None:
        body = {"version": 1, "scores": scores(complete=4, friendly=None), "comment": "Well done."}
        done = olgas_console.data("PUT", f"/reviews/{review.pk}/scores", json=body)
        assert (done["state"], done["version"], done["comment"]) == ("done", 2, "Well done.")
        assert done["scores"] == scores(complete=4, friendly=None)
        # (5·1 + 4·¾ + 3·1 + 2·1) / 14 = 13 / 14
        assert done["score"] == 93
        assert done["reviewer"] == {"id": olga.pk, "name": olga.full_name}
        assert done["done_at"] is not None

    @pytest.mark.parametrize(
        "given",
        [
            pytest.param(scores()[1:], id="one is missing"),
            pytest.param([*scores(), *scores()[:1]], id="one stands twice"),
            pytest.param([*scores()[1:], {"key": "charm", "value": 1, "note": ""}], id="one that nobody asked for"),
            pytest.param(scores(correct=2), id="a yes is 1"),
            pytest.param(scores(complete=0), id="five begins at 1"),
            pytest.param([], id="none"),
        ],
    )
    def test_others_are_refused_and_nothing_changes(
        self, olgas_console: Console, review: Review, given: list[dict[str, Any]]
    ) -> None:
        refused = olgas_console.request("PUT", f"/reviews/{review.pk}/scores", json={"version": 1, "scores": given})
        assert list(assert_problem(refused, 422, "invalid_input")["errors"]) == ["scores"]
        review.refresh_from_db()
        assert (review.state, review.version, review.scores) == ("open", 1, [])

    def test_two_reviewers_do_not_overwrite_each_other(self, olgas_console: Console, review: Review) -> None:
        path, body = f"/reviews/{review.pk}/scores", {"version": 1, "scores": scores()}
        olgas_console.data("PUT", path, json=body)
        again = {"version": 1, "scores": scores(correct=0)}
        assert_problem(olgas_console.request("PUT", path, json=again), 409, "review_changed")
        review.refresh_from_db()
        assert review.score == 100
        changed = olgas_console.data("PUT", path, json={**again, "version": 2})
        assert (changed["score"], changed["version"]) == (0, 3)

    def test_nobody_scores_themselves(self, olgas_console: Console, shop: Widget, olga: Agent) -> None:
        own = review_of(ended(shop, olga), olga)
        body = {"version": 1, "scores": scores()}
        assert_problem(olgas_console.request("PUT", f"/reviews/{own.pk}/scores", json=body), 403, "own_review")
        own.refresh_from_db()
        assert own.state == "open"

    def test_a_review_keeps_its_own_version_of_the_scorecard(self, olgas_console: Console, review: Review) -> None:
        one = [{"key": "kind", "title": "Kind", "scale": "yes_no"}]
        olgas_console.data("PUT", "/scorecard", json={"version": 1, "criteria": one})
        done = olgas_console.data("PUT", f"/reviews/{review.pk}/scores", json={"version": 1, "scores": scores()})
        assert (done["scorecard_version"], done["score"]) == (1, 100)

    def test_it_goes_on_where_the_subject_is_suspended(
        self, olgas_console: Console, review: Review, alice: Agent
    ) -> None:
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        body = {"version": 1, "scores": scores()}
        assert olgas_console.data("PUT", f"/reviews/{review.pk}/scores", json=body)["state"] == "done"

    def test_a_chat_that_was_erased_takes_its_review_along(
        self, olgas_console: Console, review: Review, answered: Chat
    ) -> None:
        from apps.chats.actions.erasure import erase_contact

        erase_contact(widget_id=answered.widget_id, guid=str(answered.contact.guid))
        body = {"version": 1, "scores": scores()}
        assert_problem(olgas_console.request("PUT", f"/reviews/{review.pk}/scores", json=body), 404, "not_found")
        assert not Review.objects.exists()


class TestTheOperatorsReply:
    @pytest.fixture
    def done(self, olgas_console: Console, review: Review) -> Review:
        olgas_console.data("PUT", f"/reviews/{review.pk}/scores", json={"version": 1, "scores": scores()})
        return review

    def test_operators_see_those_of_their_own_that_are_done(
        self, alices_console: Console, boriss_console: Console, done: Review, shop: Widget, alice: Agent
    ) -> None:
        still_open = review_of(ended(shop, alice), alice)
        assert [row["id"] for row in alices_console.data("GET", "/reviews")] == [done.pk]
        assert alices_console.data("GET", f"/reviews/{done.pk}")["score"] == 100
        assert_problem(alices_console.request("GET", f"/reviews/{still_open.pk}"), 404, "not_found")
        assert boriss_console.data("GET", "/reviews") == []
        assert_problem(boriss_console.request("GET", f"/reviews/{done.pk}"), 404, "not_found")

    def test_the_subject_answers_once_and_the_reviewer_settles(
        self, alices_console: Console, olgas_console: Console, done: Review
    ) -> None:
        answered = alices_console.data("POST", f"/reviews/{done.pk}/reply", json={"text": "It was so."})
        assert (answered["state"], answered["reply"]["text"], answered["version"]) == ("answered", "It was so.", 3)
        again = alices_console.request("POST", f"/reviews/{done.pk}/reply", json={"text": "And so."})
        assert_problem(again, 409, "already_answered")
        late = {"version": 3, "scores": scores()}
        assert_problem(olgas_console.request("PUT", f"/reviews/{done.pk}/scores", json=late), 409, "review_changed")
        settled = olgas_console.data(
            "POST", f"/reviews/{done.pk}/settle", json={"version": 3, "scores": scores(clear=3), "comment": "Agreed."}
        )
        assert (settled["state"], settled["comment"], settled["version"]) == ("settled", "Agreed.", 4)
        # (5 + 4 + 3·½ + 2 + 2) / 16 = 14.5 / 16
        assert settled["score"] == 91

    def test_nobody_else_answers(self, olgas_console: Console, boriss_console: Console, done: Review) -> None:
        path, body = f"/reviews/{done.pk}/reply", {"text": "It was so."}
        assert_problem(olgas_console.request("POST", path, json=body), 403, "review_not_yours")
        assert_problem(boriss_console.request("POST", path, json=body), 404, "not_found")
        done.refresh_from_db()
        assert (done.state, done.reply) == ("done", "")

    def test_an_open_one_is_not_settled(self, olgas_console: Console, review: Review) -> None:
        refused = olgas_console.request("POST", f"/reviews/{review.pk}/settle", json={"version": 1})
        assert_problem(refused, 409, "review_changed")

    def test_operators_do_not_see_what_a_model_said(self, alices_console: Console, done: Review) -> None:
        suggestion = [{"key": "correct", "value": 1, "reason": "", "quotes": []}]
        Review.objects.filter(pk=done.pk).update(suggestion=suggestion)
        hidden = {"state": "none", "scores": []}
        assert alices_console.data("GET", f"/reviews/{done.pk}")["prefill"] == hidden
        assert alices_console.data("GET", "/reviews")[0]["prefill"] == hidden


class TestTheList:
    def test_it_is_filtered_by_state_operator_and_origin(
        self, olgas_console: Console, shop: Widget, alice: Agent, boris: Agent
    ) -> None:
        first = review_of(ended(shop, alice), alice)
        second = review_of(ended(shop, boris), boris, origin="flag", flags=["slow"], state="done")
        found = olgas_console.data("GET", "/reviews")
        assert [row["id"] for row in found] == [second.pk, first.pk]
        for query, ids in (
            ({"state": "open"}, [first.pk]),
            ({"agent_id": str(boris.pk)}, [second.pk]),
            ({"origin": "flag", "state": "open"}, []),
        ):
            assert [row["id"] for row in olgas_console.data("GET", "/reviews", query=query)] == ids

    def test_an_unknown_operator_is_422(self, olgas_console: Console) -> None:
        refused = olgas_console.request("GET", "/reviews", query={"agent_id": "99999999"})
        assert list(assert_problem(refused, 422, "invalid_input")["errors"]) == ["agent_id"]
