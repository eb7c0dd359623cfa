"""Accounts tied to chats by the application, for exactly as long as it may, and untied."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.chats.models import Chat, Contact
from apps.core.errors import NOT_FOUND
from apps.core.quotas import Quota
from apps.support.actions.codes import kill_codes
from apps.support.actions.requests import answered_once
from apps.support.errors import ASSISTANT_RATE_LIMITED, CHAT_BOUND_TO_OTHER_ACCOUNT, CHAT_NOT_LINKABLE
from apps.support.models import AppRoom, Binding, Identity, SignedRequest, Ticket
from apps.support.rules import identities as rules
from apps.support.rules.identities import LIFETIMES, MAX_GRANT, LinkSource
from apps.support.settings import settings_of

LINKED = Quota("account_links", 60, timedelta(minutes=1), ASSISTANT_RATE_LIMITED)
REVOKED = Quota("account_revocations", 60, timedelta(minutes=1), ASSISTANT_RATE_LIMITED)


def may_link(widget_id: int) -> bool:
    """Whether the widget is on the account-link list."""
    return bool(settings_of(widget_id).account_link)


@transaction.atomic
def link_account(*, binding: Binding, request_id: str, **body: Any) -> dict[str, Any]:
    """Ties an account to the chats of a target. The same account extends and never shortens.

    Raises NOT_FOUND (404); REQUEST_ID_REUSED, CHAT_NOT_LINKABLE, CHAT_BOUND_TO_OTHER_ACCOUNT (409), of which no chat is
    changed; ASSISTANT_RATE_LIMITED (429).
    """
    answer = answered_once(
        binding, SignedRequest.Endpoint.LINK, request_id, body, lambda: _linked(binding.widget_id, **body)
    )
    return {"replayed": False, **answer}


def _linked(
    widget_id: int,
    *,
    target: Mapping[str, Any],
    account: Mapping[str, str],
    method: str,
    identity_expires_at: datetime,
    grant: Mapping[str, Any],
    verification_ref: str = "",
) -> dict[str, Any]:
    chats = _chats(widget_id, target)
    rooms = set(AppRoom.objects.for_widget(widget_id).filter(chat_id__in=chats).values_list("chat_id", flat=True))
    linkable = [chat_id for chat_id in chats if chat_id not in rooms]
    if not linkable or (rooms and "widget_visitor" not in target):
        raise CHAT_NOT_LINKABLE() if rooms else NOT_FOUND("The visitor has no chat.")
    now, user_id = timezone.now(), account["app_user_id"]
    found = {one.chat_id: one for one in Identity.objects.for_widget(widget_id).filter(chat_id__in=linkable)}
    live = [one for one in found.values() if rules.is_live(one.expires_at, now)]
    if any(one.app_user_id not in (None, user_id) for one in live):
        raise CHAT_BOUND_TO_OTHER_ACCOUNT()
    LINKED.spend(widget_id)
    source = LinkSource(method)
    identity = rules.clamped(identity_expires_at, now + LIFETIMES[source])
    granted = rules.clamped(grant["expires_at"], now + MAX_GRANT)
    written = []
    for chat_id in linkable:
        before = found.get(chat_id)
        row = before if before is not None and before in live else Identity(chat_id=chat_id, email=None)
        _extend(row, user_id, source, identity.at, now)
        if not rules.is_live(row.grant_expires_at, granted.at):
            row.grant, row.grant_expires_at = grant["token"], granted.at
        row.email = account.get("email", row.email)
        row.verification_ref = verification_ref
        row.save(force_insert=before is None)
        written.append(row)
    first = min(written, key=lambda one: one.expires_at)
    return {
        "bound": True,
        "app_user_id": user_id,
        "chats": linkable,
        "link_source": str(first.link_source),
        "identity_expires_at": first.expires_at,
        "grant_expires_at": first.grant_expires_at,
        "clamped": {"identity": identity.was_later, "grant": granted.was_later},
    }


def _extend(row: Identity, user_id: str, source: LinkSource, until: datetime, now: datetime) -> None:
    """Makes an identity the account's, until then unless it lasts longer already; its source is that of its end."""
    row.app_user_id, row.updated_at = user_id, now
    if not rules.is_live(row.expires_at, until):
        row.expires_at, row.link_source = until, source


@transaction.atomic
def revoke_account(*, binding: Binding, request_id: str, **body: Any) -> dict[str, Any]:
    """Clears identity, grant and mailbox of a target's chats; an app room's account is hidden until the next intake.

    Raises NOT_FOUND (404), REQUEST_ID_REUSED (409), ASSISTANT_RATE_LIMITED (429).
    """
    return answered_once(
        binding, SignedRequest.Endpoint.REVOKE, request_id, body, lambda: _revoked(binding.widget_id, **body)
    )


def _revoked(widget_id: int, *, target: Mapping[str, Any], reason: str) -> dict[str, Any]:
    chats = _chats(widget_id, target)
    REVOKED.spend(widget_id)
    now = timezone.now()
    identities = Identity.objects.for_widget(widget_id).filter(chat_id__in=chats)
    cleared = {one.chat_id for one in identities if rules.is_live(one.expires_at, now)}
    identities.delete()
    kill_codes(widget_id, chats)
    for room in AppRoom.objects.for_widget(widget_id).filter(chat_id__in=chats, is_hidden=False):
        if shows_account(room, now):
            cleared.add(room.chat_id)
        room.is_hidden = True
        room.save(update_fields=["is_hidden"])
    return {"bound": True, "chats": [one for one in chats if one in cleared]} if cleared else {"bound": False}


def shows_account(room: AppRoom, now: datetime) -> bool:
    """Whether the account of an app room is shown: while a ticket is open, and 7 days after the last one closed."""
    if room.is_hidden:
        return False
    tickets = Ticket.objects.for_widget(room.widget_id).filter(chat_id=room.chat_id)
    has_open = tickets.open().exists()
    last = tickets.order_by("-closed_at").values_list("closed_at", flat=True).exclude(closed_at=None).first()
    expires_at = rules.room_expires_at(has_open_ticket=has_open, last_closed_at=last)
    return has_open or rules.is_live(expires_at, now)


def _chats(widget_id: int, target: Mapping[str, Any]) -> Sequence[int]:
    """The chats of a target, locked, in one order. Raises NOT_FOUND (404) for what is not the widget's."""
    chats = Chat.objects.for_widget(widget_id)
    if "chat_id" in target:
        chats = chats.filter(pk=target["chat_id"])
    elif "ticket" in target:
        chats = chats.filter(tickets__number=target["ticket"])
    else:
        contact = Contact.objects.for_widget(widget_id).get_or_404(
            "There is no such visitor.", guid=target["widget_visitor"]
        )
        chats = chats.filter(contact=contact)
    found = list(chats.select_for_update(of=("self",), no_key=True).order_by("pk").values_list("pk", flat=True))
    if not found and "widget_visitor" not in target:
        raise NOT_FOUND("There is no such target.")
    return found
