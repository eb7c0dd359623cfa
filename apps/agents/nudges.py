"""What realtime processes are told of operators."""

from dataclasses import dataclass
from typing import ClassVar

from apps.core.redis.nudges import Nudge


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged(Nudge):
    """A widget's first operator came online, or its last one went."""

    topic: ClassVar = "widget"
    widget_id: int
    online: bool
