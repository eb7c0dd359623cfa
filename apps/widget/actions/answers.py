"""Answers to the questions before a chat: stored with the message that carries them, or not at all."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.chats import actions as chats
from apps.chats.actions import PostedMessage
from apps.chats.events import QuestionsAnswered
from apps.chats.models import Chat, Contact, Message
from apps.chats.rules import Status
from apps.chats.rules.contacts import merged_attributes, number_refusal
from apps.chats.rules.texts import language_of_texts
from apps.core import bus
from apps.core.endpoints.serializers import first_of
from apps.core.errors import INVALID_INPUT
from apps.widget.errors import ANSWERS_REQUIRED
from apps.widget.models import ChatAnswers, ContactConsent
from apps.widget.querysets import CHANNEL
from apps.widget.querysets.beginnings import begins_chat
from apps.widget.querysets.questions import AskedContact, asked_of, asked_questions, hash_of
from apps.widget.querysets.settings import settings_of
from apps.widget.rules.answers import REQUIRED, answer_refusals, contact_changes, filled, lacking
from apps.widget.rules.fields import FALLBACK, SUPPORTED
from apps.widget.rules.questions import MAX_KEY, OF_CONTACT, QuestionKind
from apps.widget.serializers.questions import contact_refusal

TWICE = "A question asks for the department: send it as its answer."

# Posts the message of a contact, into that department if the message makes the chat.
Posts = Callable[[Contact, int | None], PostedMessage]


@dataclass(frozen=True, slots=True)
class CarriedAnswers:
    """The answers that a message carries, and the facts that they are judged by.

    `lang` is the language in which the browser showed the questions; `about` is told by the call itself. `is_asked`:
    questions are on, so a chat may not begin without the required ones; `text` is None for a message posted before.
    """

    answers: Mapping[str, Any]
    lang: str
    is_asked: bool
    text: str | None
    client_id: UUID | None = None
    department_id: int | None = None
    about: Mapping[str, Any] | None = None


@transaction.atomic
def post_with_answers(*, contact: Contact, carried: CarriedAnswers, post: Posts) -> PostedMessage:
    """Posts a message of a contact with the answers that it carries, all or nothing; one contact's calls one by one.

    Names, e-mails and phones become the contact's, a department the chat's, a consent a row, others attributes. The
    same `client_id` again gives the stored message, though other questions are asked by then.

    Raises INVALID_INPUT (422) by `answers.<key>` for a wrong answer, or one that is not asked for; ANSWERS_REQUIRED
    (422) where a chat would begin without a required answer; and as `post` does.
    """
    now = timezone.now()
    contact = Contact.objects.for_widget(contact.widget_id).select_for_update(no_key=True).get(pk=contact.pk)
    chat = Chat.objects.for_widget(contact.widget_id).filter(contact=contact, channel=CHANNEL).first()
    if chat is not None and _is_stored(chat, carried.client_id):
        return post(contact, None)
    questions = asked_questions(contact.widget_id)
    asked = asked_of(contact, questions, now, about=filled(carried.about or {}))
    chat_id = None if chat is None else chat.pk
    begins = carried.text is not None and begins_chat(contact.widget_id, chat_id, carried.text, now)
    answers = _taken(asked, carried, begins=begins)
    _change_contact(contact, contact_changes(questions, answers))
    department_id = next((answers[key] for key in _keys(asked, QuestionKind.DEPARTMENT) if key in answers), None)
    if chat is not None and department_id is not None:
        _send_to_department(chat, department_id)
    posted = post(contact, carried.department_id if department_id is None else department_id)
    _store(contact, asked, carried, posted, answers, begins=begins, now=now)
    return posted


def _change_contact(contact: Contact, changes: Mapping[str, Any]) -> None:
    """Sets the answers of the locked contact. Raises INVALID_INPUT (422) where attributes would become too many."""
    merged = merged_attributes(contact.attributes, changes.get("attributes", {}))
    if refusal := number_refusal(merged):
        raise INVALID_INPUT(errors={"answers": [refusal]})
    if changed := chats.set_contact_fields(contact, changes):
        chats.save_contact(contact, changed)


def _is_stored(chat: Chat, client_id: UUID | None) -> bool:
    messages = Message.objects.for_widget(chat.widget_id).filter(chat=chat, client_id=client_id)
    return client_id is not None and messages.exists()


def _keys(asked: AskedContact, *kinds: QuestionKind) -> list[str]:
    return [question["key"] for question in asked.questions if question["kind"] in kinds]


def _taken(asked: AskedContact, carried: CarriedAnswers, *, begins: bool) -> dict[str, Any]:
    """The answers as they are kept. Raises INVALID_INPUT, ANSWERS_REQUIRED (422)."""
    answers = filled(carried.answers)
    kinds = {question["key"]: question["kind"] for question in asked.questions}
    refusals = answer_refusals(asked.questions, answers, known=asked.known, departments=asked.departments)
    for key in answers.keys() - refusals.keys():
        if kinds[key] in OF_CONTACT:
            answers[key] = answers[key].strip()
            if why := contact_refusal(kinds[key], answers[key]):
                refusals[key] = why
    errors = {f"answers.{key[:MAX_KEY]}": [why] for key, why in refusals.items()}
    if carried.department_id is not None and any(key in answers for key in _keys(asked, QuestionKind.DEPARTMENT)):
        errors["department_id"] = [TWICE]
    if errors:
        raise INVALID_INPUT(errors=first_of(errors))
    if begins and carried.is_asked and (keys := lacking(asked.questions, answers, asked.known)):
        raise ANSWERS_REQUIRED(errors={f"answers.{key}": [REQUIRED] for key in keys})
    return answers


def _send_to_department(chat: Chat, department_id: int) -> None:
    """The chat is the department's from now on: it has no owner, unless it was there already."""
    if chat.department_id != department_id and chat.status != Status.SPAM:
        chats.transfer_chat_to_department(widget_id=chat.widget_id, chat_id=chat.pk, department_id=department_id)


def _store(
    contact: Contact,
    asked: AskedContact,
    carried: CarriedAnswers,
    posted: PostedMessage,
    answers: Mapping[str, Any],
    *,
    begins: bool,
    now: datetime,
) -> None:
    """Keeps the answers with the message, tells of them, and shows them at the chat."""
    if not begins and not answers:
        return
    widget_id, chat_id = contact.widget_id, posted.chat_id
    rows = ChatAnswers.objects.for_widget(widget_id).filter(chat_id=chat_id)
    row = None if begins else rows.order_by("-message_id").first()
    if row is None:
        row = ChatAnswers(widget_id=widget_id, chat_id=chat_id, message_id=posted.id, at=now)
    row.answers, row.at = {**row.answers, **answers}, now
    row.save()
    _keep_consents(contact, asked, carried, answers, chat_id=chat_id, now=now)
    if answers:
        told = QuestionsAnswered(
            widget_id=widget_id,
            widget_guid=contact.widget.guid,
            chat_id=chat_id,
            contact_guid=contact.guid,
            channel=CHANNEL,
            keys=tuple(answers),
        )
        bus.publish(told)


def _keep_consents(
    contact: Contact,
    asked: AskedContact,
    carried: CarriedAnswers,
    answers: Mapping[str, Any],
    *,
    chat_id: int,
    now: datetime,
) -> None:
    given = [key for key in _keys(asked, QuestionKind.CONSENT) if key in answers]
    if not given:
        return
    settings = settings_of(contact.widget_id)
    wished, values = settings.language_for(carried.lang, carried.lang), settings.values
    labels = {question["key"]: question["label"] for question in asked.questions}
    for key in given:
        lang = language_of_texts(labels[key], wished, fallback=values[FALLBACK], supported=values[SUPPORTED])
        ContactConsent.objects.create(
            widget_id=contact.widget_id,
            contact=contact,
            chat_id=chat_id,
            key=key,
            given=answers[key],
            text_sha256=hash_of(labels[key][lang]),
            lang=lang,
            at=now,
        )
