"""Factories of the application's binding, and the application's side of a signed call."""

import secrets
import time
from datetime import timedelta

import factory
from django.utils import timezone

from apps.accounts import rules
from apps.accounts.models import ApiToken, Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.support.models import (
    AppRoom,
    Binding,
    ChatHold,
    Identity,
    SupportAction,
    SupportSettings,
    Ticket,
    Verification,
)
from apps.support.rules.envelope import NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, signature_of
from tests.factories.accounts import ApiTokenFactory, WidgetFactory
from tests.factories.chats import ChatFactory, ContactFactory

SECRET = "s" * 48


class BindingFactory(factory.django.DjangoModelFactory[Binding]):
    class Meta:
        model = Binding
        django_get_or_create = ("widget",)

    widget = factory.SubFactory(WidgetFactory)
    token = factory.LazyAttribute(lambda binding: ApiTokenFactory.create(widget=binding.widget))
    provider = "openai"
    secret = SECRET


def app_room(widget: Widget, user_id: str) -> Chat:
    """The room of an account of the widget's application."""
    room = AppRoom.objects.filter(widget=widget, user_id=user_id).first()
    if room is not None:
        return room.chat
    chat = ChatFactory.create(contact=ContactFactory.create(widget=widget), channel="app")
    AppRoom.objects.create(widget=widget, user_id=user_id, chat=chat)
    return chat


class TicketFactory(factory.django.DjangoModelFactory[Ticket]):
    """An open ticket of a chat: its one, if it has one."""

    class Meta:
        model = Ticket
        django_get_or_create = ("chat", "state")

    chat = factory.SubFactory(ChatFactory)
    widget = factory.SelfAttribute("chat.widget")
    state = "open"
    reason = "app_request"
    priority = 2
    source = "app"
    category = "question"


class IdentityFactory(factory.django.DjangoModelFactory[Identity]):
    """A live identity of an account, that a cabinet has proved."""

    class Meta:
        model = Identity
        django_get_or_create = ("chat",)

    chat = factory.SubFactory(ChatFactory)
    app_user_id = "u-42"
    link_source = "cabinet"
    expires_at = factory.LazyFunction(lambda: timezone.now() + timedelta(hours=12))


class ActionFactory(factory.django.DjangoModelFactory[SupportAction]):
    """A chat that was claimed."""

    class Meta:
        model = SupportAction

    widget = factory.SubFactory(WidgetFactory)
    token = factory.LazyAttribute(lambda action: ApiTokenFactory.create(widget=action.widget))
    kind = "claim"
    status = "done"
    http_status = 200
    agent = "flora"


def at_desk(token: str, operator: Agent) -> None:
    """Lets a token, given in plain text, work at its widget's desk; what the widget's agents did, it did."""
    row = ApiToken.objects.get(digest=rules.digest(token))
    if row.widget_id != operator.widget_id:
        return
    changes = {
        "operator_id": operator.pk,
        "token_ids": [row.pk],
        "ip_allowlist": ["127.0.0.1"],
        "channels": ["widget", "tg", "app"],
        "room_reply_limit": 30,
        "enabled": True,
    }
    settings, _ = SupportSettings.objects.update_or_create(widget_id=row.widget_id, defaults=changes)
    SupportAction.objects.filter(widget_id=settings.widget_id).update(token=row)


def leased(chat: Chat) -> str:
    """Makes a lease of the chat, by another token of its widget; returns its id."""
    now = timezone.now()
    values = {
        "claim_id": "0" * 32,
        "agent": "flora",
        "token": ApiTokenFactory.create(widget=chat.widget),
        "claimed_at": now,
        "expires_at": now + timedelta(minutes=10),
    }
    ChatHold.objects.update_or_create(chat=chat, defaults=values)
    return "0" * 32


def unhandled(chat: Chat) -> None:
    """Lets the chat's visitor prove a mailbox: codes are sent, and neither an agent nor a person handles the chat."""
    SupportSettings.objects.update_or_create(widget=chat.widget, defaults={"email_codes": True})
    wish = {"assistant_chosen_at": timezone.now() + timedelta(hours=1)}
    Verification.objects.update_or_create(chat=chat, defaults=wish)


def bound(token: str) -> str:
    """Makes a token, given in plain text, the signer of its widget's application; returns the secret."""
    row = ApiToken.objects.get(digest=rules.digest(token))
    binding = BindingFactory.create(widget=row.widget, token=row)
    Binding.objects.filter(pk=binding.pk).update(token=row)
    return SECRET


def signed_headers(
    secret: str, method: str, target: str, body: bytes | str, *, at: float | None = None, nonce: str | None = None
) -> dict[str, str]:
    """The envelope of a call, signed now with a nonce of its own."""
    raw = body.encode() if isinstance(body, str) else body
    timestamp, nonce = str(int(time.time() if at is None else at)), nonce or secrets.token_urlsafe(24)
    signature = signature_of(secret, timestamp=timestamp, nonce=nonce, method=method, target=target, body=raw)
    return {TIMESTAMP_HEADER: timestamp, NONCE_HEADER: nonce, SIGNATURE_HEADER: signature}
