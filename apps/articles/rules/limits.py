"""The limits of a help center and its articles. Pure."""

from datetime import timedelta

MAX_ARTICLES = 10_000
MAX_CATEGORIES = 100
MAX_NAME = 80  # of a category, in characters
MAX_TITLE, MAX_SUMMARY, MAX_BODY, MAX_SLUG = 200, 300, 200_000, 80
MAX_CENTER_TITLE, MAX_INTRO, MAX_LABEL, MAX_LINKS, MAX_ADDRESS = 80, 300, 80, 8, 2_000
MIN_CENTER_SLUG, MAX_CENTER_SLUG = 3, 40
MAX_POSITION = 1_000_000
MAX_ACTOR = 200
# So many versions of a text are kept besides the published one.
KEPT_VERSIONS = 200
# A text is published within a year.
LATEST_PUBLISHING = timedelta(days=365)
MAX_PICTURE_BYTES, MAX_PICTURE_SIDE = 5 * 1024 * 1024, 4_096
