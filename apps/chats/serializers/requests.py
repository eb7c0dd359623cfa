"""Bodies and fields that several entry points take: of contacts and chats, link buttons, and names of metrics."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from django.core.validators import validate_email
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.rules import phone_refusal
from apps.chats.rules import MAX_BUTTONS, MAX_LABEL, MAX_URL, ButtonStyle, Status, label_refusal, link_refusal
from apps.chats.rules import contacts as rules
from apps.chats.rules.priorities import Priority
from apps.core.endpoints.paging import PageQuery
from apps.core.endpoints.serializers import Body, Choice, Integer, Items, PatchBody, Text, first_of, validator_of
from apps.core.endpoints.windows import Moment, refuse_backwards
from apps.core.parsing.names import control_refusal, name_refusal


class WindowQuery(PageQuery):
    """The parameters of a list that can be narrowed to a window of creation: `from` after `to` is refused."""

    vars()["from"] = Moment(
        required=False,
        source="created_at__gte",
        help_text="Inclusive. Read in Europe/Moscow unless it has an offset.",
    )
    to = Moment(
        required=False,
        source="created_at__lt",
        help_text="Exclusive. A bare date is its midnight: send the next day for a whole day.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        refuse_backwards(attrs.get("created_at__gte"), attrs.get("created_at__lt"))
        return attrs


class ContactName(Text):
    """A contact's name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=rules.MAX_NAME, validators=[validator_of(name_refusal)], **options)


class ContactEmail(Text):
    """A contact's e-mail address."""

    def __init__(self, **options: Any) -> None:
        validators = [validator_of(control_refusal), validate_email]
        super().__init__(max_length=rules.MAX_EMAIL, validators=validators, **options)


class ContactPhone(Text):
    """A contact's phone number: an optional +, a digit, then digits, spaces, parentheses or hyphens."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=rules.MAX_PHONE, validators=[validator_of(phone_refusal)], **options)


class Attributes(serializers.DictField):
    """Free attributes of a contact: scalar values by name; null removes a name, a null in their place all of them."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        if refusal := rules.number_refusal(data):
            raise serializers.ValidationError(refusal)
        if refusals := rules.attribute_refusals(data):
            raise serializers.ValidationError(first_of({name: [reason] for name, reason in refusals.items()}))
        return data


def checked_link(url: str) -> str:
    if refusal := link_refusal(url):
        raise serializers.ValidationError(refusal)
    return url


class ButtonBody(Body):
    """A button only opens its link."""

    label = Text(min_length=1, max_length=MAX_LABEL)  # type: ignore[assignment]
    url = Text(max_length=MAX_URL, help_text="An absolute https URL, without user name and password.")
    style = Choice(  # type: ignore[assignment]
        required=False, choices=list(ButtonStyle), default=ButtonStyle.PRIMARY
    )

    def validate_label(self, value: str) -> str:
        if refusal := label_refusal(value):
            raise serializers.ValidationError(refusal)
        return value

    def validate_url(self, value: str) -> str:
        return checked_link(value)


class KeyboardBody(Body):
    """Link buttons."""

    buttons = ButtonBody(many=True, allow_empty=False, max_length=MAX_BUTTONS)  # type: ignore[call-arg]


@extend_schema_field({"type": "string", "examples": ["chats_total,chats_missed"]})
class MetricList(serializers.Field[Any, Any, str, Any]):
    """Names of metrics, separated by commas."""

    default_error_messages = {"unknown": "There is no metric {name}. There are: {names}."}

    def __init__(self, choices: Sequence[StrEnum], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.choices = {str(metric): metric for metric in choices}

    def to_internal_value(self, data: str) -> list[StrEnum]:
        names = data.split(",")
        for name in names:
            if name not in self.choices:
                self.fail("unknown", name=f"“{name[:40]}”", names=", ".join(self.choices))
        return [metric for name, metric in self.choices.items() if name in names]

    def to_representation(self, value: Any) -> str:
        return ",".join(value)


class CloseBody(Body):
    """Why the chat is closed; receivers of `chat.closed` read it."""

    reason = Text(required=False, min_length=1, max_length=255, help_text="Without one: `expired`.")


class StateBody(CloseBody):
    """The state to set; `reason` counts when the chat is closed by it."""

    state = Choice(choices=list(Status))


class PriorityBody(Body):
    """The priority to set."""

    priority = Choice(choices=list(Priority))


class TransferBody(Body):
    """The new owner of the chat."""

    agent_id = Integer(min_value=1, help_text="A human agent of this widget, not banned.")


class ContactBody(PatchBody):
    """The fields of a contact. A member that is not sent stays as it is, null removes what is known."""

    name = ContactName(required=False, allow_null=True)
    email = ContactEmail(required=False, allow_null=True)
    phone = ContactPhone(required=False, allow_null=True)
    attributes = Attributes(
        required=False,
        allow_null=True,
        help_text=f"Merged by key: a null removes its key, a null in place of the object removes all. At most "
        f"{rules.MAX_ATTRIBUTES} keys of 1 to {rules.MAX_ATTRIBUTE_NAME} characters; values are strings up to "
        f"{rules.MAX_ATTRIBUTE_VALUE:,} characters, numbers, true or false.",
    )


class TagsBody(Body):
    """Tags to attach."""

    tags = Items(
        child=Text(max_length=rules.MAX_TAG, validators=[validator_of(rules.tag_refusal)]),
        min_length=1,
        max_length=rules.MAX_TAGS_A_CALL,
        help_text="Kept as they are sent: `VIP` and `vip` are two tags.",
    )
