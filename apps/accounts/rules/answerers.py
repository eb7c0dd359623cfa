"""The kinds of answerers of a widget."""

from enum import StrEnum


class Answerer(StrEnum):
    """The machines that answer a widget's visitors, in their order: the first of them answers."""

    LEGACY_BOT = "legacy_bot"
    EXTERNAL_OPERATOR = "external_operator"
    AI = "ai"
    AI_IN_SHADOW = "ai_shadow"  # its answers are notes: the word is people's


# Answerers that reply before people are notified.
ANSWER_FIRST = (Answerer.EXTERNAL_OPERATOR, Answerer.AI)
