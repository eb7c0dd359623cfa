"""Named reads of learning's rows; each starts from the widget."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Self

from django.db.models import Count, JSONField, OuterRef, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone

from apps.core.database.tenants import TenantQuerySet
from apps.learning.rules.states import DemandCategory

if TYPE_CHECKING:
    from apps.learning.models import Cycle, DemandSignal, DemandTopic, Probation, Wish, WishDecision  # noqa: F401


class DemandTopicQuerySet(TenantQuerySet["DemandTopic"]):
    """The topics of unmet demand, by their words."""


class DemandSignalQuerySet(TenantQuerySet["DemandSignal"]):
    """The occurrences. Index: learning_signal_window."""


class WishQuerySet(TenantQuerySet["Wish"]):
    """Wishes of people for an assistant."""

    def for_api(self) -> Self:
        """With `probation_told`: the last probation of each."""
        from apps.learning.models import Probation

        names = ("state", "kind", "version", "base_version", "started_at", "ends_at", "baseline", "current")
        probations = Probation.objects.unscoped("each wish's own rows").filter(wish_id=OuterRef("pk"))
        last = probations.order_by("-pk").values(told=JSONObject(**{name: name for name in names}))[:1]
        return self.annotate(probation_told=Subquery(last, output_field=JSONField()))


class WishDecisionQuerySet(TenantQuerySet["WishDecision"]):
    widget_path = "wish__widget_id"


class CycleQuerySet(TenantQuerySet["Cycle"]):
    """Tuning cycles."""

    def applied(self) -> Self:
        """The cycles that made a version. Index: learning_cycle_applied."""
        return self.filter(version__isnull=False)


class ProbationQuerySet(TenantQuerySet["Probation"]):
    """Probations of assistants' texts."""

    def running(self) -> Self:
        """Index: learning_probation_running."""
        return self.filter(state="running")


def asked_in_vain(widget_id: int) -> list[tuple[str, int]]:
    """The ten questions of the last 30 days that the knowledge had no answer to most often, and how often.

    Index: learning_signal_window.
    """
    from apps.learning.models import DemandTopic

    gaps = DemandTopic.objects.for_widget(widget_id).filter(category=DemandCategory.KNOWLEDGE_GAP)
    lately = gaps.filter(signals__at__gt=timezone.now() - timedelta(days=30)).annotate(times=Count("signals"))
    return list(lately.order_by("-times", "-pk").values_list("topic", "times")[:10])
