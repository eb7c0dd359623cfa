"""Picking the week's episodes: `manage.py pick_reviews` and its job (design, section 5, "Queue")."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from io import StringIO
from threading import Barrier
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models import AnswerFeedback, Exchange
from apps.chats.models import Chat, Message
from apps.reviews.actions.picking import pick_reviews
from apps.reviews.models import Review, Scorecard
from apps.reviews.querysets.scorecards import scorecard_of
from tests.factories import AgentFactory, AiAgentFactory, WidgetFactory
from tests.reviews.made import AT, MONDAY, ended, episode_of

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


def picked(as_of: datetime = MONDAY) -> list[dict[str, Any]]:
    """What the command picks."""
    out = StringIO()
    call_command("pick_reviews", "--as-of", as_of.isoformat(), "--json", stdout=out)
    found: list[dict[str, Any]] = json.loads(out.getvalue())["picked"]
    return found


def card(widget: Widget, **values: Any) -> None:
    """A new version of the scorecard; nothing is flagged unless it is said."""
    before = scorecard_of(widget.pk)
    given = {"criteria": before.criteria, "flags": [], **values}
    Scorecard.objects.create(widget=widget, version=before.version + 1, **given)


def exchange(chat: Chat, **values: Any) -> Exchange:
    first, answer = Message.objects.filter(chat=chat).order_by("id")[:2]
    about = {"question": "?", "answer": "!", "language": "en", "way": "answer", "transformation": "answer"}
    more = {"classifier": "not_needed", "rag_status": "off", "outcome": "shown", "answer_message_id": answer.pk}
    ends = {"first_message_id": first.pk, "last_message_id": first.pk}
    made: Exchange = Exchange.objects.create(widget=chat.widget, chat=chat, **{**about, **more, **ends, **values})
    return made


@pytest.fixture
def flora(shop: Widget) -> Agent:
    return AiAgentFactory.create(widget=shop)


class TestTheSample:
    def test_it_is_of_the_week_before_and_once(self, shop: Widget, alice: Agent) -> None:
        card(shop, per_operator=50)
        chat = ended(shop, alice)
        for at in (AT - WEEK, AT + WEEK):
            ended(shop, alice, at=at)
        (found,) = picked()
        review = Review.objects.get()
        assert found == {
            "review_id": review.pk,
            "chat_id": chat.pk,
            "episode_id": episode_of(chat),
            "origin": "sample",
            "flags": [],
        }
        assert (review.kind, review.agent_id, review.state, review.scorecard_version) == ("person", alice.pk, "open", 2)
        assert picked() == []
        assert Review.objects.count() == 1

    def test_so_many_a_week_of_each_operator_and_of_ai(
        self, shop: Widget, alice: Agent, boris: Agent, flora: Agent
    ) -> None:
        card(shop, per_operator=2, ai=3)
        for _ in range(5):
            ended(shop, alice)
            ended(shop, boris)
            ended(shop, flora, sender_kind="ai", assistant_id=9)
        picked()
        by_subject = [
            Review.objects.filter(agent_id=agent.pk, kind=kind).count()
            for agent, kind in ((alice, "person"), (boris, "person"), (flora, "ai"))
        ]
        assert by_subject == [2, 2, 3]
        assert Review.objects.count() == 7
        assert set(Review.objects.filter(kind="ai").values_list("assistant_id", flat=True)) == {9}

    def test_the_installations_secret_decides(self, shop: Widget, alice: Agent, settings: Any) -> None:
        card(shop, per_operator=3)
        for _ in range(12):
            ended(shop, alice)
        first = {each["episode_id"] for each in picked()}
        Review.objects.all().delete()
        assert {each["episode_id"] for each in picked()} == first
        Review.objects.all().delete()
        settings.SECRET_KEY = "another secret of the installation, of the same length"
        assert {each["episode_id"] for each in picked()} != first

    def test_an_episode_that_comes_late_does_not_make_it_larger(self, shop: Widget, alice: Agent) -> None:
        card(shop, per_operator=2)
        for _ in range(2):
            ended(shop, alice)
        assert len(picked()) == 2
        for _ in range(8):
            ended(shop, alice)
        assert picked() == []

    def test_none_where_the_owner_wants_none(self, shop: Widget, alice: Agent) -> None:
        card(shop, per_operator=0, ai=0)
        ended(shop, alice, value=1)
        assert picked() == []

    def test_another_widgets_stay_its_own(self, shop: Widget, alice: Agent) -> None:
        other = WidgetFactory.create()
        ended(other, AgentFactory.create(widget=other))
        ended(shop, alice)
        picked()
        assert {review.widget_id: review.chat.widget_id for review in Review.objects.all()} == {
            shop.pk: shop.pk,
            other.pk: other.pk,
        }


class TestFlags:
    @pytest.fixture(autouse=True)
    def _no_sample(self, shop: Widget) -> None:
        flags = ["low_rating", "thumb_down", "reopened", "untrusted_handoff", "facts_removed", "safety"]
        card(shop, per_operator=0, ai=0, flags=flags)

    def flags(self) -> list[tuple[int, str, list[str]]]:
        return [(each["chat_id"], each["origin"], each["flags"]) for each in picked()]

    def test_a_low_rating_by_the_policy(self, shop: Widget, alice: Agent) -> None:
        low = ended(shop, alice, value=2)
        ended(shop, alice, value=3)
        assert self.flags() == [(low.pk, "flag", ["low_rating"])]

    def test_a_visitor_who_came_back(self, shop: Widget, alice: Agent) -> None:
        from tests.factories import MessageFactory

        chat = ended(shop, alice)
        MessageFactory.create(chat=chat, body="It is broken again", created_at=AT + timedelta(days=2))
        assert self.flags() == [(chat.pk, "flag", ["reopened"])]

    def test_the_slowest_tenth_of_the_week(self, shop: Widget, alice: Agent) -> None:
        card(shop, per_operator=0, ai=0, flags=["slow"])
        chats = [ended(shop, alice, wait_s=10 * number) for number in range(1, 21)]
        assert self.flags() == [(chat.pk, "flag", ["slow"]) for chat in chats[17:]]

    def test_what_a_machine_did_is_of_ai_though_a_person_answered_last(
        self, shop: Widget, alice: Agent, flora: Agent
    ) -> None:
        from tests.factories import MessageFactory

        chat = ended(shop, flora, sender_kind="ai", assistant_id=None)
        MessageFactory.create(chat=chat, agent=alice, body="I see.", created_at=AT + timedelta(minutes=5))
        answer = Message.objects.filter(chat=chat).order_by("id")[1]
        made = exchange(chat, operator_id=flora.pk, facts_removed=["95 roubles"])
        AnswerFeedback.objects.create(message_id=answer.pk, widget=shop, chat=chat, exchange=made, helpful=False)
        assert self.flags() == [(chat.pk, "flag", ["thumb_down", "facts_removed"])]
        review = Review.objects.get()
        assert (review.kind, review.agent_id) == ("ai", flora.pk)

    @pytest.mark.parametrize(
        ("reason", "flag"), [("safety_floor", "safety"), ("untrusted_handoff", "untrusted_handoff")]
    )
    def test_a_handover_of_ai(self, shop: Widget, flora: Agent, reason: str, flag: str) -> None:
        chat = ended(shop, flora, sender_kind="ai")
        exchange(chat, operator_id=flora.pk, reason=reason)
        assert self.flags() == [(chat.pk, "flag", [flag])]

    def test_a_thumb_up_or_a_whole_answer_is_no_flag(self, shop: Widget, flora: Agent) -> None:
        chat = ended(shop, flora, sender_kind="ai")
        answer = Message.objects.filter(chat=chat).order_by("id")[1]
        made = exchange(chat, operator_id=flora.pk)
        AnswerFeedback.objects.create(message_id=answer.pk, widget=shop, chat=chat, exchange=made, helpful=True)
        assert self.flags() == []

    def test_one_that_is_in_the_sample_too_is_one_review(self, shop: Widget, alice: Agent) -> None:
        card(shop, per_operator=1, flags=["low_rating"])
        low = ended(shop, alice, value=1)
        assert self.flags() == [(low.pk, "sample", ["low_rating"])]

    def test_the_owner_chooses_which_count(self, shop: Widget, alice: Agent) -> None:
        card(shop, per_operator=0, ai=0, flags=["reopened"])
        ended(shop, alice, value=1)
        assert self.flags() == []

    def test_a_flag_that_comes_later_is_taken_by_another_run(self, shop: Widget, alice: Agent) -> None:
        from apps.chats.models import Rating

        chat = ended(shop, alice)
        assert self.flags() == []
        newest = Message.objects.filter(chat=chat).order_by("-id")[0].pk
        Rating.objects.create(widget=shop, chat=chat, value=1, rated_at=AT + WEEK, agent=alice, after_message_id=newest)
        assert self.flags() == [(chat.pk, "flag", ["low_rating"])]


class TestTheJob:
    def test_it_picks_where_it_is_monday(self, shop: Widget, alice: Agent) -> None:
        card(shop, per_operator=1)
        ended(shop, alice)
        assert pick_reviews(as_of=MONDAY + timedelta(days=1), on_mondays=True) == []
        assert len(pick_reviews(as_of=MONDAY, on_mondays=True)) == 1

    def test_statements_do_not_grow_with_the_episodes(
        self, shop: Widget, alice: Agent, django_assert_max_num_queries: Any
    ) -> None:
        card(shop, per_operator=3, flags=["low_rating"])
        for _ in range(20):
            ended(shop, alice, value=1)
        with django_assert_max_num_queries(70):
            assert len(pick_reviews(as_of=MONDAY, widget_id=shop.pk)) == 20

    def test_a_moment_that_is_none_is_refused(self) -> None:
        with pytest.raises(CommandError):
            call_command("pick_reviews", "--as-of", "monday", "--json")


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_pick_once() -> None:
    alice = AgentFactory.create(widget=WidgetFactory.create())
    chats = {ended(alice.widget, alice, value=1).pk for _ in range(4)}
    both = Barrier(2)

    def run() -> list[int]:
        try:
            both.wait()
            return [review.chat_id for review in pick_reviews(as_of=MONDAY)]
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as jobs:
        found = [chat_id for job in [jobs.submit(run), jobs.submit(run)] for chat_id in job.result(timeout=60)]
    assert sorted(found) == sorted(chats)
    assert Review.objects.count() == len(chats)
