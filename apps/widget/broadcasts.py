"""The broadcasts of visitors to realtime processes."""

from dataclasses import dataclass
from typing import ClassVar

from apps.core.redis.broadcasts import Broadcast

TOPIC = "visitor"


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitorRevoked(Broadcast):
    """The sockets of this session are to be closed."""

    topic: ClassVar = TOPIC
    session_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLeft(Broadcast):
    """A visitor's chat goes on in another channel: their sockets look at it no more."""

    topic: ClassVar = TOPIC
    contact_guid: str
    chat_id: int
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatBegun(Broadcast):
    """A visitor has a chat now: their sockets can look at it."""

    topic: ClassVar = TOPIC
    contact_guid: str
    chat_id: int
