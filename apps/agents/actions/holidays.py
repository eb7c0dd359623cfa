"""Holidays of a widget: dates on which nobody is there."""

from datetime import date

from django.db import transaction

from apps.agents.events import DepartmentChanged
from apps.agents.models import Holiday
from apps.core import bus


@transaction.atomic
def write_holiday(*, widget_id: int, day: date, text: str) -> Holiday:
    """Notes a holiday; one of that day is written anew."""
    row, _ = Holiday.objects.for_widget(widget_id).update_or_create(
        day=day, defaults={"text": text}, create_defaults={"widget_id": widget_id, "text": text}
    )
    bus.publish(DepartmentChanged(widget_id=widget_id))
    return row


@transaction.atomic
def delete_holiday(*, widget_id: int, holiday_id: int) -> None:
    """Takes a holiday back. Raises NOT_FOUND (404)."""
    Holiday.objects.for_widget(widget_id).get_for_update(pk=holiday_id).delete()
    bus.publish(DepartmentChanged(widget_id=widget_id))
