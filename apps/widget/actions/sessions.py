"""The use and the end of visitors' sessions."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.core import bus
from apps.widget import rules
from apps.widget.events import SessionRevoked
from apps.widget.models import VisitorSession


def note_use(*, session_id: int, last_seen_at: datetime) -> None:
    """Notes that a session is used, once a day at most: a year without use ends it."""
    now = timezone.now()
    if not rules.is_use_noted(last_seen_at, now):
        due = VisitorSession.objects.unscoped("found by its secret before").filter(pk=session_id)
        due.filter(last_seen_at__lte=now - rules.USE_NOTED_EVERY).update(last_seen_at=now)


@transaction.atomic
def revoke_visitor(*, session: VisitorSession) -> None:
    """Ends a visitor's session: its token is refused from the next call on, its sockets are closed."""
    VisitorSession.objects.unscoped("read with its widget before").filter(pk=session.pk, revoked_at=None).update(
        revoked_at=timezone.now()
    )
    session.refresh_from_db(fields=["revoked_at"])
    bus.publish(SessionRevoked(session_id=session.pk))


def end_session(*, widget_id: int, token: str | None) -> None:
    """Ends the session of a token. A token that is unknown, another widget's or ended already changes nothing."""
    sessions = VisitorSession.objects.unscoped("found by its secret")
    session = None if token is None else sessions.with_token(widget_id, token)
    if session is not None:
        revoke_visitor(session=session)


def note_told(*, session: VisitorSession, about: Mapping[str, Any]) -> None:
    """Notes the names of the facts that the page has told: questions for them are not asked."""
    attributes = about.get("attributes") or {}
    names = {name: value for name, value in about.items() if name != "attributes"}
    names |= {f"attributes.{key}": value for key, value in attributes.items()}
    told = sorted({*session.told, *(name for name, value in names.items() if value not in (None, ""))})
    if told != session.told:
        session.told = told
        session.save(update_fields=["told"])
