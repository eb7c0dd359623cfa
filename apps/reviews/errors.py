"""The problems of reviews."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

SCORECARD_CHANGED = ProblemType(
    "scorecard_changed",
    409,
    "The scorecard was changed meanwhile",
    "Another version was saved since yours was read: read it again (`GET /console/scorecard`), and send your "
    "changes with its `version`.",
    for_people=_("Somebody has changed the scorecard meanwhile. Look at it, and change it again."),
)
REVIEW_CHANGED = ProblemType(
    "review_changed",
    409,
    "The review was changed meanwhile",
    "It was scored, answered or settled since yours was read: read it again, and send its `version`. Scores "
    "are given while it is open or done; it is settled while it is done or answered.",
    for_people=_("Somebody has changed the review meanwhile. Look at it, and score it again."),
)
OWN_REVIEW = ProblemType(
    "own_review",
    403,
    "The review is about the caller",
    "The review is about the caller's own answers: another owner or manager scores it.",
    for_people=_("This review is about your own answers: somebody else scores it."),
)
NOT_YOURS = ProblemType(
    "review_not_yours",
    403,
    "The review is about somebody else",
    "Only the operator whose answers are scored replies to a review.",
    for_people=_("Only the operator whose answers are scored replies to a review."),
)
ALREADY_ANSWERED = ProblemType(
    "already_answered",
    409,
    "The review is answered already",
    "The operator replies once; then the reviewer settles the review.",
    for_people=_("You have replied already."),
)
