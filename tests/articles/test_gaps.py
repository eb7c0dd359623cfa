"""Asked in vain, drafted, told (design of the first word, 4)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models import AnswerFeedback
from apps.articles.actions.gaps import gap_of, gaps_of
from apps.articles.actions.publishing import publish
from apps.articles.actions.tallies import keep_search, read
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleDraft, ArticleText, ArticleTold, HelpCenter
from apps.articles.questions import WrittenArticle
from apps.articles.rules.gaps import draft_body, gap_id, told_text
from apps.articles.rules.tallies import ReadingPlace
from apps.articles.tasks import DRAFT_QUEUE, TELLING_QUEUE
from apps.chats.models import Block, Chat, Message
from apps.core.parsing.periods import Window
from apps.demo.servers.language_models import Vendor
from apps.demo.servers.language_models import chat as says
from apps.demo.servers.played import PlayedRequest
from apps.learning.actions.demand import note_demand
from apps.learning.models import DemandTopic
from apps.learning.rules.states import DemandCategory
from apps.leases import claims
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.factories.ai import CredentialFactory
from tests.factories.articles import an_article
from tests.factories.chats import ChatFactory, MessageFactory
from tests.hooks import hook

pytestmark = pytest.mark.django_db
QUESTION = "Do you deliver to the islands?"
ANSWER = "Yes, on Fridays for 15 EUR.\nWrite to boat@islands.test before."
FIRST, SECOND = "a" * 32, "b" * 32


def asked(chat: Chat, question: str = QUESTION, *, days_ago: float = 1, language: str = "en") -> Message:
    """A visitor's question that nobody could answer, as it is noted."""
    at = timezone.now() - timedelta(days=days_ago)
    message = MessageFactory.create(chat=chat, body=question, language=language, created_at=at)
    note_demand(
        widget_id=chat.widget_id,
        category=DemandCategory.KNOWLEDGE_GAP,
        chat_id=chat.pk,
        burst_id=message.pk,
        question=question,
        at=at,
    )
    return message


def searched(widget: Widget, q: str, key: str = FIRST, *, found: list[int] | None = None) -> None:
    keep_search(widget_id=widget.pk, q=q, lang="en", key=key, found=found or [], place=ReadingPlace.WIDGET)


def gaps(api: ApiClient, **query: str) -> Any:
    response = api.get("/article-gaps", query=query)
    assert response.status_code == 200, response.content
    return response.json()["data"]


def drafted(api: ApiClient, gap: Any, status: int = 201, **body: Any) -> Any:
    response = api.post(f"/article-gaps/{gap['id']}/draft", json=body)
    assert response.status_code == status, response.content
    return response.json()["data"]


def told(api: ApiClient, article_id: int, agent: Agent, **body: Any) -> Any:
    response = api.post(f"/articles/{article_id}/tell", json={"agent_id": agent.pk, **body})
    assert response.status_code == 202, response.content
    return response.json()["data"]


def run(queue: Any) -> int:
    """Works on all that is due."""
    count = 0
    while found := claims.claim(queue, wanted=4):
        for lease in found:
            lease.run()
            count += 1
    return count


@pytest.fixture
def center(shop: Widget) -> HelpCenter:
    """The shop's public help center."""
    return HelpCenter.objects.create(widget=shop, is_public=True, slug="shop")


@pytest.fixture
def vendor(settings: Settings, shop: Widget) -> Iterator[Vendor]:
    with Vendor() as vendor:
        settings.EGRESS_ALLOW = [vendor.host]
        url = f"{vendor.url}/v1"
        CredentialFactory.create(widget=shop, provider="openai_compatible", base_url=url, target=url, model="m-1")
        yield vendor


def writing(**article: str) -> Callable[[PlayedRequest], Any]:
    return lambda request: says(json.dumps(article))


class TestList:
    def test_chats_and_searches_are_one_list_the_most_frequent_first(self, api: ApiClient, shop: Widget) -> None:
        chats = [ChatFactory.create(contact__widget=shop) for _ in range(3)]
        for chat in chats:
            asked(chat)
        searched(shop, "Islands  boat")
        searched(shop, "islands boat", SECOND)
        topic, search = gaps(api)
        assert topic == {
            "id": f"chat-{DemandTopic.objects.get().pk}",
            "source": "chat",
            "topic": QUESTION,
            "category": "knowledge_gap",
            "lang": "en",
            "count": 3,
            "chats": 3,
            "previous_count": 0,
            "samples": [QUESTION],
            "first_seen_at": topic["first_seen_at"],
            "last_seen_at": topic["last_seen_at"],
            "article_id": None,
        }
        assert (search["source"], search["topic"], search["category"]) == ("search", "islands boat", None)
        assert (search["count"], search["chats"], search["lang"]) == (2, None, "en")
        assert [gap["source"] for gap in gaps(api, source="search")] == ["search"]
        assert [gap["source"] for gap in gaps(api, source="chat")] == ["chat"]
        assert gaps(api, lang="ru") == []
        assert gaps(api, limit="1") == [topic]

    def test_a_key_and_day_is_one_search_and_an_opened_one_is_none(self, api: ApiClient, shop: Widget) -> None:
        article = an_article(shop, published=True)
        searched(shop, "returns", found=[article.pk])
        searched(shop, "returns", found=[article.pk])
        assert [gap["count"] for gap in gaps(api)] == [1]
        read(widget_id=shop.pk, article_id=article.pk, lang="en", key=FIRST)
        assert gaps(api) == []

    def test_it_asks_the_database_no_more_often_for_many_topics(
        self, shop: Widget, django_assert_num_queries: Any
    ) -> None:
        for question in ("Do you deliver roses?", "When is the workshop?", "Is there a car park?"):
            asked(ChatFactory.create(contact__widget=shop), question)
        window = Window(timezone.now() - timedelta(days=30), timezone.now())
        with django_assert_num_queries(3):  # topics, searches, their articles
            found = gaps_of(widget_id=shop.pk, window=window, limit=20)
        assert [gap.samples for gap in found] == [[gap.topic] for gap in found]
        with django_assert_num_queries(2):
            assert gap_of(widget_id=shop.pk, id_=str(found[0].id)).topic == found[0].topic

    def test_the_window_before_is_counted_beside(self, api: ApiClient, shop: Widget) -> None:
        for days_ago in (1, 40, 45):
            asked(ChatFactory.create(contact__widget=shop), days_ago=days_ago)
        (gap,) = gaps(api)
        assert (gap["count"], gap["previous_count"]) == (1, 2)

    def test_nothing_of_another_account_shows(self, api: ApiClient, rival: Rival) -> None:
        asked(rival.chat)
        searched(rival.widget, "secret plans")
        assert gaps(api) == []
        for id_ in (
            f"chat-{DemandTopic.objects.get().pk}",
            "search-1",
            "chat-0",
            "nothing",
            "chat-99999999999999999999",
        ):
            assert_problem(api.post(f"/article-gaps/{id_}/draft", json={}), 404, "not_found")
        assert Article.objects.count() == 0

    def test_what_is_no_filter(self, api: ApiClient) -> None:
        for query in ({"source": "mail"}, {"lang": "xx"}, {"limit": "0"}, {"limit": "101"}, {"period": "week"}):
            assert_problem(api.get("/article-gaps", query=query), 422, "invalid_input", errors=list(query))

    def test_ids(self) -> None:
        assert str(gap_id("chat-7")) == "chat-7"
        assert [gap_id(text) for text in ("chat-", "chat-1x", "mail-1", "CHAT-1", "chat-٣", "")] == [None] * 6


class TestDraft:
    def test_it_has_peoples_answers_under_their_questions_without_personal_data(
        self, api: ApiClient, shop: Widget, alice: Agent
    ) -> None:
        chat = ChatFactory.create(contact__widget=shop)
        asked(chat)
        MessageFactory.create(chat=chat, agent=alice, body=ANSWER)
        MessageFactory.create(chat=chat, agent=alice, body="for us alone", is_internal=True)
        MessageFactory.create(chat=chat, body="Thanks!")
        MessageFactory.create(chat=chat, agent=alice, body="Anything else?")
        (gap,) = gaps(api)
        article = drafted(api, gap)
        text = article["texts"]["en"]
        assert (text["title"], text["state"], text["version"], text["draft_state"]) == (QUESTION, "draft", 1, "none")
        assert text["body"] == (f"## {QUESTION}\n\nYes, on Fridays for 15 EUR.  \nWrite to \\[EMAIL\\_1\\] before.")
        assert (article["asked"]["count"], article["asked"]["chats"]) == (1, 1)
        assert drafted(api, gap, 200) == article
        assert [each["article_id"] for each in gaps(api)] == [article["id"]]
        assert (Article.objects.count(), ArticleDraft.objects.count()) == (1, 0)

    def test_a_searchs_draft_has_its_words_alone(self, api: ApiClient, shop: Widget) -> None:
        searched(shop, "islands boat")
        (gap,) = gaps(api)
        article = drafted(api, gap)
        assert (article["texts"]["en"]["title"], article["texts"]["en"]["body"]) == ("islands boat", "")
        assert drafted(api, gap, 200)["id"] == article["id"]

    def test_a_language_that_the_widget_does_not_support(self, api: ApiClient, chat: Chat) -> None:
        asked(chat)
        (gap,) = gaps(api)
        answer = api.post(f"/article-gaps/{gap['id']}/draft", json={"lang": "xx"})
        assert_problem(answer, 422, "invalid_input", errors=["lang"])
        assert Article.objects.count() == 0

    def test_markdown_in_their_words_is_shown_as_it_was_typed(self) -> None:
        hostile = "# [x](https://evil.test)\n<script>alert(1)</script>"
        assert draft_body([("*Why* `x`?", hostile)]) == (
            "## \\*Why\\* \\`x\\`?\n\n\\# \\[x\\](https://evil.test)  \n\\<script\\>alert(1)\\</script\\>"
        )


class TestModel:
    def test_a_model_writes_it_anew_and_unproved_facts_are_named(
        self, api: ApiClient, shop: Widget, alice: Agent, vendor: Vendor
    ) -> None:
        chat = ChatFactory.create(contact__widget=shop)
        asked(chat)
        MessageFactory.create(chat=chat, agent=alice, body=ANSWER)
        vendor.answer = writing(title="Delivery to the islands", body="On Fridays for 15 EUR, or 99 EUR at night.")
        (gap,) = gaps(api)
        article = drafted(api, gap)
        assert article["texts"]["en"]["draft_state"] == "pending"
        assert run(DRAFT_QUEUE) == 1
        (call,) = vendor.asked
        assert call.headers["x-service-purpose"] == "article"
        task = json.loads(call.json["messages"][-1]["content"])
        assert task == {
            "task": "article",
            "language": "en",
            "questions": [QUESTION],
            "answers": ["Yes, on Fridays for 15 EUR.\nWrite to [EMAIL_1] before."],
            "pieces": [],
        }
        text = api.get(f"/articles/{article['id']}").json()["data"]["texts"]["en"]
        assert (text["title"], text["body"]) == (
            "Delivery to the islands",
            "On Fridays for 15 EUR, or 99 EUR at night.",
        )
        assert (text["draft_state"], text["unsupported"], text["version"], text["state"]) == (
            *("ready", ["99 EUR"], 2, "draft"),
        )

    @pytest.mark.parametrize("said", ["no JSON", '{"title": "x"}', '{"title": 1, "body": "x"}', "{" * 100_000])
    def test_what_cannot_be_read_leaves_the_draft(self, api: ApiClient, chat: Chat, vendor: Vendor, said: str) -> None:
        asked(chat)
        vendor.answer = lambda request: says(said)
        (gap,) = gaps(api)
        article = drafted(api, gap)
        run(DRAFT_QUEUE)
        text = ArticleText.objects.get(article_id=article["id"])
        assert (text.draft_state, text.version, text.title) == ("failed", 1, QUESTION)

    def test_what_a_person_wrote_meanwhile_stays(
        self, api: ApiClient, chat: Chat, vendor: Vendor, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        asked(chat)
        (gap,) = gaps(api)
        article = drafted(api, gap)

        def write(*asked: Any) -> WrittenArticle:
            put_text(widget_id=chat.widget_id, article_id=article["id"], lang="en", title="Islands", body="By hand.")
            return WrittenArticle("Model", "Model.", [])

        hook(monkeypatch, write=write)
        run(DRAFT_QUEUE)
        text = ArticleText.objects.get(article_id=article["id"])
        assert (text.title, text.body, text.draft_state, text.version) == ("Islands", "By hand.", "none", 2)

    def test_a_worker_that_died_leaves_it_to_another(self, api: ApiClient, chat: Chat, vendor: Vendor) -> None:
        asked(chat)
        vendor.answer = writing(title="T", body="B.")
        (gap,) = gaps(api)
        article = drafted(api, gap)
        (dead,) = claims.claim(DRAFT_QUEUE, wanted=1)
        ArticleDraft.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        assert run(DRAFT_QUEUE) == 1
        dead.run()
        assert ArticleText.objects.get(article_id=article["id"]).version == 2


class TestTelling:
    def an_answer(self, api: ApiClient, shop: Widget) -> int:
        """The article about the first gap, published."""
        article = drafted(api, gaps(api, source="chat")[0])
        put_text(widget_id=shop.pk, article_id=article["id"], lang="en", title="Islands", body="On Fridays.")
        publish(widget_id=shop.pk, article_id=article["id"], lang="en")
        return int(article["id"])

    def test_who_asked_on_monday_is_told_on_tuesday_once(
        self, api: ApiClient, shop: Widget, alice: Agent, center: HelpCenter
    ) -> None:
        waiting = ChatFactory.create(contact__widget=shop)
        asked(waiting)
        searched(shop, "islands boat")
        article_id = self.an_answer(api, shop)
        none = {"old": 0, "spam": 0, "blocked": 0, "answered": 0, "told": 0, "no_way": 0}
        assert told(api, article_id, alice, dry_run=True) == {"queued": 1, "left_out": none}
        assert ArticleTold.objects.count() == 0
        assert told(api, article_id, alice) == {"queued": 1, "left_out": none}
        assert run(TELLING_QUEUE) == 1
        message = Message.objects.filter(chat=waiting, sender_kind="agent").get()
        assert message.agent_id == alice.pk
        assert message.body.splitlines() == [
            f"You asked: “{QUESTION}” There is an article about it now:",
            "Islands",
            api.get(f"/articles/{article_id}").json()["data"]["texts"]["en"]["url"],
        ]
        assert told(api, article_id, alice) == {"queued": 0, "left_out": {**none, "answered": 1}}
        assert run(TELLING_QUEUE) == 0
        assert Message.objects.filter(chat=waiting, sender_kind="agent").count() == 1

    def test_each_reason_to_leave_somebody_out(
        self, api: ApiClient, shop: Widget, alice: Agent, center: HelpCenter
    ) -> None:
        chats = {
            name: ChatFactory.create(contact__widget=shop)
            for name in ("old", "spam", "blocked", "answered", "thanked", "told", "no_way", "waiting")
        }
        messages = {name: asked(chat, days_ago=91 if name == "old" else 2) for name, chat in chats.items()}
        article_id = self.an_answer(api, shop)
        Chat.objects.filter(pk=chats["spam"].pk).update(status="spam")
        Block.objects.create(widget=shop, contact=chats["blocked"].contact)
        MessageFactory.create(chat=chats["answered"], agent=alice, body="On Fridays.")
        AnswerFeedback.objects.create(
            message_id=messages["waiting"].pk + 1_000, widget=shop, chat=chats["thanked"], helpful=True
        )
        ArticleTold.objects.create(
            widget=shop,
            article_id=article_id,
            chat=chats["told"],
            agent_id=alice.pk,
            question=QUESTION,
            asked_message_id=messages["told"].pk,
            due_at=None,
        )
        Chat.objects.filter(pk=chats["no_way"].pk).update(channel="tg")
        answer = told(api, article_id, alice)
        assert answer == {
            "queued": 1,
            "left_out": {"old": 1, "spam": 1, "blocked": 1, "answered": 2, "told": 1, "no_way": 1},
        }
        run(TELLING_QUEUE)
        said = Message.objects.filter(sender_kind="agent", body__startswith="You asked")
        assert [message.chat_id for message in said] == [chats["waiting"].pk]

    def test_who_is_answered_before_their_turn_is_not_told(
        self, api: ApiClient, chat: Chat, shop: Widget, alice: Agent, center: HelpCenter
    ) -> None:
        asked(chat)
        article_id = self.an_answer(api, shop)
        assert told(api, article_id, alice)["queued"] == 1
        MessageFactory.create(chat=chat, agent=alice, body="On Fridays.")
        run(TELLING_QUEUE)
        assert ArticleTold.objects.get().outcome == "answered"
        assert not Message.objects.filter(chat=chat, body__startswith="You asked").exists()

    def test_an_article_that_nobody_can_read_tells_nobody(
        self, api: ApiClient, chat: Chat, shop: Widget, alice: Agent
    ) -> None:
        asked(chat)
        article_id = self.an_answer(api, shop)
        body = {"agent_id": alice.pk}
        assert_problem(api.post(f"/articles/{article_id}/tell", json=body), 409, "not_published")
        HelpCenter.objects.create(widget=shop, is_public=True, slug="shop")
        draft = an_article(shop)
        assert_problem(api.post(f"/articles/{draft.pk}/tell", json=body), 409, "not_published")
        assert ArticleTold.objects.count() == 0

    def test_only_a_person_of_the_widget_tells(
        self, api: ApiClient, rival: Rival, shop: Widget, ada: Agent, center: HelpCenter
    ) -> None:
        article = an_article(shop, published=True)
        for agent_id in (ada.pk, rival.agent.pk, 10**9):
            answer = api.post(f"/articles/{article.pk}/tell", json={"agent_id": agent_id})
            assert_problem(answer, 422, "invalid_input", errors=["agent_id"])
        foreign = an_article(rival.widget)
        assert_problem(api.post(f"/articles/{foreign.pk}/tell", json={"agent_id": ada.pk}), 404, "not_found")

    def test_a_long_question_is_cut_and_braces_are_no_places(self) -> None:
        text = told_text("Asked: {question}", "{0} " + "x" * 300, "T", "https://shop.test/1")
        assert text == "Asked: {0} " + "x" * 195 + "…\nT\nhttps://shop.test/1"
