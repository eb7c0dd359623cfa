"""Alerts: opened by what goes wrong, counted while they are open, and acknowledged by people."""

from collections.abc import Collection

from django.db import transaction
from django.db.models.functions import Now

from apps.ai.models import Alert
from apps.ai.rules.configuration import severity_of
from apps.core import database
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def report(
    widget_id: int,
    code: str,
    message: str,
    *,
    assistant_id: int | None = None,
    operator_id: int | None = None,
    credential_id: int | None = None,
    chat_id: int | None = None,
) -> None:
    """Opens an alert, or counts it once more where one of that code, assistant, operator and credential is open."""
    database.lock(f"ai_alerts:{widget_id}")
    about = {"assistant_id": assistant_id, "operator_id": operator_id, "credential_id": credential_id}
    alert = Alert.objects.for_widget(widget_id).open().filter(code=code, **about).first()
    if alert is None:
        severity = severity_of(code).value
        Alert.objects.create(
            widget_id=widget_id, code=code, severity=severity, message=message, chat_id=chat_id, **about
        )
        return
    alert.occurrences += 1
    alert.message, alert.chat_id = message, chat_id or alert.chat_id
    Alert.objects.for_widget(widget_id).filter(pk=alert.pk).update(
        occurrences=alert.occurrences, message=alert.message, chat_id=alert.chat_id, last_at=Now()
    )


def end(widget_id: int, codes: Collection[str], **about: int) -> int:
    """Ends the open alerts of these codes, whose cause is gone; gives how many there were. Index: ai_alert_open.

    `about` (`credential_id`, `assistant_id`): those about this one alone.
    """
    alerts = Alert.objects.for_widget(widget_id).open().filter(code__in=codes, **about)
    return alerts.update(acknowledged_at=Now())


@transaction.atomic
def acknowledge(*, widget_id: int, ids: Collection[int] | None = None) -> int:
    """Acknowledges those alerts, or all that are open; gives how many were open.

    Raises INVALID_INPUT (422) on `ids` where one is not the widget's, and writes nothing.
    """
    alerts = Alert.objects.for_widget(widget_id)
    if ids is not None:
        alerts = alerts.filter(pk__in=ids)
        if alerts.count() != len(ids):
            raise INVALID_INPUT(errors={"ids": ["The widget has no such alert."]})
    return alerts.open().update(acknowledged_at=Now())
