"""The account of a connection's credential, as the vendor says; and the address at which a vendor's app delivers for
all accounts that are connected here.
"""

import logging
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.accounts.rules import digest
from apps.core.endpoints.authentication import moving
from apps.core.errors import TRY_AGAIN
from apps.core.problems import Problem
from apps.messengers.actions.provider_calls import adapter_of, wire_of
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.adapter import ProviderAccount
from apps.messengers.adapters.client import ProviderCallFailed, answered
from apps.messengers.models import Connection, VendorSettings
from apps.messengers.rules.providers import ProblemCode, new_key

# How often it is noted that an update was not proved.
UNPROVED_EVERY, MOST_NAMED = timedelta(minutes=1), 10
logger = logging.getLogger(__name__)


def with_account(connection: Connection) -> Connection:
    """The connection with its account's id, which is asked for where it is not known and the vendor has one callback
    for all accounts. Without an answer it stays unknown.
    """
    adapter = adapter_of(connection)
    if not adapter.by_app or connection.route is not None:
        return connection
    try:
        account = answered(adapter.probe(wire_of(connection)))
    except ProviderCallFailed:
        return connection
    if account is not None:
        changes = columns_of(account)
        for name, value in changes.items():
            setattr(connection, name, value)
        Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk, route=None).update(**changes)
    return connection


def columns_of(account: ProviderAccount) -> dict[str, Any]:
    """The columns of a connection that say whose it is."""
    about = {"account_id": account.id, "account_name": account.name[:255], "public_name": account.public_name}
    return {**about, "route": digest(account.route) if account.route else None}


def note_unproved(connections: Sequence[Connection]) -> None:
    """Notes that an update came for those that nothing proved, once a minute at most: whoever knows the address of a
    connection can send one.
    """
    now = timezone.now()
    for connection in connections:
        rows = Connection.objects.for_widget(connection.widget_id).filter(pk=connection.pk)
        rows.exclude(unproved_at__gt=now - UNPROVED_EVERY).update(unproved_at=now)


# --- The app's callback -----------------------------------------------------------------------------------------------


def ensure_app(provider: str) -> VendorSettings | None:
    """The settings of a vendor that has one callback for an app, with the key of its address; None for others."""
    if not ADAPTERS[provider].by_app:
        return None
    row = VendorSettings.objects.filter(pk=provider).first()
    if row is not None and row.app_key:
        return row
    with transaction.atomic():
        row, _ = VendorSettings.objects.select_for_update().get_or_create(provider=provider)
        if not row.app_key:
            row.app_key, row.app_verify_token = new_key(), new_key()
            row.app_digest = digest(row.app_key)
            row.save(update_fields=["app_key", "app_verify_token", "app_digest"])
    return row


def app_callback(row: VendorSettings) -> str | None:
    """The address at which the vendor's app delivers for all accounts; None without one."""
    return f"{settings.PUBLIC_URL}/hooks/{row.provider}/{row.app_key}" if row.app_key else None


def app_with_key(provider: str, key: str) -> VendorSettings | None:
    """The vendor's settings whose app delivers to the address with that key. The index compares hashes."""
    return VendorSettings.objects.filter(app_digest=digest(key), provider=provider).first()


class SplitUpdate(NamedTuple):
    """An update for an app: the part of each connection that it concerns, and why the vendor is to send it again."""

    parts: list[tuple[Connection, Mapping[str, Any]]]
    again: Problem | None


def split(row: VendorSettings, document: Mapping[str, Any]) -> SplitUpdate:
    """An update for the app, as an update for each connection that it concerns.

    An account that is connected nowhere is left out, and logged. The update is to come again (503) while the account of
    one that is connected moves to another installation, or it may be one whose id is not known yet; that holds up no
    other account's part.
    """
    parts: list[tuple[Connection, Mapping[str, Any]]] = []
    again: Problem | None = None
    rows = Connection.objects.unscoped("found by the account that the vendor names").select_related("widget")
    for account, part in ADAPTERS[row.provider].accounts(document).items():
        connections = list(rows.filter(provider=row.provider, route=digest(account)))
        here = [connection for connection in connections if not connection.widget.is_moving]
        parts += [(connection, part) for connection in here]
        if len(here) < len(connections):
            again = moving()
        elif not connections and _ask_whose(row.provider):
            again = TRY_AGAIN("The account is not known yet.", headers={"Retry-After": "60"})
        elif not connections:
            logger.warning("an update of %s is for the account %.64s, which is not connected", row.provider, account)
    return SplitUpdate(parts, again)


def named_in(row: VendorSettings, document: Mapping[str, Any]) -> list[Connection]:
    """The connections that an update for the app names, of which nothing is proved yet; some of them, if many."""
    routes = [digest(account) for account in list(ADAPTERS[row.provider].accounts(document))[:MOST_NAMED]]
    rows = Connection.objects.unscoped("found by the account that an update names")
    return list(rows.filter(provider=row.provider, route__in=routes)[:MOST_NAMED])


def _ask_whose(provider: str) -> bool:
    """Whether there are connections whose account is not known; they are asked for it with the next minute."""
    rows = Connection.objects.unscoped("whose accounts are not known").filter(provider=provider, route__isnull=True)
    return bool(rows.exclude(problem_code=ProblemCode.CREDENTIAL_REJECTED).update(checked_at=None))
