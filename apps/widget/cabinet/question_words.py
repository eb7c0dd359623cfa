"""The words of the cabinet's page of questions before a chat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.chats.rules.texts import text_in
from apps.widget.rules.questions import Question, QuestionKind, days_by_default

KINDS: dict[str, Any] = {
    QuestionKind.CHOICE: _("choice from a list"),
    QuestionKind.TEXT: _("short text"),
    QuestionKind.LONG_TEXT: _("long text"),
    QuestionKind.YES_NO: _("yes or no"),
    QuestionKind.NUMBER: pgettext_lazy("a kind of a question", "number"),
    QuestionKind.DATE: pgettext_lazy("a kind of a question", "date"),
    QuestionKind.NAME: _("name of the visitor"),
    QuestionKind.EMAIL: _("e-mail of the visitor"),
    QuestionKind.PHONE: _("phone of the visitor"),
    QuestionKind.DEPARTMENT: _("department, chosen by the visitor"),
    QuestionKind.CONSENT: _("consent"),
}
# The texts of questions that need none of the owner's.
LABELS: dict[str, Any] = {
    QuestionKind.NAME: _("Your name"),
    QuestionKind.EMAIL: _("Your e-mail address"),
    QuestionKind.PHONE: _("Your phone"),
    QuestionKind.DEPARTMENT: _("Whom do you want to write to?"),
}
# The refusals of the API, by how they begin, and how the form says them.
SAID = (
    ("There is no text", _("Write the question.")),
    ("This must not be blank", _("Write the question.")),
    ("A choice has", _("A choice has 2 to 20 options, one a line.")),
    ("Another option", _("Two options are the same.")),
    ("Another question has", _("Two questions have the same name for data.")),
    ("There is a question of this kind", _("There is a question of this kind already: it is asked once.")),
    ("No question before it", _("The condition names a question that comes later, or none.")),
    ("A list of 1 to", _("Say at which answer it is asked.")),
    ("One of ", _("The condition names an answer that the question does not have.")),
    ("True or false", _("The condition needs yes or no.")),
    ("A number is", _("The condition needs a number.")),
    ("The number of a department", _("There is no such department.")),
    ("A link begins", _("A link begins with https://.")),
    ("A key is of", _("A name for data is of small Latin letters, digits and _, the first a letter.")),
    ("Ensure this value", _("Days are a number from 0 to 365.")),
    ("A valid integer", _("Days are a number from 0 to 365.")),
    ("Ensure this field", _("A text is too long.")),
    ("Control characters", _("Line breaks are not allowed here.")),
    ("This is one line", _("Line breaks are not allowed here.")),
    ("The widget does not support", _("The widget does not support one of the languages.")),
)


def said(text: str) -> str:
    """A refusal in the reader's language."""
    found = next((words for begins, words in SAID if text.startswith(begins)), None)
    return gettext("This value does not fit.") if found is None else str(found)


def told(questions: Sequence[Question], language: str) -> list[str]:
    """Each question in a line, as a reader of that language is shown them: `Topic: choice from a list, required`."""
    labels = {
        question["key"]: text_in(question["label"], language, fallback="", supported=()) for question in questions
    }
    return [_line(question, labels) for question in questions]


def _line(question: Question, labels: dict[str, str]) -> str:
    parts = [str(KINDS[question["kind"]])]
    if question["required"]:
        parts.append(gettext("required"))
    for key, values in (question["when"] or {}).items():
        names = ", ".join(map(_value_words, values))
        parts.append(gettext("only if “%(question)s” is %(answer)s") % {"question": labels[key], "answer": names})
    if (days := question["ask_again_days"]) != days_by_default(question["kind"]):
        parts.append(_again(days))
    return f"{labels[question['key']]}: {', '.join(parts)}"


def _again(days: int) -> str:
    if days == 0:
        return gettext("asked at each beginning")
    return ngettext("asked again after %d day", "asked again after %d days", days) % days


def _value_words(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)
