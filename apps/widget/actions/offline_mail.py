"""The offline form, and the mails with answers that the visitor has not seen.

A visitor asks for them; what a person then writes in the console, and stays unseen, is mailed, one letter for what has
gathered. A job looks for it once a minute, so posting a message costs nothing more.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings as installation
from django.core import signing
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.models import Contact, Message
from apps.chats.rules import SenderKind, Via
from apps.chats.rules.transcripts import TranscriptEntry, text_of
from apps.chats.serializers.chats import MessageSerializer
from apps.core import mail
from apps.core.database import fetch_all
from apps.core.errors import INVALID_INPUT, NOT_FOUND, RATE_LIMITED
from apps.core.quotas import Quota
from apps.widget import querysets
from apps.widget.mail import AnswerInMail, answers_mail
from apps.widget.models import OfflineNotification, UnsubscribedEmail, VisitorSession
from apps.widget.querysets.settings import settings_of, store_of
from apps.widget.rules import offline_mail, translations

LETTERS = Quota("widget.answer_mails", offline_mail.LETTERS_AN_HOUR, offline_mail.HOUR, RATE_LIMITED)
_SALT = "widget.answer-mails"
_CONTACTS = ("name", "email", "phone")

# The partial index of OfflineNotification leaves those who asked for mail; a chat's row says whether anything came
# since.
_UNSEEN = """
SELECT form.contact_id, form.widget_id, chat.id
FROM widget_awayform form
JOIN widget_widgetsettings settings ON settings.widget_id = form.widget_id AND settings.mail_answers
JOIN chats_chat chat ON chat.contact_id = form.contact_id AND chat.channel = %(channel)s
     AND chat.last_message_id > form.mailed_id AND chat.status <> 'spam' AND NOT chat.internal
WHERE form.email <> '' AND form.left_at > %(asked_since)s AND EXISTS (
    SELECT FROM chats_message m
    WHERE m.chat_id = chat.id AND m.id > form.mailed_id AND m.via = 'console' AND m.sender_kind = 'agent'
      AND NOT m.is_internal AND m.seen_at IS NULL AND m.created_at <= %(written_by)s
) /* unscoped: every widget */"""


@transaction.atomic
def leave_offline_message(*, contact: Contact, about: Mapping[str, Any]) -> PostedMessage:
    """Posts what the visitor wrote into the offline form, or takes what they say of themselves below a message.

    `about` has `message`, or `message_id` of a message of theirs in its place; `name`, `email`, `phone`, `client_id`
    and `mail_answers`: to have answers mailed that they have not seen, where the widget's switch is on. The same
    `client_id`, or `message_id`, again gives the stored message, and tells nothing.

    Raises NOT_FOUND (404) for a message that is not theirs; INVALID_INPUT (422) on `email` where answers are to be
    mailed and no address is known.
    """
    given = {name: str(about.get(name, "")) for name in _CONTACTS}
    if "message_id" in about:
        posted = _left_below(contact, given, about["message_id"])
    else:
        posted = _left(contact, given, about["message"], about.get("client_id"))
    if about.get("mail_answers") and settings_of(contact.widget_id).mail_answers:
        email = given["email"].strip() or Contact.objects.for_widget(contact.widget_id).get(pk=contact.pk).email
        if not email:
            raise INVALID_INPUT(errors={"email": ["An address is needed, to mail answers to."]})
        _forms(contact).update(email=email, mailed_id=posted.id, left_at=timezone.now())
    return posted


def _left(contact: Contact, given: Mapping[str, str], message: str, client_id: UUID | None) -> PostedMessage:
    posted = chats.leave_offline_message(
        contact=contact, about=given, message=message, client_id=client_id, channel=querysets.CHANNEL
    )
    _form_of(contact)
    _forms(contact).filter(message_id__lt=posted.id).update(message_id=posted.id)
    return posted


def _left_below(contact: Contact, given: Mapping[str, str], message_id: int) -> PostedMessage:
    found = Message.objects.for_widget(contact.widget_id).filter(
        pk=message_id, chat__contact=contact, chat__channel=querysets.CHANNEL, sender_kind=SenderKind.CLIENT
    )
    message = found.first()
    if message is None:
        raise NOT_FOUND("There is no such message of this visitor.")
    is_first = _form_of(contact).message_id < message_id
    chats.leave_contacts(
        contact=contact, about=given, chat_id=message.chat_id, message_id=message_id, is_first=is_first
    )
    if is_first:
        _forms(contact).update(message_id=message_id)
    return PostedMessage(MessageSerializer.show(message), is_new=False)


def _forms(contact: Contact) -> Any:
    return OfflineNotification.objects.for_widget(contact.widget_id).filter(pk=contact.pk)


def _form_of(contact: Contact) -> OfflineNotification:
    """The visitor's row, made if there is none, and locked."""
    OfflineNotification.objects.bulk_create(
        [OfflineNotification(contact=contact, widget_id=contact.widget_id)], ignore_conflicts=True
    )
    form: OfflineNotification = _forms(contact).select_for_update().get()
    return form


def mail_unseen_answers(*, as_of: datetime) -> int:
    """Queues a letter for each visitor who asked for one, and has not seen an answer for five minutes.

    Only a person's answer from the console is mailed: nothing of the API, a program, the AI, nor a note. Returns how
    many letters. Harmless when run twice at once.
    """
    found = fetch_all(
        _UNSEEN,
        {
            "channel": querysets.CHANNEL,
            "asked_since": as_of - offline_mail.ASKED_FOR,
            "written_by": as_of - offline_mail.UNSEEN_FOR,
        },
    )
    return sum(_mail_to(contact_id, widget_id, chat_id, as_of) for contact_id, widget_id, chat_id in found)


@transaction.atomic
def _mail_to(contact_id: int, widget_id: int, chat_id: int, as_of: datetime) -> bool:
    forms = OfflineNotification.objects.for_widget(widget_id).filter(pk=contact_id)
    form = forms.exclude(email="").select_for_update(skip_locked=True).first()
    if form is None:
        return False
    in_chat = Message.objects.for_widget(widget_id).filter(chat_id=chat_id, id__gt=form.mailed_id)
    words = in_chat.filter(sender_kind=SenderKind.CLIENT).values_list("body", flat=True)
    if any(offline_mail.is_stop_word(body) for body in words):
        stop_mails(widget_id=widget_id, email=form.email)
        return False
    if _is_stopped(widget_id, form.email):
        forms.update(email="")
        return False
    unseen = in_chat.filter(via=Via.CONSOLE, sender_kind=SenderKind.AGENT, is_internal=False, seen_at=None)
    written = list(unseen.order_by("id")[: offline_mail.MESSAGES_A_LETTER])
    if (
        not written
        or written[0].created_at > as_of - offline_mail.UNSEEN_FOR
        or LETTERS.wait_s(_digest(form.email).hex())
    ):
        return False
    LETTERS.spend(_digest(form.email).hex())
    mail.queue(_letter(form, written))
    forms.update(mailed_id=written[-1].pk)
    return True


def _letter(form: OfflineNotification, written: list[Message]) -> Any:
    widget = Widget.objects.get(pk=form.widget_id)
    sessions = VisitorSession.objects.for_widget(form.widget_id).filter(contact=form.contact_id)
    session = sessions.order_by("-last_seen_at").first()
    settings = settings_of(form.widget_id)
    language = settings.language_for(session.lang if session else "", "")
    store = store_of(form.widget_id) or {}
    _, name = translations.shown(settings.values, translations.NAME, language, store, name=widget.name)
    return answers_mail(
        email=form.email,
        widget_name=str(name or widget.name),
        answers=[_answer(each) for each in written],
        page=offline_mail.linked_page(session.page_url, widget.allowed_origins) if session else None,
        stop=installation.PUBLIC_URL + reverse("stop-mails", args=[stop_proof(widget.pk, form.email)]),
        language="zh-hans" if language == "zh" else language,
    )


def _answer(message: Message) -> AnswerInMail:
    entry = TranscriptEntry(
        message.created_at, message.sender_kind, message.sender_name, message.type, message.body, message.details
    )
    return AnswerInMail(name=" ".join(message.sender_name.split()), lines=text_of(entry))


def stop_proof(widget_id: int, email: str) -> str:
    """The content of a mail's link: it ends the mails of a widget to an address, and does nothing else."""
    return signing.dumps([widget_id, email], salt=_SALT, compress=True)


def read_stop_proof(proof: str) -> tuple[int, str] | None:
    """The widget and the address of a letter's link; None for a link that is not ours."""
    try:
        widget_id, email = signing.loads(proof, salt=_SALT)
    except signing.BadSignature:
        return None
    return widget_id, email


@transaction.atomic
def stop_mails(*, widget_id: int, email: str) -> None:
    """Ends the widget's mails to that address, for all visitors who give it."""
    UnsubscribedEmail.objects.bulk_create(
        [UnsubscribedEmail(widget_id=widget_id, digest=_digest(email))], ignore_conflicts=True
    )
    OfflineNotification.objects.for_widget(widget_id).filter(email__iexact=email).update(email="")


def _is_stopped(widget_id: int, email: str) -> bool:
    return UnsubscribedEmail.objects.for_widget(widget_id).filter(digest=_digest(email)).exists()


def _digest(email: str) -> bytes:
    return hashlib.sha256(email.casefold().encode()).digest()
