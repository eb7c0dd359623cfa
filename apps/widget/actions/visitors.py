"""Visitors' actions but their messages. Ratings and files go through the actions of chats, like those of operators."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.apps import apps as django_apps
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.rules import digest
from apps.chats import actions as chats
from apps.chats.actions import GivenRating
from apps.chats.errors import CHAT_IS_EMPTY
from apps.chats.models import Block, Contact, File, Message
from apps.chats.rules.messages import is_ai
from apps.chats.rules.typing import Typing
from apps.core.endpoints.uploads import MB, ReceivedFile
from apps.core.errors import INVALID_INPUT, NOT_FOUND, TRY_AGAIN
from apps.widget import querysets, rules
from apps.widget.actions.letters import open_letter
from apps.widget.actions.proofs import require_proof
from apps.widget.actions.sessions import revoke_visitor
from apps.widget.errors import (
    INVALID_VISITOR_TOKEN,
    LETTER_SESSION,
    NOT_A_MACHINES_MESSAGE,
    UPLOADS_EXHAUSTED,
    VISITOR_BLOCKED,
)
from apps.widget.models import VerifiedVisitor, VisitorSession, WidgetSettings
from apps.widget.rules import identity, visits

# After how long it is worth to try an upload again that was over a total: some of it may be a day old by then.
UPLOADS_AGAIN_S = 3600


@dataclass(frozen=True, slots=True)
class OpenedSession:
    """A session with its plain token, of which only a hash is stored."""

    session: VisitorSession
    token: str = field(repr=False)
    is_new: bool

    @property
    def first_id(self) -> int | None:
        """The message from which on a session of a letter's link sees the chat; None for any other session."""
        return self.session.letter_first_id


@transaction.atomic
def open_session(
    *,
    widget_id: int,
    token: str | None,
    about: Mapping[str, Any],
    page_url: str = "",
    lang: str = "",
    referrer: str = "",
    time_zone: str = "",
    user_agent: str = "",
    user_id: str | None = None,
    identity_hmac: str | None = None,
    address: str = "",
    proof: str = "",
) -> OpenedSession:
    """Opens the session of a known visitor (with `token`), or makes a visitor and a session.

    `about` may have name, email and phone, which replace what is known, and attributes, which are merged by key (null
    removes a key). The chat begins with the first message, not here. The rest is what operators are shown of the visit;
    the referrer stays the one that the visit began with. If two calls come at once, one may lose its page.

    With `user_id`, which `identity_hmac` proves, the session is of that user's contact: the one that is known, with a
    session of its own if the token's is another's, which is revoked then; else the token's. A token that was there
    before its contact was proved is renewed: who else holds it hears nothing more. Chats are not merged.

    `address` is the caller's, as rate limits count it. A visitor with neither a token nor a proved identity may have to
    prove work (`require_proof`).

    Raises INVALID_VISITOR_TOKEN (401); VISITOR_BLOCKED, PROOF_REQUIRED (403); INVALID_INPUT (422) for a wrong identity,
    and when the attributes would become too many.
    """
    now = timezone.now()
    agent = visits.kept_agent(user_agent)
    place: dict[str, Any] = {
        "page_url": page_url,
        "lang": lang,
        "time_zone": time_zone,
        "user_agent": agent,
        "address": address,
    }
    found = (
        None if token is None else VisitorSession.objects.unscoped("found by its secret").with_token(widget_id, token)
    )
    if token is not None and found is None:
        raise INVALID_VISITOR_TOKEN()
    if found is not None and found.letter_first_id is not None and (about or user_id is not None):
        raise LETTER_SESSION()
    if user_id is not None:
        require_identity(widget_id, user_id, identity_hmac or "", now)
        opened = _session_of_user(widget_id, user_id, found, about, place, page_url, referrer, now)
        if opened is not None:
            return opened
    if found is None or token is None:
        require_proof(widget_id=widget_id, proof=proof, address=address, now=now)
        contact = chats.create_contact(widget_id=widget_id, about=about)
        return _new_session(contact, place, page_url, referrer, now)
    require_unblocked(widget_id, found.contact_id, address)
    _come_back(found, about, place, page_url, referrer, now)
    return OpenedSession(found, token, is_new=False)


def _session_of_user(
    widget_id: int,
    user_id: str,
    found: VisitorSession | None,
    about: Mapping[str, Any],
    place: dict[str, Any],
    page_url: str,
    referrer: str,
    now: datetime,
) -> OpenedSession | None:
    """A new session of the proved user's contact; None where the token's session is theirs already, and goes on."""
    contact, is_new, proved_at = _verified_contact(widget_id, user_id, found.contact if found else None, about)
    require_unblocked(widget_id, contact.pk, place["address"])
    if found is not None and found.contact_id == contact.pk:
        is_older = found.created_at < proved_at
        return _renewed(found, proved_at, about, place, page_url, referrer, now) if is_older else None
    if found is not None:
        revoke_visitor(session=found)
    return _new_session(contact, place, page_url, referrer, now, about={} if is_new else about, is_new=is_new)


@transaction.atomic
def open_letter_session(
    *, widget_id: int, letter: str, token: str | None, is_agreed: bool = False, address: str = "", **place: Any
) -> OpenedSession:
    """Opens the chat of a letter by its link: a session that sees the chat from the first quoted message on.

    A `token` of the same contact's own session answers in its place; another's is not touched, and its visitor must
    have agreed: the address of a page is anybody's to write.

    Raises LETTER_OVER (410), INVALID_INPUT (422; on `letter_agreed` without that agreement), RATE_LIMITED (429),
    VISITOR_BLOCKED (403).
    """
    opened = open_letter(widget_id=widget_id, token=letter)
    require_unblocked(widget_id, opened.contact_id, address)
    sessions = VisitorSession.objects.unscoped("found by its secret")
    own = None if token is None else sessions.with_token(widget_id, token)
    if own is not None and token is not None and own.contact_id == opened.contact_id:
        sessions.filter(pk=own.pk).update(last_seen_at=timezone.now())
        return OpenedSession(own, token, is_new=False)
    if own is not None and not is_agreed:
        raise INVALID_INPUT(errors={"letter_agreed": ["The visitor has another chat here, and was not asked."]})
    contact = Contact.objects.for_widget(widget_id).get(pk=opened.contact_id)
    fresh = rules.new_visitor_token()
    session = VisitorSession.objects.create(
        widget_id=widget_id,
        contact=contact,
        digest=digest(fresh),
        address=address,
        letter_first_id=opened.first_id,
        letter_address=opened.address,
        **{**place, "user_agent": visits.kept_agent(place.get("user_agent", ""))},
    )
    return OpenedSession(session, fresh, is_new=True)


def _come_back(
    found: VisitorSession,
    about: Mapping[str, Any],
    place: dict[str, Any],
    page_url: str,
    referrer: str,
    now: datetime,
) -> None:
    """Stores where a known visitor is, and what is told of them."""
    changed: list[str] = []
    if about:
        contact = (
            Contact.objects.unscoped("read with its widget before")
            .select_for_update(no_key=True)
            .get(pk=found.contact_id)
        )
        if changed := chats.set_contact_fields(contact, about):
            chats.save_contact(contact, changed)
        found.contact = contact
    goes_on = now - found.last_seen_at < visits.VISIT_ENDS_AFTER
    place["pages"] = visits.pages_after(found.pages if goes_on else [], page_url, now)
    place["referrer"] = found.referrer if goes_on else referrer
    VisitorSession.objects.unscoped("read with its widget before").filter(pk=found.pk).update(last_seen_at=now, **place)
    if not changed:
        chats.record_contact_change(found.contact)  # operators see where the visitor is, and since when


def _renewed(
    found: VisitorSession,
    proved_at: datetime,
    about: Mapping[str, Any],
    place: dict[str, Any],
    page_url: str,
    referrer: str,
    now: datetime,
) -> OpenedSession:
    """A new token for a visitor who has proved who they are; all tokens from before that proof end.

    A stranger may have planted the token in the visitor's browser. The visit goes on.
    """
    pages = found.pages if now - found.last_seen_at < visits.VISIT_ENDS_AFTER else []
    sessions = VisitorSession.objects.for_widget(found.widget_id).filter(contact_id=found.contact_id, revoked_at=None)
    for before in sessions.filter(created_at__lt=proved_at).order_by("pk"):
        revoke_visitor(session=before)
    opened = _new_session(found.contact, place, page_url, referrer, now, about=about, is_new=False)
    if pages:
        opened.session.pages, opened.session.referrer = visits.pages_after(pages, page_url, now), found.referrer
        opened.session.save(update_fields=["pages", "referrer"])
    return opened


def require_unblocked(widget_id: int, contact_id: int, address: str) -> None:
    """Raises VISITOR_BLOCKED (403) for a contact that the widget has blocked, or an address."""
    if Block.objects.for_widget(widget_id).against(contact_id, address, timezone.now()).exists():
        raise VISITOR_BLOCKED()


def _new_session(
    contact: Contact,
    place: dict[str, Any],
    page_url: str,
    referrer: str,
    now: datetime,
    *,
    about: Mapping[str, Any] | None = None,
    is_new: bool = True,
) -> OpenedSession:
    """A session with a fresh token; of a contact that was known, what is told `about` it is set."""
    if about:
        contact = Contact.objects.for_widget(contact.widget_id).select_for_update(no_key=True).get(pk=contact.pk)
        if changed := chats.set_contact_fields(contact, about):
            chats.save_contact(contact, changed)
    place |= {"referrer": referrer, "pages": visits.pages_after([], page_url, now)}
    token = rules.new_visitor_token()
    session = VisitorSession.objects.create(widget_id=contact.widget_id, contact=contact, digest=digest(token), **place)
    return OpenedSession(session, token, is_new=is_new)


def require_identity(widget_id: int, user_id: str, proof: str, now: datetime) -> None:
    """Raises INVALID_INPUT (422) unless a secret of the widget's proves the id (rules/identity.py)."""
    row = WidgetSettings.objects.for_widget(widget_id).first()
    secrets = (
        identity.counting(row.identity_secret, row.previous_identity_secret, row.previous_until, now) if row else []
    )
    if not secrets:
        refusal = "This widget has no identity secret, so no identity can be proved to it."
    elif not identity.is_proved(user_id, proof, secrets):
        refusal = "It does not prove this user_id."
    else:
        return
    raise INVALID_INPUT(errors={"identity_hmac": [refusal]})


def _verified_contact(
    widget_id: int, user_id: str, visiting: Contact | None, about: Mapping[str, Any]
) -> tuple[Contact, bool, datetime]:
    """The contact of a website's user, whether it was made for them now, and since when it is proved to be theirs.

    One of simultaneous calls makes it.
    """
    known = VerifiedVisitor.objects.for_widget(widget_id).select_related("contact")
    for _ in range(3):
        if (found := known.filter(user_id=user_id).first()) is not None:
            return found.contact, False, found.created_at
        is_theirs = (
            visiting is not None and not VerifiedVisitor.objects.for_widget(widget_id).filter(contact=visiting).exists()
        )
        try:
            with transaction.atomic():
                contact = visiting if is_theirs and visiting else chats.create_contact(widget_id=widget_id, about=about)
                VerifiedVisitor.objects.create(widget_id=widget_id, user_id=user_id, contact=contact)
                return contact, not is_theirs, timezone.now()
        except IntegrityError:
            continue  # somebody else was there first
    raise TRY_AGAIN(headers={"Retry-After": "1"})


def upload_file(*, contact: Contact, upload: ReceivedFile) -> File:
    """Stores a file of the visitor's, unless it is over what they, or all visitors of the widget, may send in a day.

    Uploads at the same moment do not count each other: as many files too many are taken as are on their way at once.

    Raises UPLOADS_EXHAUSTED (429), STORAGE_FAILED (500), TRY_AGAIN (503).
    """
    uploaded = querysets.uploaded_since(contact, timezone.now() - rules.UPLOADS_COUNT_FOR)
    size = max(upload.size, rules.LEAST_UPLOAD)
    for sent, total, whose in (
        (uploaded.by_contact, settings.VISITOR_UPLOADS_MB, "This visitor has"),
        (uploaded.by_all, settings.WIDGET_UPLOADS_MB, "The visitors of this widget have"),
    ):
        if sent + size > total * MB:
            detail = f"{whose} uploaded {total} MB within 24 hours, which is the most."
            raise UPLOADS_EXHAUSTED(detail, headers={"Retry-After": str(UPLOADS_AGAIN_S)})
    return chats.store_file(widget_id=contact.widget_id, contact_id=contact.pk, upload=upload)


def see_messages(*, contact: Contact, message_id: int) -> None:
    """The visitor has seen everything up to a message. Raises NOT_FOUND (404) for one that is not in their chat."""
    chat_id = querysets.chat_of(contact.pk)
    if chat_id is None:
        raise NOT_FOUND()
    chats.mark_seen(widget_id=contact.widget_id, chat_id=chat_id, message_id=message_id, seen_by="USER")


def rate_chat(*, contact: Contact, value: int, comment: str) -> GivenRating:
    """Stores the visitor's rating of their chat. Raises CHAT_IS_EMPTY (409) before its first message."""
    chat_id = querysets.chat_of(contact.pk)
    if chat_id is None:
        raise CHAT_IS_EMPTY()
    return chats.rate_chat(widget_id=contact.widget_id, chat_id=chat_id, value=value, comment=comment)


def decline_rating(*, contact: Contact) -> None:
    """The visitor puts the question for a rating away; without effect where nobody asks."""
    chat_id = querysets.chat_of(contact.pk)
    if chat_id is not None:
        chats.decline_rating(widget_id=contact.widget_id, chat_id=chat_id)


def rate_answer(*, contact: Contact, message_id: int, helpful: bool | None) -> None:
    """Stores what the visitor says of a machine's message; None takes it back.

    Raises NOT_FOUND (404) for one that is in none of their chats, or hidden from them; NOT_A_MACHINES_MESSAGE (409).
    """
    said = Message.objects.for_widget(contact.widget_id).filter(chat__contact_id=contact.pk, is_internal=False)
    message = said.get_or_404(pk=message_id)
    if not is_ai(message.sender_kind, message.details):
        raise NOT_A_MACHINES_MESSAGE()
    if not django_apps.is_installed("apps.ai"):
        raise NOT_FOUND()
    from apps.ai.actions.feedback import rate_answer as rate

    rate(widget_id=contact.widget_id, chat_id=message.chat_id, message_id=message_id, helpful=helpful)


def tell_typing(*, chat_id: int, state: str) -> None:
    """Shows it to the operators who look at the chat; nothing is stored."""
    chats.tell_operators_of_typing(chat_id=chat_id, state=Typing(state))
