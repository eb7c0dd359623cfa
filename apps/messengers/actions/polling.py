"""Telegram's long poll: for bots of an installation that Telegram cannot call, a laptop's among them.

A lease a bot, taken by the runner of queues as any other work is: so one process fetches a bot's updates at a time, and
another goes on when it ends. Updates and the offset behind them are committed together, before the next call.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from apps import leases
from apps.messengers.actions.connections import note_problem
from apps.messengers.actions.inbound import keep
from apps.messengers.actions.provider_calls import adapter_of, credentials_of, wire_of
from apps.messengers.adapters.adapter import CONFLICT
from apps.messengers.adapters.client import ProviderCallFailed, answered
from apps.messengers.models import Connection, PollJob
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.rules.providers import ProblemCode, WebhookStatus

logger = logging.getLogger(__name__)

WAIT_S, CALL_S = 25, 40.0
TURN_S = 240  # then the lease is taken anew
REST_S, CONFLICT_S = 3600, 30
MOVING_S = 60


def poll(lease: leases.Lease[PollJob]) -> None:
    """Fetches a bot's updates for some minutes."""
    until = timezone.now() + timedelta(seconds=TURN_S)
    while not lease.must_stop and timezone.now() < until:
        found = Connection.objects.for_widget(lease.row.widget_id).select_related("widget")
        row = found.filter(pk=lease.row.connection_id).first()
        if row is None or row.webhook_status != WebhookStatus.LONG_POLL:
            return
        if row.widget.is_moving:
            lease.later(MOVING_S)  # what comes meanwhile waits at the provider
            return
        if row.problem_code == ProblemCode.CREDENTIAL_REJECTED:
            lease.later(REST_S)  # until PUT or verify, which queue it anew
            return
        try:
            fetch(row)
        except ProviderCallFailed as error:
            _rest(lease, row, error)
            return
    if lease.must_stop:
        lease.give_back()
    else:
        lease.later(0)


def fetch(connection: Connection) -> int:
    """One getUpdates; stores what came, and the offset behind it. Returns how many updates.

    Raises ProviderCallFailed.
    """
    adapter = adapter_of(connection)
    updates = answered(
        adapter.updates(wire_of(connection, each_s=CALL_S, all_s=CALL_S), connection.poll_offset, WAIT_S)
    )
    numbers = [number for one in updates if isinstance(number := one.get("update_id"), int)]
    with transaction.atomic():
        if numbers:
            arrivals = [arrival for one in updates for arrival in adapter.messages(one, credentials_of(connection))]
            rows = Connection.objects.for_widget(connection.widget_id).filter(
                pk=connection.pk, account_id=connection.account_id
            )
            rows = rows.filter(widget__moving_since=None)  # else they stay at the provider
            if not rows.update(poll_offset=max(numbers) + 1):
                return 0
            keep(connection, arrivals)
        if connection.problem_code == ProblemCode.CONFLICT:
            connection.problem_code = connection.problem_detail = ""
            connection.problem_at = None
            connection.save(update_fields=["problem_code", "problem_detail", "problem_at"])
    return len(updates)


def _rest(lease: leases.Lease[PollJob], connection: Connection, failed: ProviderCallFailed) -> None:
    failure = failed.failure
    if failure.code == FailureCode.CREDENTIAL_REJECTED:
        note_problem(connection, ProblemCode.CREDENTIAL_REJECTED, failure.detail)
        lease.later(REST_S)
    elif failure.number == CONFLICT:
        note_problem(connection, ProblemCode.CONFLICT, failure.detail)
        lease.later(CONFLICT_S)
    else:
        lease.failed(min(30, 2 ** min(lease.row.attempts, 5)))


def given_up(lease: leases.Lease[PollJob], reason: str) -> None:
    """A bot is never given up."""
    lease.later(30)
