"""An answer shows what it rests on: its message has the titles and addresses, operators see all that it was given."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.demo.servers.language_models import chat
from apps.kb.questions import Knowledge, KnowledgePiece, cited_sources
from tests.ai.desk import Desk
from tests.client import ApiClient
from tests.hooks import hook

PRICES = KnowledgePiece(5, "Розы по 90.", "rule:5", "Цены", "https://shop.example/p", 0.91234)
NOTES = KnowledgePiece(6, "Тюльпаны по 80.", "rule:6", "Памятка", None, 0.5)


@pytest.fixture
def informed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The desk with two pieces of knowledge, of which one is in two parts, and one has no words for people."""

    def retrieve(**question: Any) -> Knowledge:
        return Knowledge("included", [PRICES, NOTES, PRICES._replace(id=7), NOTES._replace(id=8, title="")])

    hook(monkeypatch, knowledge=retrieve)
    return desk


def sources(api: ApiClient, desk: Desk) -> list[Any]:
    """Of the chat's messages, oldest first."""
    data = api.get(f"/chats/{desk.chat.pk}/messages").json()["data"]
    return [one["sources"] for one in reversed(data)]


def test_a_message_has_each_source_once_with_its_address_where_it_has_one(api: ApiClient, informed: Desk) -> None:
    informed.answers("Сколько стоят розы?")
    assert sources(api, informed) == [[], [{"title": "Цены", "url": "https://shop.example/p"}]]
    assert informed.said()[-1].body == "По 90 рублей."


def test_a_source_without_an_address_is_shown_by_its_title(api: ApiClient, informed: Desk) -> None:
    informed.vendor.will_say(chat("Тюльпаны по 80 рублей, розы по 90."))
    informed.answers("Что у вас почём?")
    shown = [{"title": "Цены", "url": "https://shop.example/p"}, {"title": "Памятка", "url": None}]
    assert sources(api, informed) == [[], shown]


def test_a_source_that_is_an_article_says_which(api: ApiClient, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The widget opens it inside the chat, where the article has no public page, too."""
    article = PRICES._replace(source_ref="article:12:ru", title="Цены › Розы", url=None)
    hook(monkeypatch, knowledge=lambda **question: Knowledge("included", [article, article._replace(id=7)]))
    desk.answers("Сколько стоят розы?")
    assert sources(api, desk) == [[], [{"title": "Цены › Розы", "url": None, "article_id": 12}]]


@pytest.mark.parametrize(
    "said",
    [
        "К сожалению, я этого не знаю.",
        "К сожалению, я не знаю. Розы по 90, тюльпаны по 80.",
        "Leider weiß ich nicht, was Rosen kosten.",
        "Сколько стоят розы?",
        "Рада помочь вам с любым вопросом!",
    ],
)
def test_a_refusal_an_echo_and_a_courtesy_have_no_sources(api: ApiClient, informed: Desk, said: str) -> None:
    informed.vendor.will_say(chat(said))
    informed.answers("Сколько стоят розы?")
    assert sources(api, informed)[1] == []


def test_operators_see_how_well_each_fits(informed: Desk) -> None:
    informed.answers("Сколько стоят розы?")
    assert [one["score"] for one in informed.exchange.sources] == [0.9123, 0.5, 0.9123, 0.5]


def test_answers_that_named_a_source_are_counted(informed: Desk) -> None:
    """What the model was given is no citation; an answer counts a source once, however many pieces of it."""
    informed.answers("Сколько стоят розы?")
    informed.vendor.will_say(chat("Рада помочь вам с любым вопросом!"))
    informed.answers("А ещё?")
    now = timezone.now()
    assert cited_sources(informed.widget.pk, now - timedelta(hours=1), now) == {"rule:5": 1}
    assert cited_sources(informed.widget.pk, now - timedelta(hours=2), now - timedelta(hours=1)) == {}


def test_a_phrase_rests_on_nothing(api: ApiClient, informed: Desk) -> None:
    informed.answers("Позовите оператора")
    assert sources(api, informed) == [[], []]


def test_an_answer_without_knowledge_has_none(api: ApiClient, desk: Desk) -> None:
    desk.answers("Сколько стоят розы?")
    assert sources(api, desk) == [[], []]
