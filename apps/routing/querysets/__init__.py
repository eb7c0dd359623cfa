"""The named reads of routing."""

from apps.routing.querysets.rows import (
    AssignmentQuerySet,
    EstimateTallyQuerySet,
    OperatorPlacesQuerySet,
    QueueRowQuerySet,
    RouterRowQuerySet,
    RoutingSettingsQuerySet,
    ToldEstimateQuerySet,
)

__all__ = [
    "AssignmentQuerySet",
    "EstimateTallyQuerySet",
    "OperatorPlacesQuerySet",
    "QueueRowQuerySet",
    "RouterRowQuerySet",
    "RoutingSettingsQuerySet",
    "ToldEstimateQuerySet",
]
