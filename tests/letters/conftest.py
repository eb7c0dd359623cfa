"""A visitor who asked and left, an operator who answers, and a mail server."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from pytest_django import Settings

if TYPE_CHECKING:
    from apps.accounts.models import Widget
    from apps.agents.models import Agent
    from tests.mail_server import MailServer
    from tests.widget.visitor import VisitorClient

REPLIES = "reply+{tag}@shop.test"


@pytest.fixture
def server(settings: Settings) -> "Iterator[MailServer]":
    from config.mail import SMTP
    from tests.mail_server import MailServer

    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = SMTP, "127.0.0.1", 20
    settings.DEFAULT_FROM_EMAIL = "Parley <parley@shop.test>"
    settings.MAIL_REPLY_ADDRESS = REPLIES
    with MailServer() as server:
        settings.EMAIL_PORT = server.port
        yield server


@pytest.fixture
def mary(shop: "Widget", server: "MailServer") -> "VisitorClient":
    """Wrote at night, left her address, and went."""
    from tests.widget.visitor import VisitorClient

    browser = VisitorClient(shop)
    browser.come(lang="en")
    said = browser.say("Is the oolong in stock?")
    browser.post("offline", {"email": "mary@mail.test", "name": "Mary", "message_id": said["id"]})
    browser.chat_id = said["chat_id"]
    return browser


@pytest.fixture
def answer(alice: "Agent") -> Callable[..., int]:
    """Alice answers in the console."""
    from apps.chats.actions import post_agent_message
    from apps.chats.rules import Via

    def say(browser: Any, body: str = "Yes, 12 packets", via: Via | None = Via.CONSOLE, **more: Any) -> int:
        content = {"type": "text", "body": body, **more}
        posted = post_agent_message(
            widget_id=alice.widget_id, chat_id=browser.chat_id, content=content, agent_id=alice.pk, via=via
        )
        return posted.id

    return say
