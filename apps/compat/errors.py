"""The problems of the compat routes."""

from apps.core.problems import ProblemType

CHANNEL_SWITCHED_OFF = ProblemType(
    "channel_switched_off",
    403,
    "The channel is disabled",
    "The secret is that of a channel which takes no messages now. Enable it in the cabinet.",
)
CHAT_TAKES_NONE = ProblemType(
    "chat_takes_none",
    422,
    "The chat can't take that now",
    "A chat that is marked as spam takes nothing of bots, and one without messages can't be rated.",
)
NOBODY_TO_SEND_AS = ProblemType(
    "nobody_to_send_as",
    422,
    "The widget has no human agent",
    "A bot's message is sent as the chat's agent or as the widget's owner, and the widget has no person left.",
)
