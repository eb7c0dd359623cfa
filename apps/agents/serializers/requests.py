"""Members of bodies that several entry points take."""

from typing import Any

from rest_framework import serializers

from apps.agents.questions import AgentHooks, messengers
from apps.agents.rules import departments as rules
from apps.core import plugins
from apps.core.endpoints.serializers import Integer, Items, Text, first_of, validator_of
from apps.core.parsing.names import name_refusal


class DepartmentName(Text):
    """A department's name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=rules.MAX_NAME, validators=[validator_of(name_refusal)], **options)


def cabinet_ids(widget_id: int) -> set[int]:
    """The ids of the widget's ad cabinets, as the app that has them says."""
    return {id_ for read in plugins.hooked(lambda app: app.ad_cabinets, AgentHooks) for id_ in read(widget_id)}


def messenger_codes() -> list[str]:
    """The codes of the messengers whose chats departments take."""
    return [each.code for each in messengers() if each.in_departments]


class Channels(Items):
    """The channels whose chats a department takes."""

    child = Text(max_length=64)
    requires_context = True

    def to_internal_value(self, data: Any) -> list[str]:
        channels: list[str] = super().to_internal_value(data)
        cabinets = cabinet_ids(self.context["call"].widget_id) if rules.names_cabinet(channels) else ()
        if refusals := rules.channel_refusals(channels, messenger_codes(), cabinets):
            named = first_of({str(position): [reason] for position, reason in refusals.items()})
            raise serializers.ValidationError(named)
        return channels


class AgentIds(Items):
    """Ids of agents, each once."""

    child = Integer(min_value=1, max_value=2**63 - 1)

    def to_internal_value(self, data: Any) -> list[int]:
        ids: list[int] = super().to_internal_value(data)
        if len(set(ids)) < len(ids):
            first = {id_: place for place, id_ in reversed(list(enumerate(ids)))}
            twice = {str(place): ["The agent is listed twice."] for place, id_ in enumerate(ids) if first[id_] < place}
            raise serializers.ValidationError(first_of(twice))
        return ids


class Week(serializers.DictField):
    """Hours by the day's name; becomes all seven days, of which those that are omitted are closed."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        if refusals := rules.schedule_refusals(data):
            raise serializers.ValidationError(first_of({path: [reason] for path, reason in refusals.items()}))
        return rules.whole_week(data)
