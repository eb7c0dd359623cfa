"""The broadcasts of operators to realtime processes."""

from dataclasses import dataclass
from typing import ClassVar

from apps.core.redis.broadcasts import Broadcast


@dataclass(frozen=True, slots=True, kw_only=True)
class PresenceChanged(Broadcast):
    """Whether an operator of the widget is there to answer visitors, which may have changed."""

    topic: ClassVar = "widget"
    widget_id: int
    online: bool
