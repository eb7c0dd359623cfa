"""The broadcasts of operators to realtime processes."""

from dataclasses import dataclass
from typing import ClassVar

from apps.core.redis.broadcasts import Broadcast

TOPIC = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsChanged(Broadcast):
    """The sockets of this operator, or of this person, may have no right to be open any more.

    With the operator's widget, whose sockets show what became of the operator.
    """

    topic: ClassVar = TOPIC
    widget_id: int | None = None
    agent_id: int | None = None
    user_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StaffChanged(Broadcast):
    """The operators online at a widget have changed, or its departments."""

    topic: ClassVar = TOPIC
    widget_id: int


LOOKING, TYPING = "looking", "typing"


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorLooks(Broadcast):
    """An operator has a chat open, or types in it; or, where the state is None, has not any more."""

    topic: ClassVar = TOPIC
    widget_id: int
    chat_id: int
    agent_id: int
    state: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorUsed(Broadcast):
    """An operator is at this device just now: their others keep quiet."""

    topic: ClassVar = TOPIC
    agent_id: int
    device: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeShown(Broadcast):
    """Operators are told something of a chat, by an automation or a macro."""

    topic: ClassVar = TOPIC
    chat_id: int
    automation_id: int | None
    agent_ids: tuple[int, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsChanged(Broadcast):
    """There is news of a chat's cards from the shop's own system."""

    topic: ClassVar = TOPIC
    widget_id: int
    chat_id: int
