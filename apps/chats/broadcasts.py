"""The broadcasts of chats to realtime processes.

They read what there is to show from the database; typing has no row.
"""

from dataclasses import dataclass
from typing import ClassVar

from apps.chats.rules.typing import Typing
from apps.core.redis.broadcasts import Broadcast

TOPIC = "chat"


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesStored(Broadcast):
    """There are messages to read in these chats, which are of these widgets."""

    topic: ClassVar = TOPIC
    chat_ids: tuple[int, ...]
    widget_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatsChanged(Broadcast):
    """The state of these chats, of these widgets, has changed: what both sides see of them besides messages."""

    topic: ClassVar = TOPIC
    chat_ids: tuple[int, ...]
    widget_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorTyping(Broadcast):
    """An operator types to the visitor, or no longer does; under the name of the chat's owner, if it has one.

    Operators are told of a machine's typing, too; they learn of each other's by `OperatorLooks`.
    """

    topic: ClassVar = TOPIC
    chat_id: int
    state: Typing
    name: str | None
    is_machine: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorTyping(Broadcast):
    """The visitor types to the operators, or no longer does."""

    topic: ClassVar = TOPIC
    chat_id: int
    state: Typing
