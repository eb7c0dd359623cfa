"""Support agents and the owner's staff close and reopen tickets.

An agent's act is recorded in the transaction that does it; the staff's, in the audit trail of the cabinet.
"""

from typing import Any

from django.db import transaction

from apps.accounts.audit.records import record_of_ticket
from apps.accounts.models import User
from apps.chats.models import Chat
from apps.core.endpoints.authentication import Caller
from apps.support.actions.holds import add_note, locked, require_claim
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


@transaction.atomic
def close_by_staff(*, widget_id: int, number: int, reason: str, user: User, duplicate_of: int | None = None) -> None:
    """Closes a ticket in the cabinet; no hold keeps the owner back. Raises as `close_ticket`."""
    chat = _chat_of(widget_id, number)
    # Agents read the name: who runs the installation is not named to an account.
    by = {"kind": "staff", "name": (not user.is_superuser and user.get_full_name()) or "staff"}
    close_ticket(widget_id=widget_id, number=number, reason=CloseReason(reason), by=by, duplicate_of=duplicate_of)
    record_of_ticket(chat.widget, number, "closed", by=user)


@transaction.atomic
def reopen_by_staff(*, widget_id: int, number: int, user: User) -> None:
    """Opens a ticket again in the cabinet; no hold keeps the owner back. Raises as `reopen_ticket`."""
    chat = _chat_of(widget_id, number)
    reopen_ticket(widget_id=widget_id, number=number)
    record_of_ticket(chat.widget, number, "reopened", by=user)


def _chat_of(widget_id: int, number: int) -> Chat:
    """The ticket's chat, locked. Raises NOT_FOUND (404)."""
    return locked(widget_id, int(Ticket.objects.for_widget(widget_id).get_or_404(pk=number).chat_id))


def _claimed(caller: Caller, number: int, claim_id: str | None) -> int:
    """The ticket's chat, locked, whose hold lets this through. Raises NOT_FOUND (404)."""
    chat = _chat_of(caller.widget_id, number)
    require_claim(caller.widget_id, chat.pk, claim_id)
    return int(chat.pk)


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
