"""Maintenance of connections: a registration that was left is made, and valid ones are checked.

Periodic jobs choose the connections (`registering.left_pending`, `health.due_for_check`) and make no call; a worker
takes a connection at a time under a lease. Two of a provider at once are asked, each for seconds at most, so that a
vendor who hangs holds up neither the others nor anything else.
"""

from collections.abc import Sequence
from contextlib import suppress

from django.db import IntegrityError

from apps import leases
from apps.messengers.actions.health import check, due_for_check, is_asked
from apps.messengers.actions.registration import is_left, left_pending, register
from apps.messengers.adapters import CONNECTED
from apps.messengers.models import CheckJob, Connection


def queue_left() -> int:
    """Has the registrations made that were left. Returns how many; twice at once they are made once."""
    return _queue(left_pending())


def queue_due() -> int:
    """Has the connections asked that were not for an hour. Returns how many; twice at once each is asked once."""
    return _queue(due_for_check())


def _queue(connections: Sequence[Connection]) -> int:
    for connection in connections:
        unique = {"connection_id": connection.pk}
        values = {"widget_id": connection.widget_id, "vendor": CONNECTED.index(connection.provider)}
        with suppress(IntegrityError):  # it is removed meanwhile
            leases.enqueue(CheckJob, unique=unique, values=values)
    leases.wake_workers()
    return len(connections)


def maintain_connection(lease: leases.Lease[CheckJob]) -> None:
    """Does what a connection needs by now."""
    connection = Connection.objects.for_widget(lease.row.widget_id).filter(pk=lease.row.connection_id).first()
    if connection is None:
        return
    if is_left(connection):
        register(connection)
    elif is_asked(connection):
        check(connection)
