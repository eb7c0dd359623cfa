"""Leases of chats: who works on one, so that no other agent answers it. A lease needs no job to end."""

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
from apps.support.models import ChatLease, SupportSettings
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
    """Takes the lease of a chat, or extends the live one of that `claim_id`.

    Raises NOT_FOUND (404), CHAT_CLAIMED, CLAIM_LOST (409).
    """
    chat = locked(caller.widget_id, chat_id)
    now = timezone.now()
    lease = live_lease(caller.widget_id, chat_id)
    if claim_id is not None and (lease is None or lease.claim_id != claim_id):
        raise CLAIM_LOST()
    if claim_id is None and lease is not None:
        raise CHAT_CLAIMED(lease=shown_holder(lease))
    if lease is None:
        values = {
            "claim_id": secrets.token_hex(16),
            "agent": agent,
            "token_id": caller.token_id,
            "claimed_at": now,
            "expires_at": now + timedelta(seconds=ttl_sec),
        }
        lease, _ = ChatLease.objects.unscoped("read with its widget before").update_or_create(
            chat=chat, defaults=values
        )
    else:
        lease.expires_at = now + timedelta(seconds=ttl_sec)
        lease.save(update_fields=["expires_at"])
    record_mark(widget_id=caller.widget_id, chat_id=chat_id)
    add_note(settings, chat_id=chat_id, agent=agent, note=note)
    action = record_done(caller=caller, kind=ActionKind.CLAIM, key=key, agent=agent, note=note, chat_id=chat_id)
    return {
        "action_id": action.pk,
        "claim_id": lease.claim_id,
        "chat_id": chat_id,
        "agent": lease.agent,
        "claimed_at": lease.claimed_at,
        "expires_at": lease.expires_at,
    }


@transaction.atomic
def release_chat(*, caller: Caller, chat_id: int, key: str, agent: str, claim_id: str) -> dict[str, Any]:
    """Gives the live lease back. Raises NOT_FOUND (404), CLAIM_LOST (409)."""
    locked(caller.widget_id, chat_id)
    lease = live_lease(caller.widget_id, chat_id)
    if lease is None or lease.claim_id != claim_id:
        raise CLAIM_LOST()
    lease.delete()
    record_mark(widget_id=caller.widget_id, chat_id=chat_id)
    action = record_done(caller=caller, kind=ActionKind.RELEASE, key=key, agent=agent, chat_id=chat_id)
    return {"action_id": action.pk, "chat_id": chat_id, "released": True}


def locked(widget_id: int, chat_id: int) -> Chat:
    """A chat that the desk knows, locked. Raises NOT_FOUND (404), also for one between colleagues."""
    found: Chat = Chat.objects.for_widget(widget_id).filter(internal=False).get_for_update(pk=chat_id)
    return found


def live_lease(widget_id: int, chat_id: int) -> ChatLease | None:
    return ChatLease.objects.for_widget(widget_id).live().filter(chat_id=chat_id).first()


def require_claim(widget_id: int, chat_id: int, claim_id: str | None) -> None:
    """Raises CLAIM_LOST for a claim that is not the live lease's, CHAT_CLAIMED for none while one is live (409)."""
    lease = live_lease(widget_id, chat_id)
    if claim_id is not None and (lease is None or lease.claim_id != claim_id):
        raise CLAIM_LOST()
    if claim_id is None and lease is not None:
        raise CHAT_CLAIMED(lease=shown_holder(lease))


def shown_holder(lease: ChatLease) -> dict[str, Any]:
    """The lease as other agents see it."""
    return {"agent": lease.agent, "expires_at": lease.expires_at}


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
