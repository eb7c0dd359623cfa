"""The serializers of the compat routes."""

from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Choice, Integer

SENT, TRANSFERRED, RATING_REQUESTED, NO_AGENT_ONLINE = "sent", "transferred", "rating_requested", "no_agent_online"


class LegacyBotAnswerSerializer(RowSerializer):
    """The outcome of a bot's request."""

    status = Choice(choices=[SENT, TRANSFERRED, RATING_REQUESTED, NO_AGENT_ONLINE])
    chat_id = Integer()
    message_id = Integer(allow_null=True, help_text="The message, if one was sent.")
    agent_id = Integer(allow_null=True, help_text="The agent who wrote it, or who has the chat now.")
