"""The newest ratings of a report's window, with their comments."""

from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import capfirst

from apps.agents.models import Agent
from apps.chats.models import Rating
from apps.reports.actions.reports import episodes_page
from apps.reports.labels import KINDS
from apps.reports.rules.reports import ReportQuery

SHOWN = 20


@dataclass(frozen=True, slots=True)
class ShownRating:
    """A rating: of which episode, by whose answer, and the visitor's comment."""

    episode: int
    chat: str
    value: int
    rated: str
    of: str
    comment: str


def newest_ratings(widget_id: int, query: ReportQuery) -> list[ShownRating]:
    """The ratings of the newest episodes that have one."""
    rated = replace(query.episodes, figure="rated")
    rows = [row for row in episodes_page(widget_id, rated, None, SHOWN).rows if row["rating"]]
    comments = _comments(widget_id, rows)
    operators = {each.pk: str(each) for each in Agent.objects.for_widget(widget_id)} if rows else {}
    return [_shown(row, comments, operators, query) for row in rows]


def _comments(widget_id: int, rows: list[dict[str, Any]]) -> dict[tuple[int, Any], str]:
    """Comments by chat and moment."""
    found = Rating.objects.for_widget(widget_id).filter(chat__in=[row["chat_id"] for row in rows])
    return {(chat_id, at): comment or "" for chat_id, at, comment in found.values_list("chat", "rated_at", "comment")}


def _shown(row: dict[str, Any], comments: Any, operators: dict[int, str], query: ReportQuery) -> ShownRating:
    rating = row["rating"]
    kind = capfirst(str(KINDS[rating["kind"]])) if rating["kind"] else "—"
    return ShownRating(
        episode=row["id"],
        chat=reverse("admin:chats_chat_change", args=[row["chat_id"]]),
        value=rating["value"],
        rated=date_format(rating["rated_at"].astimezone(query.zone), "D, j E Y H:i"),
        of=operators.get(rating["agent_id"], kind),
        comment=comments.get((row["chat_id"], rating["rated_at"]), ""),
    )
