"""A seen message is a sign of life; an operator sends again; an address from the owner's side is the owner's word."""

from collections.abc import Sequence
from typing import Any

from apps.automations.events import NoticeMailWanted
from apps.chats.events import ContactUpdated, MessagePosted, MessageQueuedAgain, MessagesSeen, SystemMessagePosted
from apps.chats.models import Contact
from apps.core.bus import Cte, adds_cte, handles
from apps.letters.actions.addresses import note_proof, note_sign_of_life
from apps.letters.actions.answers import CHANNEL
from apps.letters.actions.mailbox_answers import gather_cte
from apps.letters.actions.notices import mail_notice
from apps.letters.actions.outbox import send_again
from apps.letters.models import Address, Thread
from apps.letters.rules.mailboxes import is_mailbox


@handles(MessagesSeen)
def note_seen(event: MessagesSeen) -> None:
    """A visitor who sees the chat lives at the address that was mailed of it."""
    if event.seen_by != "USER":
        return
    threads = Thread.objects.for_widget(event.widget_id).filter(chat_id=event.chat_id)
    for address in threads.values_list("address", flat=True):
        note_sign_of_life(widget_id=event.widget_id, email=address)


@handles(MessageQueuedAgain)
def send_letter_again(event: MessageQueuedAgain) -> None:
    """A letter that did not arrive goes out once more."""
    if event.channel == CHANNEL or is_mailbox(event.channel):
        send_again(widget_id=event.widget_id, message_id=event.message_id)


@adds_cte(MessagePosted, SystemMessagePosted)
def gather_answers(events: Sequence[Any]) -> Cte | None:
    """Has a message that a mailbox carries leave by letter, by the statement that stores it."""
    for event in reversed(events):
        if event.is_carried and is_mailbox(event.channel):
            return gather_cte(widget_id=event.widget_id, chat_id=event.chat_id)
    return None


@handles(ContactUpdated)
def believe_the_owner(event: ContactUpdated) -> None:
    """An address that operators or the API set counts as proven."""
    if "email" not in event.changed_fields:
        return
    contacts = Contact.objects.for_widget(event.widget_id).filter(guid=event.contact_guid).exclude(email="")
    for contact_id, email in contacts.values_list("pk", "email"):
        note_proof(widget_id=event.widget_id, email=email, by=Address.Proof.OWNER, contact_id=contact_id)


@handles(NoticeMailWanted)
def tell_operators(event: NoticeMailWanted) -> None:
    """An automation tells operators something by mail."""
    mail_notice(event)
