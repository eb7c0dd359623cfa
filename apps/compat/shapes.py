"""What the compat routes answer."""

from apps.core.endpoints.serializers import Choice, Integer
from apps.core.endpoints.shapes import Shape

SENT, TRANSFERRED, RATING_REQUESTED, NO_AGENT_ONLINE = "sent", "transferred", "rating_requested", "no_agent_online"


class LegacyBotAnswerShape(Shape):
    """What came of what a bot asked for."""

    status = Choice(choices=[SENT, TRANSFERRED, RATING_REQUESTED, NO_AGENT_ONLINE])
    chat_id = Integer()
    message_id = Integer(allow_null=True, help_text="The message, if one was sent.")
    agent_id = Integer(allow_null=True, help_text="Who wrote it, or whose the chat is now.")
