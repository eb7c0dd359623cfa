"""Named reads of invitations to chat and their offers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self

from django.db.models import Q
from django.utils import timezone

from apps.chats.models import Block, Chat
from apps.chats.rules import Status
from apps.core.database.tenants import TenantQuerySet
from apps.widget.querysets.chats import CHANNEL
from apps.widget.rules.invitations import DISMISSED_FOR, TALKED_WITHIN, VISIT, InvitationState

if TYPE_CHECKING:
    from apps.widget.models import ChatInvitation, InvitationOffer  # noqa: F401 - named in the bases below
    from apps.widget.querysets.settings import Settings


class ChatInvitationQuerySet(TenantQuerySet["ChatInvitation"]):
    """The invitations of a widget."""

    def live(self) -> Self:
        """The invitations that visitors may meet, now or at their dates."""
        return self.filter(state=InvitationState.LIVE)

    def running(self, now: datetime) -> Self:
        """The live ones whose dates are now."""
        has_begun = Q(starts_at=None) | Q(starts_at__lte=now)
        return self.live().filter(has_begun, Q(ends_at=None) | Q(ends_at__gt=now))

    def first_first(self) -> Self:
        """As browsers ask for them: the highest priority, then the older."""
        return self.order_by("-priority", "pk")


class InvitationOfferQuerySet(TenantQuerySet["InvitationOffer"]):
    """The offers to browsers."""

    def of_visitor(self, digest: bytes, contact_id: int | None) -> Self:
        """The offers to a browser's key, or to the contact whose it is. Index: widget_offer_of_key, …_of_contact."""
        whose = Q(key_digest=digest) if contact_id is None else Q(key_digest=digest) | Q(contact=contact_id)
        return self.filter(whose)

    def shown(self) -> Self:
        """The offers that were shown; the others were held back."""
        return self.filter(is_held=False)

    def in_visit(self, now: datetime) -> Self:
        """The offers that were shown within a visit's time."""
        return self.shown().filter(created_at__gt=now - VISIT)

    def closed_lately(self, now: datetime) -> Self:
        """The offers that their visitor has closed lately."""
        return self.shown().filter(dismissed_at__gt=now - DISMISSED_FOR)


def is_blocked(widget_id: int, contact_id: int, address: str, now: datetime) -> bool:
    """Whether the widget has blocked a contact, or the address of a call."""
    return Block.objects.for_widget(widget_id).against(contact_id, address, now).exists()


def is_talking(widget_id: int, contact_id: int, now: datetime) -> bool:
    """Whether a contact's chat is open, with a word of the last day."""
    chats = Chat.objects.for_widget(widget_id).filter(contact_id=contact_id, channel=CHANNEL)
    is_open = chats.exclude(status__in=(Status.EXPIRED, Status.SPAM))
    return is_open.filter(last_message_at__gt=now - TALKED_WITHIN).exists()


def has_running(widget_id: int, now: datetime) -> bool:
    """Whether visitors may meet an invitation now."""
    from apps.widget.models import ChatInvitation

    return ChatInvitation.objects.for_widget(widget_id).running(now).exists()


def served_invitations(settings: Settings, *, is_preview: bool = False) -> dict[str, Any]:
    """The invitations of a widget as browsers judge them, with the settings of all; for its owner's look all."""
    from apps.widget.models import ChatInvitation

    own = settings.invitations
    rows = ChatInvitation.objects.for_widget(settings.widget_id).first_first()
    if not is_preview:
        rows = rows.running(timezone.now()) if own["is_on"] else rows.none()
    return {
        "invitations": [
            {
                "id": row.pk,
                "rule": row.rule,
                "priority": row.priority,
                "per_visitor": {"times": row.times, "days": row.days},
                "goal": row.goal,
                **({"name": row.name, "state": row.state} if is_preview else {}),
            }
            for row in rows
        ],
        "never_on": own["never_on"],
        "per_visit": own["per_visit"],
        "gap_s": own["gap_s"],
    }


def offered_contact(widget_id: int, digest: bytes) -> int | None:
    """The contact whose browser has a key, as a session told last; None where none did."""
    from apps.widget.models import InvitationOffer

    offers: Any = InvitationOffer.objects.for_widget(widget_id).filter(key_digest=digest, contact__isnull=False)
    found: int | None = offers.order_by("-created_at").values_list("contact_id", flat=True).first()
    return found
