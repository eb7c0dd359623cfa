"""Named reads of blocks."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Q

from apps.chats.rules.blocks import networks_around
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.chats.models import Block  # noqa: F401 - the checker of types reads it


class BlockQuerySet(TenantQuerySet["Block"]):
    def in_force(self, now: datetime) -> BlockQuerySet:
        """The blocks that have not ended."""
        return self.filter(Q(until=None) | Q(until__gt=now))

    def against(self, contact_id: int | None, address: str, now: datetime) -> BlockQuerySet:
        """The blocks in force of a contact, or of a network that contains the address. Index: chats_block_of_widget.

        The rule of all ways in: the widget's, and messengers', which know no address ("").
        """
        named = Q(network__in=networks_around(address))
        if contact_id is not None:
            named |= Q(contact_id=contact_id)
        return self.in_force(now).filter(named)
