"""The cabinet's pages of what was asked in vain, and of telling who asked (design of the first word, 4 and 5)."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.articles.actions.publishing import publish
from apps.articles.actions.texts import put_text
from apps.articles.models import Article, ArticleTold, HelpCenter
from apps.chats.models import Chat
from tests.articles.test_gaps import QUESTION, asked, searched
from tests.cast import Rival
from tests.factories.chats import ChatFactory

pytestmark = pytest.mark.django_db


def page_of(widget: Widget) -> str:
    return f"/admin/articles/widgetarticlegaps/{widget.pk}/change/"


def test_the_page_has_what_chats_and_searches_asked_and_begins_an_article(
    cabinet: Client, shop: Widget, chat: Chat
) -> None:
    asked(chat)
    searched(shop, "islands boat")
    text = cabinet.get(page_of(shop)).content.decode()
    assert QUESTION in text
    assert "islands boat" in text
    assert "Asked 1 time in 1 chat" in text
    gap = f"chat-{_topic(shop)}"
    answer = cabinet.post(page_of(shop), {"gap": gap})
    article = Article.objects.get()
    assert (answer.status_code, article.gap_key) == (302, f"topic:{_topic(shop)}")
    assert f"/admin/articles/article/{article.pk}/" in answer["Location"]
    assert cabinet.post(page_of(shop), {"gap": gap}).status_code == 302
    assert Article.objects.count() == 1


def test_who_asked_is_told_from_the_articles_page(cabinet: Client, shop: Widget, chat: Chat, alice: Agent) -> None:
    HelpCenter.objects.create(widget=shop, is_public=True, slug="shop")
    asked(chat)
    cabinet.post(page_of(shop), {"gap": f"chat-{_topic(shop)}"})
    article = Article.objects.get()
    put_text(widget_id=shop.pk, article_id=article.pk, lang="en", title="Islands", body="On Fridays.")
    publish(widget_id=shop.pk, article_id=article.pk, lang="en")
    address = f"/admin/articles/article/{article.pk}/tell/"
    assert "1 visitor waits for an answer" in cabinet.get(address).content.decode()
    assert ArticleTold.objects.count() == 0
    assert cabinet.post(address, {"agent": alice.pk}).status_code == 302
    told = ArticleTold.objects.get()
    assert (told.chat_id, told.agent_id) == (chat.pk, alice.pk)


def test_another_accounts_pages_are_none(cabinet: Client, rival: Rival) -> None:
    asked(ChatFactory.create(contact__widget=rival.widget))
    assert cabinet.get(page_of(rival.widget)).status_code in (302, 404)
    assert QUESTION not in cabinet.get(page_of(rival.widget), follow=True).content.decode()
    assert Article.objects.count() == 0


def _topic(widget: Widget) -> int:
    from apps.learning.models import DemandTopic

    return DemandTopic.objects.for_widget(widget.pk).get().pk
