"""The gauges of the queue: how many wait in it, and how long the longest has."""

from datetime import datetime

from apps.core.observability import metrics
from apps.routing.querysets.queue import queue_length


def measure_queue(*, as_of: datetime) -> None:
    """Sets the gauges of all widgets' queues."""
    count, since = queue_length()
    metrics.QUEUE_WAITING.set(count)
    metrics.QUEUE_OLDEST.set(max(0.0, (as_of - since).total_seconds()) if since else 0)
