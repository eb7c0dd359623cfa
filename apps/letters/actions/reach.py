"""How the next answer reaches the visitors of chats that operators look at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F
from django.utils import timezone

from apps.chats.models import Chat, Message
from apps.chats.questions import VisitorPresence
from apps.chats.rules import SenderKind
from apps.letters.actions.addresses import address_of, is_dead
from apps.letters.actions.answers import BY_MAIL, BY_PEOPLE, CHANNEL, has_mail_server
from apps.letters.actions.mailbox_answers import mailbox_of_chat
from apps.letters.models import Address, LetterSettings, LetterWish, Thread
from apps.letters.models.outgoing import Answers
from apps.letters.rules import limits
from apps.letters.rules.addresses import digest_of, normal
from apps.letters.rules.mailboxes import is_mailbox
from apps.letters.rules.reach import ReachFacts, reach_of
from apps.letters.settings import settings_of

MAILBOX = "mail__"
_ELSEWHERE = ReachFacts(is_here=False, is_on_site=False, answers="off", has_server=True)


class WatchedChat(NamedTuple):
    """A chat that an operator looks at."""

    id: int
    contact_id: int
    channel: str
    email: str


@dataclass(frozen=True, slots=True)
class _KnownLetters:
    """The stored facts about these chats' letters."""

    settings: LetterSettings
    wishes: Mapping[int, str]
    addresses: Mapping[bytes, Address]
    threads: Mapping[tuple[int, str], Thread]
    unseen: Mapping[int, Sequence[tuple[int, datetime]]]
    by_mail: frozenset[int]


def is_unreachable(widget_id: int, chat: Chat, now: datetime) -> bool | None:
    """Whether a letter about a mailbox's chat goes to nobody: the mailbox was removed, or the address is dead, or
    wants no mail. None for a chat of another channel.
    """
    if not is_mailbox(chat.channel):
        return None
    threads = Thread.objects.for_widget(widget_id).filter(chat=chat)
    thread = threads.order_by(F("answered_at").desc(nulls_last=True), "-id").first()
    if thread is None or mailbox_of_chat(chat) is None:
        return True
    address = address_of(widget_id, thread.address)
    return address.stopped_at is not None or is_dead(address, now)


def reaches(
    widget_id: int, chats: Sequence[WatchedChat], presence: Mapping[int, VisitorPresence]
) -> dict[int, dict[str, Any]]:
    """The `reach` of each chat, by chat, in a number of statements that does not grow."""
    if not chats:
        return {}
    known, now = _read(widget_id, chats), timezone.now()
    return {chat.id: _reach(known, chat, presence[chat.contact_id], now) for chat in chats}


def _read(widget_id: int, chats: Sequence[WatchedChat]) -> _KnownLetters:
    ids = [chat.id for chat in chats]
    wishes = LetterWish.objects.for_widget(widget_id).filter(pk__in=[chat.contact_id for chat in chats])
    of_contacts = dict(wishes.values_list("pk", "email"))
    emails = {chat.email for chat in chats} | set(of_contacts.values())
    addresses = Address.objects.for_widget(widget_id).filter(digest__in=[digest_of(email) for email in emails])
    threads = Thread.objects.for_widget(widget_id).filter(chat_id__in=ids).order_by("id")
    said = Message.objects.for_widget(widget_id).filter(chat_id__in=ids, is_internal=False)
    unseen: dict[int, list[tuple[int, datetime]]] = {}
    waiting = said.filter(sender_kind=SenderKind.AGENT, via__in=BY_PEOPLE, seen_at=None).order_by("id")
    for chat_id, message_id, at in waiting.values_list("chat_id", "id", "created_at"):
        unseen.setdefault(chat_id, []).append((message_id, at))
    theirs = said.filter(sender_kind=SenderKind.CLIENT).order_by("chat_id", "-id").distinct("chat_id")
    return _KnownLetters(
        settings_of(widget_id),
        of_contacts,
        {bytes(address.digest): address for address in addresses},
        {(thread.chat_id, thread.address): thread for thread in threads},
        unseen,
        frozenset(chat_id for chat_id, via in theirs.values_list("chat_id", "via") if via == BY_MAIL),
    )


def _reach(known: _KnownLetters, chat: WatchedChat, presence: VisitorPresence, now: datetime) -> dict[str, Any]:
    if chat.channel.startswith(MAILBOX):
        found = [thread for (chat_id, _), thread in known.threads.items() if chat_id == chat.id]
        to_whom = found[-1].address if found else chat.email
        copies = len(found[-1].copies) if found else 0
        return {**reach_of(_ELSEWHERE), "by": "mail", "address": to_whom or None, "copies": copies}
    if chat.channel != CHANNEL:
        return {**reach_of(_ELSEWHERE), "address": None, "copies": 0}
    asks = known.settings.answers == Answers.ASK
    wish = known.wishes.get(chat.contact_id)
    email = (wish or chat.email) if asks else ("" if wish == "" else chat.email)
    address = known.addresses.get(digest_of(email)) or Address()
    is_proven, is_here = address.proven_at is not None, presence.state == "here"
    facts = ReachFacts(
        is_here=is_here,
        is_on_site=True,
        answers=known.settings.answers,
        has_server=has_mail_server(),
        address=email,
        asked_for=bool(wish) if asks else True,
        proven=is_proven,
        dead=address.dead_detail if is_dead(address, now) else None,
        stopped=address.stopped_at is not None,
        without_sign=address.unopened >= limits.limits_of(is_proven=is_proven).unopened,
        minutes=_minutes(known, chat, normal(email), now, is_here=is_here),
    )
    return {**reach_of(facts), "copies": 0}


def _minutes(known: _KnownLetters, chat: WatchedChat, address: str, now: datetime, *, is_here: bool) -> int:
    """Until a letter goes: about what is unseen now, else about what would be written now."""
    wait = limits.due_after(known.settings.unseen_min, is_here=is_here, came_by_mail=chat.id in known.by_mail)
    thread = known.threads.get((chat.id, address))
    mailed = thread.mailed_id if thread else 0
    oldest = next((at for message_id, at in known.unseen.get(chat.id, ()) if message_id > mailed), now)
    return max(0, -int(-(wait - (now - oldest)).total_seconds() // 60))
