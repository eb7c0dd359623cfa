"""The problems of custom channels."""

from apps.core.problems import ProblemType

CHANNEL_DISABLED = ProblemType(
    "channel_disabled",
    409,
    "The channel is disabled",
    "A disabled channel takes no messages, and none are sent to it. Enable it in the cabinet.",
)
