"""The offline form: a message with what the visitor says of themselves."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.models import Contact, Message
from apps.chats.rules import SenderKind
from apps.chats.rules.messages import kept_language, kept_page
from apps.chats.serializers.chats import MessageSerializer
from apps.core.errors import NOT_FOUND
from apps.widget import querysets
from apps.widget.actions.answers import CarriedAnswers, post_with_answers
from apps.widget.actions.letters import note_wish
from apps.widget.models import OfflineForm

_CONTACTS = ("name", "email", "phone")


@transaction.atomic
def leave_offline_message(
    *, contact: Contact, about: Mapping[str, Any], page_url: str = "", lang: str = "", is_asked: bool = False
) -> PostedMessage:
    """Posts what the visitor wrote into the offline form, or takes what they say of themselves below a message.

    `about` has `message`, or `message_id` of a message of theirs in its place; `name`, `email`, `phone`, `client_id`
    and `mail_answers`: whether answers that they have not seen are mailed. The same `client_id`, or `message_id`, again
    gives the stored message, and tells nothing. `answers` are to the questions before a chat (`post_with_answers`).

    Raises NOT_FOUND (404) for a message that is not theirs; INVALID_INPUT (422) on `email` where answers are to be
    mailed and no address is known.
    """
    given = {name: str(about.get(name, "")) for name in _CONTACTS}
    where = {"language": kept_language(lang), "page": kept_page(page_url)}

    def leave(contact: Contact, department_id: int | None) -> PostedMessage:
        if "message_id" in about:
            return _left_below(contact, given, about["message_id"])
        return _left(contact, given, about, {"where": where, "department_id": department_id})

    if is_asked or about.get("answers"):
        text, client_id = about.get("message"), about.get("client_id")
        carried = CarriedAnswers(about.get("answers", {}), lang, is_asked, text, client_id, about=given)
        posted = post_with_answers(contact=contact, carried=carried, post=leave)
    else:
        posted = leave(contact, None)
    note_wish(contact, given["email"].strip(), about.get("mail_answers"), after_id=posted.id)
    return posted


def _left(
    contact: Contact, given: Mapping[str, str], about: Mapping[str, Any], kept: Mapping[str, Any]
) -> PostedMessage:
    named: Any = {"message": about["message"], "client_id": about.get("client_id"), "channel": querysets.CHANNEL}
    posted = chats.leave_offline_message(contact=contact, about=given, **named, **kept)
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
    return OfflineForm.objects.for_widget(contact.widget_id).filter(pk=contact.pk)


def _form_of(contact: Contact) -> OfflineForm:
    """The visitor's row, made if there is none, and locked."""
    OfflineForm.objects.bulk_create([OfflineForm(contact=contact, widget_id=contact.widget_id)], ignore_conflicts=True)
    form: OfflineForm = _forms(contact).select_for_update().get()
    return form
