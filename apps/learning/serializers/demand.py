"""Demand signals on the wire."""

from apps.core.endpoints.row_serializers import RowSerializer, TextList, Time
from apps.core.endpoints.serializers import Choice, Integer, Text
from apps.learning.rules.states import DemandCategory


class DemandTotalsSerializer(RowSerializer):
    """How often in the window, by category."""

    knowledge_gap = Integer(help_text="Knowledge was looked for, and there was none.")
    escalation = Integer(help_text="A chat of AI went to a person.")
    dissatisfaction = Integer(help_text="A rating of 1 or 2, or a thumb down under an answer.")
    missed_contact = Integer(help_text="A form while no operator was online.")


class DemandSignalSerializer(RowSerializer):
    """Unmet demand of visitors, in much the same words."""

    category = Choice(choices=[one.value for one in DemandCategory])
    topic = Text(help_text="The first question.")
    count = Integer()
    chats = Integer()
    previous_count = Integer(help_text="In the window before, of equal length.")
    samples = TextList(help_text="The newest three that differ; no personal data.")
    first_seen_at = Time()
    last_seen_at = Time()


class DemandSerializer(RowSerializer):
    """Demand signals of a window."""

    vars()["from"] = Time(help_text="In Europe/Moscow; inclusive.")
    to = Time(help_text="In Europe/Moscow; exclusive.")
    totals = DemandTotalsSerializer(help_text="The totals of all categories, whatever the filter.")
    signals = DemandSignalSerializer(many=True, help_text="The most frequent first, then the newest.")
