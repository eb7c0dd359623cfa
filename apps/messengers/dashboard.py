"""The messengers' part of the cabinet's front page: the first step."""

from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.questions import entitlements_of
from apps.cabinet.first_steps import FirstStep, FirstSteps
from apps.messengers.models import AdCabinet, Channel, Community, Connection


def first_steps(widget_id: int) -> list[FirstStep]:
    is_paid = entitlements_of(widget_id).paid
    kinds = (Connection, Community, AdCabinet, Channel)
    return [
        FirstStep(
            title=gettext("Connect a messenger"),
            note=gettext("Chats from Telegram, VK, WhatsApp and others come to the same console.")
            if is_paid
            else gettext("Messengers need a paid plan, and the widget has none now: the page says who gives one."),
            button=gettext("Connect"),
            address=reverse("admin:messengers_connection_add"),
            is_done=any(kind.objects.for_widget(widget_id).exists() for kind in kinds),
        )
    ]


FIRST_STEPS = FirstSteps(order=30, steps=first_steps)
