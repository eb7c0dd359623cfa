"""Offers of invitations: whether a browser shows one, its signals afterwards, and the answer."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import Widget
from apps.accounts.rules import digest
from apps.chats.actions import PostedMessage
from apps.chats.actions.openings import Opening
from apps.chats.events import InvitationAnswered
from apps.chats.models import Contact
from apps.chats.rules import SenderKind
from apps.chats.rules.texts import text_in
from apps.core import bus
from apps.core.observability import metrics
from apps.widget.models import ChatInvitation, InvitationOffer
from apps.widget.querysets import EmbeddedWidget
from apps.widget.querysets.invitations import InvitationOfferQuerySet, is_blocked, is_talking, offered_contact
from apps.widget.querysets.settings import Settings, settings_of
from apps.widget.querysets.speakers import AnsweringNow, ShownSpeaker, speaker_now
from apps.widget.rules.fields import FALLBACK, SUPPORTED
from apps.widget.rules.invitation_rules import server_refusal
from apps.widget.rules.invitations import (
    ANSWERED_WITHIN,
    LARGEST_OFFER,
    InvitationOutcome,
    InvitationState,
    OfferRefusal,
    is_held,
    runs_at,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferRequest:
    """A browser that asks for an offer: its key, its visitor, and the conditions that hold in its page.

    branches: the places in `any` whose conditions of the browser hold; None: it does not say. is_asked_for: the page
    asks for it by name, so that no rule and no cap counts. is_preview: its owner looks; nothing is stored.
    """

    key: str
    contact: Contact | None = None
    address: str = ""
    lang: str = ""
    accepted: str = ""
    branches: Collection[int] | None = None
    is_asked_for: bool = False
    is_preview: bool = False
    people_are_known: bool = True


def make_offer(*, widget: EmbeddedWidget, invitation_id: int, request: OfferRequest) -> dict[str, Any]:
    """Whether a browser is to show an invitation, with its words; the first of `OfferRefusal` that applies refuses.

    Caps are exact: of offers of one invitation at once, each is decided after the other. Raises NOT_FOUND (404) for an
    unknown one, and for a draft.
    """
    now, digested = timezone.now(), digest(request.key)
    invitations = ChatInvitation.objects.for_widget(widget.id)
    if not request.is_preview:
        invitations = invitations.exclude(state=InvitationState.DRAFT)
    invitation = invitations.get_or_404(pk=invitation_id)
    settings = settings_of(widget.id)
    contact_id = request.contact.pk if request.contact else offered_contact(widget.id, digested)
    answering = AnsweringNow(widget.id, settings, request.lang, people_are_known=request.people_are_known)
    refusal = _refused_by_now(widget, invitation, settings, request, contact_id, answering, now)
    language = settings.language_for(request.lang, request.accepted)
    words = _words(invitation, settings, language)
    speaker = speaker_now(invitation, settings, language, answering)
    offer: InvitationOffer | None = None
    if refusal is None and not request.is_preview:
        per_visit = settings.invitations["per_visit"]
        offer, refusal = _decide(invitation, request, contact_id, digested, words["text"], speaker, per_visit, now)
    return _answered(offer, refusal, {**words, "from": speaker.shown()}, is_preview=request.is_preview)


def _answered(
    offer: InvitationOffer | None, refusal: OfferRefusal | None, words: Mapping[str, Any], *, is_preview: bool
) -> dict[str, Any]:
    """The answer to a browser, which is counted; the owner's look has the words in any case."""
    said = {"offer_id": offer and offer.pk, "show": refusal is None, "reason": refusal}
    if is_preview:
        return {**said, **words}
    outcome = (
        InvitationOutcome.SHOWN if refusal is None else InvitationOutcome.HELD if offer else InvitationOutcome.REFUSED
    )
    metrics.INVITATIONS.labels(outcome.value).inc()
    return {**said, **(words if refusal is None else dict.fromkeys(words))}


def _words(invitation: ChatInvitation, settings: Settings, language: str) -> dict[str, Any]:
    known = {"fallback": settings.values[FALLBACK], "supported": settings.values[SUPPORTED]}
    buttons = [text_in(button, language, **known) for button in invitation.buttons]
    return {"text": text_in(invitation.texts, language, **known), "buttons": buttons}


def _refused_by_now(
    widget: EmbeddedWidget,
    invitation: ChatInvitation,
    settings: Settings,
    request: OfferRequest,
    contact_id: int | None,
    answering: AnsweringNow,
    now: datetime,
) -> OfferRefusal | None:
    """The refusal by facts of this moment alone."""
    is_live = invitation.state == InvitationState.LIVE or request.is_preview
    if not (settings.invitations["is_on"] and is_live and runs_at(now, invitation.starts_at, invitation.ends_at)):
        return OfferRefusal.OFF
    if widget.blocks or (contact_id is not None and is_blocked(widget.id, contact_id, request.address, now)):
        return OfferRefusal.BLOCKED
    if contact_id is not None and is_talking(widget.id, contact_id, now):
        return OfferRefusal.IN_CHAT
    if request.is_asked_for:
        return None
    failed = server_refusal(invitation.rule, answering.holds, request.branches)
    return OfferRefusal(failed) if failed else None


@transaction.atomic
def _decide(
    invitation: ChatInvitation,
    request: OfferRequest,
    contact_id: int | None,
    digested: bytes,
    text: str,
    speaker: ShownSpeaker,
    per_visit: int,
    now: datetime,
) -> tuple[InvitationOffer | None, OfferRefusal | None]:
    """The offer that is stored, shown or held, or why there is none: under the invitation's lock."""
    widget_id, read = invitation.widget_id, (invitation.state, invitation.round)
    invitation = ChatInvitation.objects.for_widget(widget_id).get_for_update(pk=invitation.pk)
    if (invitation.state, invitation.round) != read:
        return None, OfferRefusal.OFF  # it was changed just now: its words are others
    offers = InvitationOffer.objects.for_widget(widget_id).of_visitor(digested, contact_id)
    if not request.is_asked_for and (capped := _refused_by_caps(invitation, offers, per_visit, now)):
        return None, capped
    of_it = {"widget_id": widget_id, "invitation": invitation, "round": invitation.round}
    offer = InvitationOffer(**of_it, key_digest=digested, contact_id=contact_id, created_at=now)
    whose = request.contact.guid if request.contact else request.key
    if is_held(whose, invitation.pk, invitation.round, invitation.holdout):
        # Who is held back asks again where who is shown does not: once counts.
        held = offers.filter(**of_it, is_held=True, created_at__gt=now - invitation.seen_for).order_by("-created_at")
        if held.count() >= invitation.times and (before := held.first()) is not None:
            return before, OfferRefusal.HOLDOUT
        offer.is_held = True
        offer.save(force_insert=True)
        return offer, OfferRefusal.HOLDOUT
    offer.text, offer.shown_from = text, speaker.kept()
    offer.save(force_insert=True)
    invitation.count_shown(now)
    counted = {name: getattr(invitation, name) for name in ("shown_on", "shown_that_day")}
    ChatInvitation.objects.for_widget(widget_id).filter(pk=invitation.pk).update(**counted)
    return offer, None


def _refused_by_caps(
    invitation: ChatInvitation, offers: InvitationOfferQuerySet, per_visit: int, now: datetime
) -> OfferRefusal | None:
    """The refusal by earlier offers: of this visitor, this visit, this day."""
    of_it = offers.filter(invitation=invitation)
    times = of_it.shown().filter(created_at__gt=now - invitation.seen_for).count()
    if times >= invitation.times or of_it.closed_lately(now).exists():
        return OfferRefusal.SEEN
    if offers.in_visit(now).count() >= per_visit:
        return OfferRefusal.PER_VISIT
    return OfferRefusal.PER_DAY if invitation.is_used_up(now) else None


_MARKS = {"opened": "opened_at", "dismissed": "dismissed_at"}


@transaction.atomic
def note_signals(*, widget_id: int, key: str, signals: Sequence[Mapping[str, Any]]) -> None:
    """Notes a browser's deeds with the offers of its key, and the goals that its visitor reached.

    Unknown signals, others' and those that were told already are passed over.
    """
    now, digested = timezone.now(), digest(key)
    for signal in signals:
        kind = signal["kind"]
        if kind == "goal":
            is_new = _convert(widget_id, digested, signal["invitation_id"], now)
        else:
            mine = InvitationOffer.objects.for_widget(widget_id).shown().filter(key_digest=digested)
            marks = {_MARKS[kind]: None}
            is_new = bool(mine.filter(pk=signal["offer_id"], **marks).update(**{_MARKS[kind]: now}))
        if is_new:
            metrics.INVITATIONS.labels(InvitationOutcome.CONVERTED.value if kind == "goal" else kind).inc()


def _convert(widget_id: int, digested: bytes, invitation_id: int, now: datetime) -> bool:
    """Counts a goal once for a visitor, shown or held, within its hours in the round that is."""
    invitation = ChatInvitation.objects.for_widget(widget_id).filter(pk=invitation_id, goal__isnull=False).first()
    if invitation is None:
        return False
    offers = InvitationOffer.objects.for_widget(widget_id).of_visitor(digested, offered_contact(widget_id, digested))
    of_round = offers.filter(invitation=invitation, round=invitation.round).select_for_update(no_key=True)
    found = list(of_round.order_by("-created_at"))
    since = now - invitation.goal_within
    if any(each.converted_at for each in found) or not found or found[0].created_at <= since:
        return False
    found[0].converted_at = now
    found[0].save(update_fields=["converted_at"])
    return True


def note_key(*, contact: Contact, key: str) -> None:
    """Gives the offers of a browser to its visitor, now that it says who that is."""
    offers = InvitationOffer.objects.for_widget(contact.widget_id).filter(key_digest=digest(key), contact=None)
    offers.update(contact=contact)


@transaction.atomic
def post_answer(
    *, contact: Contact, offer_id: object, department_id: int | None, send: Callable[..., PostedMessage]
) -> PostedMessage:
    """Posts a message that answers an offer, with the invitation before it; one that does not count is passed over.

    `send` posts the message into a department, behind an opening.
    """
    offer = _answered_offer(contact, offer_id)
    if offer is None:
        return send(department_id=department_id)
    posted = send(department_id=department_id or offer.invitation.department_id, opening=_opening_of(offer))
    if posted.is_new:
        _note_answered(offer, contact, posted.chat_id)
    return posted


def _answered_offer(contact: Contact, offer_id: object) -> InvitationOffer | None:
    """The offer that a first message answers, locked; None for one that is wrong, another's, used or a day old."""
    if not isinstance(offer_id, int) or isinstance(offer_id, bool) or not 0 < offer_id <= LARGEST_OFFER:
        return None
    offers = InvitationOffer.objects.for_widget(contact.widget_id).shown().select_related("invitation")
    mine = offers.filter(Q(contact=None) | Q(contact=contact), created_at__gt=timezone.now() - ANSWERED_WITHIN)
    return mine.select_for_update(of=("self",), no_key=True).filter(pk=offer_id, answered_at=None).first()


def _opening_of(offer: InvitationOffer) -> Opening:
    """The invitation as its visitor was shown it."""
    shown = offer.shown_from or {"kind": SenderKind.SYSTEM, "agent_id": None, "name": ""}
    return Opening(
        invitation_id=offer.invitation_id,
        name=offer.invitation.name,
        body=offer.text,
        speaker=SenderKind(shown["kind"]),
        agent_id=shown["agent_id"],
        speaker_name=shown["name"],
    )


def _note_answered(offer: InvitationOffer, contact: Contact, chat_id: int) -> None:
    """The visitor's message is stored behind the invitation."""
    offer.answered_at, offer.contact, offer.chat_id = timezone.now(), contact, chat_id
    offer.save(update_fields=["answered_at", "contact", "chat"])
    guid = Widget.objects.values_list("guid", flat=True).get(pk=contact.widget_id)
    bus.publish(
        InvitationAnswered(
            widget_id=contact.widget_id,
            widget_guid=guid,
            chat_id=chat_id,
            contact_guid=contact.guid,
            invitation_id=offer.invitation_id,
        )
    )
    transaction.on_commit(metrics.INVITATIONS.labels(InvitationOutcome.ANSWERED.value).inc)
