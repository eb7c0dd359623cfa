"""Contacts, chats and messages, as rows: nothing is published. To see what follows from a message, post it."""

from __future__ import annotations

from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from apps.chats.models import Chat, Contact, ContactTag, Message, Tag
from apps.chats.rules import MessageType, SenderKind
from tests.factories.accounts import AccountFactory, WidgetFactory


class ContactFactory(DjangoModelFactory[Contact]):
    class Meta:
        model = Contact

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Visitor {n}")
    email = factory.Sequence(lambda n: f"visitor-{n}@example.test")


class TagFactory(DjangoModelFactory[Tag]):
    class Meta:
        model = Tag
        django_get_or_create = ("account", "name")

    account = factory.SubFactory(AccountFactory)
    name = factory.Sequence(lambda n: f"tag {n}")


class ContactTagFactory(DjangoModelFactory[ContactTag]):
    """A tag on a contact; `tag__name` says which."""

    class Meta:
        model = ContactTag

    contact = factory.SubFactory(ContactFactory)
    tag = factory.SubFactory(TagFactory, account=factory.SelfAttribute("..contact.widget.account"))


class ChatFactory(DjangoModelFactory[Chat]):
    """An active chat without messages, of a contact of its own."""

    class Meta:
        model = Chat

    contact = factory.SubFactory(ContactFactory)
    widget = factory.SelfAttribute("contact.widget")
    department = None
    internal = factory.LazyAttribute(lambda chat: chat.department is not None and chat.department.internal)

    @classmethod
    def _create(cls, model_class: type[Chat], *args: Any, **fields: Any) -> Chat:
        widget, contact = fields["widget"], fields["contact"]
        if contact.widget_id != widget.pk:
            raise ValueError("a chat and its contact are of one widget: give ChatFactory contact__widget, or contact")
        return super()._create(model_class, *args, **fields)


class MessageFactory(DjangoModelFactory[Message]):
    """A visitor's message (or an operator's, with `agent`); the chat's last message is brought up to it."""

    class Meta:
        model = Message

    chat = factory.SubFactory(ChatFactory)
    widget = factory.SelfAttribute("chat.widget")
    type = MessageType.TEXT
    body = factory.Sequence(lambda n: f"Message {n}")
    created_at = factory.LazyFunction(timezone.now)
    sender_kind = factory.LazyAttribute(lambda m: SenderKind.AGENT if getattr(m, "agent", None) else SenderKind.CLIENT)
    sender_name = factory.LazyAttribute(
        lambda m: m.agent.full_name if getattr(m, "agent", None) else m.chat.contact.name
    )

    @classmethod
    def _create(cls, model_class: type[Message], *args: Any, **fields: Any) -> Message:
        message = super()._create(model_class, *args, **fields)
        if message.is_internal:
            return message
        chat = message.chat
        chat.last_message_at, chat.last_message_id = message.created_at, message.pk
        chat.has_client_messages = chat.has_client_messages or message.sender_kind == SenderKind.CLIENT
        chat.save(update_fields=["last_message_at", "last_message_id", "has_client_messages"])
        return message
