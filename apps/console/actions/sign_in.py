"""Operators come in and leave. Agents' actions write who is online."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.rules import digest
from apps.agents.actions.event_log import record_event
from apps.agents.models import Agent
from apps.console import querysets
from apps.console.errors import INVALID_TICKET
from apps.console.events import OperatorSignedOut
from apps.console.models import SocketTicket
from apps.console.querysets import SignIn
from apps.console.rules.tickets import TICKET_LASTS, new_ticket
from apps.core import bus


@dataclass(frozen=True, slots=True)
class LetIn:
    """The sign-in of a ticket: the operator, with the widget, and how they signed in."""

    agent: Agent
    sign_in: SignIn


@transaction.atomic
def record_sign_in(*, user_id: int) -> None:
    """Writes down, for each of a person's widgets, that they signed in."""
    for agent in querysets.operators_of(user_id):
        record_event(agent, "login")


@transaction.atomic
def record_sign_out(*, user_id: int) -> None:
    """Writes down that a person ended a session, which by then must have ended. Its sockets are closed at once."""
    for agent in querysets.operators_of(user_id):
        record_event(agent, "logout")
    bus.publish(OperatorSignedOut(user_id=user_id))


@transaction.atomic
def issue_ticket(*, agent: Agent, session_key: str) -> str:
    """A ticket for one socket of an operator's, in plain text. Expired tickets of all operators are deleted."""
    SocketTicket.objects.unscoped("every widget's rows").run_out().delete()
    ticket = new_ticket()
    expires_at = Now() + TICKET_LASTS
    SocketTicket.objects.create(agent=agent, digest=digest(ticket), session_key=session_key, expires_at=expires_at)
    return ticket


@transaction.atomic
def redeem_ticket(*, ticket: str) -> LetIn:
    """Uses a ticket up. If several come with one at once, one is let in.

    Raises INVALID_TICKET (401) for one that was used, is over, never was, or whose operator or session is gone.
    """
    found = SocketTicket.objects.unscoped("found by its secret").with_secret(ticket)
    if found is None or not SocketTicket.objects.unscoped("found by its secret").filter(pk=found.pk).delete()[0]:
        raise INVALID_TICKET()
    agent = Agent.objects.unscoped("the ticket's operator").select_related("widget").filter(pk=found.agent_id).first()
    if agent is None:
        raise INVALID_TICKET()
    sign_in = SignIn(agent_id=agent.pk, user_id=agent.user_id or 0, session_key=found.session_key)
    if querysets.ended_among([sign_in]):
        raise INVALID_TICKET()
    return LetIn(agent, sign_in)
