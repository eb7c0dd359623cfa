"""The worker of letters: a sender's letters one after the other, oldest first. Design of letters, section 5.

The first line of the table that fits ends a letter. Nothing is ever answered by itself to who wrote.
"""

import logging
from dataclasses import dataclass, field
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from apps import leases
from apps.chats import actions as chats
from apps.chats.models import Block, Contact
from apps.core import database
from apps.core.files import storage
from apps.core.questions import widget_language
from apps.letters.actions.addresses import stop_letters
from apps.letters.actions.receiving.conversations import post_to_mailbox, post_to_thread
from apps.letters.actions.receiving.markup import read_markup
from apps.letters.actions.receiving.reports import apply_report
from apps.letters.actions.receiving.routing import LetterRoute, came_before, is_ours, key_of, letter_named, route_of
from apps.letters.actions.receiving.signatures import signed_by
from apps.letters.models import Correspondent, InLetter, SenderJob
from apps.letters.rules.mailboxes import LetterKind
from apps.letters.rules.reading import machines
from apps.letters.rules.reading.files import LetterFile, is_decoration, picture_digest
from apps.letters.rules.reading.letters import Letter, read_letter
from apps.letters.rules.reading.limits import MAX_LETTER_BYTES, NotReadable
from apps.letters.rules.reading.proofs import Proof, proof_of, results_of
from apps.letters.rules.reading.reports import Report, report_of
from apps.letters.rules.reading.texts import OwnText
from apps.letters.rules.reading.words import words_of
from apps.letters.rules.words import is_stop_word

logger = logging.getLogger(__name__)

HOUR = timedelta(hours=1)
OF_A_SENDER, OF_A_DOOR, NEW_SENDERS = 30, 600, 120
# Pictures are known from so many letters of a sender.
KNOWN_LETTERS = 100


@dataclass(slots=True)
class Read:
    """A letter that was read, and its writer's words and files."""

    letter: Letter
    words: OwnText
    files: list[LetterFile] = field(default_factory=list)
    proof: Proof = Proof.NONE


def read_sender(lease: leases.Lease[SenderJob]) -> None:
    """Reads what waits of a sender, oldest first."""
    while not lease.must_stop:
        row = _waiting(lease.row.sender)
        if row is None:
            return
        receive(row)
    lease.give_back()


def given_up(lease: leases.Lease[SenderJob], reason: str) -> None:
    """A letter that nobody could read three times is without a chat; the sender's next one goes on."""
    row = _waiting(lease.row.sender)
    if row is not None:
        logger.error("the letter %s was given up: it %s", row.pk, reason)
        _end(row, LetterKind.NO_CHAT, reason=reason)
    with transaction.atomic():
        lease.later(0)


def _waiting(sender: str) -> InLetter | None:
    rows = InLetter.objects.unscoped("a sender's letters, by whatever door").filter(handled_at=None)
    rows = rows.select_related("mailbox__widget")
    if sender.startswith("#"):
        return rows.filter(pk=sender[1:], sender="").first()
    return rows.filter(sender=sender).order_by("id").first()


def receive(row: InLetter) -> None:
    """Makes of a letter what it is to become, once, in one transaction with its row."""
    if row.handled_at is not None:
        return
    try:
        raw = _raw(row)
        read = _read(row, raw)
    except NotReadable as refused:
        _end(row, LetterKind.NO_CHAT, reason=refused.code)
        return
    _describe(row, read)
    row.key = key_of(read.letter, read.words.text)
    if came_before(row, row.key):
        _end(row, LetterKind.DROPPED, reason="repeated", without_raw=True)
    elif is_ours(read.letter):
        row.results = _results(row, read.letter, raw)
        _end(row, LetterKind.DROPPED, reason="ours", without_raw=True)
    elif (report := report_of(read.letter)) is not None:
        _take_report(row, read.letter, report)
    else:
        read.proof = _proof(row, read.letter, raw)
        row.proof = read.proof
        _go_on(row, read)


def _go_on(row: InLetter, read: Read) -> None:
    route = route_of(row, read.letter)
    if route.thread is not None:
        row.widget_id, row.thread = route.thread.widget_id, route.thread
    if route.thread is not None and (route.is_stop or is_stop_word(read.words.text)):
        _stop(row, read, route)
    elif route.thread is None and row.mailbox is None:
        reason = "chat_gone" if route.is_over else "no_right"
        _end(row, LetterKind.NO_CHAT, reason=reason, without_raw=route.is_over)
    elif _is_blocked(row, route):
        _end(row, LetterKind.DROPPED, reason="blocked", without_raw=True)
    elif machines.is_machine(read.letter, row.envelope_sender):
        _note_machine(row, read, route)
    elif reason := over_limit(row, route):
        _end(row, LetterKind.PARKED, reason=reason)
    else:
        post(row, read, route)


def post(row: InLetter, read: Read, route: LetterRoute) -> None:
    """Posts the letter into its chat, in one transaction with its row."""
    with transaction.atomic(), translation.override(_language(row)):
        database.lock(f"letters:{row.sender}")
        if not _is_open(row):
            return
        read.files = _without_known_pictures(row, read, route)
        if route.thread is not None:
            posted = post_to_thread(row, read.letter, read.words, read.files, route.thread)
        else:
            posted = post_to_mailbox(row, read.letter, read.words, read.files)
        first = posted[0]
        row.chat_id, row.message_id = first.chat_id, first.id
        _finish(row, LetterKind.MESSAGE)


# --- Reading ----------------------------------------------------------------------------------------------------------


def _raw(row: InLetter) -> bytes:
    if not row.raw_key:
        raise NotReadable("too_large")
    return b"".join(storage.chunks_of(row.raw_key, most=MAX_LETTER_BYTES))


def _read(row: InLetter, raw: bytes) -> Read:
    """The letter, its words and files. Raises NotReadable."""
    letter = read_letter(raw)
    if not letter.from_:
        raise NotReadable("no_from")
    found = read_markup(letter.html) if letter.html else None
    lines, own_pictures = found if found is not None else (None, [])
    words = words_of(letter.plain, lines)
    seen = set(own_pictures)
    files = [file for file in letter.files if not _is_hidden(file, letter, seen)]
    return Read(letter, words, files)


def read_again(row: InLetter) -> Read:
    """A stored letter, read once more: for who lets it in. Raises NotReadable."""
    raw = _raw(row)
    read = _read(row, raw)
    read.proof = Proof(row.proof or Proof.NONE)
    return read


def _is_hidden(file: LetterFile, letter: Letter, own_pictures: set[str]) -> bool:
    """Whether it is a picture of the markup that is decoration, or stands in what is quoted."""
    return _is_picture(file, letter) and (is_decoration(file) or file.content_id not in own_pictures)


def _is_picture(file: LetterFile, letter: Letter) -> bool:
    """Whether it is a picture of the markup."""
    is_inline = bool(file.content_id) and letter.html is not None and f"cid:{file.content_id}" in letter.html
    return is_inline and file.content_type.startswith("image/")


def _without_known_pictures(row: InLetter, read: Read, route: LetterRoute) -> list[LetterFile]:
    """The files but for pictures of the markup that the sender's letters to the widget had before."""
    digests = {file.content_id: picture_digest(file.content) for file in read.files if _is_picture(file, read.letter)}
    row.pictures = sorted(set(digests.values()))
    if not digests:
        return read.files
    rows = InLetter.objects.for_widget(row.widget_id or 0).filter(sender=row.sender).exclude(pk=row.pk)
    latest = rows.order_by("-received_at").values_list("pictures", flat=True)[:KNOWN_LETTERS]
    known = {digest for pictures in latest for digest in pictures}
    return [file for file in read.files if digests.get(file.content_id) not in known]


def _describe(row: InLetter, read: Read) -> None:
    letter = read.letter
    sender = letter.from_[0]
    row.sender_name, row.subject = sender.name, letter.subject
    row.sender = row.sender or sender.address
    row.letter_id = letter.message_id
    row.is_cut = read.words.is_cut
    row.copies = [one.address for one in [*letter.addresses("to"), *letter.addresses("cc")]][:10]


def _results(row: InLetter, letter: Letter, raw: bytes) -> dict[str, str | None]:
    """The receiving server's findings about a letter of ours; without one that is believed, its signatures' checks."""
    believed = row.mailbox.authserv_ids if row.mailbox else settings.MAIL_AUTHSERV_ID
    found = {one.method: one.result for one in reversed(results_of(letter, believed))}
    if not believed and letter.all("dkim-signature"):
        found["dkim"] = "pass" if signed_by(raw) else "fail"
    return {method: found.get(method) for method in ("spf", "dkim", "dmarc")}


def _proof(row: InLetter, letter: Letter, raw: bytes) -> Proof:
    believed = row.mailbox.authserv_ids if row.mailbox else settings.MAIL_AUTHSERV_ID
    has_signature = not believed and bool(letter.all("dkim-signature"))
    return proof_of(letter, believed, signed_by(raw) if has_signature else ())


# --- Ends -------------------------------------------------------------------------------------------------------------


def _end(row: InLetter, kind: LetterKind, *, reason: str = "", without_raw: bool = False) -> None:
    with transaction.atomic():
        if _is_open(row):
            row.reason = reason[:40]
            if without_raw and row.raw_key:
                storage.discard(row.raw_key)
                row.raw_key = ""
            _finish(row, kind)


def _is_open(row: InLetter) -> bool:
    """Whether nobody else has dealt with the letter meanwhile; it is locked until the transaction ends."""
    rows = InLetter.objects.unscoped("locked by its id").filter(pk=row.pk, handled_at=None)
    return rows.select_for_update().exists()


def _finish(row: InLetter, kind: LetterKind) -> None:
    row.kind, row.handled_at = kind, timezone.now()
    row.save()


def _stop(row: InLetter, read: Read, route: LetterRoute) -> None:
    """The addressee of the thread wants no more letters: whoever holds the right may say so."""
    thread = route.thread
    assert thread is not None  # noqa: S101 - the caller asked
    with transaction.atomic(), translation.override(_language(row)):
        if _is_open(row):
            stop_letters(widget_id=thread.widget_id, email=thread.address)
            body = translation.gettext("%s wants no more letters.") % thread.address
            chats.post_system_note(widget_id=thread.widget_id, chat_id=thread.chat_id, body=body)
            row.chat_id = thread.chat_id
            _finish(row, LetterKind.STOP)


def _take_report(row: InLetter, letter: Letter, report: Report) -> None:
    """A server's report of a letter of ours counts by its bounce address, or by our Message-ID in what it returns."""
    route = route_of(row, letter)
    ours = route.letter or letter_named(row, report.message_ids)
    if ours is None:
        _end(row, LetterKind.REPORT, reason="not_ours", without_raw=True)
        return
    with transaction.atomic():
        if not _is_open(row):
            return
        row.widget_id, row.thread = ours.widget_id, ours.thread
        apply_report(ours, report)
        _finish(row, LetterKind.REPORT)


def _note_machine(row: InLetter, read: Read, route: LetterRoute) -> None:
    thread = route.thread
    if thread is None:
        _end(row, LetterKind.NO_CHAT, reason="machine")
        return
    with transaction.atomic(), translation.override(_language(row)):
        if _is_open(row):
            body = translation.gettext("Automatic answer: %s") % read.words.text[:2_000]
            note = chats.post_system_note(widget_id=thread.widget_id, chat_id=thread.chat_id, body=body)
            row.chat_id, row.message_id = note.chat_id, note.id
            _finish(row, LetterKind.NOTE)


# --- Limits and blocks ------------------------------------------------------------------------------------------------


def _is_blocked(row: InLetter, route: LetterRoute) -> bool:
    contact_id = contact_of(row, route)
    if contact_id is None or row.widget_id is None:
        return False
    return Block.objects.for_widget(row.widget_id).against(contact_id, "", timezone.now()).exists()


def contact_of(row: InLetter, route: LetterRoute) -> int | None:
    """The contact whose chat the letter would go to; None for a new one."""
    if route.thread is not None:
        rows = Contact.objects.for_widget(route.thread.widget_id).filter(chats__id=route.thread.chat_id)
        return rows.values_list("id", flat=True).first()
    known = Correspondent.objects.for_widget(row.widget_id or 0).filter(mailbox=row.mailbox, address=row.sender)
    return known.values_list("contact_id", flat=True).first()


def over_limit(row: InLetter, route: LetterRoute) -> str:
    """The limit that is used up in this hour; empty for none."""
    rows = InLetter.objects.unscoped("limits count by sender and by door")
    rows = rows.filter(received_at__gt=timezone.now() - HOUR, kind=LetterKind.MESSAGE).exclude(pk=row.pk)
    if row.sender and rows.filter(sender=row.sender)[:OF_A_SENDER].count() >= OF_A_SENDER:
        return "sender"
    if route.thread is not None and rows.filter(thread=route.thread)[:OF_A_SENDER].count() >= OF_A_SENDER:
        return "thread"
    if rows.filter(mailbox=row.mailbox)[:OF_A_DOOR].count() >= OF_A_DOOR:
        return "door"
    if route.thread is None and contact_of(row, route) is None:
        new = Correspondent.objects.for_widget(row.widget_id or 0)
        new = new.filter(mailbox=row.mailbox, created_at__gt=timezone.now() - HOUR)
        if new[:NEW_SENDERS].count() >= NEW_SENDERS:
            return "new_senders"
    return ""


def _language(row: InLetter) -> str:
    return widget_language(row.widget_id) if row.widget_id else "en"
