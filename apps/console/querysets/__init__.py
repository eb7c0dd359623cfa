"""Named reads of tickets, and of who may work in the console; and, by noun, of what operators are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.models import Session
from django.db.models import Count, Max, OuterRef, Q, Subquery
from django.db.models.functions import Now
from django.utils import timezone
from django_otp import DEVICE_ID_SESSION_KEY

from apps.accounts.models import Authenticator, BackupCodes
from apps.accounts.rules import digest
from apps.agents.models import Agent
from apps.chats.models import Chat
from apps.console import rules
from apps.console.querysets.cards import address_in_chat, cards
from apps.console.querysets.counted_chats import Staff, counted_chats, counted_versions, last_message_id, staff_of
from apps.console.querysets.deliveries import deliveries
from apps.console.querysets.inbox import (
    View,
    chats_of_visitors,
    inbox_first_page,
    inbox_page,
    inbox_rows,
    waiting_elsewhere,
)
from apps.console.querysets.message_search import matches
from apps.console.querysets.page import has_chats, is_first_widget
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.console.models import CannedReply, PushSubscription, SocketTicket  # noqa: F401 - named in a base below


__all__ = [
    "CannedReplyQuerySet",
    "PushSubscriptionQuerySet",
    "SignIn",
    "SocketTicketQuerySet",
    "Staff",
    "View",
    "Waiting",
    "address_in_chat",
    "cards",
    "chats_of_visitors",
    "chosen",
    "counted_chats",
    "counted_versions",
    "deliveries",
    "ended_among",
    "has_chats",
    "inbox_first_page",
    "inbox_page",
    "inbox_rows",
    "is_first_widget",
    "last_message_id",
    "matches",
    "online_in",
    "operators_of",
    "staff_of",
    "waiting_elsewhere",
    "waiting_for",
]


class SocketTicketQuerySet(TenantQuerySet["SocketTicket"]):
    widget_path = "agent__widget_id"

    def run_out(self) -> SocketTicketQuerySet:
        """The expired tickets, by the database's clock."""
        return self.filter(expires_at__lte=Now())

    def with_secret(self, secret: str) -> SocketTicket | None:
        """The ticket of that plain text, unless its time is over; else None. The index compares hashes."""
        if not rules.is_ticket(secret):
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


@dataclass(frozen=True, slots=True)
class Waiting:
    """The visitors who wait for an operator: how many, and the newest message among theirs; 0 without any."""

    count: int
    newest: int


def waiting_for(agent: Agent) -> Waiting:
    """The chats that wait for this operator, or for any, at their widget."""
    chats = Chat.objects.for_widget(agent.widget_id).unanswered(timezone.now()).filter(Q(agent=None) | Q(agent=agent))
    found = chats.aggregate(count=Count("pk"), newest=Max("last_message_id"))
    return Waiting(found["count"], found["newest"] or 0)


@dataclass(frozen=True, slots=True)
class SignIn:
    """In whose name a socket is open: an operator, the person behind it, and the session they signed in with."""

    agent_id: int
    user_id: int
    session_key: str


def operators_of(user_id: int, *, by_password_alone: bool = False) -> list[Agent]:
    """A person's operators, one a widget: human, not banned, with the widgets; oldest first.

    Empty for a person who came by their password alone, and has a second factor or has to have one.
    """
    operators = (
        Agent.objects.unscoped("the signed-in person's operators")
        .people()
        .filter(user_id=user_id, user__is_active=True)
    )
    if by_password_alone and settings.REQUIRE_TWO_FACTOR:
        return []
    if by_password_alone:
        operators = operators.exclude(user__authenticator__confirmed=True)
    return list(operators.select_related("widget").order_by("id"))


def chosen(operators: Collection[Agent], widget_guid: str | None) -> Agent | None:
    """The operator at the widget that a session picked, else the first one; None for a person who is none."""
    picked = [operator for operator in operators if operator.widget.guid == widget_guid]
    return next(iter([*picked, *operators]), None)


def ended_among(sign_ins: Collection[SignIn]) -> set[SignIn]:
    """The sign-ins whose sockets must be closed.

    The operator is banned, removed or another person's, the person may not sign in any more, has another password, the
    session lacks a second factor that is asked of it or has one that was reset, or it has ended. Two statements.
    """
    agent_ids, session_keys = {each.agent_id for each in sign_ins}, {each.session_key for each in sign_ins}
    agents = (
        Agent.objects.unscoped("of this process's sockets")
        .people()
        .filter(pk__in=agent_ids, user__is_active=True)
        .select_related("user")
    )
    authenticators = Authenticator.objects.filter(user=OuterRef("user"), confirmed=True).values("pk")
    codes = BackupCodes.objects.filter(user=OuterRef("user")).values("pk")
    found: Iterable[Any] = agents.annotate(authenticator_id=Subquery(authenticators), codes_id=Subquery(codes))
    people = {agent.pk: (agent.user, agent.authenticator_id, agent.codes_id) for agent in found}
    sessions = Session.objects.filter(session_key__in=session_keys, expire_date__gt=Now())
    of_session = {session.session_key: session for session in sessions}
    return {
        each
        for each in sign_ins
        if not _stands(each, *people.get(each.agent_id, (None, None, None)), of_session.get(each.session_key))
    }


def _stands(
    sign_in: SignIn, person: User | None, authenticator_id: int | None, codes_id: int | None, session: Session | None
) -> bool:
    if person is None or person.pk != sign_in.user_id or session is None:
        return False
    stored = session.get_decoded()
    return (
        BACKEND_SESSION_KEY in stored
        and _has_factor(stored.get(DEVICE_ID_SESSION_KEY), authenticator_id, codes_id)
        and stored.get(SESSION_KEY) == str(person.pk)
        and person.has_session_hash(stored.get(HASH_SESSION_KEY, ""))
    )


def _has_factor(device: str | None, authenticator_id: int | None, codes_id: int | None) -> bool:
    """Whether a session has the second factor that is asked of it: the very one that is there now."""
    if device is None:
        return authenticator_id is None and not settings.REQUIRE_TWO_FACTOR
    there = {Authenticator(pk=authenticator_id).persistent_id, BackupCodes(pk=codes_id).persistent_id}
    return authenticator_id is not None and device in there
