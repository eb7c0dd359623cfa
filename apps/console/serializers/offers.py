"""The members of a row that routing and answer times give it."""

from apps.core.endpoints.row_serializers import RowSerializer, Time
from apps.core.endpoints.serializers import Choice, Integer
from apps.routing.serializers import WhySerializer


class StandingOfferSerializer(RowSerializer):
    """An offer of a chat to one operator."""

    agent_id = Integer()
    since = Time()
    until = Time()


class RowOfferSerializer(StandingOfferSerializer):
    """An offer with its reasons."""

    why = WhySerializer(allow_null=True)


class DueSerializer(RowSerializer):
    """The moment at which an answer is due."""

    due_at = Time()


class DueAnswerSerializer(RowSerializer):
    """The answer time of a chat that is due first."""

    metric = Choice(choices=["first_reply", "next_reply", "resolution"])
    due_at = Time()
    warned_at = Time(allow_null=True)
    breached_at = Time(allow_null=True)
