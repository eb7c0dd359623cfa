"""Sending a queued letter: what it tells is read when it goes, and what became of it stands at its messages."""

import re
from collections.abc import Sequence

from django.conf import settings as installation
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.utils import timezone

from apps.chats import actions as chats
from apps.chats.actions.delivery import note_delivery
from apps.chats.models import File, Message
from apps.chats.questions import shown_brand, shown_name, spoken_language
from apps.chats.rules import Status
from apps.chats.rules.delivery import DeliveryState
from apps.chats.rules.messages import files_of
from apps.core import mail
from apps.core.files import storage
from apps.core.mail import MailFailed, sender_address
from apps.core.problems import Problem
from apps.egress.smtp import Stage
from apps.leases import Lease
from apps.letters.actions import mailbox_answers
from apps.letters.actions.addresses import MAIL_STOPS, address_of, is_dead, note_dead, note_sent
from apps.letters.actions.answers import is_gone, quoted_ids
from apps.letters.actions.links import letter_link
from apps.letters.mail import Answer, VisitorLetter, answers_letter
from apps.letters.models import OutLetter, Thread
from apps.letters.rules import limits
from apps.letters.rules.addresses import Purpose, origin_of
from apps.letters.rules.addresses import address_of as address_for
from apps.letters.settings import settings_of

UNAVAILABLE, REFUSED_US, REJECTED = "mail_unavailable", "sender_refused", "address_rejected"
NOT_LET_IN = "login_refused"
# What SES says in place of our Message-ID.
_SERVER_ID = re.compile(r"(?:2\.\d\.\d )?Ok ([0-9a-f-]{20,120})")
REFERENCES = 20


def work(lease: Lease[OutLetter]) -> None:
    """Sends a letter, unless what it tells of was seen meanwhile, or its reader wants none."""
    letter = lease.row
    thread = (
        Thread.objects.for_widget(letter.widget_id)
        .select_related("chat__contact", "chat__widget")
        .get(pk=letter.thread_id)
    )
    if letter.kind == OutLetter.Kind.MAILBOX:
        return _of_mailbox(lease, thread)
    told = _still_to_tell(letter, thread)
    address = address_of(letter.widget_id, thread.address)
    if not told or address.stopped_at or thread.chat.status == Status.SPAM:
        return _drop(lease)
    if is_dead(address, timezone.now()):
        return _fail(lease, REJECTED, address.dead_detail)
    rendered = _rendered(letter, thread, told)
    connection.close()
    try:
        answer = mail.send(rendered)
    except MailFailed as failed:
        return _refused(lease, thread, failed)
    except Problem:
        return _again(lease, UNAVAILABLE, "")
    return _sent(lease, thread, told, answer)


def _of_mailbox(lease: Lease[OutLetter], thread: Thread) -> None:
    """Sends what gathered in a mailbox's chat; what was deleted meanwhile is left out."""
    letter, mailbox = lease.row, mailbox_answers.mailbox_of_chat(thread.chat)
    rows = Message.objects.for_widget(letter.widget_id).filter(pk__in=letter.message_ids, is_internal=False)
    told = [message for message in rows.order_by("id") if not is_gone(message)]
    address = address_of(letter.widget_id, thread.address)
    if not told or thread.chat.status == Status.SPAM:
        return _drop(lease)
    if mailbox is None or address.stopped_at:
        return _fail(lease, "stopped" if mailbox else "mailbox_removed", "")
    attached, named = _files(told)
    made = mailbox_answers.render(letter, thread, told, attached, named)
    connection.close()
    try:
        answer = mailbox_answers.send(made, mailbox)
    except MailFailed as failed:
        return _refused(lease, thread, failed)
    except Problem:
        return _again(lease, UNAVAILABLE, "")
    return _sent(lease, thread, told, answer)


def _still_to_tell(letter: OutLetter, thread: Thread) -> list[Message]:
    rows = Message.objects.for_widget(letter.widget_id).filter(
        pk__in=letter.message_ids, chat_id=thread.chat_id, seen_at=None, is_internal=False
    )
    return [message for message in rows.order_by("id") if not is_gone(message)]


def _rendered(letter: OutLetter, thread: Thread, told: Sequence[Message]) -> EmailMultiAlternatives:
    chat, settings = thread.chat, settings_of(letter.widget_id)
    language = spoken_language(chat)
    shop = shown_name(letter.widget_id, language, chat.widget.name)
    is_proven = address_of(letter.widget_id, thread.address).proven_at is not None
    attached, named = _files(told)
    reply_to = address_for(installation.MAIL_REPLY_ADDRESS, Purpose.REPLY, thread.right) or settings.shop_address
    stop_at = address_for(installation.MAIL_REPLY_ADDRESS, Purpose.STOP, thread.right)
    stop_link = MAIL_STOPS.link(letter.widget_id, thread.address)
    made = answers_letter(
        VisitorLetter(
            language=language,
            zone=chat.widget.time_zone,
            shop=shop,
            brand=shown_brand(letter.widget_id, shop),
            to=thread.address,
            quotes=[message.body for message in _quoted(thread, told[0].pk)],
            hides=not is_proven,
            answers=[Answer.of(message) for message in told[: limits.MESSAGES]],
            beyond=max(0, len(told) - limits.MESSAGES),
            named=named,
            link=letter_link(letter, thread, settings.site),
            stop=stop_link,
            answerable=bool(reply_to),
            subject=thread.subject,
        )
    )
    made.from_email = address_for(installation.MAIL_REPLY_ADDRESS, Purpose.BOUNCE, letter.right) or sender_address()
    made.extra_headers = {
        **made.extra_headers,
        "Message-ID": letter.message_id,
        **({"Reply-To": reply_to} if reply_to else {}),
        **_threading(thread.references),
        **mail.AUTOMATIC,
        "List-Unsubscribe": f"<{stop_link}>" + (f", <mailto:{stop_at}>" if stop_at else ""),
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "X-Parley-Origin": origin_of(installation.PUBLIC_URL),
    }
    for name, content, content_type in attached:
        made.attach(name, content, content_type)
    return made


def _threading(references: Sequence[str]) -> dict[str, str]:
    if not references:
        return {}
    return {"In-Reply-To": references[-1], "References": " ".join(references)}


def _quoted(thread: Thread, first_id: int) -> Sequence[Message]:
    rows = Message.objects.for_widget(thread.widget_id).filter(pk__in=quoted_ids(thread, first_id))
    return [message for message in rows.order_by("id") if message.body.strip() and not is_gone(message)]


def _files(told: Sequence[Message]) -> tuple[list[tuple[str, bytes, str]], list[str]]:
    """The files that a letter carries, 10 MiB in all, and the names of the others."""
    wanted = [file["id"] for message in told for file in files_of(message.details) if file.get("id")]
    rows = File.objects.for_widget(told[0].widget_id).in_bulk(wanted) if wanted else {}
    attached: list[tuple[str, bytes, str]] = []
    named: list[str] = []
    size = 0
    for id_ in wanted:
        row = rows.get(id_)
        if row is None:
            continue
        if size + row.size > limits.ATTACHED:
            named.append(row.name)
            continue
        try:
            content = storage.read_stored(row.storage_key, most=limits.ATTACHED)
        except Problem:
            named.append(row.name)
            continue
        size += row.size
        attached.append((row.name, content, row.content_type))
    return attached, named


def _drop(lease: Lease[OutLetter]) -> None:
    letter = lease.row
    with transaction.atomic():
        lease.done()
        _note(letter, OutLetter.State.DROPPED, "", "")
        chats.forget_deliveries(
            widget_id=letter.widget_id, chat_id=letter.thread.chat_id, message_ids=letter.message_ids
        )


def _sent(lease: Lease[OutLetter], thread: Thread, told: Sequence[Message], answer: str) -> None:
    letter, now = lease.row, timezone.now()
    given = _SERVER_ID.match(answer)
    with transaction.atomic():
        lease.done()
        rows = OutLetter.objects.for_widget(letter.widget_id).filter(pk=letter.pk)
        rows.update(
            state=OutLetter.State.SENT,
            code="",
            detail="",
            sent_at=now,
            server_id=given[1] if given else "",
            message_ids=[message.pk for message in told],
        )
        note_sent(widget_id=letter.widget_id, email=thread.address)
        add_reference(thread, letter.message_id)
        seen = set(letter.message_ids) - {message.pk for message in told}
        if seen:
            chats.forget_deliveries(widget_id=letter.widget_id, chat_id=thread.chat_id, message_ids=sorted(seen))
        _note_deliveries(letter, DeliveryState.SENT)


def add_reference(thread: Thread, message_id: str) -> None:
    """The thread goes on with that letter, of either side: its first Message-ID is kept, and the last 19."""
    row = Thread.objects.for_widget(thread.widget_id).select_for_update().get(pk=thread.pk)
    known = [each for each in row.references if each != message_id]
    row.references = [*known[:1], *[*known[1:], message_id][-(REFERENCES - 1) :]] if known else [message_id]
    row.save(update_fields=["references"])


def _refused(lease: Lease[OutLetter], thread: Thread, failed: MailFailed) -> None:
    said = f"{failed.code} {failed.said}".strip() if failed.code else ""
    if failed.is_final:
        with transaction.atomic():
            note_dead(widget_id=lease.row.widget_id, email=thread.address, detail=said)
        return _fail(lease, REJECTED, said)
    if failed.stage is Stage.LOGIN:
        return _again(lease, NOT_LET_IN, said)
    return _again(lease, REFUSED_US if failed.refuses_us else UNAVAILABLE, said)


def _again(lease: Lease[OutLetter], code: str, said: str) -> None:
    letter = lease.row
    _note(letter, OutLetter.State.QUEUED, code, said)
    _note_deliveries(letter, DeliveryState.QUEUED, code=code, detail=said)
    lease.row.code, lease.row.detail = code, said[:500]
    lease.failed()


def _fail(lease: Lease[OutLetter], code: str, said: str) -> None:
    with transaction.atomic():
        lease.done()
        fail_letter(lease.row, code, said)


def given_up(lease: Lease[OutLetter], reason: str) -> None:
    """The mail server was away, or refused us, for a day."""
    letter = lease.row
    with transaction.atomic():
        lease.done()
        fail_letter(letter, letter.code or UNAVAILABLE, letter.detail)


def fail_letter(letter: OutLetter, code: str, said: str) -> None:
    """A letter did not arrive, as the mail server says, or a report; operators see it at its messages."""
    _note(letter, OutLetter.State.FAILED, code, said)
    _note_deliveries(letter, DeliveryState.FAILED, code=code, detail=said)


def _note(letter: OutLetter, state: str, code: str, said: str) -> None:
    rows = OutLetter.objects.for_widget(letter.widget_id).filter(pk=letter.pk)
    rows.update(state=state, code=code, detail=said[:500])


def _note_deliveries(letter: OutLetter, state: DeliveryState, *, code: str | None = None, detail: str = "") -> None:
    for message_id in letter.message_ids:
        note_delivery(
            widget_id=letter.widget_id,
            message_id=message_id,
            state=state,
            at=timezone.now(),
            attempts=letter.attempts + 1,
            code=code,
            detail=detail or None,
        )


@transaction.atomic
def send_again(*, widget_id: int, message_id: int) -> None:
    """An operator wants a letter that did not arrive sent once more: a dead address is tried again."""
    letters = OutLetter.objects.for_widget(widget_id).select_related("thread").select_for_update(of=("self",))
    letter = letters.filter(message_ids__contains=[message_id], state=OutLetter.State.FAILED).order_by("-id").first()
    if letter is None:
        return
    from apps.letters.actions.addresses import revive

    revive(widget_id=widget_id, email=letter.thread.address)
    rows = OutLetter.objects.for_widget(widget_id).filter(pk=letter.pk)
    rows.update(state=OutLetter.State.QUEUED, code="", detail="", attempts=0, due_at=timezone.now())


def chats_with_letters(widget_id: int, chat_ids: Sequence[int]) -> set[int]:
    """The chats, of these, that letters were sent about. Index: letters_thread_one_an_address."""
    rows = Thread.objects.for_widget(widget_id).filter(chat_id__in=chat_ids)
    return set(rows.values_list("chat_id", flat=True))
