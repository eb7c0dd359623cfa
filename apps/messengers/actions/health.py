"""Once an hour every connection is asked whether it still holds, read-only.

A credential that is rejected is a problem, of which its owners are told once, and is not asked again until it is
repaired. A registration that is lost is made once more. Silence says nothing. `maintenance.py` makes the calls.
"""

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.messengers.actions.accounts import with_account
from apps.messengers.actions.connections import note_problem
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import adapter_of, callback_address, is_polled, vendor, wire_of
from apps.messengers.actions.registration import no_problem, register
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.client import ProviderCallFailed, answered
from apps.messengers.models import Connection
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.rules.providers import ProblemCode, WebhookStatus

ASKED = tuple(code for code, one in ADAPTERS.items() if one.about.is_rechecked)
EVERY = timedelta(hours=1)
STANDING = (WebhookStatus.REGISTERED, WebhookStatus.LONG_POLL, WebhookStatus.MANUAL)
AT_ONCE = 1_000  # put onto their lines by one run of the job
LOST = "The provider no longer delivers to this address."


def due_for_check() -> list[Connection]:
    """The connections that were not asked for an hour, which count as asked now. Twice at once finds each once."""
    now = timezone.now()
    live = (
        Connection.objects.unscoped("every widget's rows")
        .filter(
            Q(checked_at__isnull=True) | Q(checked_at__lte=now - EVERY), provider__in=ASKED, webhook_status__in=STANDING
        )
        .exclude(problem_code=ProblemCode.CREDENTIAL_REJECTED)
    )
    with transaction.atomic():
        due = list(live.select_for_update(skip_locked=True, of=("self",)).order_by("checked_at", "pk")[:AT_ONCE])
        Connection.objects.unscoped("every widget's rows").filter(pk__in=[one.pk for one in due]).update(checked_at=now)
    return due


def is_asked(connection: Connection) -> bool:
    """Whether there is something that may still hold, or not."""
    standing = connection.provider in ASKED and connection.webhook_status in STANDING
    return standing and connection.problem_code != ProblemCode.CREDENTIAL_REJECTED


def check(connection: Connection) -> None:
    """Asks whether one connection still holds, and notes what is wrong."""
    address = "" if is_polled(connection, vendor(connection.provider)) else callback_address(connection)
    try:
        connection = answered(renewed(connection))
        holds = answered(adapter_of(connection).health(wire_of(connection), address))
    except ProviderCallFailed as error:
        failure = error.failure
        if adapter_of(connection).rejects(failure):
            note_problem(connection, ProblemCode.CREDENTIAL_REJECTED, failure.detail)
        elif failure.code == FailureCode.NOT_PAID:
            note_problem(connection, ProblemCode.SUBSCRIPTION_NEEDED, failure.detail)
        return
    same = Connection.objects.for_widget(connection.widget_id).filter(
        pk=connection.pk, problem_code=ProblemCode.WEBHOOK_LOST
    )
    with_account(connection)
    if holds:
        same.update(**no_problem())
    elif note_problem(connection, ProblemCode.WEBHOOK_LOST, LOST):
        register(connection)
