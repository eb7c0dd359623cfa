"""Alerts: opened by what goes wrong, counted while they are open, and acknowledged by people."""

from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone, translation

from apps.accounts.models import User
from apps.accounts.rules import OWNER
from apps.ai.actions.advice import stored_as, told
from apps.ai.actions.cures import cure_of
from apps.ai.mail import alert_mail
from apps.ai.models import Alert
from apps.ai.rules.configuration import MAILED, OF_BUDGET, severity_of
from apps.core import database, mail
from apps.core.errors import INVALID_INPUT


@transaction.atomic
def report(
    widget_id: int,
    code: str,
    sentence: str,
    *,
    values: Mapping[str, str] | None = None,
    assistant_id: int | None = None,
    operator_id: int | None = None,
    credential_id: int | None = None,
    chat_id: int | None = None,
) -> None:
    """Opens an alert, or counts it once more where one of that code, assistant, operator and credential is open.

    `sentence` is the code of one of `advice.sentences`, `values` fill it in: each reader has it in their language.
    Raises KeyError for one that no app has.
    The owners get one letter for a cause of a code in MAILED: a cause is a credential, or a day's budget.
    """
    said = stored_as(sentence, values or {})
    database.lock(f"ai_alerts:{widget_id}")
    about = {"assistant_id": assistant_id, "operator_id": operator_id, "credential_id": credential_id}
    is_letter_due = code in MAILED and not _is_told(widget_id, code, credential_id)
    alert = Alert.objects.for_widget(widget_id).open().filter(code=code, **about).first()
    if alert is None:
        severity = severity_of(code).value
        alert = Alert.objects.create(
            widget_id=widget_id, code=code, severity=severity, chat_id=chat_id, **said, **about
        )
        if is_letter_due:
            _tell_owners(alert)
        return
    alert.sentence, alert.values = sentence, said["values"]
    if is_letter_due:
        _tell_owners(alert)
    Alert.objects.for_widget(widget_id).filter(pk=alert.pk).update(
        occurrences=F("occurrences") + 1, chat_id=chat_id or alert.chat_id, last_at=Now(), **said
    )


def report_once_a_day(widget_id: int, code: str, sentence: str) -> None:
    """Reports a state of the day's budget, where that was not done today (UTC)."""
    if not is_told_today(widget_id, code):
        report(widget_id, code, sentence)


def is_told_today(widget_id: int, code: str) -> bool:
    """Whether an alert of that code was opened or counted today (UTC), acknowledged or not."""
    midnight = datetime.combine(timezone.now().astimezone(UTC), datetime.min.time(), UTC)
    return Alert.objects.for_widget(widget_id).filter(code=code, last_at__gte=midnight).exists()


def _is_told(widget_id: int, code: str, credential_id: int | None) -> bool:
    """Whether the owners have had the letter of this cause, whichever assistant or operator met it first."""
    if code in OF_BUDGET:
        return is_told_today(widget_id, code)
    about: dict[str, Any] = {"credential_id": credential_id}
    return Alert.objects.for_widget(widget_id).open().filter(code=code, **about).exists()


def _tell_owners(alert: Alert) -> None:
    """Queues the letter to each owner of the account, in the owner's language, in the transaction under way."""
    widget = alert.widget
    owners = User.objects.filter(account_id=widget.account_id, role=OWNER, is_staff=True, is_active=True)
    for owner in owners:
        with translation.override(owner.mail_language):
            words = told(alert)
        letter = alert_mail(
            email=owner.email,
            told=words,
            widget_name=widget.name,
            path=cure_of(alert),
            language=owner.mail_language,
        )
        mail.queue(letter)


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
