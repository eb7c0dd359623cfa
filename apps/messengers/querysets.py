"""Named reads of custom channels and of those who write by them; each starts from the widget, or from a secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.db.models import Model, Q

from apps.accounts.models import Widget
from apps.accounts.rules import digest
from apps.agents.models import Agent
from apps.core.database import fetch_one
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet
from apps.messengers import rules
from apps.messengers.rules.providers import AVITO, CabinetStatus, WebhookStatus

if TYPE_CHECKING:
    from apps.messengers.models import (  # noqa: F401
        Channel,
        Connection,
        Inbound,
        OutboundMessage,
        Peer,
        VendorSettings,
    )

AnyModel = TypeVar("AnyModel", bound=Model)

# In the order of their models' fields, as Django takes them.
_HOOKED = (
    *("id", "widget_id", "provider", "account", "token", "sid", "target", "account_id", "account_name", "route"),
    *("server_id", "confirmation", "status", "hook_key", "secret", "verify_token", "app_secret", "last_inbound_at"),
)
_OF_VENDOR = ("provider", "base", "app_secret", "client_id", "client_secret")
# By hand: each update asks it, and compiling a queryset costs more than running it. Indexes: of both tables' keys.
_WITH_KEY = f"""
SELECT {", ".join(f"connection.{name}" for name in _HOOKED)}, widget.id, widget.moving_since,
       {", ".join(f"vendor.{name}" for name in _OF_VENDOR)}
FROM messengers_connection connection JOIN accounts_widget widget ON widget.id = connection.widget_id
LEFT JOIN messengers_vendorsettings vendor ON vendor.provider = connection.provider
WHERE connection.digest = %(digest)s AND connection.provider = %(provider)s
/* unscoped: found by its secret */"""  # noqa: S608 - of constants


class ChannelQuerySet(TenantQuerySet["Channel"]):
    """Custom channels of a widget."""

    def active(self) -> ChannelQuerySet:
        """The channels that take messages, and are sent them."""
        return self.filter(is_active=True)

    def with_secret(self, secret: str) -> Channel | None:
        """The channel of that plain secret, with its widget; None if there is none. The index compares hashes."""
        if not rules.is_secret(secret):
            return None
        return self.select_related("widget").filter(digest=digest(secret)).first()


class PeerQuerySet(TenantQuerySet["Peer"]):
    """The peers of the widget's channels."""

    def named(self, code: str, external_client_id: str) -> PeerQuerySet:
        """The peer that a custom channel calls so, with their contact. Index: messengers_peer_one_a_conversation."""
        return self.select_related("contact").filter(channel=code, account="", conversation=external_client_id)

    def behind(self, contact_guid: str, code: str) -> Peer | None:
        """The contact's peer on a channel; None for a contact who does not write by it."""
        return self.filter(contact__guid=contact_guid, channel=code).first()


class ConnectionQuerySet(TenantQuerySet["Connection"]):
    """Connections to providers."""

    def of_provider(self, provider: str) -> Self:
        """The connections to one provider; of VK the primary community is the first.

        Index: messengers_connection_once.
        """
        return self.filter(provider=provider).order_by("-is_primary", "id")

    def polled(self) -> Self:
        """The bots whose updates are fetched. Index: messengers_connection_polled."""
        return self.filter(provider="tg", webhook_status=WebhookStatus.LONG_POLL)


def hooked(provider: str, key: str) -> tuple[Connection, VendorSettings] | None:
    """The connection of that callback address, with its widget, and its vendor's settings; None without one.

    Loads the columns that an update needs; the rest is deferred. The index compares hashes.
    """
    from apps.messengers.models import Connection, VendorSettings

    found = fetch_one(_WITH_KEY, {"digest": digest(key), "provider": provider})
    if found is None:
        return None
    columns = iter(found)
    connection = _row_of(Connection, _HOOKED, columns)
    connection.widget = _row_of(Widget, ("id", "moving_since"), columns)
    vendor = _row_of(VendorSettings, _OF_VENDOR, columns)
    return connection, vendor if vendor.provider else VendorSettings(provider=provider)


def _row_of(model: type[AnyModel], names: Sequence[str], columns: Iterator[Any]) -> AnyModel:
    """A model's row of the next columns, with those names; encrypted ones are decrypted."""
    fields = (model._meta.get_field(name) for name in names)
    values = [
        field.from_db_value(value, None, None) if isinstance(field, EncryptedTextField) else value  # type: ignore[arg-type]
        for field, value in zip(fields, columns, strict=False)
    ]
    return model.from_db(None, names, values)


class CommunityQuerySet(ConnectionQuerySet):
    """VK's communities of a widget."""

    def for_widget(self, widget_id: int) -> Self:
        return super().for_widget(widget_id).filter(provider="vk")


class CabinetQuerySet(ConnectionQuerySet):
    """Ad cabinets of a widget."""

    def for_widget(self, widget_id: int) -> Self:
        return super().for_widget(widget_id).filter(provider=AVITO)

    def enabled(self) -> Self:
        """The cabinets that hold a slot."""
        return self.filter(status=CabinetStatus.ENABLED)


class InboundQuerySet(TenantQuerySet["Inbound"]):
    """Messages as they came in."""

    def waiting(self, connection_id: int, conversation: str) -> Self:
        """The messages of a conversation that are not stored in a chat yet, oldest first.

        Index: messengers_inbound_open.
        """
        open_ = self.filter(connection=connection_id, conversation=conversation, handled_at__isnull=True)
        return open_.order_by("id")

    def changes_of(self, connection_id: int, conversation: str, external_id: str) -> Self:
        """The edits and deletions of a message that came, and were dealt with, before it. Index:
        messengers_inbound_once.
        """
        rows = self.filter(connection=connection_id, conversation=conversation, changes=external_id)
        return rows.filter(handled_at__isnull=False, part__isnull=False).order_by("id")

    def last_of(self, connection_id: int, conversation: str, external_id: str, before: int) -> Inbound | None:
        """The last update with a message, or an edit of it, before that one, while it is kept. Index:
        messengers_inbound_once.
        """
        rows = self.filter(Q(external_id=external_id) | Q(changes=external_id, event="edited"), part__isnull=False)
        return rows.filter(connection=connection_id, conversation=conversation, pk__lt=before).order_by("-id").first()


class OutboundMessageQuerySet(TenantQuerySet["OutboundMessage"]):
    """Messages on their way to providers."""

    def waiting(self, peer_id: int | None) -> Self:
        """The unsent messages to a peer, or without one, oldest first. Index: messengers_outbound_open."""
        return self.filter(peer=peer_id, done_at__isnull=True).order_by("message")

    def failed_since(self, moment: datetime) -> Self:
        """The messages that failed since then. Index: messengers_outbound_failed."""
        return self.filter(is_failed=True, done_at__gt=moment)


def account_widget(provider: str, account_id: str) -> int | None:
    """The widget that an account of which only one widget may have is connected to; None without one."""
    from apps.messengers.models import Connection

    return (
        Connection.objects.unscoped("tells only who has the account")
        .filter(provider=provider, account_id=account_id)
        .values_list("widget_id", flat=True)
        .first()
    )


def is_online(widget_id: int) -> bool:
    """Whether a person is there to answer who writes by a channel: one with the console open who is not on a break.

    Departments and their hours don't count: none of them can take a custom channel's chats.
    """
    return Agent.objects.for_widget(widget_id).available().exists()


def cabinet_ids(widget_id: int) -> set[int]:
    """The ids of a widget's ad cabinets."""
    from apps.messengers.models import AdCabinet

    return set(AdCabinet.objects.for_widget(widget_id).values_list("pk", flat=True))
