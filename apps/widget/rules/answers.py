"""Answers to the questions before a chat: which are taken, which lack, and which are known already. Pure."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from apps.widget.rules.questions import ATTRIBUTE_KINDS, OF_CONTACT, Question, QuestionKind, value_refusal

UNKNOWN_QUESTION = "There is no such question."
NOT_ASKED = "The question is not asked after these answers."
NO_DEPARTMENT = "There is no such department."
REQUIRED = "This question needs an answer."

Answers = Mapping[str, Any]


class LastAnswer(NamedTuple):
    """The newest answer of a contact to a question."""

    value: Any
    at: datetime


def filled(answers: Answers) -> dict[str, Any]:
    """The answers without those that are left empty."""
    return {key: value for key, value in answers.items() if not _is_empty(value)}


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def holds(question: Question, answers: Answers) -> bool:
    """Whether a question is asked after these answers."""
    return all(
        key in answers and any(_same(answers[key], value) for value in values)
        for key, values in (question["when"] or {}).items()
    )


def _same(one: object, other: object) -> bool:
    """Whether two values are the same JSON: true is not 1."""
    return isinstance(one, bool) is isinstance(other, bool) and one == other


def answer_refusals(
    questions: Sequence[Question], answers: Answers, *, known: Mapping[str, Any], departments: Collection[int]
) -> dict[str, str]:
    """Why answers are not taken, by key. Conditions may rest on `known` answers."""
    by_key = {question["key"]: question for question in questions}
    refusals: dict[str, str | None] = {}
    for key, value in answers.items():
        question = by_key.get(key)
        if question is None:
            refusals[key] = UNKNOWN_QUESTION
        elif (why := value_refusal(question, value)) is not None:
            refusals[key] = why
        elif question["kind"] == QuestionKind.DEPARTMENT and value not in departments:
            refusals[key] = NO_DEPARTMENT
        elif not holds(question, {**known, **answers}):
            refusals[key] = NOT_ASKED
    return {key: why for key, why in refusals.items() if why}


def lacking(questions: Sequence[Question], answers: Answers, known: Collection[str]) -> list[str]:
    """The keys of required questions without an answer, as a chat begins. A required consent is given by true alone."""
    return [
        question["key"]
        for question in questions
        if question["required"]
        and holds(question, answers)
        and not _is_answered(question, answers)
        and (question["key"] not in known or question["key"] in answers)
    ]


def _is_answered(question: Question, answers: Answers) -> bool:
    value = answers.get(question["key"])
    return value is True if question["kind"] == QuestionKind.CONSENT else value is not None


def known_answers(
    questions: Sequence[Question],
    *,
    held: Mapping[str, Any],
    told: Collection[str],
    last: Mapping[str, LastAnswer],
    departments: Collection[int],
    consents: Mapping[str, str],
    hashes: Mapping[str, Collection[str]],
    now: datetime,
) -> dict[str, Any]:
    """The answers that are not asked for, by key: the page told it, the contact has it, or it was given lately.

    `held`: the contact's values by key, `told`: keys that the page has told. A value that stems from an earlier
    answer alone is asked for again when its days are over. A consent counts for the text that it was given to:
    `consents` are the SHA-256 of texts that were agreed to, `hashes` those of the present one in all its languages.
    """
    found = {}
    for question in questions:
        key, answer = question["key"], last.get(question["key"])
        if key in held and (key in told or answer is None or not _same(answer.value, held[key])):
            found[key] = held[key]
        elif answer is not None and now - answer.at < timedelta(days=question["ask_again_days"]):
            if question["kind"] == QuestionKind.CONSENT and consents.get(key) not in hashes.get(key, ()):
                continue
            if question["kind"] == QuestionKind.DEPARTMENT and answer.value not in departments:
                continue
            if value_refusal(question, answer.value) is None:
                found[key] = answer.value
    return found


def held_values(
    questions: Sequence[Question], fields: Mapping[str, Any], attributes: Mapping[str, Any]
) -> dict[str, Any]:
    """The answers that a contact has already, by key: `fields` are name, email and phone."""
    held = {}
    for question in questions:
        if question["kind"] in OF_CONTACT:
            held[question["key"]] = fields.get(question["kind"])
        elif question["kind"] in ATTRIBUTE_KINDS:
            held[question["key"]] = attributes.get(question["key"])
    return filled(held)


def contact_changes(questions: Sequence[Question], answers: Answers) -> dict[str, Any]:
    """The changes of the contact that answers make: name, email, phone and attributes."""
    changes: dict[str, Any] = {}
    attributes = {}
    for question in questions:
        if question["key"] not in answers:
            continue
        if question["kind"] in OF_CONTACT:
            changes[question["kind"]] = answers[question["key"]].strip()
        elif question["kind"] in ATTRIBUTE_KINDS:
            attributes[question["key"]] = answers[question["key"]]
    return changes | ({"attributes": attributes} if attributes else {})
