"""The roles of a prompt's messages, as strict chat templates want them (Gemma's, Mistral's). Pure."""

from collections.abc import Sequence

from apps.ai.rules.prompts import PromptMessage

# What stands for the visitor where the conversation begins with an answer.
OPENED = "(The visitor opened the chat.)"


def alternating(messages: Sequence[PromptMessage]) -> list[PromptMessage]:
    """The messages with neighbours of one role joined, so that roles alternate; the first and the last are a user's.

    Knowledge, which comes before the visitor's message, so stands in that message, in its fence.
    """
    turns: list[PromptMessage] = []
    for message in messages:
        if turns and turns[-1].role == message.role:
            turns[-1] = PromptMessage(message.role, f"{turns[-1].content}\n\n{message.content}")
        else:
            turns.append(message)
    if not turns or turns[0].role != "user":
        turns.insert(0, PromptMessage("user", OPENED))
    return turns


def with_system(system: str, turns: Sequence[PromptMessage]) -> list[PromptMessage]:
    """The turns of a model without a role for the system: its text begins the first one, which is a user's."""
    first, *others = turns
    return [PromptMessage("user", f"{system}\n\n{first.content}"), *others]
