"""Named reads of cards' rows; each starts from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db.models import Q

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from datetime import datetime

    from apps.cards.models import CardAction, CardSettings, ChatCards  # noqa: F401


class CardSettingsQuerySet(TenantQuerySet["CardSettings"]):
    """The settings of cards, one row a widget."""


class ChatCardsQuerySet(TenantQuerySet["ChatCards"]):
    """The kept cards of each chat."""

    def read_before(self, moment: datetime) -> Self:
        """The rows whose oldest contents are older. Index: cards_chatcards_old."""
        return self.filter(kept_since__lt=moment)


class CardActionQuerySet(TenantQuerySet["CardAction"]):
    """The buttons that were pressed."""

    def ended_before(self, moment: datetime) -> Self:
        return self.filter(created_at__lt=moment).filter(Q(due_at=None))
