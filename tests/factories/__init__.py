"""Factories of rows, by app. Everything they make is new; who is who in a test is `tests/cast.py`."""

from tests.factories.accounts import (
    AccountFactory,
    ApiTokenFactory,
    StaffFactory,
    SuperuserFactory,
    UserFactory,
    WidgetFactory,
    plain_text,
)
from tests.factories.agents import AgentFactory, AiAgentFactory, DepartmentFactory, OwnerFactory
from tests.factories.chats import ChatFactory, ContactFactory, ContactTagFactory, MessageFactory, TagFactory
from tests.factories.files import FileFactory

__all__ = [
    "AccountFactory",
    "AgentFactory",
    "AiAgentFactory",
    "ApiTokenFactory",
    "ChatFactory",
    "ContactFactory",
    "ContactTagFactory",
    "DepartmentFactory",
    "FileFactory",
    "MessageFactory",
    "OwnerFactory",
    "StaffFactory",
    "SuperuserFactory",
    "TagFactory",
    "UserFactory",
    "WidgetFactory",
    "plain_text",
]
