"""The values of a rating, and who asks for one. Pure."""

from enum import StrEnum

LOWEST_RATING, HIGHEST_RATING = 1, 5
MAX_COMMENT_LENGTH = 2_000  # characters


class RequestCause(StrEnum):
    """The person or the rule that asked a visitor for a rating."""

    OPERATOR = "operator"
    API = "api"
    AUTOMATION = "automation"
    MACRO = "macro"
    POLICY = "policy"
