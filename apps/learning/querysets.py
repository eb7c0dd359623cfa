"""Named reads of learning's rows; each starts from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.learning.models import Cycle, DemandSignal, DemandTopic, Probation, Wish  # noqa: F401 - named below


class DemandTopicQuerySet(TenantQuerySet["DemandTopic"]):
    """What visitors asked for in vain, by its words."""


class DemandSignalQuerySet(TenantQuerySet["DemandSignal"]):
    """The occurrences. Index: learning_signal_window."""


class WishQuerySet(TenantQuerySet["Wish"]):
    """Wishes of people for an assistant."""


class CycleQuerySet(TenantQuerySet["Cycle"]):
    """Tuning cycles."""

    def applied(self) -> Self:
        """Those that made a version. Index: learning_cycle_applied."""
        return self.filter(version__isnull=False)


class ProbationQuerySet(TenantQuerySet["Probation"]):
    """Probations of assistants' texts."""

    def running(self) -> Self:
        """Index: learning_probation_running."""
        return self.filter(state="running")
