"""Operators come in, leave, and keep canned replies. Agents' actions write who is online."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.accounts.rules import digest
from apps.agents.actions.event_log import record_event
from apps.agents.models import Agent
from apps.console import querysets, rules
from apps.console.errors import INVALID_TICKET
from apps.console.events import OperatorSignedOut
from apps.console.models import CannedReply, SocketTicket
from apps.console.querysets import SignIn
from apps.core import bus
from apps.core.database.changes import save_changed, set_changes
from apps.core.errors import INVALID_INPUT, NOT_FOUND


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
    ticket = rules.new_ticket()
    expires_at = Now() + rules.TICKET_LASTS
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


@transaction.atomic
def write_reply(*, agent: Agent, changes: Mapping[str, Any], reply_id: int | None = None) -> CannedReply:
    """Makes a canned reply, or changes the named fields of one that the operator has at hand.

    `changes` may have shortcut, body and is_shared: whether it is the widget's, or the operator's own.

    Raises NOT_FOUND (404), also for another operator's own reply; INVALID_INPUT (422) on `shortcut` when its owner has
    it already, on `is_shared` when the owner would have too many.
    """
    # Replies are counted, and compared, under the widget's lock.
    Widget.objects.select_for_update(no_key=True).get(pk=agent.widget_id)
    if reply_id is None:
        reply = CannedReply(widget_id=agent.widget_id, agent=agent)
    else:
        reply = CannedReply.objects.for_widget(agent.widget_id).at_hand(agent).get_for_update(pk=reply_id)
    was_shared = reply.agent_id is None
    is_shared = changes.get("is_shared", was_shared)
    if is_shared is not was_shared:
        reply.agent = None if is_shared else agent
    changed = set_changes(reply, {name: changes[name] for name in ("shortcut", "body") if name in changes})
    if "body" in changed and reply.translations:
        reply.translations = rules.stale_translations(reply.translations)
        changed = [*changed, "translations"]
    others = CannedReply.objects.for_widget(agent.widget_id).filter(agent=reply.agent_id)
    if reply_id is not None:
        others = others.exclude(pk=reply_id)
    refusal = rules.number_refusal(is_shared=is_shared, count=others.count())
    if refusal and (reply_id is None or is_shared is not was_shared):
        raise INVALID_INPUT(errors={"is_shared": [refusal]})
    if others.filter(shortcut=reply.shortcut).exists():
        raise INVALID_INPUT(errors={"shortcut": ["There is a reply with this shortcut already."]})
    if reply_id is None:
        reply.save(force_insert=True)
    else:
        save_changed(reply, [*changed, *(["agent"] if is_shared is not was_shared else [])])
    return reply


@transaction.atomic
def delete_reply(*, agent: Agent, reply_id: int) -> None:
    """Deletes a canned reply that the operator has at hand. Raises NOT_FOUND (404), as `write_reply` does."""
    if not CannedReply.objects.for_widget(agent.widget_id).at_hand(agent).filter(pk=reply_id).delete()[0]:
        raise NOT_FOUND()
