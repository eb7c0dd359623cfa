"""What operators and departments look like on the wire."""

from typing import Any

from rest_framework import serializers

from apps.agents.rules.departments import whole_week
from apps.core.endpoints.serializers import Integer, Text
from apps.core.endpoints.shapes import IntegerList, Shape, TextList, TextOrNull, Time


class WeekHours(serializers.DictField):
    """All seven days, Monday to Sunday: `full`, `{from, to}`, or null when closed."""

    def to_representation(self, value: Any) -> dict[str, Any]:
        return whole_week(value)


class DepartmentShape(Shape):
    """A department."""

    id = Integer()
    name = Text()
    channels = TextList()
    agent_ids = IntegerList()
    schedule = WeekHours()
    avatar_url = TextOrNull(source="avatar")
    created_at = Time()
    updated_at = Time()
