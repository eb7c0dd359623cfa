"""The querysets of the console's models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.rules import digest
from apps.agents.models import Agent
from apps.console.rules.tickets import is_ticket
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.console.models import CannedReply, PushSubscription, SocketTicket  # noqa: F401 - named in a base below


class SocketTicketQuerySet(TenantQuerySet["SocketTicket"]):
    widget_path = "agent__widget_id"

    def run_out(self) -> SocketTicketQuerySet:
        """The expired tickets, by the database's clock."""
        return self.filter(expires_at__lte=Now())

    def with_secret(self, secret: str) -> SocketTicket | None:
        """The ticket of that plain text, unless its time is over; else None. The index compares hashes."""
        if not is_ticket(secret):
            return None
        return self.filter(digest=digest(secret), expires_at__gt=Now()).first()


class CannedReplyQuerySet(TenantQuerySet["CannedReply"]):
    def at_hand(self, agent: Agent) -> CannedReplyQuerySet:
        """The replies that an operator can use: the shared ones, and their own; by shortcut."""
        return self.filter(Q(agent=None) | Q(agent=agent)).order_by("shortcut", "id")


class PushSubscriptionQuerySet(TenantQuerySet["PushSubscription"]):
    widget_path = "agent__widget_id"

    def idle(self) -> PushSubscriptionQuerySet:
        """The browsers of operators at work with the console closed that have no push queued."""
        away = (
            Agent.objects.unscoped("every widget's rows").people().filter(online_since=None, status=Agent.Status.ACTIVE)
        )
        return self.filter(due_at=None, agent__in=away).select_related("agent")
