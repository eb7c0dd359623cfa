"""Reviews as they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Case, CharField, Exists, OuterRef, Q, Value, When

from apps.assists.models import Assist
from apps.core.database.tenants import TenantQuerySet
from apps.reviews.rules.scores import SCORED, ReviewState, SuggestionState

if TYPE_CHECKING:
    from apps.reviews.models import Review  # noqa: F401 - named in the base below


class ReviewQuerySet(TenantQuerySet["Review"]):
    def for_api(self) -> ReviewQuerySet:
        """With `suggestion_state`: how far the model's suggestion is, as its job tells."""
        under_way = Assist.objects.unscoped("each review's own job").filter(pk=OuterRef("assist_id")).in_flight()
        state = Case(
            When(Exists(under_way), then=Value(SuggestionState.PENDING.value)),
            When(suggestion__isnull=False, then=Value(SuggestionState.READY.value)),
            When(assist_id__isnull=True, then=Value(SuggestionState.NONE.value)),
            default=Value(SuggestionState.FAILED.value),
            output_field=CharField(),
        )
        return self.annotate(suggestion_state=state)

    def seen_by(self, agent_id: int, *, is_manager: bool) -> ReviewQuerySet:
        """All for a manager; for others those of their own that are not open."""
        return self if is_manager else self.filter(~Q(state=ReviewState.OPEN), agent_id=agent_id)

    def scored(self) -> ReviewQuerySet:
        """The reviews that a person has scored."""
        return self.filter(state__in=SCORED)
