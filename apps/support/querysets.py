"""Named reads of the binding, its calls, tickets, identities and settings; each starts from the widget."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Self

from django.db.models import OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Now

from apps.chats.models import Message
from apps.chats.rules.messages import ANSWERING
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.support.models import (  # noqa: F401 - named in the bases below
        AppRoom,
        Binding,
        ChatHold,
        ClaimedMessage,
        EmailCode,
        Identity,
        Nonce,
        SignedRequest,
        SupportAction,
        SupportSettings,
        Ticket,
        Verification,
    )

REQUESTS_KEPT = timedelta(hours=24)
# Lists of tickets, by the state of those they hold. Open ones: the queue.
TICKET_ORDERS = {
    "open": ("held_for_owner", "priority", "queued_at", "number"),
    "closed": ("-closed_at", "-number"),
    "all": ("-number",),
}


class BindingQuerySet(TenantQuerySet["Binding"]):
    """The one binding of a widget, if there is one."""


class SignedRequestQuerySet(TenantQuerySet["SignedRequest"]):
    """The requests of a widget's application. They are unique by support_signedrequest_once."""

    widget_path = "binding__widget_id"

    def named(self, endpoint: str, request_id: str) -> Self:
        """The one of that name, if it still counts."""
        kept = Now() - REQUESTS_KEPT
        return self.filter(endpoint=endpoint, request_id=request_id, created_at__gt=kept)


class NonceQuerySet(TenantQuerySet["Nonce"]):
    widget_path = "binding__widget_id"


class AppRoomQuerySet(TenantQuerySet["AppRoom"]):
    """The rooms of a widget's accounts. Index: support_approom_one_an_account."""


class SupportTicketQuerySet(TenantQuerySet["Ticket"]):
    def open(self) -> Self:
        return self.filter(state="open")

    def in_chat(self, chat_id: int) -> Self:
        """The tickets of a chat, newest first. Index: support_ticket_in_chat."""
        return self.filter(chat_id=chat_id).order_by("-number")

    def listed(
        self,
        *,
        state: str,
        priority: int | None = None,
        reason: str | None = None,
        updated_since: datetime | None = None,
    ) -> Self:
        """A list, in its order. Indexes: support_ticket_queue, support_ticket_closed, support_ticket_list."""
        rows = self
        if priority is not None:
            rows = rows.filter(priority=priority)
        if reason is not None:
            rows = rows.filter(Q(reason=reason) | Q(close_reason=reason))
        if updated_since is not None:
            rows = rows.filter(updated_at__gte=updated_since)
        if state != "all":
            rows = rows.filter(state=state)
        return rows.order_by(*TICKET_ORDERS[state])


class IdentityQuerySet(TenantQuerySet["Identity"]):
    """Proven identities of a widget's chats."""

    widget_path = "chat__widget_id"


class VerificationQuerySet(TenantQuerySet["Verification"]):
    widget_path = "chat__widget_id"


class EmailCodeQuerySet(TenantQuerySet["EmailCode"]):
    def newest(self, chat_ids: Collection[int]) -> Self:
        """The newest code of each chat. Index: support_emailcode_of_chat."""
        return self.filter(chat_id__in=chat_ids).order_by("chat_id", "-id").distinct("chat_id")

    def under_way(self) -> Self:
        """The codes that may still count."""
        return self.filter(used_at=None, died_at=None)


class ClaimedMessageQuerySet(TenantQuerySet["ClaimedMessage"]):
    """Messages that were asked for; found by their ids."""


class SupportSettingsQuerySet(TenantQuerySet["SupportSettings"]):
    """The one row of a widget, if there is one."""


class ChatHoldQuerySet(TenantQuerySet["ChatHold"]):
    widget_path = "chat__widget_id"

    def live(self) -> Self:
        """The holds that have not ended."""
        return self.filter(expires_at__gt=Now())


class SupportActionQuerySet(TenantQuerySet["SupportAction"]):
    def replies(self) -> Self:
        """Replies that count: stored, or perhaps. Indexes: support_action_of_token, support_action_of_chat."""
        return self.filter(kind="reply", status__in=("stored", "unconfirmed"))


def last_answer_id() -> Any:
    """The newest message of each chat that answered its customer; a subquery."""
    messages = Message.objects.unscoped("each chat's own rows").filter(chat_id=OuterRef("pk"))
    answers = messages.filter(sender_kind__in=ANSWERING, is_internal=False).order_by("-id")
    return Coalesce(Subquery(answers.values("id")[:1]), 0)


def waiting_words(value: Any) -> Any:
    """Something of each chat's client messages since `answered`, its last answer; a subquery."""
    messages = Message.objects.unscoped("each chat's own rows").filter(chat_id=OuterRef("pk"))
    said = messages.filter(sender_kind="client", is_internal=False, id__gt=OuterRef("answered"))
    return Subquery(said.order_by().values("chat_id").values(one=value))
