"""The problems of assists."""

from apps.core.problems import ProblemType

ASSIST_UNAVAILABLE = ProblemType(
    "assist_unavailable",
    409,
    "No model can be asked for this",
    "The widget has no credential that can be used, or its settings have switched this off (`GET /console/settings`).",
)
BUDGET_EXHAUSTED = ProblemType(
    "budget_exhausted",
    429,
    "The day’s AI budget is used up",
    "The widget's tokens of the day (UTC) are spent, the tenth that is kept for people, too. One's own words can be "
    "sent all the same. Wait for the number of seconds in `Retry-After`, or have the owner raise the limit.",
)
TOO_MANY_ASSISTS = ProblemType(
    "too_many_assists",
    429,
    "Too many assists",
    "An operator starts at most 30 assists a minute, and has at most 4 under way. Wait for the number of seconds in "
    "`Retry-After`, or dismiss one that runs.",
)
