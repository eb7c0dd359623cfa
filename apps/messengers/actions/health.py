"""Once an hour every connection is asked whether it still holds, read-only.

A credential that is rejected is a problem, of which its owners are told once, and is not asked again until it is
repaired. A registration that is lost is made once more. Silence says nothing.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.messengers.actions.calling import adapter_of, callback_address, is_polled, vendor, wire_of
from apps.messengers.actions.connections import is_rejection, note_problem
from apps.messengers.actions.registering import no_problem, register
from apps.messengers.actions.renewing import renewed
from apps.messengers.adapters.wire import Failed
from apps.messengers.models import Connection
from apps.messengers.rules.delivery import Code
from apps.messengers.rules.providers import ProblemCode, WebhookStatus

ASKED = ("tg", "vk", "wa", "vb", "fb", "mx", "av")
EVERY = timedelta(hours=1)
# Of one run, so that it takes minutes at most: of a provider that is silent so often no more is asked in it.
AT_ONCE, SILENCES = 100, 3
LOST = "The provider no longer delivers to this address."


def check_health() -> int:
    """Asks of the connections that were not asked for an hour; returns how many were. Twice at once it asks once."""
    silences: dict[str, int] = {}
    asked = 0
    for connection in _due():
        if silences.get(connection.provider, 0) >= SILENCES:
            continue
        asked += 1
        if not check(connection):
            silences[connection.provider] = silences.get(connection.provider, 0) + 1
    return asked


def _due() -> list[Connection]:
    now = timezone.now()
    live = Connection.objects.filter(
        Q(checked_at__isnull=True) | Q(checked_at__lte=now - EVERY),
        provider__in=ASKED,
        webhook_status__in=(WebhookStatus.REGISTERED, WebhookStatus.LONG_POLL, WebhookStatus.MANUAL),
    ).exclude(problem_code=ProblemCode.CREDENTIAL_REJECTED)
    with transaction.atomic():
        due = list(live.select_for_update(skip_locked=True, of=("self",)).order_by("checked_at", "pk")[:AT_ONCE])
        Connection.objects.filter(pk__in=[one.pk for one in due]).update(checked_at=now)
    return due


def check(connection: Connection) -> bool:
    """Asks whether one connection still holds, and notes what is wrong; returns whether there was an answer."""
    address = "" if is_polled(connection, vendor(connection.provider)) else callback_address(connection)
    try:
        connection = renewed(connection)
        holds = adapter_of(connection).health(wire_of(connection), address)
    except Failed as error:
        failure = error.failure
        is_gone = connection.provider == "tg" and is_rejection(failure)
        if failure.code == Code.CREDENTIAL_REJECTED or is_gone:
            note_problem(connection, ProblemCode.CREDENTIAL_REJECTED, failure.detail)
        return failure.code != Code.UNAVAILABLE
    same = Connection.objects.of(connection.widget_id).filter(pk=connection.pk, problem_code=ProblemCode.WEBHOOK_LOST)
    if holds:
        same.update(**no_problem())
    elif note_problem(connection, ProblemCode.WEBHOOK_LOST, LOST):
        register(connection)
    return True
