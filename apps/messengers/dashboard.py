"""The messengers' part of the cabinet's front page: the first step."""

from django.urls import reverse
from django.utils.translation import gettext

from apps.accounts.first_steps import FirstStep, FirstSteps
from apps.messengers.models import AdCabinet, Channel, Community, Connection


def first_steps(widget_id: int) -> list[FirstStep]:
    kinds = (Connection, Community, AdCabinet, Channel)
    return [
        FirstStep(
            title=gettext("Connect a messenger"),
            note=gettext("Chats from Telegram, VK, WhatsApp and others come to the same console."),
            button=gettext("Connect"),
            address=reverse("admin:messengers_connection_add"),
            is_done=any(kind.objects.for_widget(widget_id).exists() for kind in kinds),
        )
    ]


FIRST_STEPS = FirstSteps(steps=first_steps)
