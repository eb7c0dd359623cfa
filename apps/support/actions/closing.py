"""Support agents close and reopen tickets; each is on record in the transaction that does it."""

from typing import Any

from django.db import transaction

from apps.core.endpoints.callers import Caller
from apps.support.actions.leases import add_note, locked, require_claim
from apps.support.actions.records import record_done
from apps.support.actions.tickets import close_ticket, reopen_ticket
from apps.support.models import SupportSettings, Ticket
from apps.support.rules.desk import ActionKind
from apps.support.rules.tickets import CloseReason


@transaction.atomic
def close_by_agent(
    *,
    caller: Caller,
    settings: SupportSettings,
    number: int,
    key: str,
    agent: str,
    reason: str,
    duplicate_of: int | None = None,
    claim_id: str | None = None,
    note: str | None = None,
) -> int:
    """Closes a ticket; the id of the action. Raises as `close_ticket`, and CLAIM_LOST, CHAT_CLAIMED (409)."""
    chat_id = _claimed(caller, number, claim_id)
    by = {"kind": "agent", "name": agent}
    close_ticket(
        widget_id=caller.widget_id, number=number, reason=CloseReason(reason), by=by, duplicate_of=duplicate_of
    )
    return _on_record(caller, settings, ActionKind.CLOSE, number, chat_id, key, agent, note)


@transaction.atomic
def reopen_by_agent(
    *,
    caller: Caller,
    settings: SupportSettings,
    number: int,
    key: str,
    agent: str,
    claim_id: str | None = None,
    note: str | None = None,
) -> int:
    """Opens a ticket again; the id of the action. Raises as `reopen_ticket`, and CLAIM_LOST, CHAT_CLAIMED (409)."""
    chat_id = _claimed(caller, number, claim_id)
    reopen_ticket(widget_id=caller.widget_id, number=number)
    return _on_record(caller, settings, ActionKind.REOPEN, number, chat_id, key, agent, note)


def _claimed(caller: Caller, number: int, claim_id: str | None) -> int:
    """The ticket's chat, locked, whose lease lets this through. Raises NOT_FOUND (404)."""
    ticket = Ticket.objects.of(caller.widget_id).one(pk=number)
    locked(caller.widget_id, ticket.chat_id)
    require_claim(caller.widget_id, ticket.chat_id, claim_id)
    return int(ticket.chat_id)


def _on_record(
    caller: Caller,
    settings: SupportSettings,
    kind: ActionKind,
    number: int,
    chat_id: int,
    key: str,
    agent: str,
    note: Any,
) -> int:
    add_note(settings, chat_id=chat_id, agent=agent, note=note)
    action = record_done(caller=caller, kind=kind, key=key, agent=agent, note=note, chat_id=chat_id, ticket=number)
    return int(action.pk)
