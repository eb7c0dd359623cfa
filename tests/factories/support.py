"""Factories of the application's binding, and the application's side of a signed call."""

import secrets
import time
from datetime import timedelta

import factory
from django.utils import timezone

from apps.accounts import rules
from apps.accounts.models import ApiToken, Widget
from apps.chats.models import Chat
from apps.support.models import AppRoom, Binding, Identity, Ticket
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
