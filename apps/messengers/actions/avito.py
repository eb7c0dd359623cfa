"""Connecting a cabinet of Avito: its owner allows it there, and comes back with a code."""

from urllib.parse import urlencode

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from apps.accounts.audit.records import record_secret
from apps.accounts.questions import entitlements_of
from apps.core import database
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.egress import BulkheadFull
from apps.messengers.actions.cabinets import has_free_slot
from apps.messengers.actions.connections import new_connection
from apps.messengers.actions.oauth import token_columns
from apps.messengers.actions.provider_calls import credentials_of, vendor, wire_of
from apps.messengers.actions.registration import no_problem, register, start
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.adapter import ProviderAccount
from apps.messengers.adapters.av.adapter import Avito
from apps.messengers.adapters.client import ProviderCallFailed, answered
from apps.messengers.errors import CREDENTIAL_REJECTED, PROVIDER_CALLS_BUSY, PROVIDER_UNREACHABLE
from apps.messengers.models import AdCabinet, Connection
from apps.messengers.rules.delivery import FailureCode
from apps.messengers.rules.providers import AVITO, CabinetStatus

ALLOWED_AT = "https://www.avito.ru/oauth"
SCOPE = "messenger:read,messenger:write,user:read"


def allowing_address(state: str) -> str:
    """The address at which the owner of an Avito account allows access; it leads back with a code and this `state`."""
    about = vendor(AVITO)
    asked = {
        "response_type": "code",
        "client_id": about.client_id,
        "redirect_uri": settings.PUBLIC_URL + reverse("admin:messengers_adcabinet_callback"),
        "scope": SCOPE,
        "state": state,
    }
    where = f"{about.base.rstrip('/')}/oauth" if about.base else ALLOWED_AT
    return f"{where}?{urlencode(asked)}"


def connect_cabinet(*, code: str, outbound: ExternalCall) -> Connection:
    """Stores the cabinet whose owner has come back with a code, and registers its callback address.

    A known cabinet has its credential renewed; a new one is enabled if plan and slots allow it, else disabled.

    Raises CREDENTIAL_REJECTED (422), PROVIDER_UNREACHABLE (502), PROVIDER_CALLS_BUSY (429): nothing is stored then.
    """
    widget_id = outbound.widget_id
    try:
        with outbound.slot():
            draft = new_connection(widget_id, AVITO)
            account, columns = _asked(draft, code)
            with outbound.write():
                connection = _store(widget_id, account, columns)
            register(connection)
    except BulkheadFull:
        raise PROVIDER_CALLS_BUSY(headers={"Retry-After": "1"}) from None
    return connection


def _asked(draft: Connection, code: str) -> tuple[ProviderAccount, dict[str, object]]:
    adapter = ADAPTERS[AVITO]
    assert isinstance(adapter, Avito)  # noqa: S101 - which it is
    client = wire_of(draft)
    try:
        columns = token_columns(answered(adapter.tokens(client, grant_type="authorization_code", code=code)))
        draft.token = str(columns["token"])
        client.credentials = credentials_of(draft)
        account = answered(adapter.probe(client))
    except ProviderCallFailed as error:
        if error.failure.code in (FailureCode.UNAVAILABLE, FailureCode.SLOW_DOWN):
            raise PROVIDER_UNREACHABLE() from None
        raise CREDENTIAL_REJECTED() from None
    if not account.id:
        raise PROVIDER_UNREACHABLE()
    return account, columns


def _store(widget_id: int, account: ProviderAccount, columns: dict[str, object]) -> Connection:
    database.lock(f"messengers:{widget_id}")
    found = AdCabinet.objects.for_widget(widget_id).filter(account=account.id[:64]).first()
    connection: Connection = found or new_connection(widget_id, AVITO, account.id[:64])
    if found is None:
        is_covered = entitlements_of(widget_id).paid and has_free_slot(widget_id)
        connection.status = CabinetStatus.ENABLED if is_covered else CabinetStatus.DISABLED
    for name, value in {**columns, **no_problem(), "renewing_until": None}.items():
        setattr(connection, name, value)
    connection.account_id, connection.account_name = account.id, account.name[:255]
    start(connection)
    connection.updated_at = timezone.now()
    connection.save()
    record_secret(connection, "token", "replaced" if found else "set")
    return connection
