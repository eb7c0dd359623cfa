"""Ratings belong to episodes; GET /api/v1/ratings, the policy's resource, and low ratings."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions
from apps.chats.models import Chat, ChatActivity, Message, Rating, RatingRequest
from apps.chats.rules.ratings import RequestCause
from apps.reports.models import RatingPolicy
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.reports.asking import answer, asks, ended, first_message, policy, visitor
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db

DEFAULTS: dict[str, Any] = {
    "ask": "manual",
    "outcomes": ["person"],
    "ended_by": ["operator"],
    "channels": None,
    "delay_minutes": 1,
    "again_days": 30,
    "valid_days": 7,
    "scale": "stars",
    "question_i18n": {},
    "thanks_i18n": {},
    "comment": "low",
    "low": 2,
    "on_low": "none",
}


def ratings(api: ApiClient, **filters: Any) -> list[dict[str, Any]]:
    answered = api.get(f"/ratings?{urlencode(filters)}")
    assert answered.status_code == 200, answered.content
    rows: list[dict[str, Any]] = answered.json()["data"]
    return rows


def rated(browser: VisitorClient, value: int, status: int = 201, **more: Any) -> None:
    assert browser.post("rating", {"value": value, **more}).status_code == status


class TestEpisodes:
    def test_within_one_the_newer_replaces_and_anothers_stays(self, shop: Widget, alice: Agent) -> None:
        browser = ended(shop, alice)
        rated(browser, 1)
        rated(browser, 2, 200)
        browser.say("And tulips?")
        rated(browser, 5)
        rated(browser, 4, 200)
        assert sorted(rating.value for rating in Rating.objects.all()) == [2, 4]

    def test_each_is_told_with_its_episode_and_who_answered_in_it(
        self, shop: Widget, alice: Agent, boris: Agent, api: ApiClient
    ) -> None:
        browser = ended(shop, alice)
        rated(browser, 2, comment="Late")
        tulips = browser.say("And tulips?")["id"]
        rated(browser, 3)
        answer(boris, browser.chat_id)
        rated(browser, 5, 200)
        newer, older = ratings(api)
        about = {"chat_id": browser.chat_id, "asked": False, "kind": "person"}
        assert {name: older[name] for name in (*about, "episode_id", "value", "comment", "agent_id")} == {
            **about,
            "episode_id": first_message(browser.chat_id),
            "value": 2,
            "comment": "Late",
            "agent_id": alice.pk,
        }
        assert (newer["episode_id"], newer["value"], newer["comment"], newer["agent_id"]) == (tulips, 5, None, boris.pk)

    def test_before_any_answer_nobody_is_rated(self, shop: Widget, api: ApiClient) -> None:
        browser = visitor(shop)
        rated(browser, 1)
        (row,) = ratings(api)
        assert (row["kind"], row["agent_id"], row["episode_id"]) == (None, None, first_message(browser.chat_id))

    def test_a_chat_without_owner_loses_no_rating(self, shop: Widget, alice: Agent, api: ApiClient) -> None:
        browser = visitor(shop)
        answer(alice, browser.chat_id)
        actions.return_chat(widget_id=shop.pk, chat_id=browser.chat_id)
        rated(browser, 5)
        assert ratings(api)[0]["agent_id"] == alice.pk

    def test_the_last_one_counts_where_two_episodes_became_one(
        self, shop: Widget, alice: Agent, api: ApiClient
    ) -> None:
        browser = ended(shop, alice)
        rated(browser, 1)
        browser.say("And tulips?")
        rated(browser, 5)
        ChatActivity.objects.filter(kind="closed").delete()
        (row,) = ratings(api)
        assert (row["value"], row["episode_id"]) == (5, first_message(browser.chat_id))

    def test_asked_says_whether_a_request_came_before(self, shop: Widget, alice: Agent, api: ApiClient) -> None:
        browser = ended(shop, alice)
        actions.request_rating(widget_id=shop.pk, chat_id=browser.chat_id)
        rated(browser, 5)
        assert ratings(api)[0]["asked"] is True


class TestList:
    @pytest.fixture
    def three(self, shop: Widget, alice: Agent, boris: Agent) -> dict[int, Rating]:
        """5 of Alice with words, 2 of Boris, 1 of nobody."""
        rated(ended(shop, alice), 5, comment="Quick")
        rated(ended(shop, boris), 2)
        rated(visitor(shop), 1)
        for rating, days in zip(Rating.objects.order_by("value"), (1, 2, 3), strict=True):
            Rating.objects.filter(pk=rating.pk).update(rated_at=timezone.now() - timedelta(days=days))
        return {rating.value: rating for rating in Rating.objects.all()}

    def test_newest_first_in_pages(self, three: dict[int, Rating], api: ApiClient) -> None:
        first = api.get("/ratings?limit=2").json()
        assert [row["value"] for row in first["data"]] == [1, 2]
        rest = api.get(f"/ratings?limit=2&cursor={first['next_cursor']}").json()
        assert ([row["value"] for row in rest["data"]], rest["next_cursor"]) == ([5], None)

    @pytest.mark.parametrize(
        ("filters", "values"),
        [
            ({"value": "5"}, [5]),
            ({"value": "1,2"}, [1, 2]),
            ({"kind": "person"}, [2, 5]),
            ({"kind": "ai"}, []),
            ({"kind": "person,ai"}, [2, 5]),
            ({"has_comment": "1"}, [5]),
            ({"has_comment": "0"}, [1, 2]),
        ],
    )
    def test_filters(
        self, three: dict[int, Rating], api: ApiClient, filters: dict[str, str], values: list[int]
    ) -> None:
        assert [row["value"] for row in ratings(api, **filters)] == values

    def test_by_operator_and_time(self, three: dict[int, Rating], api: ApiClient, alice: Agent, boris: Agent) -> None:
        assert [row["value"] for row in ratings(api, agent_id=str(alice.pk))] == [5]
        assert [row["value"] for row in ratings(api, agent_id=f"{alice.pk},{boris.pk}")] == [2, 5]
        now = timezone.now()
        window = {"from": (now - timedelta(hours=60)).isoformat(), "to": (now - timedelta(hours=36)).isoformat()}
        assert [row["value"] for row in ratings(api, **window)] == [2]

    def test_foreign_and_unknown_operators_are_422_alike(
        self, three: dict[int, Rating], api: ApiClient, rival: Rival
    ) -> None:
        texts = set()
        for agent_id in (rival.agent.pk, 2**40):
            refused = api.get(f"/ratings?agent_id={agent_id}")
            assert_problem(refused, 422, "invalid_input", errors=["agent_id"])
            texts.add(str(refused.json()["errors"]))
        assert len(texts) == 1

    @pytest.mark.parametrize(
        ("name", "value"),
        [("value", "6"), ("value", ""), ("kind", "robot"), ("agent_id", "x"), ("has_comment", "yes"), ("from", "x")],
    )
    def test_bad_filters_are_422(self, api: ApiClient, name: str, value: str) -> None:
        assert_problem(api.get(f"/ratings?{name}={value}"), 422, "invalid_input", errors=[name])

    def test_another_widgets_ratings_are_not_shown(self, three: dict[int, Rating], rival_api: ApiClient) -> None:
        assert ratings(rival_api) == []

    def test_followed_up_at_is_a_persons_first_word_after_a_low_one(
        self, shop: Widget, alice: Agent, api: ApiClient
    ) -> None:
        browser = ended(shop, alice)
        rated(browser, 2)
        assert ratings(api)[0]["followed_up_at"] is None
        actions.post_note(widget_id=shop.pk, chat_id=browser.chat_id, agent_id=alice.pk, content=NOTE)
        assert ratings(api)[0]["followed_up_at"] is None
        answer(alice, browser.chat_id, "We are sorry.")
        answer(alice, browser.chat_id, "What went wrong?")
        sorry = Message.objects.get(body="We are sorry.")
        shown = ratings(api)[0]["followed_up_at"]
        assert shown == sorry.created_at.isoformat().replace("+00:00", "Z")

    def test_a_good_one_is_not_followed_up(self, shop: Widget, alice: Agent, api: ApiClient) -> None:
        browser = ended(shop, alice)
        rated(browser, 3)
        answer(alice, browser.chat_id, "Thank you!")
        assert ratings(api)[0]["followed_up_at"] is None
        policy(shop, low=3)
        assert ratings(api)[0]["followed_up_at"] is not None


NOTE = {"type": "text", "body": "Call them"}


class TestPolicy:
    def test_the_defaults(self, api: ApiClient) -> None:
        assert api.get("/rating-policy").json()["data"] == DEFAULTS

    def test_a_change_is_kept_and_answered(self, api: ApiClient, shop: Widget) -> None:
        changes = {
            "ask": "after_end",
            "outcomes": ["person", "ai"],
            "ended_by": ["operator", "api", "silence"],
            "channels": ["widget", "tg"],
            "delay_minutes": 1440,
            "again_days": 0,
            "valid_days": 60,
            "scale": "faces",
            "question_i18n": {"de": "Wie war der Tee?"},
            "thanks_i18n": {"en": "Come again!"},
            "comment": "always",
            "low": 3,
            "on_low": "waits",
        }
        answered = api.patch("/rating-policy", json=changes)
        assert (answered.status_code, answered.json()["data"]) == (200, changes)
        assert api.get("/rating-policy").json()["data"] == changes
        assert api.patch("/rating-policy", json={"channels": None}).json()["data"]["channels"] is None

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("ask", "always"),
            ("ask", None),
            ("outcomes", []),
            ("outcomes", ["dismissed"]),
            ("outcomes", ["person", "person"]),
            ("ended_by", []),
            ("ended_by", ["nobody"]),
            ("channels", ["ch999999"]),
            ("channels", ["no channel"]),
            ("channels", []),
            ("delay_minutes", 1441),
            ("delay_minutes", -1),
            ("again_days", 366),
            ("valid_days", 0),
            ("valid_days", 61),
            ("scale", "hearts"),
            ("question_i18n", {"xx": "?"}),
            ("question_i18n", {"en": ""}),
            ("question_i18n", {"en": "a" * 301}),
            ("thanks_i18n", ["Thanks"]),
            ("comment", "sometimes"),
            ("low", 0),
            ("low", 4),
            ("on_low", "closes"),
        ],
    )
    def test_a_bad_value_is_422_on_it_and_nothing_changes(self, api: ApiClient, name: str, value: Any) -> None:
        rows = snapshot()
        refused = api.patch("/rating-policy", json={name: value})
        assert refused.status_code == 422
        assert {path.split(".")[0] for path in refused.json()["errors"]} == {name}
        assert snapshot() == rows

    def test_switching_it_on_begins_from_then(self, api: ApiClient) -> None:
        before = timezone.now()
        api.patch("/rating-policy", json={"ask": "after_end"})
        since = RatingPolicy.objects.get().since
        assert since is not None
        assert since >= before
        api.patch("/rating-policy", json={"ask": "after_end", "low": 1})
        assert RatingPolicy.objects.get().since == since
        api.patch("/rating-policy", json={"ask": "manual"})
        assert RatingPolicy.objects.get().since is None

    @pytest.mark.parametrize(("lang", "question"), [("en", "How did we do?"), ("ru", "Как мы справились?")])
    def test_the_form_is_in_the_served_config(self, shop: Widget, lang: str, question: str) -> None:
        form = VisitorClient(shop).get(f"config?lang={lang}").json()["data"]["rating_form"]
        assert form == {
            "scale": "stars",
            "question": question,
            "thanks": "Thank you!" if lang == "en" else "Спасибо!",
            "comment": "low",
            "low": 2,
        }

    def test_the_owners_words_are_served(self, shop: Widget) -> None:
        policy(shop, question_i18n={"en": "Was it tea?"}, scale="thumbs", comment="never")
        form = VisitorClient(shop).get("config?lang=en").json()["data"]["rating_form"]
        assert (form["question"], form["scale"], form["comment"]) == ("Was it tea?", "thumbs", "never")


class TestLowRatings:
    @pytest.fixture
    def browser(self, shop: Widget, alice: Agent) -> VisitorClient:
        policy(shop, on_low="waits")
        return ended(shop, alice)

    def test_the_chat_is_open_again_and_waits_for_a_person(self, browser: VisitorClient) -> None:
        rated(browser, 2)
        chat = Chat.objects.get(pk=browser.chat_id)
        assert (chat.status, chat.handover_reason) == ("active", "low_rating")
        assert chat.handed_over_at is not None
        steps = ChatActivity.objects.filter(chat=chat).order_by("id").values_list("kind", "comment")
        assert list(steps)[-3:] == [("rated", "2"), ("reopened", ""), ("waits", "low_rating")]

    def test_a_better_one_changes_nothing(self, browser: VisitorClient) -> None:
        rated(browser, 3)
        chat = Chat.objects.get(pk=browser.chat_id)
        assert (chat.status, chat.handed_over_at) == ("expired", None)

    def test_one_that_becomes_low_does_and_one_that_stays_low_does_not_again(
        self, browser: VisitorClient, shop: Widget
    ) -> None:
        rated(browser, 5)
        rated(browser, 1, 200)
        assert Chat.objects.get(pk=browser.chat_id).status == "active"
        actions.close_chat(widget_id=shop.pk, chat_id=browser.chat_id)
        rated(browser, 2, 200)
        assert Chat.objects.get(pk=browser.chat_id).status == "expired"

    def test_by_default_nothing_happens(self, shop: Widget, alice: Agent) -> None:
        browser = ended(shop, alice)
        rated(browser, 1)
        assert Chat.objects.get(pk=browser.chat_id).status == "expired"

    def test_a_spam_chat_stays_spam(self, browser: VisitorClient) -> None:
        Chat.objects.filter(pk=browser.chat_id).update(status="spam")
        rated(browser, 1)
        chat = Chat.objects.get(pk=browser.chat_id)
        assert (chat.status, chat.handed_over_at) == ("spam", None)

    def test_it_is_no_handover_of_the_episode(self, browser: VisitorClient, api: ApiClient, alice: Agent) -> None:
        """The wait is the shop's own wish: the episode ended, and its visitor did not write."""
        rated(browser, 1)
        (row,) = ratings(api)
        assert (row["kind"], row["agent_id"]) == ("person", alice.pk)


def test_a_macros_and_an_automations_requests_count_as_asked(shop: Widget, alice: Agent, api: ApiClient) -> None:
    browser = ended(shop, alice)
    for cause in (RequestCause.AUTOMATION, RequestCause.MACRO):
        actions.request_rating(widget_id=shop.pk, chat_id=browser.chat_id, cause=cause)
    policy(shop, again_days=30)
    assert {request.cause for request in RatingRequest.objects.all()} == {"automation", "macro"}
    assert asks()["asked"] == []
    rated(browser, 4)
    assert ratings(api)[0]["asked"] is True
