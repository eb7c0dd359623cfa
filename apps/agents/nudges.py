"""The broadcasts of operators to realtime processes."""

from dataclasses import dataclass
from typing import ClassVar

from apps.core.redis.nudges import Nudge


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged(Nudge):
    """Whether an operator of the widget is there to answer visitors, which may have changed."""

    topic: ClassVar = "widget"
    widget_id: int
    online: bool
