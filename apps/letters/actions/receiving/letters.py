"""The worker of letters: a sender's letters one after the other, oldest first. Design of letters, section 5.

The first line of the table that fits ends a letter. Nothing is ever answered by itself to who wrote.
"""

import logging
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.utils import timezone, translation

from apps import leases
from apps.chats import actions as chats
from apps.chats.models import Block
from apps.chats.questions import widget_language
from apps.core import database
from apps.core.files import storage
from apps.letters.actions.addresses import stop_letters
from apps.letters.actions.mailbox_proofs import note_came_back
from apps.letters.actions.receiving.conversations import post_to_mailbox, post_to_thread, standing_of, take_writer
from apps.letters.actions.receiving.limits import contact_of, has_room_for_raw, over_limit
from apps.letters.actions.receiving.markup import ReadMarkup, read_markup
from apps.letters.actions.receiving.reports import apply_report
from apps.letters.actions.receiving.routing import (
    LetterRoute,
    key_of,
    known_at,
    letter_named,
    route_of,
    same_letters,
)
from apps.letters.actions.receiving.signatures import signed_by
from apps.letters.models import InLetter, SenderJob, Thread
from apps.letters.rules.mailboxes import LetterKind
from apps.letters.rules.reading.authors import LetterAuthor, author_of
from apps.letters.rules.reading.files import LetterFile, is_decoration, picture_digest
from apps.letters.rules.reading.letters import Letter, read_letter
from apps.letters.rules.reading.limits import MAX_LETTER_BYTES, NotReadable
from apps.letters.rules.reading.machines import SeenLetter
from apps.letters.rules.reading.proofs import Proof, proof_of, results_of
from apps.letters.rules.reading.reports import Report, report_of
from apps.letters.rules.reading.texts import OwnText
from apps.letters.rules.reading.whole import shown_of
from apps.letters.rules.reading.words import words_of
from apps.letters.rules.standing import LetterFact, is_taken
from apps.letters.rules.words import is_stop_word

logger = logging.getLogger(__name__)

# Pictures are known from so many letters of a sender.
KNOWN_LETTERS = 100


@dataclass(slots=True)
class Read:
    """A letter that was read, its writer's words and files, and its markup as operators see it."""

    letter: Letter
    words: OwnText
    files: list[LetterFile] = field(default_factory=list)
    shown: str | None = None
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
    route = route_of(row, read.letter)
    author = author_of(_seen(row, read, route), known_at(row.mailbox))
    if author is LetterAuthor.OURS:
        row.results = _results(row, read.letter, raw)
        note_came_back(row.mailbox, read.letter.message_id)
        _end(row, LetterKind.DROPPED, reason="ours")
        return
    earlier = same_letters(row, route)
    is_repeated = earlier.filter(proof=Proof.PASS).exists()
    if not is_repeated and earlier.exists():
        is_repeated = _proof(row, read.letter, raw) != Proof.PASS
    if is_repeated:
        _end(row, LetterKind.DROPPED, reason="repeated")
    elif author is not LetterAuthor.FORM and (report := report_of(read.letter)) is not None:
        _take_report(row, read.letter, report)
    else:
        row.proof = read.proof = _proof(row, read.letter, raw)
        take_writer(row, read.letter, author)
        _go_on(row, read, route, author)


def _seen(row: InLetter, read: Read, route: LetterRoute) -> SeenLetter:
    return SeenLetter(
        read.letter,
        row.envelope_sender,
        answers_ours=route.thread is not None,
        has_words=bool(read.words.text.strip()),
    )


def _go_on(row: InLetter, read: Read, route: LetterRoute, author: LetterAuthor) -> None:
    if route.thread is not None:
        row.widget_id, row.thread = route.thread.widget_id, route.thread
    if route.thread is not None and (route.is_stop or _says_stop(row, read, route.thread, route)):
        _stop(row, read, route)
    elif route.thread is None and row.mailbox is None:
        reason = "chat_gone" if route.is_over else "no_right"
        _end(row, LetterKind.NO_CHAT, reason=reason, without_raw=route.is_over)
    elif _is_blocked(row, route):
        _end(row, LetterKind.DROPPED, reason="blocked")
    elif author is LetterAuthor.MACHINE:
        _note_machine(row, read, route)
    elif reason := over_limit(row, route):
        _end(row, LetterKind.PARKED, reason=reason)
    else:
        post(row, read, route)


def _says_stop(row: InLetter, read: Read, thread: Thread, route: LetterRoute) -> bool:
    """Whether its one word ends the letters: the stop address is a right, a word needs somebody whose word it is."""
    if not is_stop_word(read.words.text):
        return False
    return is_taken(LetterFact.STOP, standing_of(row, thread, by_reply_address=route.by_reply_address))


def post(row: InLetter, read: Read, route: LetterRoute) -> None:
    """Posts the letter into its chat, in one transaction with its row."""
    with transaction.atomic(), translation.override(_language(row)):
        database.lock(f"letters:{row.sender}")
        if not _is_open(row):
            return
        read.files = _without_known_pictures(row, read, route)
        if route.thread is not None:
            posted = post_to_thread(
                row, read.letter, read.words, read.files, route.thread, by_reply_address=route.by_reply_address
            )
        else:
            posted = post_to_mailbox(row, read.letter, read.words, read.files)
        first, row.shown = posted[0], shown_of(read.letter, read.shown)
        row.chat_id, row.message_id = first.chat_id, first.id
        _keep_raw_or_not(row)
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
    words = words_of(letter.plain, found.lines if found else None)
    files = [file for file in letter.files if not _is_hidden(file, letter, found)]
    if found is not None:
        files += [one for one in found.drawn if not is_decoration(one, found.sizes.get(one.content_id, (0, 0)))]
    return Read(letter, words, files, found.shown if found else None)


def read_again(row: InLetter) -> Read:
    """A stored letter, read once more: for who lets it in. Raises NotReadable."""
    raw = _raw(row)
    read = _read(row, raw)
    if not row.proof:
        row.proof = _proof(row, read.letter, raw)
    read.proof = Proof(row.proof)
    return read


def _is_hidden(file: LetterFile, letter: Letter, markup: ReadMarkup | None) -> bool:
    """Whether it is a picture of the markup that is decoration, or stands in what is quoted."""
    if not _is_picture(file, letter):
        return False
    if markup is None:
        return is_decoration(file)
    return is_decoration(file, markup.sizes.get(file.content_id, (0, 0))) or file.content_id not in markup.own


def _is_picture(file: LetterFile, letter: Letter) -> bool:
    """Whether it is a picture of the markup."""
    is_inline = bool(file.content_id) and letter.html is not None and f"cid:{file.content_id}" in letter.html
    return file.is_drawn or (is_inline and file.content_type.startswith("image/"))


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
            _keep_raw_or_not(row, without_raw=without_raw)
            _finish(row, kind)


def _keep_raw_or_not(row: InLetter, *, without_raw: bool = False) -> None:
    if row.raw_key and (without_raw or not has_room_for_raw(row)):
        storage.discard(row.raw_key)
        row.raw_key = ""


def _is_open(row: InLetter) -> bool:
    """Whether nobody else has dealt with the letter meanwhile; it is locked until the transaction ends."""
    rows = InLetter.objects.unscoped("locked by its id").filter(pk=row.pk, handled_at=None)
    return rows.select_for_update().exists()


def _finish(row: InLetter, kind: LetterKind) -> None:
    row.kind, row.handled_at = kind, timezone.now()
    row.save()


def _stop(row: InLetter, read: Read, route: LetterRoute) -> None:
    """The addressee of the thread wants no more letters."""
    thread = route.thread
    assert thread is not None  # noqa: S101 - the caller asked
    with transaction.atomic(), translation.override(_language(row)):
        if _is_open(row):
            stop_letters(widget_id=thread.widget_id, email=thread.address)
            body = translation.gettext("%s has unsubscribed.") % thread.address
            chats.post_system_note(widget_id=thread.widget_id, chat_id=thread.chat_id, body=body)
            row.chat_id = thread.chat_id
            _finish(row, LetterKind.STOP)


def _take_report(row: InLetter, letter: Letter, report: Report) -> None:
    """A server's report of a letter of ours counts by its bounce address, or by our Message-ID in what it returns."""
    route = route_of(row, letter)
    ours = route.letter or letter_named(row, report.message_ids)
    if ours is None:
        _end(row, LetterKind.REPORT, reason="not_ours")
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
        _end(row, LetterKind.NO_CHAT, reason=LetterAuthor.MACHINE)
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


def _language(row: InLetter) -> str:
    return widget_language(row.widget_id) if row.widget_id else "en"
