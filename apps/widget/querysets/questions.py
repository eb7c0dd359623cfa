"""Reads of a widget's questions before a chat, and of the answers that a contact has given."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone

from apps.agents.models import Department
from apps.agents.querysets.hours import hours_of_widget
from apps.agents.rules.departments import department_channel
from apps.chats.models import Contact
from apps.chats.questions import QuestionWords
from apps.chats.rules.texts import Texts, text_in
from apps.widget.models import ChatAnswers, ContactConsent, QuestionSet, VisitorSession
from apps.widget.querysets import CHANNEL
from apps.widget.querysets.settings import Settings
from apps.widget.rules.answers import LastAnswer, held_values, known_answers
from apps.widget.rules.fields import FALLBACK, SUPPORTED
from apps.widget.rules.questions import OF_CONTACT, Question, QuestionKind

# So many of a contact's beginnings are looked through for answers.
MOST_BEGINNINGS = 100


def question_set_of(widget_id: int) -> QuestionSet:
    """The widget's questions; of a widget without a row, none."""
    return QuestionSet.objects.for_widget(widget_id).first() or QuestionSet(widget_id=widget_id)


def asked_questions(widget_id: int) -> list[Question]:
    """The questions that visitors are asked, in their order; none while they are off."""
    found = question_set_of(widget_id)
    return found.questions if found.is_on else []


def served_questions(settings: Settings, language: str) -> dict[str, Any] | None:
    """The member `questions` of the config, in a language; None where there is nothing to ask."""
    found = question_set_of(settings.widget_id)
    if not found.is_on or not found.questions:
        return None
    order = {"fallback": settings.values[FALLBACK], "supported": settings.values[SUPPORTED]}

    def shown(texts: Texts | None) -> str | None:
        return text_in(texts, language, **order) if texts else None

    return {
        "intro": shown(found.intro),
        "questions": [
            {
                "key": question["key"],
                "kind": question["kind"],
                "label": shown(question["label"]),
                "help": shown(question["help"]),
                "required": question["required"],
                "when": question["when"],
                "options": [
                    {"value": option["value"], "label": shown(option["label"])} for option in question["options"]
                ],
            }
            for question in found.questions
        ],
    }


def question_words(widget_id: int, keys: Collection[str]) -> dict[str, QuestionWords]:
    """The questions of those keys in words, whether they are asked now or not; a department by its name."""
    found = {}
    for question in question_set_of(widget_id).questions:
        if question["key"] in keys:
            values = {option["value"]: option["label"] for option in question["options"]}
            if question["kind"] == QuestionKind.DEPARTMENT:
                departments = Department.objects.for_widget(widget_id).values_list("id", "name")
                values = {str(id_): {"": name} for id_, name in departments}
            found[question["key"]] = QuestionWords(question["label"], values)
    return found


def department_ids(widget_id: int) -> list[int]:
    """The departments that visitors see."""
    return [each.id for each in hours_of_widget(widget_id, channel=department_channel(CHANNEL)).departments]


def hash_of(text: str) -> str:
    """The SHA-256 of a consent's text, as it is kept."""
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class AskedContact:
    """A contact's side of the questions: `known` has the answers that are not asked for."""

    questions: list[Question]
    departments: Collection[int]
    known: Mapping[str, Any]


def asked_of(contact: Contact, questions: list[Question], now: datetime, *, about: Mapping[str, Any]) -> AskedContact:
    """The known answers of a contact. `about` is told by the call itself: name, email and phone.

    A number of statements that does not grow, and none without questions.
    """
    if not questions:
        return AskedContact(questions, (), {})
    kinds = {question["kind"] for question in questions}
    departments = department_ids(contact.widget_id) if QuestionKind.DEPARTMENT in kinds else []
    hashes = {
        question["key"]: [hash_of(text) for text in question["label"].values()]
        for question in questions
        if question["kind"] == QuestionKind.CONSENT
    }
    fields: dict[str, Any] = {**{str(name): getattr(contact, name) for name in OF_CONTACT}, **about}
    known = known_answers(
        questions,
        held=held_values(questions, fields, contact.attributes),
        told=_told_keys(contact, questions, about),
        last=_last_answers(contact),
        departments=departments,
        consents=_consents(contact) if hashes else {},
        hashes=hashes,
        now=now,
    )
    return AskedContact(questions, departments, known)


def known_keys(contact: Contact) -> list[str]:
    """The keys of the questions that a contact is not asked, in their order."""
    asked = asked_of(contact, asked_questions(contact.widget_id), timezone.now(), about={})
    return [question["key"] for question in asked.questions if question["key"] in asked.known]


def _told_keys(contact: Contact, questions: list[Question], about: Mapping[str, Any]) -> set[str]:
    """The keys of the questions that a page has answered. Index: that of a session's contact."""
    sessions = VisitorSession.objects.for_widget(contact.widget_id).filter(contact=contact, revoked_at=None)
    told = {name for names in sessions.exclude(told=[]).values_list("told", flat=True) for name in names} | set(about)
    return {
        question["key"]
        for question in questions
        if (question["kind"] if question["kind"] in OF_CONTACT else f"attributes.{question['key']}") in told
    }


def _last_answers(contact: Contact) -> dict[str, LastAnswer]:
    """The newest answer to each key. Indexes: chats_chat_one_a_channel, widget_chatanswers_one."""
    rows = ChatAnswers.objects.for_widget(contact.widget_id).filter(chat__contact=contact)
    found: dict[str, LastAnswer] = {}
    for answers, at in rows.order_by("-message_id").values_list("answers", "at")[:MOST_BEGINNINGS]:
        for key, value in answers.items():
            found.setdefault(key, LastAnswer(value, at))
    return found


def _consents(contact: Contact) -> dict[str, str]:
    """The hash of the text that the contact has agreed to last, by key. Index: widget_consents."""
    rows = ContactConsent.objects.for_widget(contact.widget_id).filter(contact=contact).order_by("-id")
    newest: dict[str, tuple[str, bool]] = {}
    for key, hashed, given in rows.values_list("key", "text_sha256", "given")[:MOST_BEGINNINGS]:
        newest.setdefault(key, (hashed, given))
    return {key: hashed for key, (hashed, given) in newest.items() if given}
