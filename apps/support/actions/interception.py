"""Messages that the support desk answers, so that the AI side does not (the hook `taken_messages`).

Every message of an application's chat belongs to the support desk. In other chats it takes a mailbox that was asked
for, and tries of a code: the taker is asked before the message is stored, and the statement that stores it records the
answer.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Max
from django.utils import timezone

from apps import leases
from apps.ai.rules.links import tokens
from apps.chats.models import Message
from apps.chats.rules import SenderKind, Via
from apps.core.bus import Cte
from apps.support.models import ChatHold, ClaimedMessage, EmailCode, SupportAction, Ticket, Verification
from apps.support.rules.codes import (
    HIDDEN,
    PERSON_HAS_WORD_FOR,
    TRIES_TAKEN_FOR,
    ChatHandling,
    TakenKind,
    agent_handles,
    typed_code,
)
from apps.support.rules.settings import APP, is_email
from apps.support.settings import settings_of

_TAKE = """
support_taken AS (
    INSERT INTO support_takenmessage (message_id, widget_id, chat_id, kind)
    SELECT id, %(support_taker_id)s, chat_id, %(support_taken_kind)s FROM written
    ON CONFLICT (message_id) DO NOTHING
    RETURNING message_id
)"""
# The desk's messages: in an application's chat, all. Index: that of `message_id`.
TAKEN_MESSAGES = f"""
SELECT asked.id FROM asked WHERE (SELECT channel FROM chat) = '{APP}'
UNION ALL
SELECT t.message_id FROM support_takenmessage t JOIN asked ON asked.id = t.message_id
WHERE t.widget_id = %(widget_id)s"""  # noqa: S608 - of constants
_LONGEST_READ = 2_000


def takes_text(widget_id: int, chat_id: int, text: str) -> bool:
    """Whether a client's text, that is about to be stored, is taken."""
    return kind_of(widget_id, chat_id, text) is not None


def kind_of(widget_id: int, chat_id: int, text: str) -> TakenKind | None:
    """As what a client's text is taken. It costs nothing for a text that can be neither a mailbox nor a code."""
    now = timezone.now()
    if typed_code(text) is not None:
        codes = EmailCode.objects.for_widget(widget_id).filter(chat_id=chat_id, created_at__gt=now - TRIES_TAKEN_FOR)
        return TakenKind.CODE if codes.exists() else None
    if mailbox_of(text) is None:
        return None
    asked = Verification.objects.for_widget(widget_id).filter(chat_id=chat_id, asked_until__gt=now)
    if not asked.exists() or not settings_of(widget_id).email_codes or is_handled(widget_id, chat_id):
        return None
    return TakenKind.MAILBOX


def mailbox_of(text: str) -> str | None:
    """The first e-mail address in a text."""
    if "@" not in text:
        return None
    found = (token.text for token in tokens(text[:_LONGEST_READ]) if token.kind == "email")
    return next(filter(is_email, found), None)


def taking_cte(widget_id: int, kind: TakenKind) -> Cte:
    """Takes the message that the statement stores; a worker looks at it."""
    parameters = {"support_taker_id": widget_id, "support_taken_kind": kind.value}
    return Cte(_TAKE, parameters, "(SELECT true FROM support_taken)", lambda _: leases.wake_workers())


def is_handled(widget_id: int, chat_id: int) -> bool:
    """Whether an agent, or a person, handles the chat."""
    return agent_handles(handlings(widget_id, [chat_id])[chat_id], timezone.now())


def handlings(widget_id: int, chat_ids: Collection[int]) -> Mapping[int, ChatHandling]:
    """The state of each chat's handling, in a fixed number of statements."""
    since = timezone.now() - PERSON_HAS_WORD_FOR
    held = set(
        ChatHold.objects.for_widget(widget_id).live().filter(chat_id__in=chat_ids).values_list("chat_id", flat=True)
    )
    tickets = {one.chat_id: one for one in Ticket.objects.for_widget(widget_id).open().filter(chat_id__in=chat_ids)}
    written = SupportAction.objects.for_widget(widget_id).filter(chat_id__in=tickets, status__in=("done", "stored"))
    spoken = Message.objects.for_widget(widget_id).filter(
        chat_id__in=chat_ids, sender_kind=SenderKind.AGENT, is_internal=False, created_at__gt=since
    )
    wrote_at, replied_at = _newest(written, "finished_at"), _newest(spoken.exclude(via=Via.LEGACY_BOT), "created_at")
    wishes = Verification.objects.for_widget(widget_id).filter(chat_id__in=chat_ids)
    chosen_at = dict(wishes.values_list("chat_id", "assistant_chosen_at"))
    return {
        pk: ChatHandling(
            is_leased=pk in held,
            is_held=pk in tickets and tickets[pk].held_for_owner,
            queued_at=tickets[pk].queued_at if pk in tickets else None,
            agent_wrote_at=wrote_at.get(pk),
            person_replied_at=replied_at.get(pk),
            assistant_chosen_at=chosen_at.get(pk),
        )
        for pk in chat_ids
    }


def _newest(rows: Any, column: str) -> dict[int, Any]:
    return dict(rows.order_by().values_list("chat_id").annotate(at=Max(column)))


def hidden_texts(widget_id: int, messages: Iterable[Message]) -> dict[int, str]:
    """The texts that support shows in place of taken messages, by id: no code, and no mailbox."""
    of_clients = {one.pk: one.body for one in messages if one.sender_kind == SenderKind.CLIENT}
    taken = ClaimedMessage.objects.for_widget(widget_id).filter(message_id__in=of_clients)
    return {pk: _hidden(of_clients[pk], kind) for pk, kind in taken.values_list("message_id", "kind")}


def _hidden(text: str, kind: str) -> str:
    mailbox = mailbox_of(text) if kind == TakenKind.MAILBOX else None
    return text.replace(mailbox, HIDDEN) if mailbox else HIDDEN
