"""The rows of files: those of a report, one a group, and those of episodes. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.reports.rules.answers import Count, Figures, ReportAnswer
from apps.reports.rules.figures import COUNTS, TIMES

ALL = "all"  # the key of the one line of a report that is not grouped

REPORT_COLUMNS = (
    *("key", "label"),
    *(column for each in COUNTS for column in (each.name, f"{each.name}_of")),
    *(column for each in TIMES for column in (f"{each.name}_n", f"{each.name}_p50", f"{each.name}_p90")),
)
# The columns of an episode, and the members that they are found at.
EPISODE_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "_".join(path): path
    for path in (
        *(("id",), ("chat_id",), ("contact_id",), ("channel",), ("department_id",), ("language",), ("page",)),
        *(("opened_at",), ("opened_by",)),
        *(
            (reply, member)
            for reply in ("first_reply", "person_reply")
            for member in ("at", "seconds", "kind", "agent_id")
        ),
        *(("longest_wait_seconds",), ("handed_over", "at"), ("handed_over", "reason")),
        *(("ended_at",), ("ended_by",), ("ended_by_agent_id",), ("outcome",), ("reopened_at",), ("is_durable",)),
        ("asked_at",),
        *(("rating", member) for member in ("value", "rated_at", "kind", "agent_id")),
        *(("agents",), ("assistants",)),
        *(("messages", side) for side in ("visitor", "person", "ai")),
    )
}


def report_rows(report: ReportAnswer) -> Iterator[list[Any]]:
    """A line a group; without groups the one of all."""
    if report.query.group is None:
        yield [ALL, ALL, *_figures(report.figures)]
    for group in report.groups:
        yield [group.key, group.label, *_figures(group.figures)]


def _figures(figures: Figures) -> Iterator[Any]:
    for figure in figures.values():
        if isinstance(figure, Count):
            yield from (figure.value, figure.of)
        else:
            yield from (figure.n, figure.p50, figure.p90)


def episode_row(shown: Mapping[str, Any]) -> list[Any]:
    """The line of an episode as REST answers it; lists by blanks."""
    return [_plain(_member(shown, path)) for path in EPISODE_COLUMNS.values()]


def _member(shown: Mapping[str, Any], path: Sequence[str]) -> Any:
    found: Any = shown
    for name in path:
        found = None if found is None else found[name]
    return found


def _plain(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) else value
