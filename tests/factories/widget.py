"""Visitor sessions."""

from __future__ import annotations

from typing import Any

import factory
from factory.django import DjangoModelFactory

from apps.accounts.rules import digest
from apps.widget import rules
from apps.widget.models import VisitorSession
from tests.factories.chats import ContactFactory


class VisitorSessionFactory(DjangoModelFactory[VisitorSession]):
    """A visitor's browser; `visitor_token(session)` is what it sends. Give it `contact` for a known visitor."""

    class Meta:
        model = VisitorSession

    contact = factory.SubFactory(ContactFactory)
    widget = factory.SelfAttribute("contact.widget")

    @classmethod
    def _create(cls, model_class: type[VisitorSession], *args: Any, **fields: Any) -> VisitorSession:
        token = rules.new_visitor_token()
        session = super()._create(model_class, *args, digest=digest(token), **fields)
        session.plain_text = token
        return session


def visitor_token(session: VisitorSession) -> str:
    """The plain token of a session that VisitorSessionFactory made."""
    text: str = session.plain_text  # type: ignore[attr-defined]
    return text
