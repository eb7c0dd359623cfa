"""Values of people beside a model's, in reviews that were scored blind; and totals of scores."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Avg, Count

from apps.reviews.models import Review
from apps.reviews.querysets.scorecards import scorecard_of, scorecard_version
from apps.reviews.rules.agreement import Agreement, ScoredPair, agreement_of
from apps.reviews.rules.scorecards import CriterionScale, read_criteria


class SubjectTotal(NamedTuple):
    """How many reviews of a subject have a score, and their mean, rounded."""

    kind: str
    agent_id: int | None
    assistant_id: int | None
    n: int
    score: int


def agreement_with(widget_id: int) -> list[Agreement]:
    """By criterion of the newest scorecard: a review counts where its own version asked it on the same scale."""
    card = scorecard_of(widget_id)
    scales: dict[int, dict[str, CriterionScale]] = {card.version: _scales(card.criteria)}
    pairs: dict[str, list[ScoredPair]] = defaultdict(list)
    reviews = Review.objects.for_widget(widget_id).filter(first_scores__isnull=False, suggestion__isnull=False)
    found: Any = reviews.values_list("scorecard_version", "first_scores", "suggestion")
    for version, first, suggestion in found:
        if version not in scales:
            theirs = scorecard_version(widget_id, version)
            scales[version] = _scales(theirs.criteria) if theirs else {}
        said = {score["key"]: score["value"] for score in suggestion}
        for score in first:
            key, person, model = score["key"], score["value"], said.get(score["key"])
            is_same = scales[version].get(key) == scales[card.version].get(key)
            if is_same and person is not None and model is not None:
                pairs[key].append(ScoredPair(person, model))
    return [agreement_of(key, scale, pairs[key]) for key, scale in scales[card.version].items()]


def _scales(criteria: Sequence[dict[str, object]]) -> dict[str, CriterionScale]:
    return {each.key: each.scale for each in read_criteria(criteria)}


def subject_totals(widget_id: int, start: datetime, end: datetime) -> list[SubjectTotal]:
    """By subject, of the reviews that were scored in that time; those with most reviews first."""
    rows = Review.objects.for_widget(widget_id).scored().filter(done_at__gte=start, done_at__lt=end)
    rows = rows.filter(score__isnull=False).order_by()
    found = rows.values_list("kind", "agent_id", "assistant_id").annotate(n=Count("pk"), mean=Avg("score"))
    totals = [
        SubjectTotal(kind, agent_id, assistant_id, n, int(mean + 0.5))
        for kind, agent_id, assistant_id, n, mean in found
    ]
    return sorted(totals, key=lambda total: (-total.n, total.kind, total.agent_id or 0, total.assistant_id or 0))
