"""Reads of visitors' sessions, and of the facts that they tell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Lower
from django.utils import timezone

from apps.accounts.rules import digest
from apps.chats.models import Contact
from apps.chats.rules.blocks import networks_around
from apps.core.database import fetch_all, fetch_one
from apps.core.database.tenants import TenantQuerySet
from apps.widget import rules
from apps.widget.rules import visits

if TYPE_CHECKING:
    from apps.widget.models import VisitorSession


# How much of a chat a session call shows; what is older, `GET messages` and the socket give.
SESSION_MESSAGES = 100


class VisitorSessionQuerySet(TenantQuerySet["VisitorSession"]):
    def not_revoked(self) -> VisitorSessionQuerySet:
        """The sessions that are not revoked, with their contacts."""
        return self.filter(revoked_at=None).select_related("contact")

    def on_websites(self) -> VisitorSessionQuerySet:
        """The sessions whose last page is a website's, and not this service's own, such as the preview.

        A widget's are found by its contacts: sessions have no index by widget.
        """
        of_contacts = self.filter(contact__widget_id=F("widget_id"))
        return of_contacts.exclude(page_url="").exclude(page_url__startswith=settings.PUBLIC_URL)

    def with_token(self, widget_id: int, token: str) -> VisitorSession | None:
        """The widget's session of that plain token, unless it was revoked; else None. The index compares hashes."""
        if not rules.is_visitor_token(token):
            return None
        return self.for_widget(widget_id).not_revoked().lasting().filter(digest=digest(token)).first()

    def lasting(self) -> VisitorSessionQuerySet:
        """Without the sessions that nobody used for a year, and those of letters' links that are over."""
        now = timezone.now()
        lasts = Q(
            letter_address=Lower("contact__email"),
            last_seen_at__gt=now - rules.LETTER_SESSION_IDLE,
            created_at__gt=now - rules.LETTER_SESSION_LASTS,
        )
        used = self.filter(last_seen_at__gt=now - rules.SESSION_IDLE)
        return used.filter(Q(letter_first_id=None) | lasts)


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


# The address of a chat's contact in their latest session (the hook of chats). Index: that of a session's contact.
CONTACT_ADDRESS = """
SELECT s.address FROM widget_visitorsession s WHERE s.widget_id = chat.widget_id AND s.contact_id = chat.contact_id
ORDER BY s.last_seen_at DESC, s.id DESC LIMIT 1"""


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
    moves to another installation. `asks`: questions before a chat are on."""

    id: int
    name: str
    allowed_origins: Sequence[str]
    blocks: bool = False
    is_moving: bool = False
    asks: bool = False


@dataclass(frozen=True, slots=True)
class KnownVisitor:
    """A visitor by their session. Loads only the contact's common columns; the others are deferred.

    `first_id` is of a session of a letter's link: the message from which on it sees the chat. `last_seen_at` is its
    last use, as it is noted. `page_url` and `lang` are what the browser told last; empty if it did not.
    """

    session_id: int
    contact: Contact
    last_seen_at: datetime
    first_id: int | None = None
    page_url: str = ""
    lang: str = ""


# Indexes: those of a widget's guid and of a session's digest, chats_block_of_widget.
_FIND_VISITOR = """
SELECT w.id, w.name, w.allowed_origins,
       EXISTS (SELECT FROM chats_block b WHERE b.widget_id = w.id AND (b.until IS NULL OR b.until > now())
               AND (b.network = ANY(%(networks)s) OR b.contact_id = c.id)),
       w.moving_since IS NOT NULL,
       EXISTS (SELECT FROM widget_questionset q WHERE q.widget_id = w.id AND q.is_on),
       s.id, s.last_seen_at, s.letter_first_id, s.page_url, s.lang,
       c.id, c.widget_id, c.guid, c.name
FROM accounts_widget w LEFT JOIN (widget_visitorsession s JOIN chats_contact c ON c.id = s.contact_id)
     ON s.digest = %(digest)s AND s.widget_id = w.id AND s.revoked_at IS NULL
        AND s.last_seen_at > now() - %(session_idle)s
        AND (s.letter_first_id IS NULL OR s.letter_address = lower(c.email)
             AND s.last_seen_at > now() - %(idle)s AND s.created_at > now() - %(lasts)s)
WHERE w.guid = %(guid)s /* unscoped: of the widget that the guid names */"""


_CONTACT_FIELDS = ("id", "widget_id", "guid", "name")


def find_visitor(
    guid: str, token: str | None = None, address: str = ""
) -> tuple[EmbeddedWidget | None, KnownVisitor | None]:
    """The widget, and its visitor whose session has that plain token, unless it was revoked; who call from an address
    as rate limits count it."""
    hashed = digest(token) if token is not None and rules.is_visitor_token(token) else None
    found = fetch_one(
        _FIND_VISITOR,
        {
            "guid": guid,
            "digest": hashed,
            "networks": networks_around(address),
            "session_idle": rules.SESSION_IDLE,
            "idle": rules.LETTER_SESSION_IDLE,
            "lasts": rules.LETTER_SESSION_LASTS,
        },
    )
    if found is None:
        return None, None
    widget_id, name, allowed_origins, blocks, is_moving, asks, session_id, *of_session = found[:11]
    widget = EmbeddedWidget(widget_id, name, allowed_origins, blocks, is_moving, asks)
    if session_id is None:
        return widget, None
    contact = Contact.from_db(None, _CONTACT_FIELDS, found[11:])
    return widget, KnownVisitor(session_id, contact, *of_session)


def revoked_among(session_ids: Collection[int]) -> set[int]:
    """The sessions among these that are revoked or gone."""
    standing = fetch_all(
        """
        SELECT id FROM widget_visitorsession WHERE id = ANY(%(ids)s) AND revoked_at IS NULL
        /* unscoped: sessions of sockets that are open */""",
        {"ids": list(session_ids)},
    )
    return set(session_ids) - {id_ for (id_,) in standing}
