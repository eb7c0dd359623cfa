"""Answers in a mailbox's chat gather and leave as one letter, from the mailbox. Design of letters, section 6."""

import smtplib
import socket
from collections.abc import Sequence
from email.utils import formataddr
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.smtp import EmailBackend
from django.db import transaction

from apps import egress, leases
from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind, Status
from apps.chats.rules.messages import is_ai
from apps.core import mail
from apps.core.bus import Cte
from apps.core.mail import MailFailed
from apps.core.questions import shown_name, widget_language
from apps.egress.allowlist import configured_allow_list
from apps.egress.resolution import LOOKUP_SECONDS, resolve, system_lookup
from apps.leases import Lease
from apps.letters.actions.answers import is_gone, queue_letter
from apps.letters.mail import MailboxLetter, mailbox_letter
from apps.letters.models import GatherJob, Mailbox, OutLetter, Thread
from apps.letters.rules.addresses import Purpose, address_of, origin_of
from apps.letters.rules.mailboxes import MailServer, mailbox_of, read_smtp

LONGEST_S = 120
SPEAKING = (SenderKind.AGENT, SenderKind.AI, SenderKind.EXTERNAL_OPERATOR)
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
    return threads.select_for_update(of=("self",)).order_by("-answered_at", "-id").first()


def _gathered(thread: Thread) -> list[Message]:
    rows = Message.objects.for_widget(thread.widget_id).filter(
        chat_id=thread.chat_id, id__gt=thread.mailed_id, is_internal=False, sender_kind__in=SPEAKING
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
        )
    )
    speaker = told[-1].sender_name.strip()
    made.from_email = mailbox.address
    ours = not mailbox.smtp
    reply_to = address_of(settings.MAIL_REPLY_ADDRESS, Purpose.REPLY, thread.right) if ours else ""
    by_machine = all(is_ai(one.sender_kind, one.details) for one in told)
    made.extra_headers = {
        "From": formataddr((f"{speaker} ({shop})" if speaker else shop, mailbox.address)),
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


def mailbox_of_chat(chat: Chat) -> Mailbox | None:
    """The mailbox of a chat's channel; None for one that was removed."""
    return Mailbox.objects.for_widget(chat.widget_id).filter(pk=mailbox_of(chat.channel) or 0).first()


def _last_words(thread: Thread, before_id: int) -> Message | None:
    rows = Message.objects.for_widget(thread.widget_id).filter(chat_id=thread.chat_id, id__lt=before_id)
    return rows.filter(sender_kind=SenderKind.CLIENT, is_internal=False).exclude(body="").order_by("-id").first()


def send(made: EmailMultiAlternatives, mailbox: Mailbox) -> str:
    """Hands the letter to the mailbox's own server, else to the installation's. Raises MailFailed."""
    if not mailbox.smtp:
        return mail.send(made)
    server = read_smtp(mailbox.smtp)
    try:
        address = _checked(server)
    except egress.EgressRefused:
        raise MailFailed from None
    return mail.send(made, connection=PinnedBackend(server, address))


def _checked(server: MailServer) -> str:
    """An address of the server that may be called. Raises EgressRefused."""
    host = f"[{server.host}]" if ":" in server.host else server.host
    target = egress.vet(f"{'https' if server.uses_tls or server.starts_tls else 'http'}://{host}:{server.port}/")
    return resolve(target, allow=configured_allow_list(), lookup=system_lookup, timeout=LOOKUP_SECONDS)[0]


class PinnedBackend(EmailBackend):
    """Django's SMTP, to a checked address, by the host's name in TLS."""

    def __init__(self, server: MailServer, address: str) -> None:
        super().__init__(
            host=server.host,
            port=server.port,
            username=server.user,
            password=server.password,
            use_tls=server.starts_tls,
            use_ssl=server.uses_tls,
            timeout=settings.EMAIL_TIMEOUT,
        )
        self._pinned = address

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        base: Any = smtplib.SMTP_SSL if self.use_ssl else smtplib.SMTP
        pinned = self._pinned

        class Connection(base):  # type: ignore[misc]
            def _get_socket(self, host: str, port: int, timeout: float) -> Any:
                opened = socket.create_connection((pinned, port), timeout)
                if not issubclass(base, smtplib.SMTP_SSL):
                    return opened
                return self.context.wrap_socket(opened, server_hostname=self._host)

        return Connection
