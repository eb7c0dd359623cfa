"""The record of support agents' actions, refused ones too. No text is in it but while a reply is unconfirmed."""

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson
from django.utils import timezone

from apps.core.endpoints.authentication import Caller
from apps.support.models import SupportAction
from apps.support.rules.desk import KEPT, ActionKind, ActionStatus

# By the last part of an operation's name.
KINDS = {kind.value: kind for kind in ActionKind}


def kind_of(operation: str) -> ActionKind:
    """The kind of an operation."""
    return KINDS[operation.rpartition(".")[2]]


def about_text(text: str | None, note: str | None) -> dict[str, Any]:
    """The stored facts of a text and a note."""
    about: dict[str, Any] = {"note_length": None if note is None else len(note)}
    if text is not None:
        about |= {
            "text_sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            "text_length": len(text),
        }
    return about


def record_done(
    *, caller: Caller, kind: ActionKind, key: str, agent: str, note: str | None = None, **about: Any
) -> SupportAction:
    """Puts a write on record that is done, in its transaction."""
    return SupportAction.objects.create(
        widget_id=caller.widget_id,
        token_id=caller.token_id,
        kind=kind,
        status=ActionStatus.DONE,
        http_status=200,
        key=key,
        agent=agent,
        finished_at=timezone.now(),
        **about_text(None, note),
        **about,
    )


def record_refusal(
    *,
    caller: Caller,
    operation: str,
    path: Mapping[str, Any],
    raw: bytes,
    key: str,
    agent: str,
    http_status: int,
    code: str,
) -> int | None:
    """Puts a refused write on record, after its rollback. None for a deleted tenant."""
    text, note = _said(raw)
    now = timezone.now()
    row = SupportAction.objects.create(
        widget_id=caller.widget_id,
        token_id=caller.token_id,
        kind=kind_of(operation),
        status=ActionStatus.REFUSED,
        http_status=http_status,
        code=code[:64],
        key=key[:255].replace("\0", ""),
        agent=agent[:48].replace("\0", ""),
        chat_id=path.get("chat_id"),
        ticket=path.get("number"),
        finished_at=now,
        **about_text(text, note),
    )
    return int(row.pk)


def previous_of(*, caller: Caller, operation: str, key: str) -> dict[str, Any] | None:
    """The action that has used a key; None if another kind of route has used it, or it is still under way."""
    with_key = SupportAction.objects.for_widget(caller.widget_id).filter(key=key)
    found = with_key.filter(kind=kind_of(operation)).exclude(status=ActionStatus.REFUSED).order_by("-id").first()
    if found is None:
        return None
    return {
        "action_id": found.pk,
        "kind": found.kind,
        "status": found.status,
        "message_id": found.message_id,
        "ticket_effect": effect_of(found),
    }


def effect_of(action: SupportAction) -> dict[str, Any] | None:
    """The effect of a reply on the ticket that it names."""
    if action.ticket_effect is None:
        return None
    return {"ticket": action.ticket, "effect": action.ticket_effect}


def forget_old_actions() -> int:
    """Deletes the actions past their 180 days; returns how many."""
    deleted, _ = (
        SupportAction.objects.unscoped("every widget's rows").filter(created_at__lt=timezone.now() - KEPT).delete()
    )
    return deleted


def _said(raw: bytes) -> tuple[str | None, str | None]:
    """The text and the note of a body, as far as it can be read."""
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None, None
    if not isinstance(body, dict):
        return None, None
    text, note = body.get("text"), body.get("note")
    return text if isinstance(text, str) else None, note if isinstance(note, str) else None
