"""The questions before a chat: bodies and answers of the API, and the answers of visitors."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.chats.serializers.requests import ContactEmail, ContactName, ContactPhone
from apps.chats.serializers.texts import TextsByLanguage
from apps.core.endpoints.row_serializers import Json, RowSerializer
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, Items, Text
from apps.core.parsing.names import control_refusal
from apps.widget.rules.questions import (
    KEY,
    MAX_DAYS,
    MAX_HELP,
    MAX_INTRO,
    MAX_KEY,
    MAX_LABEL,
    MAX_OPTION,
    MAX_OPTIONS,
    MAX_QUESTIONS,
    QuestionKind,
    days_by_default,
)

WHEN = "Null, or `{key: [values]}` of questions before it: it is asked where the answer to each is one of them."
AGAIN = "For so many days an answer is not asked for again; 0: whenever a chat begins. Default 365 for name, e-mail "
AGAIN += "and phone, else 0."


@extend_schema_field(
    {"type": "object", "nullable": True, "additionalProperties": {"type": "array", "items": {}}, "description": WHEN}
)
class QuestionWhen(serializers.DictField):
    """A condition; the rules look at its keys and values."""

    def to_internal_value(self, data: Any) -> dict[str, Any] | None:  # type: ignore[override]
        if not isinstance(data, dict):
            raise serializers.ValidationError("An object of questions' keys and lists of values is expected.")
        return data or None

    def to_representation(self, value: Any) -> Any:
        return value


class OptionBody(Body):
    """A value of a choice, and how it is called."""

    value = Text(min_length=1, max_length=MAX_OPTION)
    label = TextsByLanguage(max_length=MAX_LABEL)  # type: ignore[assignment]

    def validate_value(self, value: str) -> str:
        if refusal := control_refusal(value) or (None if value == value.strip() else "It has spaces at its ends."):
            raise serializers.ValidationError(refusal)
        return value


class QuestionBody(Body):
    """A question before a chat."""

    key = Text(max_length=MAX_KEY, help_text="The attribute's name: `[a-z][a-z0-9_]{0,39}`.")
    kind = Choice(choices=list(QuestionKind))
    label = TextsByLanguage(max_length=MAX_LABEL, help_text="Plain text; a consent's is Markdown with links to https.")  # type: ignore[assignment]
    help = TextsByLanguage(
        max_length=MAX_HELP, multiline=True, links=True, required=False, allow_null=True, default=None,
        help_text="Markdown with links to https.",
    )  # fmt: skip
    required = Boolean(  # type: ignore[assignment]
        required=False, default=False, help_text="No chat begins without an answer; of a consent, without true."
    )
    when = QuestionWhen(required=False, allow_null=True, default=None, help_text=WHEN)
    options = Items(
        child=OptionBody(),
        required=False,
        max_length=MAX_OPTIONS,
        default=list,
        help_text="A choice has 2 to 20; other kinds none.",
    )
    ask_again_days = Integer(required=False, min_value=0, max_value=MAX_DAYS, help_text=AGAIN)

    def validate_key(self, value: str) -> str:
        if not KEY.fullmatch(value):
            raise serializers.ValidationError("A key is of small Latin letters, digits and _, the first a letter.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {**attrs, "ask_again_days": attrs.get("ask_again_days", days_by_default(attrs["kind"]))}


class QuestionSetBody(Body):
    """All questions, in the order in which they are asked."""

    is_on = Boolean(required=False, default=False)
    intro = TextsByLanguage(
        max_length=MAX_INTRO, multiline=True, links=True, required=False, allow_null=True, default=None,
        help_text="Above the questions: Markdown with links to https.",
    )  # fmt: skip
    questions = Items(child=QuestionBody(), required=False, max_length=MAX_QUESTIONS, default=list)


class OptionSerializer(RowSerializer):
    """A value of a choice."""

    value = Text()
    label = Json(help_text="By language.")  # type: ignore[assignment]


class QuestionSerializer(RowSerializer):
    """A question before a chat."""

    key = Text()
    kind = Choice(choices=list(QuestionKind))
    label = Json(help_text="By language.")  # type: ignore[assignment]
    help = Json(allow_null=True, help_text="By language.")
    required = Boolean()  # type: ignore[assignment]
    when = QuestionWhen(allow_null=True, help_text=WHEN)
    options = OptionSerializer(many=True)
    ask_again_days = Integer(help_text=AGAIN)


class QuestionSetSerializer(RowSerializer):
    """The questions before a chat."""

    json_columns = ("intro", "questions")

    is_on = Boolean(help_text="Whether visitors are asked.")
    intro = Json(allow_null=True, help_text="By language.")
    questions = QuestionSerializer(many=True)


class ServedOptionSerializer(RowSerializer):
    """A value of a choice, in the visitor's language."""

    value = Text()
    label = Text()  # type: ignore[assignment]


class ServedQuestionSerializer(RowSerializer):
    """A question, in the visitor's language."""

    key = Text()
    kind = Choice(choices=list(QuestionKind))
    label = Text(help_text="Plain text; a consent's is Markdown.")  # type: ignore[assignment]
    help = Text(allow_null=True, help_text="Markdown.")
    required = Boolean()  # type: ignore[assignment]
    when = QuestionWhen(allow_null=True, help_text=WHEN)
    options = ServedOptionSerializer(many=True, help_text="A choice's; a department's are the config's `departments`.")


class ServedQuestionsSerializer(RowSerializer):
    """The questions as a chat begins."""

    intro = Text(allow_null=True, help_text="Markdown.")
    questions = ServedQuestionSerializer(many=True)


class GivenAnswers(serializers.DictField):
    """Answers to the questions before a chat, by key; an empty one counts as not sent."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        return dict(data)


_OF_CONTACT = {
    QuestionKind.NAME: ContactName(),
    QuestionKind.EMAIL: ContactEmail(),
    QuestionKind.PHONE: ContactPhone(),
}


def contact_refusal(kind: str, value: str) -> str | None:
    """Why a text is no name, e-mail or phone of a contact; None for any other kind."""
    field = _OF_CONTACT.get(QuestionKind(kind))
    if field is None:
        return None
    try:
        field.run_validation(value)
    except serializers.ValidationError as refused:
        return str(refused.detail[0])  # type: ignore[index]
    return None
