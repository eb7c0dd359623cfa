"""The values of a rating."""

LOWEST_RATING, HIGHEST_RATING = 1, 5
MAX_COMMENT_LENGTH = 2_000  # characters
