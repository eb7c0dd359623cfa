"""Named reads of the binding, its calls, tickets, identities and settings; each starts from the widget."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Self

from django.db.models.functions import Now

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.support.models import (  # noqa: F401 - named in the bases below
        AppRoom,
        Binding,
        Identity,
        SignedRequest,
        SupportSettings,
        Ticket,
    )

REQUESTS_KEPT = timedelta(hours=24)


class BindingQuerySet(TenantQuerySet["Binding"]):
    """The one binding of a widget, if there is one."""


class SignedRequestQuerySet(TenantQuerySet["SignedRequest"]):
    """The requests of a widget's application. They are unique by support_signedrequest_once."""

    widget_path = "binding__widget_id"

    def named(self, endpoint: str, request_id: str) -> Self:
        """The one of that name, if it still counts."""
        kept = Now() - REQUESTS_KEPT
        return self.filter(endpoint=endpoint, request_id=request_id, created_at__gt=kept)


class AppRoomQuerySet(TenantQuerySet["AppRoom"]):
    """The rooms of a widget's accounts. Index: support_approom_one_an_account."""


class SupportTicketQuerySet(TenantQuerySet["Ticket"]):
    def open(self) -> Self:
        return self.filter(state="open")

    def in_chat(self, chat_id: int) -> Self:
        """Those of a chat, newest first. Index: support_ticket_in_chat."""
        return self.filter(chat_id=chat_id).order_by("-number")


class IdentityQuerySet(TenantQuerySet["Identity"]):
    """Proven identities of a widget's chats."""

    widget_path = "chat__widget_id"


class SupportSettingsQuerySet(TenantQuerySet["SupportSettings"]):
    """The one row of a widget, if somebody has written it."""
