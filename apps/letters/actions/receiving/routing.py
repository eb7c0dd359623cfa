"""The place of a letter: which right it names, whether it is ours, whether it came before."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from apps.core.mail import sender_address
from apps.letters.models import InLetter, Mailbox, OutLetter, Thread
from apps.letters.rules import rights
from apps.letters.rules.addresses import Purpose, normal, origin_of, read_address, read_message_id
from apps.letters.rules.mailboxes import LetterKind, bare_subject
from apps.letters.rules.reading.authors import KnownWriters
from apps.letters.rules.reading.letters import Letter

SAME_FOR = timedelta(days=90)
# Where a letter names whom it was brought to, in the order in which that is believed.
DELIVERED = ("delivered-to", "x-original-to", "to", "cc")
_OF_SES = "amazonses.com"


@dataclass(frozen=True, slots=True)
class LetterRoute:
    """The names in a letter: a thread, and whether by a stop or a reply address; `letter` is the one of ours that it
    names. is_over: a right of ours was named whose chat is gone.
    """

    thread: Thread | None = None
    is_stop: bool = False
    letter: OutLetter | None = None
    is_over: bool = False
    by_reply_address: bool = False


def route_of(row: InLetter, letter: Letter) -> LetterRoute:
    """The right in an address, else a Message-ID of ours; neither: nowhere. A right counts at the installation's doors
    and at those of its own widget.
    """
    over = False
    for address in _recipients(row, letter):
        tag = read_address(settings.MAIL_REPLY_ADDRESS, address)
        if tag is None:
            continue
        found = _named(tag.purpose, tag.right)
        if found.thread is not None and _counts(row, found.thread):
            return found
        over = over or found.thread is None
    ours = letter_named(row, letter.answers_to)
    if ours is not None:
        return LetterRoute(ours.thread, letter=ours)
    return LetterRoute(is_over=over)


def letter_named(row: InLetter, message_ids: Sequence[str]) -> OutLetter | None:
    """The letter of ours that one of those Message-IDs names, where it counts at the door of this one."""
    digests = [rights.digest_of(right) for one in message_ids if (right := read_message_id(f"<{one}>"))]
    by_server = [one.partition("@")[0] for one in message_ids if one.rpartition("@")[2].endswith(_OF_SES)]
    rows = OutLetter.objects.unscoped("found by a right, or by the id of its server").select_related("thread")
    found = list(rows.filter(digest__in=digests)) if digests else []
    if not found and by_server:
        found = list(rows.filter(server_id__in=by_server).exclude(server_id="")[:5])
    return next((one for one in found if _counts(row, one.thread)), None)


def _named(purpose: Purpose, right: str) -> LetterRoute:
    digest = rights.digest_of(right)
    if purpose is Purpose.BOUNCE:
        letters = OutLetter.objects.unscoped("found by its right").select_related("thread")
        letter = letters.filter(digest=digest).first()
        return LetterRoute(letter.thread if letter else None, letter=letter)
    thread = Thread.objects.unscoped("found by its right").filter(digest=digest).first()
    return LetterRoute(thread, is_stop=purpose is Purpose.STOP, by_reply_address=purpose is Purpose.REPLY)


def _counts(row: InLetter, thread: Thread) -> bool:
    return row.mailbox_id is None or row.widget_id == thread.widget_id


def _recipients(row: InLetter, letter: Letter) -> Iterator[str]:
    yield from row.recipients
    for name in DELIVERED:
        yield from (one.address for one in letter.addresses(name)[:100])


def known_at(mailbox: Mailbox | None) -> KnownWriters:
    """The known writers at a mailbox's doors, or at the installation's."""
    return KnownWriters(
        origin=origin_of(settings.PUBLIC_URL),
        reply_pattern=settings.MAIL_REPLY_ADDRESS,
        sender=normal(sender_address()),
        mailbox=normal(mailbox.address) if mailbox and mailbox.proved_at else "",
        named=tuple(map(normal, mailbox.form_senders)) if mailbox else (),
    )


def key_of(letter: Letter, words: str) -> str:
    """The key of the same letter, whichever door it comes by: Message-ID, From and the text's words."""
    about = [letter.message_id] if letter.message_id else [letter.first("date"), letter.subject]
    senders = " ".join(one.address for one in letter.from_)
    return hashlib.sha256("\n".join([*about, senders, " ".join(words.split())]).encode()).hexdigest()


def same_letters(row: InLetter, route: LetterRoute) -> QuerySet[InLetter]:
    """The letters of 90 days ago or less that are the same: of this mailbox, or in the thread that this one names. A
    letter to another mailbox, of the same widget too, is one of its own.
    """
    place = Q(mailbox=row.mailbox, thread=None) if row.mailbox is None else Q(mailbox=row.mailbox)
    if route.thread is not None:
        place |= Q(thread=route.thread)
    rows = InLetter.objects.unscoped("the same letter, at the same mailbox or in the same thread").filter(place)
    rows = rows.filter(key=row.key, received_at__gt=timezone.now() - SAME_FOR).exclude(pk=row.pk)
    return rows.exclude(kind__in=(LetterKind.WAITING, LetterKind.DROPPED))


def subject_of(letter: Letter) -> str:
    """The subject without what programs put before it."""
    return bare_subject(letter.subject)
