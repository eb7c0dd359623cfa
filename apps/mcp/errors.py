"""The problems of MCP's door, besides those of every token."""

from apps.core.problems import ProblemType

FOREIGN_ORIGIN = ProblemType(
    "foreign_origin",
    403,
    "Pages of other sites may not call this",
    "The request has an `Origin` that is not this service's: a page of another site sent it. Call from a program, "
    "which sends none. The protocol asks servers for this check.",
)
