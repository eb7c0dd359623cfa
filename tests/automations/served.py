"""Automations of tests, and the work of their queue and timers, done at once and as of a moment."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from apps.accounts.models import Widget
from apps.automations.actions.worker import judge_due
from apps.automations.models import Automation, AutomationEvent
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat
from tests.factories.automations import AutomationFactory

URGENT: dict[str, Any] = {"do": "priority", "value": "urgent"}
HELLO = {"type": "text", "body": "Hello"}


def automation(widget: Widget, *acts: dict[str, Any], **about: Any) -> Automation:
    """An automation that has been on for an hour; `event` or `wait` with `minutes`, and `condition`."""
    when: dict[str, Any] = {"event": about.pop("event", None)}
    if "wait" in about:
        when = {"wait": about.pop("wait"), "minutes": about.pop("minutes", 10), "clock": about.pop("clock", "always")}
    since = about.pop("enabled_at", timezone.now() - timedelta(hours=1))
    return AutomationFactory.create(widget=widget, when=when, then=list(acts or [URGENT]), enabled_at=since, **about)


def pending() -> list[str]:
    return list(AutomationEvent.objects.order_by("pk").values_list("event", flat=True))


def pass_time(until: datetime) -> None:
    """Tells of what is due by then, and judges it."""
    run_due(as_of=until)
    judge_due(as_of=until)


def priority(chat: Chat) -> str:
    return Chat.objects.values_list("priority", flat=True).get(pk=chat.pk)


def tags(chat: Chat) -> list[str]:
    from apps.chats.models import ContactTag

    of_contact = ContactTag.objects.filter(contact=chat.contact_id).order_by("tag__name")
    return list(of_contact.values_list("tag__name", flat=True))
