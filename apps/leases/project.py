"""A project's hooks for its queues. Without it rows wait for the next look, and none is counted."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db import InterfaceError, OperationalError


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """wake_workers: has every worker process call its runner's `wake` once the transaction under way commits.
    count: is told the name of a queue, and the outcome of each lease of it.
    is_unavailable: whether an error says that the database cannot do this now, so that no attempt has failed.
    """

    wake_workers: Callable[[], object] = lambda: None
    count: Callable[[str, str], object] = lambda queue, outcome: None
    is_unavailable: Callable[[Exception], bool] = lambda error: isinstance(error, OperationalError | InterfaceError)


connected = Project()


def connect(project: Project) -> None:
    """Takes what the project gives; called when the apps are ready, before the first lease."""
    global connected
    connected = project
