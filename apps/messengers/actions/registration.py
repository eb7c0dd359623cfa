"""Registering a connection's callback address with its provider, and the outcome.

A registration is made after the credential is committed, since a provider may call back while it is made. A
registration whose process died in between is `pending`, and is made again by a worker (`maintenance.py`); a failed
one is not.
"""

from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from apps import leases
from apps.messengers.actions.provider_calls import (
    adapter_of,
    callback_address,
    credentials_of,
    is_polled,
    vendor,
    wire_of,
)
from apps.messengers.adapters.adapter import RegisteredHook
from apps.messengers.adapters.client import ProviderCallFailed, ProviderClient, answered
from apps.messengers.models import Connection, PollJob
from apps.messengers.rules.delivery import PROBLEM_OF, Failure
from apps.messengers.rules.providers import (
    LONGEST_PENDING_S,
    MAX_DETAIL,
    WebhookStatus,
    cleaned,
    new_secret,
)

UNCONFIRMED = "Not confirmed: no document of the provider's describes this API, and it never confirms a subscription."
MOST_LEFT = 1_000  # put onto their lines by one run of the job
MOST_TOLD = 3  # calls for one write, whatever else is written meanwhile; then a worker goes on
MANUAL = "Enter the callback address in the provider's own dashboard; the cabinet shows it."
NOT_SUBSCRIBED = "It did not subscribe the account to the app:"


def start(connection: Connection) -> None:
    """Sets the pending step of a connection: its registration, or a person who enters the address by hand."""
    adapter = adapter_of(connection)
    connection.webhook_attempted, connection.webhook_detail = False, ""
    connection.webhook_at = None
    if adapter.registration == "manual":
        connection.webhook_status, connection.pending_since = WebhookStatus.MANUAL, None
        connection.webhook_detail = MANUAL
        return
    connection.webhook_status, connection.pending_since = WebhookStatus.PENDING, timezone.now()
    if adapter.has_secret:
        connection.secret = new_secret()


def register(connection: Connection, client: ProviderClient | None = None) -> None:
    """Makes the registration that the connection waits for, and stores its outcome. Raises nothing of the provider's.
    An account whose address is entered by hand is subscribed to the app at least.

    If a newer write has changed the address or the secret since, the provider may have heard of them in either order:
    then it is told the newest once more; if the connection is gone, it is told to call no address. So parallel writes
    end with the provider's side as it is stored here.
    """
    if adapter_of(connection).registration == "manual":
        _subscribe(connection, client or wire_of(connection))
        return
    client, told = client or wire_of(connection), connection
    for _ in range(MOST_TOLD):
        client.credentials = credentials_of(told)
        current = _written(told, _told(told, client))
        if current is told:
            return
        if current is not None and adapter_of(told).keeps_addresses and current.hook_key != told.hook_key:
            current = unregister(told, client)
            if current is None:
                return
        if current is None and (current := unregister(told, client)) is None:
            return
        told = current
    Connection.objects.for_widget(told.widget_id).filter(pk=told.pk).update(
        webhook_status=WebhookStatus.PENDING, pending_since=Now()
    )


def _subscribe(connection: Connection, client: ProviderClient) -> None:
    """Has the provider deliver the account's updates to the app, where it can be told; its refusal is shown."""
    changes: dict[str, object] = {"webhook_attempted": True, "webhook_at": timezone.now(), "webhook_detail": MANUAL}
    try:
        if not answered(adapter_of(connection).subscribe(client)):
            return
    except ProviderCallFailed as error:
        words = cleaned(error.failure.detail, (*client.credentials.hidden, connection.hook_key))
        changes["webhook_detail"] = f"{MANUAL} {NOT_SUBSCRIBED} {words}".strip()[:MAX_DETAIL]
    rows = Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk)
    rows.update(**changes)


def unregister(connection: Connection, client: ProviderClient) -> Connection | None:
    """Unregisters the callback address, if the provider can be told; its answer does not matter.

    Returns the connection that has replaced this one, of which the provider must be told once more.
    """
    client.credentials = credentials_of(connection)
    with suppress(ProviderCallFailed):
        answered(adapter_of(connection).unregister(client))
    return _in_place_of(connection).first()


def _in_place_of(connection: Connection) -> QuerySet[Connection]:
    rows = Connection.objects.for_widget(connection.widget_id)
    return rows.filter(provider=connection.provider, account=connection.account)


def _told(connection: Connection, client: ProviderClient) -> dict[str, object]:
    """Tells the provider where it delivers; returns the columns that say what became of it."""
    adapter, about, failure = adapter_of(connection), vendor(connection.provider), None
    polled = is_polled(connection, about)
    registered = RegisteredHook()
    try:
        if polled:
            answered(adapter.unregister(client))
            registered = RegisteredHook(answered(adapter.probe(client)))
        else:
            registered = answered(adapter.register(client, callback_address(connection), connection.secret))
    except ProviderCallFailed as error:
        failure = error.failure
    return outcome(connection, failure, client, polled=polled, registered=registered)


def _written(connection: Connection, changes: dict[str, object]) -> Connection | None:
    """Stores the outcome, if the connection is as the provider was told. Returns it then; else the one that is there
    now, or None."""
    with transaction.atomic():
        current = _in_place_of(connection).select_for_update(of=("self",)).first()
        if current is None or _as_told(current) != _as_told(connection):
            return current
        for name, value in changes.items():
            setattr(connection, name, value)
        Connection.objects.for_widget(current.widget_id).filter(pk=current.pk).update(**changes, updated_at=Now())
        if changes["webhook_status"] == WebhookStatus.LONG_POLL:
            unique = {"connection_id": connection.pk}
            leases.enqueue(PollJob, unique=unique, values={"widget_id": connection.widget_id})
            leases.wake_workers()
    return connection


def _as_told(connection: Connection) -> tuple[int, str, str, str]:
    return connection.pk, connection.hook_key, connection.secret, connection.token


def outcome(
    connection: Connection, failure: Failure | None, client: ProviderClient, *, polled: bool, registered: RegisteredHook
) -> dict[str, object]:
    """The columns that say what became of a registration."""
    now = timezone.now()
    changes: dict[str, object] = {"webhook_attempted": True, "webhook_at": now, "pending_since": None}
    hidden = (*client.credentials.hidden, connection.hook_key)
    if adapter_of(connection).registration == "unconfirmed":
        return {**changes, "webhook_status": WebhookStatus.UNCONFIRMED, "webhook_detail": UNCONFIRMED}
    if failure is not None:
        detail = cleaned(failure.detail, hidden) or "The provider did not confirm the registration."
        changes |= {"webhook_status": WebhookStatus.FAILED, "webhook_detail": detail}
        if problem := PROBLEM_OF.get(failure.code):
            changes |= {"problem_code": problem, "problem_detail": detail, "problem_at": now}
        return changes
    status = WebhookStatus.LONG_POLL if polled else WebhookStatus.REGISTERED
    changes |= {"webhook_status": status, "webhook_detail": "", **no_problem()}
    if registered.server_id is not None:
        changes["server_id"] = registered.server_id
    if registered.account is not None:
        account = registered.account
        changes |= {"account_id": account.id, "account_name": account.name[:255], "public_name": account.public_name}
    return changes


def no_problem() -> dict[str, object]:
    """The columns of a connection that has no problem."""
    return {"problem_code": "", "problem_detail": "", "problem_at": None, "rests_until": None}


def left_pending() -> list[Connection]:
    """The connections whose registration was left by a process that ended. Index: messengers_connection_pending."""
    since = timezone.now() - timedelta(seconds=LONGEST_PENDING_S)
    return list(
        Connection.objects.unscoped("every widget's rows")
        .filter(pending_since__lte=since)
        .order_by("pending_since")[:MOST_LEFT]
    )


def is_left(connection: Connection) -> bool:
    """Whether a connection's registration was left by a process that ended."""
    since = timezone.now() - timedelta(seconds=LONGEST_PENDING_S)
    return connection.pending_since is not None and connection.pending_since <= since
