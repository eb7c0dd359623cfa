"""What operators do to come in and to leave. Who is online is written by the actions of agents."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.rules import digest
from apps.agents.actions.event_log import record_event
from apps.agents.models import Agent
from apps.console import querysets, rules
from apps.console.errors import INVALID_TICKET
from apps.console.events import OperatorSignedOut
from apps.console.models import Ticket
from apps.console.querysets import Seat
from apps.core import bus


@dataclass(frozen=True, slots=True)
class LetIn:
    """What a ticket stood for: the operator, with the widget, and the seat that a socket takes in their name."""

    agent: Agent
    seat: Seat


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
    """A ticket for one socket of an operator's, in plain text. Those whose time is over, anybody's, are deleted."""
    Ticket.objects.run_out().delete()
    ticket = rules.new_ticket()
    expires_at = Now() + rules.TICKET_LASTS
    Ticket.objects.create(agent=agent, digest=digest(ticket), session_key=session_key, expires_at=expires_at)
    return ticket


@transaction.atomic
def redeem_ticket(*, ticket: str) -> LetIn:
    """Uses a ticket up. Of many who come with one at once, one is let in.

    Raises INVALID_TICKET (401) for one that was used, is over, never was, or whose operator or session is gone.
    """
    found = Ticket.objects.with_secret(ticket)
    if found is None or not Ticket.objects.filter(pk=found.pk).delete()[0]:
        raise INVALID_TICKET()
    agent = Agent.objects.select_related("widget").filter(pk=found.agent_id).first()
    if agent is None:
        raise INVALID_TICKET()
    seat = Seat(agent_id=agent.pk, user_id=agent.user_id or 0, session_key=found.session_key)
    if querysets.vacated_among([seat]):
        raise INVALID_TICKET()
    return LetIn(agent, seat)
