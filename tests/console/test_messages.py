"""`POST /console/messages/{id}/resend`: what failed on its way to a messenger is sent once more."""

from typing import Any

import pytest

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Message
from apps.chats.rules import Status
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.models import Connection, OutboundMessage
from apps.messengers.tasks import OUTBOUND_QUEUE
from tests.client import ApiClient
from tests.console.browser import Console
from tests.factories import MessageFactory
from tests.messengers.conftest import vendors  # noqa: F401 - a fixture
from tests.messengers.test_hooks import work
from tests.messengers.test_outbox import delivery, say, wrote

pytestmark = pytest.mark.django_db(transaction=True)


def resend(console: Console, message: Message) -> Any:
    return console.post(f"/messages/{message.pk}/resend")


@pytest.fixture
def failed(api: ApiClient, shop: Widget, alice: Agent, vendors: Vendors) -> Message:  # noqa: F811
    """Alice's answer to somebody who has blocked the bot of the shop."""
    wrote(shop, "tg", vendors)
    vendors.will("tg", "sendMessage", PlayedFault(403, {"ok": False, "description": "Forbidden: bot was blocked"}))
    message = say(api, alice)
    work(OUTBOUND_QUEUE)
    assert delivery(message)["state"] == "failed"
    return message


def test_a_failed_message_is_sent_once_more(failed: Message, alices_console: Console, vendors: Vendors) -> None:  # noqa: F811
    answer = resend(alices_console, failed)
    assert answer.status_code == 200, answer.content
    shown = answer.json()["data"]
    assert (shown["id"], shown["delivery"]["state"], shown["delivery"]["code"]) == (failed.pk, "queued", None)
    work(OUTBOUND_QUEUE)
    assert delivery(failed) == {"state": "sent", "code": None, "detail": None, "attempts": 1, "sent_as": None}
    assert not OutboundMessage.objects.get().is_failed


def test_one_that_has_not_failed_is_refused(failed: Message, alices_console: Console) -> None:
    assert resend(alices_console, failed).status_code == 200
    answer = resend(alices_console, failed)
    assert (answer.status_code, answer.json()["code"]) == (409, "message_not_failed")


def test_into_a_spam_chat_nothing_is_sent(failed: Message, alices_console: Console) -> None:
    Chat.objects.update(status=Status.SPAM)
    assert resend(alices_console, failed).json()["code"] == "chat_is_spam"
    assert delivery(failed)["state"] == "failed"


def test_a_message_of_the_on_site_widget_has_nothing_to_send_again(
    chat: Chat, alice: Agent, alices_console: Console
) -> None:
    message = MessageFactory.create(chat=chat, agent=alice)
    assert resend(alices_console, message).json()["code"] == "message_not_failed"


def test_after_the_messenger_is_disconnected_it_fails_by_that_name(failed: Message, alices_console: Console) -> None:
    Connection.objects.all().delete()
    assert resend(alices_console, failed).status_code == 200
    work(OUTBOUND_QUEUE)
    assert delivery(failed)["code"] == "channel_not_connected"


def test_a_row_that_is_gone_by_age_is_made_anew(failed: Message, alices_console: Console, vendors: Vendors) -> None:  # noqa: F811
    OutboundMessage.objects.all().delete()
    assert resend(alices_console, failed).status_code == 200
    work(OUTBOUND_QUEUE)
    assert delivery(failed)["state"] == "sent"
