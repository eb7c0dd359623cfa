"""E-mail codes: a mailbox is asked for, a code is mailed to it, and what is typed is compared with it.

Neither a code nor a mailbox is logged, recorded or told; both are kept encrypted, a code until it is sent. A chat's row
is locked first, so that two messages are looked at one after the other.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection
from datetime import datetime
from typing import Any, Literal

from django.conf import settings as installation
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.accounts.rules import Answerer
from apps.ai.actions.jobs import note_returned, queue_reply
from apps.chats.actions import post_system_message
from apps.chats.actions.changes import locked_chat
from apps.chats.models import Chat, Message
from apps.chats.questions import mail_stop_link, note_mailed_code, shown_brand, spoken_language
from apps.core import mail
from apps.core.problems import Problem
from apps.leases import Lease, wake_workers
from apps.support.actions.code_limits import may_compare, may_mail_code, note_wrong
from apps.support.actions.interception import is_handled, mailbox_of
from apps.support.mail import code_mail
from apps.support.models import ClaimedMessage, EmailCode, Identity, Verification
from apps.support.rules import codes as rules
from apps.support.rules.codes import CodeResult, SentCode, TakenKind
from apps.support.rules.identities import LIFETIMES, LinkSource, is_live
from apps.support.rules.phrases import phrase
from apps.support.settings import settings_of

Asked = Literal["asked", "off", "no_chat", "agent_handles_chat"]


class SupportVisitorDesk:
    """The support desk for visitors (the hook `visitor_desk`)."""

    @transaction.atomic
    def ask_for_mailbox(self, widget_id: int, chat_id: int | None) -> Asked:
        """Waits for a mailbox in the chat, for half an hour, and says so there."""
        if not settings_of(widget_id).email_codes:
            return "off"
        if chat_id is None:
            return "no_chat"
        chat = locked_chat(widget_id, chat_id)
        if is_handled(widget_id, chat_id):
            return "agent_handles_chat"
        wish, now = _wish(chat), timezone.now()
        if not is_live(wish.asked_until, now):
            _say(chat, "asked")
        _note(chat, asked_until=now + rules.ASKED_FOR)
        return "asked"

    @transaction.atomic
    def choose_assistant(self, widget_id: int, chat_id: int | None) -> Literal["chosen", "no_chat"]:
        """The visitor wants the assistant rather than a person: a person's word holds the chat no longer."""
        if chat_id is None:
            return "no_chat"
        chat = locked_chat(widget_id, chat_id)
        _wish(chat)
        _note(chat, assistant_chosen_at=timezone.now())
        note_returned(chat_id=chat_id)
        if {Answerer.AI, Answerer.AI_IN_SHADOW}.intersection(chat.widget.answerers):
            queue_reply(widget_id=widget_id, chat_id=chat_id)
        return "chosen"


visitor_desk = SupportVisitorDesk()


def served_config(widget_id: int, language: str) -> dict[str, Any]:
    """How a visitor is asked to prove their mailbox, for the config; where no codes are sent, it says nothing of it."""
    if not settings_of(widget_id).email_codes:
        return {}
    return {"email_codes": {"ask": phrase("ask", language), "code": phrase("code", language)}}


def process_claimed(lease: Lease[ClaimedMessage]) -> None:
    """Does what a taken message is for: a code is mailed to its mailbox, or its code is compared."""
    row = lease.row
    with transaction.atomic():
        chat = locked_chat(row.widget_id, row.chat_id)
        text = (
            Message.objects.for_widget(row.widget_id).filter(pk=row.message_id).values_list("body", flat=True).first()
        )
        lease.done()
        if text is None:
            return
        if row.kind == TakenKind.CODE:
            _try(chat, text)
        elif not _mail_code(chat, text):
            # It was not asked for any more: an ordinary message, which AI may answer.
            row.delete()
            if not {Answerer.AI, Answerer.AI_IN_SHADOW}.isdisjoint(chat.widget.answerers):
                queue_reply(widget_id=row.widget_id, chat_id=row.chat_id)


def send_code(lease: Lease[EmailCode]) -> None:
    """Mails a code, unless it has died before; its ten minutes begin then."""
    row = lease.row
    if row.died_at is not None or row.code is None:
        lease.done()
        return
    name = Widget.objects.values_list("name", flat=True).get(pk=row.widget_id)
    try:
        letter = code_mail(
            email=row.email,
            widget_name=name,
            brand=shown_brand(row.widget_id, name),
            code=row.code,
            stop=mail_stop_link(row.widget_id, row.email),
            language=row.language,
        )
        mail.send(letter)
    except (mail.MailFailed, Problem):
        lease.failed()
        return
    with transaction.atomic():
        chat = locked_chat(row.widget_id, row.chat_id)
        lease.done()
        rows = EmailCode.objects.for_widget(row.widget_id).filter(pk=row.pk)
        rows.update(code=None, sent_at=timezone.now())
        if rows.under_way().exists() and not is_handled(row.widget_id, row.chat_id):
            _say(chat, "sent")


def given_up(lease: Lease[EmailCode], reason: str) -> None:
    row = lease.row
    with transaction.atomic():
        chat = locked_chat(row.widget_id, row.chat_id)
        lease.done()
        EmailCode.objects.for_widget(row.widget_id).filter(pk=row.pk).update(code=None, died_at=timezone.now())
        if not is_handled(row.widget_id, row.chat_id):
            _say(chat, "not_sent")


def kill_codes(widget_id: int, chat_ids: Collection[int]) -> None:
    """Codes under way count no more, and no mailbox is waited for. Inside a transaction."""
    codes = EmailCode.objects.for_widget(widget_id).filter(chat_id__in=chat_ids).under_way()
    codes.update(died_at=timezone.now(), code=None)
    Verification.objects.for_widget(widget_id).filter(chat_id__in=chat_ids).update(asked_until=None)


def forget_old_codes() -> None:
    """Deletes codes that no typed text is compared with any more."""
    EmailCode.objects.unscoped("every widget's rows").filter(
        created_at__lt=timezone.now() - 2 * rules.TRIES_TAKEN_FOR
    ).delete()


def _mail_code(chat: Chat, text: str) -> bool:
    """Queues a code for the mailbox of a text, if one is still asked for; False where none is."""
    widget_id, mailbox, wish = chat.widget_id, mailbox_of(text), _wish(chat)
    if mailbox is None or not is_live(wish.asked_until, timezone.now()) or is_handled(widget_id, chat.pk):
        return False
    if not may_mail_code(chat, mailbox):
        _end(chat, CodeResult.RATE_LIMITED, asked_until=None)
        return True
    kill_codes(widget_id, [chat.pk])
    code, salt = f"{secrets.randbelow(10**rules.DIGITS):0{rules.DIGITS}}", secrets.token_hex(16)
    language = _language(chat)
    EmailCode.objects.create(
        widget_id=widget_id,
        chat=chat,
        email=mailbox,
        code=code,
        salt=salt,
        digest=_digest(salt, code, installation.SECRET_KEY),
        language="zh-hans" if language == "zh" else language,
    )
    wake_workers()
    return True


def _try(chat: Chat, text: str) -> None:
    """Compares what was typed with the chat's newest code; the right one proves the mailbox."""
    widget_id, now, typed = chat.widget_id, timezone.now(), rules.typed_code(text)
    row = EmailCode.objects.for_widget(widget_id).newest([chat.pk]).first()
    if row is None or typed is None:
        return
    _wish(chat)
    if not may_compare(chat, row.email):
        _end(chat, CodeResult.RATE_LIMITED)
        return
    keys = [installation.SECRET_KEY, *installation.SECRET_KEY_FALLBACKS]
    is_right = any(hmac.compare_digest(bytes(row.digest), _digest(row.salt, typed, key)) for key in keys)
    code = code_of(row)
    result = rules.result_of(code, is_right=is_right, now=now)
    if result is CodeResult.VERIFIED:
        row.used_at, row.code = now, None
        row.save(update_fields=["used_at", "code"])
        _prove(chat, row.email, now)
        note_mailed_code(widget_id, row.email, chat.contact_id)
    elif not is_right and code.used_at is None and code.wrong < rules.MAX_WRONG:
        row.wrong += 1
        row.save(update_fields=["wrong"])
        note_wrong(row.email)
    _end(chat, result)


def _prove(chat: Chat, mailbox: str, now: datetime) -> None:
    """Ties the chat to the mailbox's owner, for a day; a known account stays as it is."""
    identity = Identity.objects.for_widget(chat.widget_id).filter(chat=chat).first()
    if identity is not None and is_live(identity.expires_at, now) and identity.app_user_id is not None:
        identity.email, identity.updated_at = mailbox, now
        identity.save(update_fields=["email", "updated_at"])
        return
    source = LinkSource.AGENT_CODE if is_handled(chat.widget_id, chat.pk) else LinkSource.EMAIL_CODE
    row = Identity(chat=chat, email=mailbox, link_source=source, expires_at=now + LIFETIMES[source], updated_at=now)
    row.save(force_insert=identity is None)


def code_of(row: EmailCode) -> SentCode:
    """A code, as the rules see it."""
    return SentCode(row.sent_at, row.used_at, row.died_at, row.wrong)


def _end(chat: Chat, result: CodeResult, **changes: Any) -> None:
    """Keeps what became of it, and says it to the visitor, unless an agent handles the chat."""
    _note(chat, last_result=result, last_result_at=timezone.now(), **changes)
    if not is_handled(chat.widget_id, chat.pk):
        _say(chat, result.value)


def _wish(chat: Chat) -> Verification:
    """The chat's row, made if there is none; the chat is locked."""
    row, _ = Verification.objects.for_widget(chat.widget_id).get_or_create(chat=chat)
    return row


def _note(chat: Chat, **changes: Any) -> None:
    Verification.objects.for_widget(chat.widget_id).filter(chat=chat).update(**changes)


def _say(chat: Chat, key: str) -> None:
    post_system_message(widget_id=chat.widget_id, chat_id=chat.pk, body=phrase(key, _language(chat)))


def _language(chat: Chat) -> str:
    return spoken_language(chat)


def _digest(salt: str, code: str, key: str) -> bytes:
    return hmac.new(key.encode(), f"parley.email_code:{salt}:{code}".encode(), hashlib.sha256).digest()
