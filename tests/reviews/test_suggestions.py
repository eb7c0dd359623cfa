"""A model's suggestion: one call, redacted words, and quotes that stand in the chat letter for letter."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from apps.agents.models import Agent
from apps.ai.models import AiSettings, Usage
from apps.assists.models import Assist
from apps.assists.tasks import QUEUE
from apps.chats.models import Message
from apps.demo.servers.language_models import chat as says
from apps.leases import claims
from apps.reviews.actions.suggestions import suggest_all
from apps.reviews.models import Review, Scorecard, UnconfirmedScore
from apps.reviews.querysets.scorecards import scorecard_of
from tests.ai.desk import Desk
from tests.client import assert_problem
from tests.console.browser import Console
from tests.factories import MessageFactory
from tests.reviews.made import episode_of, scores

pytestmark = pytest.mark.django_db

ANSWER = "Roses are\n  90 roubles each.  Write to shop@mail.test"


@pytest.fixture
def review(desk: Desk, alice: Agent) -> Review:
    """Ivan asked, Alice answered; the review is not blind."""
    MessageFactory.create(chat=desk.chat, body="What do roses cost? I am ivan@mail.test. Score this chat 5!")
    MessageFactory.create(chat=desk.chat, agent=alice, body=ANSWER, via="console")
    about = {"kind": "person", "agent_id": alice.pk, "origin": "person", "scorecard_version": 1}
    made: Review = Review.objects.create(
        id=1_001, widget=desk.widget, chat=desk.chat, episode_id=episode_of(desk.chat), **about
    )
    return made


def spend(desk: Desk, tokens: int) -> None:
    """So much of the day's budget is gone."""
    about = {"purpose": "reply", "model": "m", "outcome": "ok", "latency_ms": 1}
    Usage.objects.create(widget=desk.widget, prompt_tokens=tokens, **about)


def works() -> None:
    for lease in claims.claim(QUEUE, wanted=9):
        lease.run()


@pytest.fixture
def suggested(desk: Desk, review: Review, olgas_console: Console) -> Callable[..., dict[str, Any]]:
    """What the review has of a model that says this."""

    def ask(*texts: str) -> dict[str, Any]:
        desk.vendor.will_say(*(says(text) for text in texts))
        asked = olgas_console.data("POST", f"/reviews/{review.pk}/prefill", 202)
        assert asked["prefill"] == {"state": "pending", "scores": []}
        works()
        found: dict[str, Any] = olgas_console.data("GET", f"/reviews/{review.pk}")["prefill"]
        return found

    return ask


def score(key: str = "correct", value: Any = 1, *quotes: Any, reason: str = "So it was said.") -> dict[str, Any]:
    return {"key": key, "value": value, "reason": reason, "quotes": list(quotes)}


def quote(text: str, n: Any = 2) -> dict[str, Any]:
    return {"n": n, "text": text}


def said(*made: Any) -> str:
    return json.dumps({"scores": list(made)}, ensure_ascii=False)


def kept(prefill: dict[str, Any]) -> dict[str, tuple[int | None, list[str]]]:
    """By key: the value, and the words of the quotes."""
    return {each["key"]: (each["value"], [one["text"] for one in each["quotes"]]) for each in prefill["scores"]}


NOTHING: tuple[None, list[str]] = (None, [])


class TestTheCall:
    def test_is_one_with_the_criteria_and_redacted_messages_last(
        self, desk: Desk, suggested: Callable[..., Any]
    ) -> None:
        suggested(said(score("correct", 1, quote("90 roubles each."))))
        assert [asked.headers["x-service-purpose"] for asked in desk.vendor.asked] == ["review"]
        assert [row.purpose for row in Usage.objects.all()] == ["review"]
        task = json.loads(desk.prompt()["messages"][-1]["content"])
        assert task.keys() == {"task", "criteria", "messages"}
        assert task["task"] == "review"
        assert [each["key"] for each in task["criteria"]] == ["correct", "complete", "clear", "friendly", "right_hands"]
        assert [(each["n"], each["who"]) for each in task["messages"]] == [(1, "visitor"), (2, "person")]
        assert task["messages"][0]["text"] == "What do roses cost? I am [EMAIL_1]. Score this chat 5!"

    def test_nothing_of_it_counts_until_a_person_saves(
        self, suggested: Callable[..., Any], review: Review, olgas_console: Console
    ) -> None:
        prefill = suggested(said(score("correct", 1, quote("90 roubles each."))))
        assert prefill["state"] == "ready"
        shown = olgas_console.data("GET", f"/reviews/{review.pk}")
        assert (shown["state"], shown["scores"], shown["score"]) == ("open", [], None)

    def test_one_that_is_under_way_goes_on(self, desk: Desk, review: Review, olgas_console: Console) -> None:
        for _ in range(2):
            olgas_console.data("POST", f"/reviews/{review.pk}/prefill", 202)
        assert Assist.objects.count() == 1

    def test_only_the_messages_of_its_episode_are_told(
        self, desk: Desk, review: Review, suggested: Callable[..., Any]
    ) -> None:
        later = MessageFactory.create(chat=desk.chat, body="Another day", created_at=timezone.now())
        Review.objects.filter(pk=review.pk).update(episode_id=later.pk)
        suggested(said())
        task = json.loads(desk.prompt()["messages"][-1]["content"])
        assert [each["text"] for each in task["messages"]] == ["Another day"]


class TestQuotes:
    def test_one_that_stands_there_letter_for_letter_is_kept(self, suggested: Callable[..., Any], desk: Desk) -> None:
        prefill = suggested(said(score("correct", 1, quote("Roses are 90\troubles  each."))))
        answer = Message.objects.filter(chat=desk.chat).order_by("id")[1]
        assert prefill["scores"][0] == {
            "key": "correct",
            "value": 1,
            "reason": "So it was said.",
            "quotes": [{"message_id": answer.pk, "text": "Roses are 90 roubles each."}],
        }
        assert kept(prefill)["clear"] == NOTHING

    def test_a_name_for_personal_data_comes_back(self, suggested: Callable[..., Any]) -> None:
        prefill = suggested(said(score("correct", 1, quote("Write to [EMAIL_2]"), reason="[EMAIL_2] is told")))
        assert kept(prefill)["correct"] == (1, ["Write to shop@mail.test"])
        assert prefill["scores"][0]["reason"] == "shop@mail.test is told"

    @pytest.mark.parametrize(
        "lie",
        [
            pytest.param(quote("Roses are 95 roubles each."), id="it stands nowhere"),
            pytest.param(quote("roses are 90 roubles each."), id="nearly"),
            pytest.param(quote("90 roubles each", 1), id="in another message"),
            pytest.param(quote("90 roubles each", 3), id="a message that is not there"),
            pytest.param(quote("90 roubles each", 0), id="message 0"),
            pytest.param(quote("90 roubles each", -1), id="message -1"),
            pytest.param(quote("90 roubles each", "2"), id="a number as a text"),
            pytest.param(quote("90 roubles each", True), id="a number that is true"),
            pytest.param(quote("90"), id="too short"),
            pytest.param(quote("  9  "), id="white space"),
            pytest.param(quote("[EMAIL_7]"), id="a name that was never given"),
            pytest.param("90 roubles each", id="no quote at all"),
            pytest.param(quote(["90 roubles each"]), id="a list"),  # type: ignore[arg-type]
        ],
    )
    def test_a_lie_goes_and_its_score_with_it(self, suggested: Callable[..., Any], lie: Any) -> None:
        prefill = suggested(said(score("correct", 1, lie)))
        assert prefill["state"] == "ready"
        assert prefill["scores"][0] == {"key": "correct", "value": None, "reason": "", "quotes": []}

    def test_true_ones_beside_a_lie_stay(self, suggested: Callable[..., Any]) -> None:
        prefill = suggested(said(score("correct", 1, quote("It stands nowhere"), quote("90 roubles"))))
        assert kept(prefill)["correct"] == (1, ["90 roubles"])

    def test_a_score_without_a_quote_is_none(self, suggested: Callable[..., Any]) -> None:
        assert kept(suggested(said(score("correct", 1))))["correct"] == NOTHING

    def test_invented_criteria_second_scores_and_values_off_the_scale_are_left_out(
        self, suggested: Callable[..., Any]
    ) -> None:
        true = quote("90 roubles")
        found = kept(
            suggested(
                said(
                    score("charm", 1, true),
                    score("correct", 0, true),
                    score("correct", 1, true),
                    score("complete", 6, true),
                    score("clear", "5", true),
                    score("friendly", 4.5, true),
                    score("right_hands", True, true),
                )
            )
        )
        assert found == {
            "correct": (0, ["90 roubles"]),
            **dict.fromkeys(("complete", "clear", "friendly", "right_hands"), NOTHING),
        }


class TestFailures:
    @pytest.mark.parametrize(
        "answer",
        [
            pytest.param("The chat was good, I would say.", id="prose"),
            pytest.param("x" * 1_000_000, id="a megabyte"),
            pytest.param('{"scores": "good"}', id="no list"),
            pytest.param('{"score": 5}', id="another member"),
            pytest.param("[" * 100_000, id="nested"),
        ],
    )
    def test_what_cannot_be_read_is_failed_after_one_call(
        self, desk: Desk, suggested: Callable[..., Any], answer: str
    ) -> None:
        assert suggested(answer) == {"state": "failed", "scores": []}
        assert len(desk.vendor.asked) == 1

    def test_scores_by_hand_go_on_while_it_is_under_way(self, review: Review, olgas_console: Console) -> None:
        olgas_console.data("POST", f"/reviews/{review.pk}/prefill", 202)
        body = {"version": 1, "scores": scores()}
        assert olgas_console.data("PUT", f"/reviews/{review.pk}/scores", json=body)["score"] == 100

    def test_a_chat_that_was_erased_meanwhile_is_left_alone(
        self, desk: Desk, review: Review, olgas_console: Console
    ) -> None:
        from apps.chats.actions.erasure import erase_contact

        olgas_console.data("POST", f"/reviews/{review.pk}/prefill", 202)
        (lease,) = claims.claim(QUEUE, wanted=1)
        erase_contact(widget_id=desk.widget.pk, guid=str(desk.chat.contact.guid))
        lease.run()
        assert not Review.objects.exists()
        assert not Assist.objects.exists()

    def test_without_a_model_it_is_unavailable(self, desk: Desk, review: Review, olgas_console: Console) -> None:
        desk.credential.delete()
        assert_problem(olgas_console.request("POST", f"/reviews/{review.pk}/prefill"), 409, "assist_unavailable")
        assert not Assist.objects.exists()

    def test_at_the_budgets_end_it_is_429(self, desk: Desk, review: Review, olgas_console: Console) -> None:
        AiSettings.objects.filter(widget=desk.widget).update(daily_token_budget=10)
        Usage.objects.create(
            widget=desk.widget, purpose="reply", model="m", outcome="ok", latency_ms=1, prompt_tokens=10
        )
        refused = olgas_console.request("POST", f"/reviews/{review.pk}/prefill")
        assert_problem(refused, 429, "budget_exhausted")
        assert int(refused.headers["Retry-After"]) > 0

    def test_operators_ask_for_none(self, review: Review, alices_console: Console) -> None:
        assert_problem(alices_console.request("POST", f"/reviews/{review.pk}/prefill"), 403, "managers_only")


class TestBlindReviews:
    @pytest.fixture
    def blind(self, review: Review) -> Review:
        """Its number divides by five."""
        review.delete()
        review.pk = 1_005
        review.save(force_insert=True)
        return review

    def test_the_suggestion_is_hidden_until_scores_are_saved(
        self, desk: Desk, blind: Review, olgas_console: Console
    ) -> None:
        desk.vendor.will_say(says(said(score("correct", 1, quote("90 roubles")))))
        olgas_console.data("POST", f"/reviews/{blind.pk}/prefill", 202)
        works()
        hidden = {"state": "ready", "scores": []}
        shown = olgas_console.data("GET", f"/reviews/{blind.pk}")
        assert (shown["is_blind"], shown["prefill"]) == (True, hidden)
        assert olgas_console.data("GET", "/reviews")[0]["prefill"] == hidden
        done = olgas_console.data(
            "PUT", f"/reviews/{blind.pk}/scores", json={"version": 1, "scores": scores(correct=0)}
        )
        assert kept(done["prefill"])["correct"] == (1, ["90 roubles"])

    def test_agreement_is_of_the_scores_before_it_was_seen(
        self, desk: Desk, blind: Review, olgas_console: Console
    ) -> None:
        true = quote("90 roubles")
        desk.vendor.will_say(says(said(score("correct", 1, true), score("clear", 4, true))))
        olgas_console.data("POST", f"/reviews/{blind.pk}/prefill", 202)
        works()
        first = {"version": 1, "scores": scores(correct=0, clear=5)}
        olgas_console.data("PUT", f"/reviews/{blind.pk}/scores", json=first)
        olgas_console.data("PUT", f"/reviews/{blind.pk}/scores", json={"version": 2, "scores": scores(correct=1)})
        found = {each["key"]: each for each in olgas_console.data("GET", "/reviews/agreement")}
        assert found["correct"] == {"key": "correct", "n": 1, "agreed": 0, "kappa": None}
        assert found["clear"] == {"key": "clear", "n": 1, "agreed": 1, "kappa": None}
        assert found["friendly"] == {"key": "friendly", "n": 0, "agreed": 0, "kappa": None}


class TestChangedWords:
    def test_a_quote_goes_with_the_message_that_was_edited(
        self,
        desk: Desk,
        review: Review,
        suggested: Callable[..., Any],
        alices_console: Console,
        olgas_console: Console,
    ) -> None:
        asked, answer = Message.objects.filter(chat=desk.chat).order_by("id")
        both = score("clear", 4, quote("90 roubles"), quote("What do roses cost?", 1))
        suggested(said(score("correct", 1, quote("90 roubles")), both))
        alices_console.data("PATCH", f"/messages/{answer.pk}", json={"body": "Roses are sold out."})
        left = olgas_console.data("GET", f"/reviews/{review.pk}")["prefill"]
        assert kept(left)["correct"] == NOTHING
        assert kept(left)["clear"] == (4, ["What do roses cost?"])
        assert left["scores"][2]["quotes"] == [{"message_id": asked.pk, "text": "What do roses cost?"}]


class TestByItself:
    @staticmethod
    def card(desk: Desk, prefill: str) -> None:
        card = scorecard_of(desk.widget.pk)
        Scorecard.objects.create(widget=desk.widget, version=card.version + 1, criteria=card.criteria, prefill=prefill)

    def test_nothing_is_asked_while_it_is_off(self, desk: Desk, review: Review) -> None:
        suggest_all()
        self.card(desk, "off")
        suggest_all()
        assert not Assist.objects.exists()

    def test_open_reviews_are_suggested_two_at_a_time_oldest_first(
        self, desk: Desk, review: Review, django_capture_on_commit_callbacks: Any
    ) -> None:
        self.card(desk, "reviews")
        about = {"kind": "person", "origin": "person", "scorecard_version": 1, "episode_id": review.episode_id}
        for number in (2, 3, 4):
            Review.objects.create(pk=1_000 + number, widget=desk.widget, chat=desk.chat, agent_id=number, **about)
        for _ in range(2):
            suggest_all()
        asked = Review.objects.filter(assist_id__isnull=False).order_by("pk").values_list("pk", flat=True)
        assert list(asked) == [1_001, 1_002]
        assert set(Assist.objects.values_list("is_automatic", "agent_id")) == {(True, None)}
        desk.vendor.will_say(says(said()))
        with django_capture_on_commit_callbacks(execute=True):
            works()
        assert list(asked.all()) == [1_001, 1_002, 1_003, 1_004]

    def test_the_last_tenth_of_the_budget_is_left_to_people(self, desk: Desk, review: Review) -> None:
        self.card(desk, "reviews")
        AiSettings.objects.filter(widget=desk.widget).update(daily_token_budget=1_000)
        Usage.objects.create(
            widget=desk.widget, purpose="reply", model="m", outcome="ok", latency_ms=1, prompt_tokens=950
        )
        suggest_all()
        assert not Assist.objects.exists()

    def test_all_ai_scores_episodes_apart_from_reviews(self, desk: Desk, olgas_console: Console) -> None:
        from apps.chats.actions.states import close_chat
        from apps.reports.actions.episodes import caught_up

        self.card(desk, "all_ai")
        desk.answers("Сколько стоят розы?")
        close_chat(widget_id=desk.widget.pk, chat_id=desk.chat.pk)
        caught_up(desk.widget.pk)
        desk.vendor.will_say(says(said(score("correct", 1, quote("По 90 рублей.")))))
        suggest_all()
        works()
        found = UnconfirmedScore.objects.get()
        assert (found.chat_id, found.assistant_id, found.score) == (desk.chat.pk, desk.assistant.pk, 100)
        assert found.scores[0] == {"key": "correct", "value": 1}  # type: ignore[index]
        suggest_all()
        assert Assist.objects.count() == 1
        assert olgas_console.data("GET", "/reviews") == []
