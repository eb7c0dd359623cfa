"""Named reads of custom channels and of those who write by them; each starts from the widget, or from a secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.accounts.rules import digest
from apps.agents.models import Agent
from apps.core.database.tenants import TenantQuerySet
from apps.messengers import rules

if TYPE_CHECKING:
    from apps.messengers.models import Channel, Peer


class ChannelQuerySet(TenantQuerySet["Channel"]):
    """Custom channels of a widget."""

    def active(self) -> ChannelQuerySet:
        """Those that take messages, and are sent them."""
        return self.filter(is_active=True)

    def with_secret(self, secret: str) -> Channel | None:
        """The channel of that plain secret, with its widget; None if there is none. The index compares hashes."""
        if not rules.is_secret(secret):
            return None
        return self.select_related("widget").filter(digest=digest(secret)).first()


class PeerQuerySet(TenantQuerySet["Peer"]):
    """Those who write by the widget's channels."""

    def named(self, code: str, external_client_id: str) -> PeerQuerySet:
        """Who a custom channel calls so, with their contact. Index: messengers_peer_one_a_conversation."""
        return self.select_related("contact").filter(channel=code, account="", conversation=external_client_id)

    def behind(self, contact_guid: str, code: str) -> Peer | None:
        """Who a contact is on a channel; None for one who does not write by it."""
        return self.filter(contact__guid=contact_guid, channel=code).first()


def is_online(widget_id: int) -> bool:
    """Whether a person is there to answer who writes by a channel: one with the console open who is not on a break.

    Departments and their hours don't count: none of them can take a custom channel's chats.
    """
    return Agent.objects.of(widget_id).available().exists()
