"""Queues that are rows: a worker takes a row under a lease, works on it, and finishes it behind a fence.

For work of seconds to half an hour that calls a remote host. An app derives a model from `Leased`, writes the function
that works on a row, and declares its `Queue` in its `tasks.py`. Every worker process runs one `Runner` for all queues
(`runner.py`); many rows at once are sent on one loop by a `Sender` (`sender.py`). A row is queued by saving it in any
transaction; `wake_workers` saves it from waiting for the next look.

Owns the columns of a queue, the lease, its fence and the runner. Owns no table and no work.
"""

from apps.leases.models import Leased, enqueue, indexes, on_conflict
from apps.leases.queues import Lease, LeaseEnd, LeaseLost, NotCounted, Overtaken, Queue, Sends, finish, wake_workers

__all__ = [
    "Lease",
    "LeaseEnd",
    "LeaseLost",
    "Leased",
    "NotCounted",
    "Overtaken",
    "Queue",
    "Sends",
    "enqueue",
    "finish",
    "indexes",
    "on_conflict",
    "wake_workers",
]
