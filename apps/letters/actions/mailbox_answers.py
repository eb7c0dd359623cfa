"""Answers in a mailbox's chat gather and leave as one letter, from the mailbox. Design of letters, section 6."""

import logging
from collections.abc import Sequence
from email.utils import formataddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.utils import DNS_NAME
from django.db import transaction
from django.db.models import F, Q

from apps import egress, leases
from apps.chats.models import Chat, Message
from apps.chats.querysets.counted_messages import IS_SHOP_WORD
from apps.chats.questions import shown_name, widget_language
from apps.chats.rules import SenderKind, Status
from apps.chats.rules.messages import ANSWERING, is_ai
from apps.core import mail
from apps.core.bus import Cte
from apps.core.mail import MailFailed
from apps.egress.smtp import SmtpRefused, Stage, smtp_talk
from apps.leases import Lease
from apps.letters.actions.answers import is_gone, queue_letter, quotable
from apps.letters.mail import MailboxLetter, mailbox_letter
from apps.letters.models import GatherJob, InLetter, Mailbox, OutLetter, Thread
from apps.letters.rules.addresses import Purpose, address_of, origin_of
from apps.letters.rules.mailboxes import mailbox_of, read_smtp
from apps.letters.rules.standing import Standing

logger = logging.getLogger(__name__)

LONGEST_S = 120
_SPEAKING = Q(sender_kind__in=ANSWERING) | IS_SHOP_WORD
MOST = 50

_GATHER = f"""
letters_gather AS (
    INSERT INTO letters_gatherjob AS t (chat_id, widget_id, due_at, waiting_since)
    SELECT %(letters_chat_id)s, %(letters_widget_id)s,
           statement_timestamp() + %(letters_quiet_s)s * interval '1 second', statement_timestamp() FROM written
    {leases.on_conflict(unique=["chat_id"], longest=str(LONGEST_S)).strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants


def gather_cte(*, widget_id: int, chat_id: int) -> Cte:
    """Has the chat's answers leave once none has come for a while; part of the statement that stores one."""
    parameters = {
        "letters_chat_id": chat_id,
        "letters_widget_id": widget_id,
        "letters_quiet_s": settings.MAIL_GATHER_SECONDS,
    }
    return Cte(_GATHER, parameters, "(SELECT true FROM letters_gather)", lambda _: leases.wake_workers())


def send_gathered(lease: Lease[GatherJob]) -> None:
    """Queues one letter with what has gathered; what was deleted meanwhile is left out."""
    job = lease.row
    with transaction.atomic():
        thread = thread_to(job.widget_id, job.chat_id)
        said = _gathered(thread) if thread is not None else []
        if thread is not None and said:
            queue_letter(thread, said, kind=OutLetter.Kind.MAILBOX)
        lease.done()


def thread_to(widget_id: int, chat_id: int) -> Thread | None:
    """The thread that the chat's answers go to: of the last writer. Locked until the transaction ends."""
    threads = Thread.objects.for_widget(widget_id).filter(chat_id=chat_id).exclude(chat__status=Status.SPAM)
    return threads.select_for_update(of=("self",)).order_by(F("answered_at").desc(nulls_last=True), "-id").first()


def _gathered(thread: Thread) -> list[Message]:
    rows = Message.objects.for_widget(thread.widget_id).filter(
        _SPEAKING, chat_id=thread.chat_id, id__gt=thread.mailed_id, is_internal=False
    )
    return [message for message in rows.order_by("id")[:MOST] if not is_gone(message)]


def render(
    letter: OutLetter, thread: Thread, told: Sequence[Message], attached: Sequence[Any], named: Sequence[str]
) -> EmailMultiAlternatives:
    """The letter from the mailbox: threaded by the ids of both sides, with their copies, above what they wrote last."""
    mailbox = mailbox_of_chat(thread.chat)
    assert mailbox is not None  # noqa: S101 - asked before
    language = widget_language(thread.widget_id)
    shop = mailbox.name or shown_name(thread.widget_id, language, thread.chat.widget.name)
    last = _last_words(thread, told[0].pk)
    made = mailbox_letter(
        MailboxLetter(
            language=language,
            zone=thread.chat.widget.time_zone,
            to=thread.address,
            copies=thread.copies,
            subject=thread.subject,
            messages=told,
            named=named,
            signature=mailbox.signature,
            quoted=last,
            hides=last is not None and _is_first(last),
        )
    )
    speaker = "" if told[-1].sender_kind == SenderKind.SYSTEM else told[-1].sender_name.strip()
    made.from_email = sender = sender_of(mailbox)
    reply_to = "" if sends_itself(mailbox) else address_of(settings.MAIL_REPLY_ADDRESS, Purpose.REPLY, thread.right)
    if sender != mailbox.address:
        reply_to = reply_to or mailbox.address
    by_machine = all(one.sender_kind == SenderKind.SYSTEM or is_ai(one.sender_kind, one.details) for one in told)
    made.extra_headers = {
        "From": formataddr((f"{speaker} ({shop})" if speaker else shop, sender)),
        "Message-ID": letter.message_id,
        **({"Reply-To": reply_to} if reply_to else {}),
        **(
            {"In-Reply-To": thread.references[-1], "References": " ".join(thread.references)}
            if thread.references
            else {}
        ),
        "X-Auto-Response-Suppress": "All",
        **({"Auto-Submitted": "auto-replied"} if by_machine else {}),
        "X-Parley-Origin": origin_of(settings.PUBLIC_URL),
    }
    for name, content, content_type in attached:
        made.attach(name, content, content_type)
    return made


def sender_of(mailbox: Mailbox) -> str:
    """The address that letters of a mailbox leave from: its own, once it is proved."""
    return mailbox.address if mailbox.proved_at else mail.sender_address()


def sends_itself(mailbox: Mailbox) -> bool:
    """Whether letters leave by the mailbox's own server; else by the installation's."""
    return bool(mailbox.smtp) and mailbox.proved_at is not None


def mailbox_of_chat(chat: Chat) -> Mailbox | None:
    """The mailbox of a chat's channel; None for one that was removed."""
    return Mailbox.objects.for_widget(chat.widget_id).filter(pk=mailbox_of(chat.channel) or 0).first()


def _last_words(thread: Thread, before_id: int) -> Message | None:
    rows = Message.objects.for_widget(thread.widget_id).filter(chat_id=thread.chat_id, id__lt=before_id)
    quoted = quotable(rows.filter(sender_kind=SenderKind.CLIENT, is_internal=False).exclude(body=""))
    return quoted.order_by("-id").first()


def _is_first(message: Message) -> bool:
    """Whether the message is an unknown address's first letter, of which nothing is proven."""
    letters = InLetter.objects.for_widget(message.widget_id).filter(message_id=message.pk)
    return letters.filter(standing=Standing.FIRST).exists()


def send(made: EmailMultiAlternatives, mailbox: Mailbox) -> str:
    """Hands the letter to the mailbox's own server, else to the installation's. Raises MailFailed."""
    return send_by_own_server(made, mailbox) if sends_itself(mailbox) else mail.send(made)


def send_by_own_server(made: EmailMultiAlternatives, mailbox: Mailbox) -> str:
    """Hands the letter to the mailbox's own server, through egress. Raises MailFailed."""
    server = read_smtp(mailbox.smtp or "")
    try:
        with smtp_talk(server, seconds=settings.EMAIL_TIMEOUT, own_name=DNS_NAME.get_fqdn()) as client:
            return mail.hand_over(client, made)
    except egress.LoginRefused as refused:
        failed = MailFailed(Stage.LOGIN, refused.code, refused.said)
    except SmtpRefused as refused:
        failed = MailFailed(refused.stage, refused.code, refused.said)
    except (egress.EgressRefused, OSError, ValueError) as error:  # UnicodeErrors are ValueErrors
        logger.warning("a mailbox's server took no letter: %s", getattr(error, "reason", type(error).__name__))
        raise MailFailed from None
    logger.warning("a mailbox's server took no letter: %s at %s", failed.code, failed.stage)
    raise failed
