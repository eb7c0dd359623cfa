"""VK's communities: each with a key and a callback server of its own; the primary one is where visitors are sent."""

from django.db import transaction

from apps.accounts.audit.records import record_secret
from apps.core import database
from apps.core.database.constraints import unique_or
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.errors import INVALID_INPUT
from apps.messengers.actions.connections import REJECTED, admitted, new_connection, remove, require_plan
from apps.messengers.actions.provider_calls import wire_of
from apps.messengers.actions.registration import register, start
from apps.messengers.adapters.adapter import ProviderAccount
from apps.messengers.adapters.client import ProviderCallFailed, ProviderClient, answered
from apps.messengers.adapters.vk.adapter import NO_COMMUNITY, REJECTING, Vk
from apps.messengers.errors import (
    COMMUNITY_EXISTS,
    CREDENTIAL_REJECTED,
    PROVIDER_NOT_CONFIRMED,
    PROVIDER_UNREACHABLE,
)
from apps.messengers.models import Community, Connection

UNKNOWN_COMMUNITY = "VK knows no such community."

VK = Vk()


def add_community(*, token: str, community: str, outbound: ExternalCall) -> Connection:
    """Connects a community, by what it is called, once VK has said that the key manages it.

    Raises INVALID_INPUT, CREDENTIAL_REJECTED (422), COMMUNITY_EXISTS, PAID_PLAN_REQUIRED (409), PROVIDER_UNREACHABLE
    (502), PROVIDER_CALLS_BUSY, MESSENGER_RATE_LIMITED (429): nothing is stored then.
    """
    widget_id = outbound.widget_id
    require_plan(widget_id)
    if Community.objects.for_widget(widget_id).filter(account=community).exists():
        raise COMMUNITY_EXISTS()
    with admitted(outbound):
        draft = new_connection(widget_id, Vk.code)
        draft.token = token
        client = wire_of(draft)
        account, confirmation = _asked(client, community)
        with unique_or(COMMUNITY_EXISTS, "messengers_connection"), outbound.write():
            database.lock(f"messengers:{widget_id}")
            connection = new_connection(widget_id, Vk.code, account.id)
            connection.token, connection.confirmation = token, confirmation
            connection.account_id, connection.account_name = account.id, account.name[:255]
            connection.public_name = account.public_name[:255]
            connection.is_primary = not Community.objects.for_widget(widget_id).filter(is_primary=True).exists()
            start(connection)
            connection.save()
            record_secret(connection, "token", "set")
        register(connection, client)
    return connection


def _asked(client: ProviderClient, community: str) -> tuple[ProviderAccount, str]:
    """The community's account, and its confirmation code, which only a key that manages it can read."""
    try:
        account = answered(VK.community(client, community))
        if account is None:
            raise INVALID_INPUT(errors={"community": [UNKNOWN_COMMUNITY]})
        return account, answered(VK.confirmation(client, account.id))
    except ProviderCallFailed as error:
        number = error.failure.number
    if number in REJECTING:
        raise CREDENTIAL_REJECTED(errors={"token": [REJECTED]})
    if number in NO_COMMUNITY:
        raise INVALID_INPUT(errors={"community": [UNKNOWN_COMMUNITY]})
    raise PROVIDER_UNREACHABLE()


@transaction.atomic
def make_primary(*, widget_id: int, community_id: int) -> None:
    """Sends visitors to that community from now on. Raises NOT_FOUND (404)."""
    database.lock(f"messengers:{widget_id}")
    chosen = Community.objects.for_widget(widget_id).get_for_update(pk=community_id)
    if not chosen.is_primary:
        Community.objects.for_widget(widget_id).filter(is_primary=True).update(is_primary=False)
        chosen.is_primary = True
        chosen.save(update_fields=["is_primary"])


def remove_community(*, community: Connection, outbound: ExternalCall) -> None:
    """Removes a community, once VK has confirmed that its callback server is gone; one never registered goes at once.

    Raises PROVIDER_NOT_CONFIRMED (502): the community stays. The oldest one left becomes the primary one.
    """
    widget_id = outbound.widget_id
    with admitted(outbound):
        if community.server_id is not None and not answered(VK.is_removed(wire_of(community))):
            raise PROVIDER_NOT_CONFIRMED()
        with outbound.write():
            database.lock(f"messengers:{widget_id}")
            remove(community)
            left = Community.objects.for_widget(widget_id)
            if not left.filter(is_primary=True).exists() and (oldest := left.order_by("created_at", "id").first()):
                oldest.is_primary = True
                oldest.save(update_fields=["is_primary"])
