"""A widget's questions before a chat, for tests."""

from typing import Any

from apps.accounts.models import Widget
from apps.widget.actions.questions import set_questions
from apps.widget.models import QuestionSet
from apps.widget.serializers.questions import QuestionSetBody

TOPIC: dict[str, Any] = {
    "key": "topic",
    "kind": "choice",
    "label": {"en": "What is it about?", "ru": "О чём речь?"},
    "required": True,
    "options": [
        {"value": "order", "label": {"en": "An order", "ru": "Заказ"}},
        {"value": "other", "label": {"en": "Something else", "ru": "Другое"}},
    ],
}
ORDER: dict[str, Any] = {
    "key": "order",
    "kind": "text",
    "label": {"en": "Number of the order", "ru": "Номер заказа"},
    "required": True,
    "when": {"topic": ["order"]},
}
EMAIL: dict[str, Any] = {"key": "mail", "kind": "email", "label": {"en": "E-mail", "ru": "Почта"}}
CONSENT: dict[str, Any] = {
    "key": "privacy",
    "kind": "consent",
    "label": {"en": "I agree to the [terms](https://shop.example/terms).", "ru": "Согласен"},
    "required": True,
}


def question(kind: str, **members: Any) -> dict[str, Any]:
    """A question of that kind, called so."""
    return {"key": kind, "kind": kind, "label": {"en": kind}, **members}


def ask(widget: Widget, *questions: dict[str, Any], **members: Any) -> QuestionSet:
    """The widget asks these from now on."""
    body = QuestionSetBody().run_validation({"is_on": True, "questions": list(questions), **members})
    return set_questions(widget_id=widget.pk, members=body)
