"""The broadcasts of assists to realtime processes."""

from dataclasses import dataclass
from typing import ClassVar

from apps.core.redis.broadcasts import Broadcast

TOPIC = "operator"


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistText(Broadcast):
    """The words of an assist so far, for the tabs of who asked for it."""

    topic: ClassVar = TOPIC
    widget_id: int
    agent_id: int
    assist_id: int
    chat_id: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistChanged(Broadcast):
    """An assist of this operator has changed."""

    topic: ClassVar = TOPIC
    widget_id: int
    agent_id: int
    assist_id: int
