"""Invitations to chat, and offers of them, as rows."""

from __future__ import annotations

import factory
from factory.django import DjangoModelFactory

from apps.accounts.rules import digest
from apps.widget.models import ChatInvitation, InvitationOffer
from tests.factories.accounts import WidgetFactory

KEY = "0123456789abcdef0123456789abcdef"


class ChatInvitationFactory(DjangoModelFactory[ChatInvitation]):
    """A live invitation of the widget's own, everywhere, from which nobody is held back."""

    class Meta:
        model = ChatInvitation

    widget = factory.SubFactory(WidgetFactory)
    name = factory.Sequence(lambda n: f"Invitation {n}")
    state = "live"
    texts = factory.LazyFunction(lambda: {"en": "May we help?", "ru": "Вам помочь?"})
    holdout = 0


class InvitationOfferFactory(DjangoModelFactory[InvitationOffer]):
    """An offer that was shown to the browser of `KEY`."""

    class Meta:
        model = InvitationOffer

    class Params:
        key = KEY

    invitation = factory.SubFactory(ChatInvitationFactory)
    widget = factory.SelfAttribute("invitation.widget")
    round = factory.SelfAttribute("invitation.round")
    key_digest = factory.LazyAttribute(lambda made: digest(made.key))
    text = "May we help?"
    shown_from = factory.LazyFunction(lambda: {"kind": "system", "agent_id": None, "name": "Shop"})
