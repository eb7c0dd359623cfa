"""The problems of reports."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

TOO_MANY_ROWS = ProblemType(
    "too_many_rows",
    422,
    "The file would have too many rows",
    "A workbook has at most 100,000 rows: shorten the window, set a filter, or take CSV.",
    for_people=_("A workbook has at most 100,000 rows: shorten the window, set a filter, or take CSV."),
)
