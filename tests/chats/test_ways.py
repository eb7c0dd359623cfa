"""What a message asks PostgreSQL by every way: reading the chat and storing it, whoever else is told of it."""

from typing import Any
from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.accounts.rules import Answerer
from apps.agents.models import Agent
from apps.chats.actions import post_agent_message, post_client_message
from apps.chats.models import Chat
from apps.compat.actions import register_bot
from apps.letters.actions.mailbox_proofs import vouch
from apps.letters.actions.mailboxes import save_mailbox
from apps.messengers.actions import receive_message
from tests.factories import ChatFactory
from tests.factories.messengers import ChannelFactory

pytestmark = pytest.mark.django_db(transaction=True)

WRITE = {"type": "text", "body": "Здравствуйте! Пионы есть?"}


def widgets(shop: Widget) -> Chat:
    return ChatFactory.create(contact__widget=shop)


def custom(shop: Widget) -> Chat:
    channel = ChannelFactory.create(widget=shop)
    posted = receive_message(channel=channel, external_client_id="client-4711", external_channel_id="", text="Алло")
    return Chat.objects.select_related("contact").get(pk=posted.chat_id)


def mailboxes(shop: Widget) -> Chat:
    mailbox = save_mailbox(widget_id=shop.pk, address="support@flowers.test", changes={"name": "Цветы"})
    vouch(mailbox)
    return ChatFactory.create(contact__widget=shop, channel=mailbox.channel)


def with_bot(shop: Widget) -> Chat:
    register_bot(widget_id=shop.pk, url="https://bot.example/hook", target="https://bot.example/hook")
    return widgets(shop)


def answered_by(answerer: Answerer) -> Any:
    def chat(shop: Widget) -> Chat:
        Widget.objects.filter(pk=shop.pk).update(answerers=[answerer.value])
        return widgets(shop)

    return chat


WAYS = {
    "the widget": widgets,
    "a custom channel": custom,
    "a mailbox": mailboxes,
    "the widget, with a legacy bot": with_bot,
    "the widget, with AI": answered_by(Answerer.AI),
    "the widget, with AI in the shadow": answered_by(Answerer.AI_IN_SHADOW),
    "the widget, with an external operator": answered_by(Answerer.EXTERNAL_OPERATOR),
}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


@each_way
def test_an_operators_message_is_two_statements(
    way: Any, shop: Widget, alice: Agent, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    chat = way(shop)
    for _ in range(2):  # the first takes the chat as well
        with django_assert_num_queries(2):
            post_agent_message(widget_id=shop.pk, chat_id=chat.pk, content=WRITE, agent_id=alice.pk, client_id=uuid4())


@each_way
def test_a_visitors_message_is_three_statements(
    way: Any, shop: Widget, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """The first of them finds the chat."""
    chat = way(shop)
    for _ in range(2):
        with django_assert_num_queries(3):
            post_client_message(contact=chat.contact, channel=chat.channel, content=WRITE, client_id=uuid4())
