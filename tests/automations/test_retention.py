"""Runs are forgotten after 90 days, with their chat, and with their contact's data."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.automations.actions.retention import forget_old
from apps.automations.models import AutomationEvent, AutomationRun
from apps.automations.personal_data import held_of_contact
from apps.chats.actions.erasure import erase_contact
from tests.factories.automations import AutomationEventFactory, AutomationRunFactory

pytestmark = pytest.mark.django_db


def test_runs_are_kept_for_ninety_days() -> None:
    now = timezone.now()
    AutomationRunFactory.create(at=now - timedelta(days=91))
    kept = AutomationRunFactory.create(at=now - timedelta(days=89))
    assert (forget_old(as_of=now), forget_old(as_of=now)) == (1, 0)
    assert AutomationRun.objects.get() == kept


def test_the_runs_of_a_contact_are_theirs_and_go_with_them() -> None:
    run, other = AutomationRunFactory.create(), AutomationRunFactory.create()
    AutomationEventFactory.create(chat=run.chat)
    contact = run.chat.contact
    held = {part.name: list(part.rows) for part in held_of_contact(contact.widget_id, contact.pk)}
    assert held["automation_runs"] == [run]
    assert len(held["automation_events"]) == 1
    erase_contact(widget_id=contact.widget_id, guid=contact.guid)
    assert list(AutomationRun.objects.all()) == [other]
    assert not AutomationEvent.objects.exists()
