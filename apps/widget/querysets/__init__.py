"""Named reads of visitor sessions, and of what a visitor is served."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import F, Q, Sum
from django.db.models.functions import Greatest
from django.utils import timezone

from apps.accounts.rules import digest
from apps.agents.models import Agent, Department
from apps.agents.rules.departments import department_channel
from apps.agents.serializers.responses import avatar_address
from apps.chats.models import Chat, Contact, File
from apps.chats.querysets import messages_after
from apps.chats.querysets.activities import visitor_steps
from apps.chats.rules.blocks import networks_around
from apps.chats.serializers.chats import MessageSerializer
from apps.core.database import fetch_all, fetch_one
from apps.core.database.tenants import TenantQuerySet
from apps.widget import rules
from apps.widget.rules import visits
from apps.widget.rules.fields import BY_NAME

if TYPE_CHECKING:
    from apps.widget.models import VisitorSession

CHANNEL = "widget"
DISPLAY_MODE, HIDDEN = "operators_display_mode", "hidden"
# How much of a chat a session call shows; what is older, `GET messages` and the socket give.
SESSION_MESSAGES = 100


class VisitorSessionQuerySet(TenantQuerySet["VisitorSession"]):
    def not_revoked(self) -> VisitorSessionQuerySet:
        """The sessions that are not revoked, with their contacts."""
        return self.filter(revoked_at=None).select_related("contact")

    def with_token(self, widget_id: int, token: str) -> VisitorSession | None:
        """The widget's session of that plain token, unless it was revoked; else None. The index compares hashes."""
        if not rules.is_visitor_token(token):
            return None
        return self.for_widget(widget_id).not_revoked().filter(digest=digest(token)).first()


def visitor_facts(widget_id: int, contact_ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The facts of visits, by contact: of each contact's latest session.

    One statement, however many they are. Indexes: those of the contact of a session and of a verified visitor.
    """
    from apps.widget.models import VisitorSession

    sessions = VisitorSession.objects.for_widget(widget_id)
    latest = sessions.filter(contact_id__in=contact_ids).order_by("contact_id", "-last_seen_at", "-id")
    with_user = latest.distinct("contact_id").annotate(user_id=F("contact__verified_visitor__user_id"))
    return {
        session.contact_id: {**_facts_of(session), "user_id": session.user_id}  # type: ignore[attr-defined]
        for session in with_user
    }


def _facts_of(session: VisitorSession) -> dict[str, Any]:
    browser, system = visits.browser_and_system(session.user_agent)
    return {
        "page_url": session.page_url or None,
        "lang": session.lang or None,
        "last_seen_at": session.last_seen_at,
        "browser": browser,
        "system": system,
        "referrer": session.referrer or None,
        "time_zone": session.time_zone or None,
        "address": session.address or None,
        "pages": [{"url": page["url"], "at": datetime.fromisoformat(page["at"])} for page in session.pages],
    }


@dataclass(frozen=True, slots=True)
class EmbeddedWidget:
    """A widget as every visitor call needs to know it. `blocks`: it has blocked the caller. `is_moving`: its account
    moves to another installation."""

    id: int
    name: str
    allowed_origins: Sequence[str]
    blocks: bool = False
    is_moving: bool = False


@dataclass(frozen=True, slots=True)
class KnownVisitor:
    """A visitor by their session. Loads only the contact's common columns; the others are deferred."""

    session_id: int
    contact: Contact


# Indexes: those of a widget's guid and of a session's digest, chats_block_of_widget.
_FIND_VISITOR = """
SELECT w.id, w.name, w.allowed_origins,
       EXISTS (SELECT FROM chats_block b WHERE b.widget_id = w.id AND (b.until IS NULL OR b.until > now())
               AND (b.network = ANY(%(networks)s) OR b.contact_id = c.id)),
       w.moving_since IS NOT NULL, s.id, c.id, c.widget_id, c.guid, c.name
FROM accounts_widget w LEFT JOIN (widget_visitorsession s JOIN chats_contact c ON c.id = s.contact_id)
     ON s.digest = %(digest)s AND s.widget_id = w.id AND s.revoked_at IS NULL
WHERE w.guid = %(guid)s /* unscoped: of the widget that the guid names */"""
_CONTACT_FIELDS = ("id", "widget_id", "guid", "name")


def find_visitor(
    guid: str, token: str | None = None, address: str = ""
) -> tuple[EmbeddedWidget | None, KnownVisitor | None]:
    """The widget, and its visitor whose session has that plain token, unless it was revoked; who call from an address
    as rate limits count it."""
    hashed = digest(token) if token is not None and rules.is_visitor_token(token) else None
    found = fetch_one(_FIND_VISITOR, {"guid": guid, "digest": hashed, "networks": networks_around(address)})
    if found is None:
        return None, None
    widget_id, name, allowed_origins, blocks, is_moving, session_id, *contact = found
    widget = EmbeddedWidget(widget_id, name, allowed_origins, blocks, is_moving)
    if session_id is None:
        return widget, None
    return widget, KnownVisitor(session_id, Contact.from_db(None, _CONTACT_FIELDS, contact))


def operators_in_header(widget_id: int) -> list[dict[str, Any]]:
    """The operators whom the widget shows, whether online or not."""
    agents = Agent.objects.for_widget(widget_id).in_header().order_by("id")
    return [{"name": agent.full_name, "avatar_url": avatar_address(agent.pk, agent.avatar)} for agent in agents]


@dataclass(frozen=True, slots=True)
class WidgetPresence:
    """The operators who can answer a widget's visitors: whether there is any, and the ones that the widget shows."""

    online: bool = False
    agents: tuple[tuple[int, str, str | None], ...] = ()

    def shown(self, owner_id: int | None, mode: str) -> list[dict[str, Any]]:
        """Their names and avatars as the widget shows them (`operators_display_mode`), that of the chat first."""
        if mode == HIDDEN:
            return []
        first = sorted(self.agents, key=lambda agent: agent[0] != owner_id)
        return [{"name": name, "avatar_url": None if mode == "names" else avatar} for _, name, avatar in first]


NOBODY = WidgetPresence()


def is_online(widget_id: int) -> bool:
    """Whether an operator can answer; see `presence_among`."""
    return presence_of(widget_id).online


def presence_of(widget_id: int) -> WidgetPresence:
    """The operators who can answer; see `presence_among`."""
    return presence_among([widget_id]).get(widget_id, NOBODY)


def presence_among(widget_ids: Collection[int]) -> dict[int, WidgetPresence]:
    """The operators who can answer, by widget; widgets without any are left out.

    They are at work, with the console open.

    If departments take a visitor's chats, one of them must be open as well.
    """
    found: dict[int, list[Agent]] = defaultdict(list)
    for agent in (
        Agent.objects.unscoped("of this process's sockets").available().filter(widget_id__in=widget_ids).order_by("id")
    ):
        found[agent.widget_id].append(agent)
    if not found:
        return {}
    taking = (
        Department.objects.unscoped("of widgets that the caller names")
        .filter(widget_id__in=found.keys())
        .taking(department_channel(CHANNEL))
    )
    closed = taking.closed_widgets(timezone.now())
    return {
        widget_id: WidgetPresence(True, tuple(_face(agent) for agent in agents if agent.show_in_header))
        for widget_id, agents in found.items()
        if widget_id not in closed
    }


def _face(agent: Agent) -> tuple[int, str, str | None]:
    return agent.pk, agent.full_name, avatar_address(agent.pk, agent.avatar)


def owner_of(chat_id: int | None) -> int | None:
    """The operator of a visitor's chat, who has it."""
    return (
        Chat.objects.unscoped("of the visitor's own chat").filter(pk=chat_id).values_list("agent_id", flat=True).first()
        if chat_id
        else None
    )


def chat_of(contact_id: int) -> int | None:
    """The id of a visitor's chat; None before its first message."""
    return chats_of([contact_id]).get(contact_id)


def chats_of(contact_ids: Collection[int]) -> dict[int, int]:
    """The chats of visitors, by contact. Index: chats_chat_one_a_channel."""
    found = fetch_all(
        """
        SELECT contact_id, id FROM chats_chat WHERE contact_id = ANY(%(ids)s) AND channel = %(channel)s
        /* unscoped: contacts whose sessions were found */""",
        {"ids": list(contact_ids), "channel": CHANNEL},
    )
    return dict(found)


@dataclass(frozen=True, slots=True)
class Uploaded:
    """Bytes that visitors have uploaded, small files counted as `rules.LEAST_UPLOAD`."""

    by_contact: int
    by_all: int


def uploaded_since(contact: Contact, since: datetime) -> Uploaded:
    """The bytes that a visitor, and all visitors of the widget, have uploaded since then.

    Index: chats_file_of_visitors.
    """
    counted = Greatest("size", rules.LEAST_UPLOAD)
    by_contact = Sum(counted, filter=Q(contact=contact), default=0)
    files = File.objects.for_widget(contact.widget_id).of_visitors_since(since)
    return Uploaded(**files.aggregate(by_contact=by_contact, by_all=Sum(counted, default=0)))


def newest_messages(chat_id: int) -> list[dict[str, Any]]:
    """The last messages that the visitor may see, oldest first. Index: chats_message_in_chat."""
    before = fetch_all(
        """
        SELECT coalesce(min(id), 1) - 1 FROM (
            SELECT id FROM chats_message WHERE chat_id = %(chat_id)s AND NOT is_internal
            ORDER BY id DESC LIMIT %(limit)s /* unscoped: read with its widget before */
        ) newest""",
        {"chat_id": chat_id, "limit": SESSION_MESSAGES},
    )
    return visible_messages(chat_id, after_id=before[0][0], limit=SESSION_MESSAGES)


def visible_messages(chat_id: int, *, after_id: int, limit: int) -> list[dict[str, Any]]:
    """The messages after a position that the visitor may see, oldest first, in their wire shape."""
    found = messages_after(chat_id=chat_id, after_id=after_id, limit=limit, for_visitor=True)
    show = MessageSerializer.writer()
    return [show(row) for row in found]


def steps_of(widget_id: int, chat_id: int) -> list[dict[str, Any]]:
    """The steps of the chat that the visitor is told of, names as the widget shows them."""
    steps = visitor_steps(chat_id)
    return [{**step, "name": None} for step in steps] if steps and display_mode(widget_id) == HIDDEN else steps


def display_mode(widget_id: int) -> str:
    """How the widget shows its operators: the setting `operators_display_mode`."""
    from apps.widget.models import WidgetSettings

    settings = WidgetSettings.objects.for_widget(widget_id)
    chosen = settings.values_list("stored__operators_display_mode", flat=True).first()
    return str(chosen or BY_NAME[DISPLAY_MODE].default)


def revoked_among(session_ids: Collection[int]) -> set[int]:
    """The sessions among these that are revoked or gone."""
    standing = fetch_all(
        """
        SELECT id FROM widget_visitorsession WHERE id = ANY(%(ids)s) AND revoked_at IS NULL
        /* unscoped: sessions of sockets that are open */""",
        {"ids": list(session_ids)},
    )
    return set(session_ids) - {id_ for (id_,) in standing}
