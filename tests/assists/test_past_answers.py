"""Answers of people as sources of drafts."""

from typing import Any

import pytest

from apps.accounts.actions.settings import change_settings
from apps.ai.models import Credential
from apps.assists.actions.past_answers import past_answers
from apps.assists.models import PastQuestion
from apps.assists.rules.past_answers import PastAnswerFound, best, without_long_numbers
from apps.chats.actions import post_agent_message
from apps.chats.actions.states import set_chat_state
from apps.chats.models import Chat, Message
from apps.chats.rules import Status
from apps.chats.settings import SETTINGS
from apps.demo.servers.language_models import chat
from apps.demo.servers.played import PlayedRequest, Says
from apps.egress.call_budget import CallBudget
from tests.assists.help import Help
from tests.cast import Rival
from tests.factories.chats import ChatFactory, MessageFactory

pytestmark = pytest.mark.django_db

ANSWER = "Доставляем по городу за 300 ₽, звоните +7 901 123-45-67 или 12345."


@pytest.fixture
def asked_before(help_: Help) -> Chat:
    """Another visitor asked of delivery, and Alice answered."""
    chat = ChatFactory.create(contact__widget=help_.desk.widget)
    MessageFactory.create(chat=chat, body="Сколько стоит доставка по городу?")
    post_agent_message(
        widget_id=chat.widget_id,
        chat_id=chat.pk,
        agent_id=help_.operator.pk,
        content={"type": "text", "body": ANSWER},
    )
    return chat


def test_one_that_fits_is_found_at_once_and_masked(help_: Help, asked_before: Chat) -> None:
    (found,) = past_answers(help_.desk.chat, "А какая доставка по городу, сколько стоит?")
    assert found.chat_id == asked_before.pk
    assert found.answer == "Доставляем по городу за 300 ₽, звоните […] или […]."


def test_what_has_other_words_is_not(help_: Help, asked_before: Chat) -> None:
    assert past_answers(help_.desk.chat, "Есть ли красные тюльпаны в наличии?") == []


def test_spam_short_answers_and_other_widgets_are_none(help_: Help, asked_before: Chat, rival: Rival) -> None:
    question = "Сколько стоит доставка по городу?"
    assert past_answers(rival.chat, question) == []
    set_chat_state(widget_id=asked_before.widget_id, chat_id=asked_before.pk, status=Status.SPAM)
    assert past_answers(help_.desk.chat, question) == []


def test_it_is_a_source_that_is_not_public(help_: Help, asked_before: Chat) -> None:
    help_.desk.writes("Сколько стоит доставка по городу?")
    help_.model_says("Доставка стоит 300 ₽. [1]")
    made = help_.asks()
    assert "[1] An earlier answer of a colleague" in help_.prompt[-1][1]
    assert "901 123" not in str(help_.prompt)
    assert made["sources"] == [
        {"n": 1, "kind": "past", "title": "", "url": None, "ref": f"chat:{asked_before.pk}", "is_public": False}
    ]
    assert made["sentences"] == [{"text": "Доставка стоит 300 ₽.", "sources": [1]}]
    assert made["unsupported"] == []


def test_where_the_settings_say_so_there_are_none(help_: Help, asked_before: Chat) -> None:
    change_settings(SETTINGS, widget_id=help_.desk.widget.pk, changes={"past_answers": False})
    help_.desk.writes("Сколько стоит доставка по городу?")
    help_.asks()
    assert "An earlier answer" not in str(help_.prompt)


def test_rare_words_count_more() -> None:
    known = [PastAnswerFound(n, "сколько стоит доставка", f"ответ {n}") for n in range(20)]
    known.append(PastAnswerFound(99, "сколько стоит орхидея", "орхидея 900"))
    assert best("сколько стоит орхидея", known)[0].chat_id == 99


@pytest.mark.parametrize(
    ("text", "left"),
    [("заказ 1234567 готов", "заказ […] готов"), ("к 15:30, 300 ₽", "к 15:30, 300 ₽"), ("1 234 567", "[…]")],
)
def test_runs_of_five_digits_are_masked(text: str, left: str) -> None:
    assert without_long_numbers(text) == left


class TestByMeaning:
    """The widget's knowledge is embedded by a model, so past questions are compared by it, too."""

    @pytest.fixture
    def embeds(self, help_: Help) -> Help:
        """A model that embeds what is about delivery alike, whatever its words are, and speaks as before."""
        Credential.objects.update(embedding_model="e-1")

        def answer(request: PlayedRequest) -> Any:
            if not request.path.endswith("/embeddings"):
                return chat("Доставка стоит 300 ₽. [1]")
            about = [any(word in text for word in ("доставка", "привез")) for text in request.json["input"]]
            made = [{"object": "embedding", "index": n, "embedding": [one, 1 - one]} for n, one in enumerate(about)]
            return {"object": "list", "data": made, "model": "e-1", "usage": {"prompt_tokens": 1, "total_tokens": 1}}

        help_.desk.vendor.answer = answer
        return help_

    def embedded(self, help_: Help) -> list[list[str]]:
        """The texts of each call for vectors."""
        return [asked.json["input"] for asked in help_.desk.vendor.asked if asked.path.endswith("/embeddings")]

    def test_other_words_of_the_same_meaning_are_found(self, embeds: Help, asked_before: Chat) -> None:
        embeds.desk.writes("За сколько привезёте букет?")
        made = embeds.asks()
        assert [source["ref"] for source in made["sources"]] == [f"chat:{asked_before.pk}"]
        (texts,) = self.embedded(embeds)
        assert texts[1:] == ["Сколько стоит доставка по городу?"]
        embeds.asks()
        assert [len(texts) for texts in self.embedded(embeds)] == [2, 1], "a vector is made once"

    def test_another_meaning_is_not(self, embeds: Help, asked_before: Chat) -> None:
        assert past_answers(embeds.desk.chat, "Есть ли тюльпаны?", CallBudget(operations=3, seconds=5)) == []
        assert len(self.embedded(embeds)) == 1

    @pytest.mark.parametrize("status", [500, 404])
    def test_where_none_can_be_made_words_are_looked_for(self, embeds: Help, asked_before: Chat, status: int) -> None:
        embeds.desk.vendor.answer = lambda _: Says({}, status=status)
        meter = CallBudget(operations=3, seconds=5)
        (found,) = past_answers(embeds.desk.chat, "А какая доставка по городу, сколько стоит?", meter)
        assert found.chat_id == asked_before.pk
        assert not PastQuestion.objects.exists()

    def test_the_last_call_is_the_drafts(self, embeds: Help, asked_before: Chat) -> None:
        meter = CallBudget(operations=1, seconds=5)
        assert past_answers(embeds.desk.chat, "За сколько привезёте букет?", meter) == []
        assert self.embedded(embeds) == []

    def test_a_question_that_was_changed_is_embedded_anew(self, embeds: Help, asked_before: Chat) -> None:
        meter = CallBudget(operations=9, seconds=5)
        past_answers(embeds.desk.chat, "За сколько привезёте букет?", meter)
        Message.objects.filter(chat=asked_before, sender_kind="client").update(body="Есть ли тюльпаны?")
        assert past_answers(embeds.desk.chat, "За сколько привезёте букет?", meter) == []
        assert [len(texts) for texts in self.embedded(embeds)] == [2, 2]
