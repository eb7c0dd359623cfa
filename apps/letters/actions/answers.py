"""Answers that nobody has seen become letters, which a job queues once a minute."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from django.conf import settings as installation
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from apps.accounts.rules.mailboxes import counted_mailbox
from apps.chats import actions as chats
from apps.chats.models import Block, Chat, Message
from apps.chats.querysets.counted_messages import COUNTS
from apps.chats.questions import visitor_presence
from apps.chats.rules import SenderKind, Status, Via
from apps.core.database import fetch_all
from apps.core.errors import RATE_LIMITED
from apps.core.mail import sender_address
from apps.core.quotas import Quota
from apps.leases import wake_workers
from apps.letters.actions.addresses import address_of, is_dead, stop_letters
from apps.letters.models import Address, InLetter, LetterSettings, LetterWish, OutLetter, Thread
from apps.letters.models.outgoing import Answers
from apps.letters.rules import limits, rights, words
from apps.letters.rules.addresses import digest_of, domain_of, message_id_of, normal
from apps.letters.rules.reading.proofs import Proof
from apps.letters.rules.standing import LetterFact, Standing, is_taken
from apps.letters.settings import settings_of

CHANNEL = "widget"
BY_MAIL = "mail"
# What people write: in the console, or through the support desk.
BY_PEOPLE = ("console", "support_api")

# Index: chats_message_counted.
_UNSEEN = f"""
SELECT DISTINCT m.chat_id, m.widget_id
FROM accounts_widget w
LEFT JOIN letters_lettersettings s ON s.widget_id = w.id
JOIN chats_message m ON m.widget_id = w.id AND {COUNTS} AND m.seen_at IS NULL
     AND m.created_at BETWEEN %(newer_than)s AND %(written_by)s AND (s.since IS NULL OR m.created_at >= s.since)
     AND (m.sender_kind = 'agent' AND m.via = ANY(%(people)s)
          OR s.of_ai AND m.sender_kind IN ('ai', 'external_operator'))
JOIN chats_chat c ON c.id = m.chat_id AND c.channel = %(channel)s AND c.status <> 'spam' AND NOT c.internal
JOIN chats_contact k ON k.id = c.contact_id
LEFT JOIN letters_letterwish h ON h.contact_id = k.id
LEFT JOIN letters_thread t ON t.chat_id = c.id
     AND t.address = lower(trim(CASE WHEN s.answers = 'ask' THEN h.email ELSE k.email END))
WHERE (s.answers IS NULL OR s.answers <> 'off') AND m.id > coalesce(t.mailed_id, 0)
  AND CASE WHEN s.answers = 'ask' THEN h.email <> '' AND m.id > h.after_id
           ELSE k.email <> '' AND (h.email IS NULL OR h.email <> '') END
ORDER BY m.chat_id /* unscoped: every widget */"""  # noqa: S608 - a constant


def _budgets(of: limits.Limits) -> Sequence[Quota]:
    return (
        Quota("letters.address", of.an_hour, limits.HOUR, RATE_LIMITED, per="address"),
        Quota("letters.address", of.a_day, limits.DAY, RATE_LIMITED, per="address"),
    )


_OF_ADDRESS = {False: _budgets(limits.UNPROVEN), True: _budgets(limits.PROVEN)}
_OF_WIDGET = {
    is_proven: Quota("letters.widget", limits.limits_of(is_proven=is_proven).of_a_widget, limits.DAY, RATE_LIMITED)
    for is_proven in (False, True)
}


class Addressee(NamedTuple):
    """The address that a chat's letters go to; `after_id` is the message behind which the visitor asked for them."""

    email: str
    after_id: int = 0
    asked_for: bool = False


def recipient_of(settings: LetterSettings, contact_id: int, email: str) -> Addressee:
    """The address of a contact's letters: their own, or the one that they asked for (`ask`)."""
    wish = LetterWish.objects.for_widget(settings.widget_id).filter(pk=contact_id).first()
    if settings.answers == Answers.ASK:
        return Addressee(wish.email, wish.after_id, True) if wish and wish.email else Addressee(email)
    return Addressee("" if wish and not wish.email else email, asked_for=True)


def mail_unseen_answers(*, as_of: datetime) -> int:
    """Queues a letter for each chat with messages of people that have been unseen for long enough, and returns how
    many. Harmless when run twice at once.
    """
    found = fetch_all(
        _UNSEEN,
        {
            "channel": CHANNEL,
            "people": list(BY_PEOPLE),
            "newer_than": as_of - limits.NEWER_THAN,
            "written_by": as_of - limits.AFTER_A_LETTER,
        },
    )
    return sum(_letter_for(chat_id, widget_id, as_of) for chat_id, widget_id in found)


@transaction.atomic
def _letter_for(chat_id: int, widget_id: int, as_of: datetime) -> bool:
    settings = settings_of(widget_id)
    rows = Chat.objects.for_widget(widget_id).select_related("contact", "widget")
    chat = rows.exclude(status=Status.SPAM).filter(pk=chat_id, channel=CHANNEL, internal=False).first()
    if chat is None or settings.answers == Answers.OFF or chat.widget.moving_since is not None:
        return False
    to = recipient_of(settings, chat.contact_id, chat.contact.email)
    if not (to.email and to.asked_for):
        return False
    thread = _locked_thread(chat, to)
    if thread is None:
        return False
    address = address_of(widget_id, to.email)
    said = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, id__gt=thread.mailed_id)
    bodies = said.filter(sender_kind=SenderKind.CLIENT).values_list("body", flat=True)
    if any(words.is_stop_word(body) for body in bodies):
        stop_letters(widget_id=widget_id, email=to.email)
        return False
    if address.stopped_at or is_dead(address, as_of) or _is_blocked(chat):
        return False
    unseen = list(unseen_messages(thread, settings, as_of))
    if not unseen or not _is_due(chat, settings, unseen[0], as_of) or not _has_room(address, widget_id):
        return False
    queue_letter(thread, unseen)
    return True


def _locked_thread(chat: Chat, to: Addressee) -> Thread | None:
    """The chat's thread with the address, made if there is none; None if somebody else has it in hand."""
    threads = Thread.objects.for_widget(chat.widget_id).filter(chat=chat, address=normal(to.email))
    if not threads.exists():
        right = rights.new_right()
        row = Thread(
            widget_id=chat.widget_id,
            chat=chat,
            address=normal(to.email),
            right=right,
            digest=rights.digest_of(right),
            mailed_id=to.after_id,
        )
        Thread.objects.bulk_create([row], ignore_conflicts=True)
    return threads.select_for_update(skip_locked=True).first()


def unseen_messages(thread: Thread, settings: LetterSettings, as_of: datetime) -> Sequence[Message]:
    """The messages that a letter would tell of now, oldest first."""
    rows = Message.objects.for_widget(thread.widget_id).filter(
        chat_id=thread.chat_id, id__gt=thread.mailed_id, is_internal=False, seen_at=None
    )
    rows = rows.filter(created_at__gte=max(as_of - limits.NEWER_THAN, _since(settings)))
    kinds = [SenderKind.AGENT, *((SenderKind.AI, SenderKind.EXTERNAL_OPERATOR) if settings.of_ai else ())]
    found = rows.filter(sender_kind__in=kinds).order_by("id")
    return [row for row in found if (row.sender_kind != SenderKind.AGENT or row.via in BY_PEOPLE) and not is_gone(row)]


def is_gone(message: Message) -> bool:
    """Whether its writer deleted it."""
    return bool((message.details or {}).get("deleted_at"))


def _since(settings: LetterSettings) -> datetime:
    since: Any = settings.since  # of a widget that chose nothing, what the database would say
    return since if isinstance(since, datetime) else datetime.min.replace(tzinfo=UTC)


def _is_blocked(chat: Chat) -> bool:
    return Block.objects.for_widget(chat.widget_id).against(chat.contact_id, "", timezone.now()).exists()


def _is_due(chat: Chat, settings: LetterSettings, oldest: Message, as_of: datetime) -> bool:
    return as_of - oldest.created_at >= wait_of(chat.widget_id, chat.pk, chat.contact_id, settings)


def wait_of(widget_id: int, chat_id: int, contact_id: int, settings: LetterSettings) -> timedelta:
    """How long a message of this chat is unseen, as things are, before it is mailed."""
    presence = visitor_presence(widget_id, [contact_id])[contact_id]
    theirs = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, sender_kind=SenderKind.CLIENT)
    by_mail = theirs.order_by("-id").values_list("via", flat=True).first() == BY_MAIL
    return limits.due_after(settings.unseen_min, is_here=presence.state == "here", came_by_mail=by_mail)


def _has_room(address: Address, widget_id: int) -> bool:
    """Whether the limits leave room for one letter more, which is taken then."""
    is_proven = address.proven_at is not None
    if address.unopened >= limits.limits_of(is_proven=is_proven).unopened:
        return False
    of_address, of_widget = _OF_ADDRESS[is_proven], _OF_WIDGET[is_proven]
    key = digest_of(counted_mailbox(address.email)).hex()
    if any(budget.wait_s(key) for budget in of_address) or of_widget.wait_s(widget_id):
        return False
    of_address[0].spend(key)
    of_widget.spend(widget_id)
    return True


def queue_letter(thread: Thread, messages: Sequence[Message], *, kind: str = OutLetter.Kind.ANSWER) -> OutLetter:
    """Queues a letter with these messages of a locked thread; operators see that it is on its way."""
    right, last_id = rights.new_right(), messages[-1].pk
    letter = OutLetter.objects.create(
        widget_id=thread.widget_id,
        thread=thread,
        kind=kind,
        right=right,
        digest=rights.digest_of(right),
        message_id=message_id_of(right, domain_of(sender_address())),
        message_ids=[message.pk for message in messages],
        last_message_id=last_id,
    )
    thread.first_id = thread.first_id or first_quoted(thread, messages[0].pk)
    thread.mailed_id = max(thread.mailed_id, last_id)
    thread.save(update_fields=["first_id", "mailed_id"])
    chats.queue_deliveries(
        widget_id=thread.widget_id, chat_id=thread.chat_id, message_ids=letter.message_ids, at=timezone.now()
    )
    wake_workers()
    return letter


def quoted_ids(thread: Thread, first_answer_id: int) -> list[int]:
    """The messages that a letter quotes: at most three that the visitor wrote since the answer before; none that came
    by a letter whose sender is not proven.
    """
    rows = Message.objects.for_widget(thread.widget_id).filter(
        chat_id=thread.chat_id, id__lt=first_answer_id, is_internal=False
    )
    answering = (SenderKind.AGENT, SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)
    before = rows.filter(sender_kind__in=answering).order_by("-id").values_list("id", flat=True).first() or 0
    theirs = quotable(rows.filter(id__gt=before, sender_kind=SenderKind.CLIENT))
    return sorted(theirs.order_by("-id").values_list("id", flat=True)[: limits.QUOTES])


def quotable(rows: QuerySet[Message]) -> QuerySet[Message]:
    """The messages, of these, that answers may quote: those of letters only by the letter's standing."""
    told = [standing for standing in Standing if is_taken(LetterFact.QUOTE, standing)]
    letters = InLetter.objects.unscoped("letters of messages that the caller's widget has").filter(
        Q(standing__in=told) | Q(standing="", proof=Proof.PASS, is_third=False), message_id=OuterRef("pk")
    )
    return rows.exclude(Q(via=Via.MAIL.value) & ~Exists(letters))


def first_quoted(thread: Thread, first_answer_id: int) -> int:
    """From where on a letter session sees the chat: the first quoted message, else the first answer."""
    return next(iter(quoted_ids(thread, first_answer_id)), first_answer_id)


def has_mail_server() -> bool:
    """Whether letters reach anybody: they go to a mail server, or stay in a trial's folder for its page."""
    return not writes_files() or installation.MAIL_IS_TRIAL


def writes_files() -> bool:
    """Whether letters become files, a trial's too."""
    return bool(installation.EMAIL_BACKEND == "apps.core.mail.FolderBackend")
