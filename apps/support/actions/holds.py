"""Holds on chats: an agent works on one, so that no other agent answers it. A hold needs no job to end."""

import secrets
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.chats.actions import post_note, record_mark
from apps.chats.models import Chat
from apps.chats.rules import Via
from apps.core.endpoints.authentication import Caller
from apps.core.errors import NOT_FOUND
from apps.support.actions.records import record_done
from apps.support.errors import CHAT_CLAIMED, CLAIM_LOST
from apps.support.models import ChatHold, SupportSettings
from apps.support.rules.desk import DEFAULT_TTL_S, ActionKind


@transaction.atomic
def claim_chat(
    *,
    caller: Caller,
    settings: SupportSettings,
    chat_id: int,
    key: str,
    agent: str,
    ttl_sec: int = DEFAULT_TTL_S,
    claim_id: str | None = None,
    note: str | None = None,
) -> dict[str, Any]:
    """Takes the hold of a chat, or extends the live one of that `claim_id`.

    Raises NOT_FOUND (404), CHAT_CLAIMED, CLAIM_LOST (409).
    """
    chat = locked(caller.widget_id, chat_id)
    now = timezone.now()
    hold = live_hold(caller.widget_id, chat_id)
    if claim_id is not None and (hold is None or hold.claim_id != claim_id):
        raise CLAIM_LOST()
    if claim_id is None and hold is not None:
        raise CHAT_CLAIMED(lease=shown_holder(hold))
    if hold is None:
        values = {
            "claim_id": secrets.token_hex(16),
            "agent": agent,
            "token_id": caller.token_id,
            "claimed_at": now,
            "expires_at": now + timedelta(seconds=ttl_sec),
        }
        hold, _ = ChatHold.objects.unscoped("read with its widget before").update_or_create(chat=chat, defaults=values)
    else:
        hold.expires_at = now + timedelta(seconds=ttl_sec)
        hold.save(update_fields=["expires_at"])
    record_mark(widget_id=caller.widget_id, chat_id=chat_id)
    add_note(settings, chat_id=chat_id, agent=agent, note=note)
    action = record_done(caller=caller, kind=ActionKind.CLAIM, key=key, agent=agent, note=note, chat_id=chat_id)
    return {
        "action_id": action.pk,
        "claim_id": hold.claim_id,
        "chat_id": chat_id,
        "agent": hold.agent,
        "claimed_at": hold.claimed_at,
        "expires_at": hold.expires_at,
    }


@transaction.atomic
def release_chat(*, caller: Caller, chat_id: int, key: str, agent: str, claim_id: str) -> dict[str, Any]:
    """Gives the live hold back. Raises NOT_FOUND (404), CLAIM_LOST (409)."""
    locked(caller.widget_id, chat_id)
    hold = live_hold(caller.widget_id, chat_id)
    if hold is None or hold.claim_id != claim_id:
        raise CLAIM_LOST()
    hold.delete()
    record_mark(widget_id=caller.widget_id, chat_id=chat_id)
    action = record_done(caller=caller, kind=ActionKind.RELEASE, key=key, agent=agent, chat_id=chat_id)
    return {"action_id": action.pk, "chat_id": chat_id, "released": True}


def locked(widget_id: int, chat_id: int) -> Chat:
    """A chat that the desk knows, locked. Raises NOT_FOUND (404), also for one between colleagues."""
    found: Chat = Chat.objects.for_widget(widget_id).filter(internal=False).get_for_update(pk=chat_id)
    return found


def live_hold(widget_id: int, chat_id: int) -> ChatHold | None:
    return ChatHold.objects.for_widget(widget_id).live().filter(chat_id=chat_id).first()


def require_claim(widget_id: int, chat_id: int, claim_id: str | None) -> None:
    """Raises CLAIM_LOST for a claim that is not the live hold's, CHAT_CLAIMED for none while one is live (409)."""
    hold = live_hold(widget_id, chat_id)
    if claim_id is not None and (hold is None or hold.claim_id != claim_id):
        raise CLAIM_LOST()
    if claim_id is None and hold is not None:
        raise CHAT_CLAIMED(lease=shown_holder(hold))


def shown_holder(hold: ChatHold) -> dict[str, Any]:
    """The hold as other agents see it."""
    return {"agent": hold.agent, "expires_at": hold.expires_at}


def add_note(settings: SupportSettings, *, chat_id: int, agent: str, note: str | None) -> None:
    """Leaves an internal note under the agent's name, if there is one."""
    if note is None:
        return
    if settings.operator_id is None:
        raise NOT_FOUND()
    content = {"type": "text", "body": note, "origin": f"agent:{agent}"}
    post_note(
        widget_id=settings.widget_id,
        chat_id=chat_id,
        agent_id=settings.operator_id,
        content=content,
        via=Via.SUPPORT_API,
    )
