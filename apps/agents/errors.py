"""The problems of operators."""

from apps.core.problems import ProblemType

OWNER_PROTECTED = ProblemType(
    "owner_protected",
    409,
    "The owner stays",
    "The widget's owner is its default operator, and can be neither suspended nor removed.",
)
AI_OPERATOR_PROTECTED = ProblemType(
    "ai_operator_protected",
    409,
    "An AI operator is not removed here",
    "An AI operator is deleted by `DELETE /api/v1/ai/operators/{id}`; suspending it here retires it.",
)
SEAT_LIMIT_REACHED = ProblemType(
    "seat_limit_reached",
    409,
    "No seat is free",
    "Each human agent who is not banned takes one of the widget's seats. Suspend or remove somebody, or buy a seat.",
)
AVATAR_STORAGE_FAILED = ProblemType(
    "avatar_storage_failed",
    502,
    "The picture could not be stored",
    "The storage of files failed and nothing was changed. Try again with the same idempotency key.",
)
