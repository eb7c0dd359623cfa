"""Scorecards and reviews in an export of a widget. Scores that nobody confirmed stay: a model can be asked again."""

from collections.abc import Callable, Iterator
from typing import Any

from apps.accounts.actions.import_fields import at_most
from apps.accounts.actions.widget_export import ExportTable, LookUp, WidgetExport
from apps.reviews.models import Review, Scorecard
from apps.reviews.rules.scorecards import MAX_SAMPLE, criteria_refusal, flags_refusal
from apps.reviews.rules.scores import MAX_COMMENT, MAX_REPLY
from apps.reviews.rules.scores import kept_refusal as scores_refusal
from apps.reviews.rules.suggestions import kept_refusal as suggestion_refusal

_HIGHEST = 100


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """A suggestion comes along with its quotes; the job that was asked for it does not."""
    sample = _up_to(MAX_SAMPLE)
    yield ExportTable(
        name="scorecards",
        rows=Scorecard.objects.for_widget(widget_id),
        checks={"criteria": criteria_refusal, "flags": flags_refusal, "per_operator": sample, "ai": sample},
        switches=("prefill",),
    )
    yield ExportTable(
        name="reviews",
        rows=Review.objects.for_widget(widget_id),
        without=("assist_id",),
        refers={"episode_id": "messages", "agent_id": "agents", "assistant_id": "assistants"},
        checks={
            "flags": flags_refusal,
            "scores": scores_refusal,
            "first_scores": scores_refusal,
            "score": _up_to(_HIGHEST),
            "suggestion": suggestion_refusal,
            "comment": at_most(MAX_COMMENT),
            "reply": at_most(MAX_REPLY),
        },
        renumbers=_renumber,
    )


def _up_to(most: int) -> Callable[[Any], str | None]:
    return lambda number: None if 0 <= number <= most else f"A number from 0 to {most} is expected."


def _renumber(row: dict[str, Any], look_up: LookUp) -> None:
    """The messages that quotes stand in."""
    if suggestion_refusal(row.get("suggestion")) is None:  # else the check says so
        for score in row.get("suggestion") or ():
            for quote in score["quotes"]:
                quote["message_id"] = look_up("messages", quote["message_id"]) or 0


EXPORT = WidgetExport(tables=exported_of_widget)
