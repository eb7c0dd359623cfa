"""The serializers of operators, their event log and departments."""

from typing import Any

from django.conf import settings
from rest_framework import serializers

from apps.agents import rules
from apps.agents.rules.departments import shown_week
from apps.core.endpoints.row_serializers import IntegerList, MethodField, RowSerializer, TextList, TextOrNull, Time, Url
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text


def avatar_address(agent_id: int, key: str) -> str | None:
    """The public address of the avatar that the storage has under that name; None without one.

    Each upload has an address of its own, so that browsers may keep what they have read.
    """
    return f"{settings.PUBLIC_URL}/files/avatars/{agent_id}/{key.replace('/', '')}" if key else None


class DepartmentReferenceSerializer(RowSerializer):
    """A department that an operator belongs to."""

    id = Integer()
    name = Text()


class DepartmentReferences(serializers.ListField):
    """The departments of an operator, as they are read."""

    child = DepartmentReferenceSerializer()

    def to_representation(self, value: Any) -> Any:
        return value


class AgentSerializer(RowSerializer):
    """An operator of the widget."""

    id = Integer()
    user_id = Integer(allow_null=True, help_text="The sign-in of this agent; an AI or a webhook agent has none.")
    name = Text(source="display_name", help_text="The full display name.")
    surname = TextOrNull()
    email = TextOrNull()
    avatar_url = MethodField(
        Url(allow_null=True, help_text="Public, and never another picture: a new avatar has a new address."),
        columns=("id", "avatar"),
        from_=avatar_address,
    )
    role = Choice(choices=rules.ROLES)
    type = Choice(choices=rules.TYPES)
    status = Choice(choices=rules.STATUSES)
    online = Boolean(
        source="is_online",
        help_text="Whether a console of theirs is connected now. False, too, while that can't be known.",
    )
    show_in_header = Boolean()
    ai_assistant_id = Integer(allow_null=True)
    departments = DepartmentReferences(source="department_list", help_text="By id.")
    created_at = Time()


class EventTypeField(serializers.ChoiceField):
    """The stable slug of a stored code."""

    def to_representation(self, value: Any) -> str:
        return rules.event_type(value)


class AgentEventSerializer(RowSerializer):
    """A line of an operator's event log."""

    id = Integer()
    type = EventTypeField(source="type_code", choices=[*rules.EVENT_CODES, rules.UNKNOWN_EVENT])
    type_code = Integer(help_text="The raw internal code.")
    message = MethodField(
        Text(help_text="The console's text, in Russian: no contract, and not to be parsed."),
        columns=("type_code", "details"),
        from_=rules.event_message,
    )
    created_at = Time()


class WeekHours(serializers.DictField):
    """All seven days, Monday to Sunday: `full`, `{from, to, periods}`, or null when closed.

    `from` and `to` are the first begin and the last end; `periods` `[{from, to}]` are the hours between them. Holidays,
    which are kept in the cabinet, are not in it.
    """

    def to_representation(self, value: Any) -> dict[str, Any]:
        return shown_week(value)


class DepartmentSerializer(RowSerializer):
    """A department."""

    id = Integer()
    name = Text()
    channels = TextList()
    agent_ids = IntegerList()
    schedule = WeekHours()
    avatar_url = TextOrNull(source="avatar")
    created_at = Time()
    updated_at = Time()


class InvitationSerializer(RowSerializer):
    """An invitation to become a human agent. Its link is in its mail alone."""

    id = Integer()
    email = Text()
    status = Choice(choices=rules.INVITATION_STATUSES, source="status_now")
    created_at = Time()
    expires_at = Time()
