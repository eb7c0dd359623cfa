"""The problems of the visitor's side."""

from apps.core.problems import ProblemType

INVALID_VISITOR_TOKEN = ProblemType(
    "invalid_visitor_token",
    401,
    "Missing or invalid visitor token",
    "Send `Authorization: Visitor <visitor_token>` with the token that `POST …/sessions` gave. A token that was "
    "revoked, or belongs to another widget, is invalid; ask for a new session without it.",
)
ORIGIN_NOT_ALLOWED = ProblemType(
    "origin_not_allowed",
    403,
    "The widget may not be used on this page",
    "The widget's owner has listed the origins of the pages that may embed it, and this page's is not among them.",
)
