"""Connecting, verifying and removing providers (specification, "Messengers, communities and ad cabinets").

One order: what can be checked here, a place to wait in, the budget, the probe; then the credential is committed, and
only then the provider is told where to deliver.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.accounts.audit.records import record_secret
from apps.accounts.models import User
from apps.accounts.questions import entitlements_of
from apps.accounts.rules import OWNER, digest
from apps.core import database, mail
from apps.core.database.constraints import unique_or
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.core.quotas import Quota
from apps.egress import BulkheadFull
from apps.messengers.actions.accounts import columns_of, ensure_app
from apps.messengers.actions.channels import delete_channel
from apps.messengers.actions.overview import state_of
from apps.messengers.actions.provider_calls import adapter_of, credentials_of, wire_of
from apps.messengers.actions.registration import no_problem, register, start, unregister
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.adapter import ProviderAccount
from apps.messengers.adapters.client import ProviderCallFailed, ProviderClient, answered
from apps.messengers.errors import (
    CREDENTIAL_REJECTED,
    MESSENGER_ACCOUNT_IN_USE,
    MESSENGER_NOT_CONNECTED,
    MESSENGER_RATE_LIMITED,
    PAID_PLAN_REQUIRED,
    PROVIDER_CALLS_BUSY,
    PROVIDER_NOT_VERIFIABLE,
)
from apps.messengers.mail import rejected_mail
from apps.messengers.models import Channel, Connection
from apps.messengers.querysets import account_widget
from apps.messengers.rules.delivery import PASSES, Failure, FailureCode
from apps.messengers.rules.providers import CUSTOM, ConnectionState, ProblemCode, cleaned, new_key, new_secret

GOING_S = 4.0  # how long a provider is told that a connection goes
REJECTED = "The provider says that the token is wrong."
UNTRIED = "The provider could not be asked about the token now; the one that works stays. Try again."


def calls_quota() -> Quota:
    """The budget of every write that may call a provider."""
    return Quota("messengers.calls", settings.MESSENGER_CALL_LIMIT, timedelta(minutes=1), MESSENGER_RATE_LIMITED)


@contextmanager
def admitted(outbound: ExternalCall) -> Iterator[None]:
    """The place and the budget of a write that may call a provider. Raises PROVIDER_CALLS_BUSY, MESSENGER_RATE_LIMITED
    (429).

    A call that passed all local checks counts, whatever the provider then answers.
    """
    try:
        place = outbound.slot()
        place.__enter__()
    except BulkheadFull:
        raise PROVIDER_CALLS_BUSY(headers={"Retry-After": "1"}) from None
    try:
        with transaction.atomic(durable=True):
            calls_quota().spend(outbound.widget_id)
        yield
    finally:
        place.__exit__(None, None, None)


def require_plan(widget_id: int) -> None:
    """Raises PAID_PLAN_REQUIRED (409)."""
    if not entitlements_of(widget_id).paid:
        raise PAID_PLAN_REQUIRED()


def new_connection(widget_id: int, provider: str, account: str = "") -> Connection:
    """A connection with a callback address and secrets of its own, not saved yet."""
    connection = Connection(widget_id=widget_id, provider=provider, account=account, secret=new_secret())
    connection.verify_token = new_key()
    renew_key(connection)
    return connection


def renew_key(connection: Connection) -> None:
    """Gives a connection another callback address: the one before is 404 from then on."""
    connection.hook_key = new_key()
    connection.digest = digest(connection.hook_key)


def connect(*, provider: str, fields: Mapping[str, Any], outbound: ExternalCall) -> Connection:
    """Stores a provider's credential in place of the one that was there, and registers its callback address.

    A key that takes another's place is tried first, where the provider can be asked; one that works is not given up
    for one that could not be tried.

    Raises PAID_PLAN_REQUIRED, MESSENGER_ACCOUNT_IN_USE, IDEMPOTENCY_KEY_REUSED (409), CREDENTIAL_REJECTED,
    INVALID_INPUT (422), then nothing is stored; and PROVIDER_CALLS_BUSY, MESSENGER_RATE_LIMITED (429). A registration
    that fails raises nothing.
    """
    widget_id = outbound.widget_id
    _require_free_bot(widget_id, provider, fields["token"])
    require_plan(widget_id)
    with admitted(outbound):
        ensure_app(provider)
        found = Connection.objects.for_widget(widget_id).of_provider(provider).first()
        is_another = found is not None and found.token != fields["token"]
        gives_up = is_another and found is not None and state_of(found) is ConnectionState.CONNECTED
        connection = _with(found or new_connection(widget_id, provider), fields)
        account = _probed(connection, client := wire_of(connection), is_another=is_another, gives_up=gives_up)
        with unique_or(MESSENGER_ACCOUNT_IN_USE, "messengers_connection"), outbound.write():
            replaced, connection = _store(widget_id, provider, fields, account)
        register(connection, client)
        if replaced is not None:
            _leave(replaced, connection, client)
    return connection


def _leave(replaced: Connection, connection: Connection, client: ProviderClient) -> None:
    """Tells the provider no more to call the address that was replaced, or for the account; its answer does not matter,
    and the time for it is what the registration left.
    """
    is_other = replaced.account_id and connection.account_id and replaced.account_id != connection.account_id
    if adapter_of(replaced).keeps_addresses or is_other:
        unregister(replaced, client)


def _require_free_bot(widget_id: int, provider: str, token: str) -> None:
    owner = ADAPTERS[provider].owner_of(token)
    if owner and account_widget(provider, owner) not in (None, widget_id):
        raise MESSENGER_ACCOUNT_IN_USE()


def _with(connection: Connection, fields: Mapping[str, Any]) -> Connection:
    for name in ("token", "sid", "url", "target", "app_secret"):
        if name in fields:
            setattr(connection, name, fields[name])
    return connection


def _probed(
    connection: Connection, client: ProviderClient, *, is_another: bool = False, gives_up: bool = False
) -> ProviderAccount | None:
    """The account of the credential, if the provider is asked. A credential that takes another's place (`is_another`)
    is tried at each provider that can be asked; `gives_up`: the other one works.

    Raises CREDENTIAL_REJECTED (422); silence is no rejection, but INVALID_INPUT (422) where one that works would go.
    """
    adapter, has_account = adapter_of(connection), True
    try:
        account = answered(adapter.probe(client))
        has_account = account is not None
        if is_another and not has_account:
            answered(adapter.health(client, ""))
    except ProviderCallFailed as error:
        failure = error.failure
        if _is_no_ones(failure) if has_account else failure.code == FailureCode.CREDENTIAL_REJECTED:
            raise CREDENTIAL_REJECTED(errors={"token": [REJECTED]}) from None
        if gives_up and failure.code in PASSES:
            raise INVALID_INPUT(errors={"token": [UNTRIED]}) from None
        return None
    return account


def _is_no_ones(failure: Failure) -> bool:
    """Whether the answer to the question for a credential's account says that there is none."""
    return failure.code in (FailureCode.CREDENTIAL_REJECTED, FailureCode.NO_RECIPIENT)


def _store(
    widget_id: int, provider: str, fields: Mapping[str, Any], account: ProviderAccount | None
) -> tuple[Connection | None, Connection]:
    """The connection as it was, if there was one, and as it is stored now."""
    database.lock(f"messengers:{widget_id}")
    found = Connection.objects.for_widget(widget_id).of_provider(provider).select_for_update(of=("self",)).first()
    replaced = copy(found)
    connection = _with(found or new_connection(widget_id, provider), fields)
    if found and adapter_of(connection).registration != "manual":
        renew_key(connection)
    owner = adapter_of(connection).owner_of(fields["token"])
    if connection.account_id != owner:
        connection.poll_offset = 0
    connection.account_id = owner
    connection.account_name, connection.public_name, connection.route = "", "", None
    for name, value in {**(columns_of(account) if account else {}), **no_problem()}.items():
        setattr(connection, name, value)
    start(connection)
    connection.updated_at, connection.unproved_at = timezone.now(), None
    connection.save()
    record_secret(connection, "token", "replaced" if found else "set")
    if "app_secret" in fields and (had := replaced.app_secret if replaced else None) != connection.app_secret:
        record_secret(connection, "app_secret", "replaced" if had else "set")
    return replaced, connection


def verify(*, provider: str, outbound: ExternalCall) -> None:
    """Registers the stored credential once more; of VK, of every community.

    Raises PROVIDER_NOT_VERIFIABLE, CREDENTIAL_REJECTED (422), MESSENGER_NOT_CONNECTED, PAID_PLAN_REQUIRED (409).
    """
    if provider == CUSTOM:
        raise PROVIDER_NOT_VERIFIABLE()
    widget_id = outbound.widget_id
    connections = list(Connection.objects.for_widget(widget_id).of_provider(provider))
    if not connections:
        raise MESSENGER_NOT_CONNECTED()
    require_plan(widget_id)
    with admitted(outbound):
        for number, connection in enumerate(connections):
            verify_connection(connection, outbound if number == 0 else ExternalCall(widget_id))


def verify_one(connection: Connection, outbound: ExternalCall) -> None:
    """Registers one connection once more. Raises PAID_PLAN_REQUIRED (409), CREDENTIAL_REJECTED (422)."""
    require_plan(outbound.widget_id)
    with admitted(outbound):
        verify_connection(connection, outbound)


def verify_connection(connection: Connection, outbound: ExternalCall) -> None:
    """Asks who the credential is, and registers it. Raises CREDENTIAL_REJECTED (422), which stays as its problem."""
    client, widget_id = wire_of(connection), outbound.widget_id
    try:
        account = _probed(connection, client)
    except Exception:
        note_problem(connection, ProblemCode.CREDENTIAL_REJECTED, REJECTED)
        raise
    with outbound.write():
        connection = Connection.objects.for_widget(widget_id).get_for_update(pk=connection.pk)
        start(connection)
        if account is not None and connection.token == client.credentials.token:
            for name, value in columns_of(account).items():
                setattr(connection, name, value)
        connection.save()
    register(connection, client)


def note_problem(connection: Connection, code: ProblemCode, detail: str) -> bool:
    """Shows the problem of a connection until it is repaired; returns whether it is new.

    If a credential is rejected, the account's owners get one mail. Errors about a replaced credential are ignored.
    """
    detail = cleaned(detail, (*credentials_of(connection).hidden, connection.hook_key)) or code.value
    rows = Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk).exclude(problem_code=code)
    with transaction.atomic():
        if not has_credential_of(connection):
            return False
        is_new = bool(rows.update(problem_code=code, problem_detail=detail, problem_at=timezone.now()))
        if is_new and code == ProblemCode.CREDENTIAL_REJECTED:
            _tell_owners(connection)
    return is_new


@transaction.atomic
def has_credential_of(connection: Connection) -> bool:
    """Whether a connection still has the credential that it was read with; until the transaction under way ends."""
    rows = Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk)
    current = rows.select_for_update(of=("self",)).first()
    return current is not None and current.token == connection.token


def _tell_owners(connection: Connection) -> None:
    widget, kind = connection.widget, adapter_of(connection).about.page
    path = reverse(f"admin:messengers_{kind}_change", args=[connection.pk])
    owners = User.objects.filter(account=widget.account_id, role=OWNER, is_staff=True, is_active=True)
    for owner in owners:
        letter = rejected_mail(
            email=owner.email,
            messenger=adapter_of(connection).name,
            widget_name=widget.name,
            path=path,
            language=owner.mail_language,
        )
        mail.queue(letter)


def disconnect(*, provider: str, outbound: ExternalCall) -> None:
    """Removes a provider's credential; the provider is told where it can be, and never keeps it from going.

    Chats and contacts stay. Raises NOT_FOUND (404), PROVIDER_CALLS_BUSY, MESSENGER_RATE_LIMITED (429).
    """
    widget_id = outbound.widget_id
    if provider == CUSTOM:
        _disconnect_channels(outbound)
        return
    connections = Connection.objects.for_widget(widget_id).of_provider(provider)
    told = connections.first()
    if told is None:
        raise NOT_FOUND()
    with admitted(outbound):
        client = wire_of(told, all_s=GOING_S)
        for connection in connections:
            unregister(connection, client)
        with outbound.write():
            removed = [remove(connection) for connection in connections.all()]
        for connection in removed:
            if (
                adapter_of(connection).about.page == "connection" and connection.updated_at != told.updated_at
            ):  # registered again after it was told
                client = wire_of(connection, all_s=GOING_S)
                if (another := unregister(connection, client)) is not None:
                    register(another, client)


def _disconnect_channels(outbound: ExternalCall) -> None:
    channels = Channel.objects.for_widget(outbound.widget_id)
    if not channels.exists():
        raise NOT_FOUND()
    with admitted(outbound), outbound.write():
        for channel in channels:
            delete_channel(channel=channel)


def remove(connection: Connection) -> Connection:
    """Deletes a connection with what came in by it and was not stored; its callback address is 404 at once. Returns it
    as it was.

    Locked first: what comes in at the same moment is deleted with it, or finds it gone.
    """
    rows = type(connection).objects.for_widget(connection.widget_id).filter(pk=connection.pk)
    locked = rows.select_for_update(of=("self",)).first()
    if locked is None:
        return connection
    removed = copy(locked)
    locked.delete()
    return removed
