"""The context of the page of reviews: the scores of each subject with how many, agreement, and the newest reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext

from apps.agents.models import Agent
from apps.chats.questions import assistant_names
from apps.core.problems import Problem
from apps.reports.cabinet.filters import FilterForm, periods, zones
from apps.reports.cabinet.pages import period_links, read_question, shown_window
from apps.reviews.labels import FLAGS, ORIGINS, STATES
from apps.reviews.models import Review
from apps.reviews.querysets.agreement import agreement_with, subject_totals
from apps.reviews.querysets.scorecards import scorecard_of
from apps.reviews.querysets.unconfirmed import unconfirmed_totals

A_PAGE = 50
_TAKES = ("from", "to", "period", "zone", "state")


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """A subject's mean score, and of how many reviews."""

    key: str
    name: str
    n: int
    score: int


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """A review as a line: without anybody's words."""

    id: int
    created: str
    subject: str
    state: str
    why: str
    score: int | None
    chat: str
    console: str


class ReviewNames:
    """The names of operators and assistants of a widget."""

    def __init__(self, widget_id: int) -> None:
        self._agents = {agent.pk: str(agent) for agent in Agent.objects.for_widget(widget_id)}
        self._assistants = assistant_names(widget_id)

    def of(self, kind: str, agent_id: int | None, assistant_id: int | None) -> str:
        """The name of a subject, also of one that is gone."""
        if kind == "ai":
            name = self._assistants.get(assistant_id or 0) or self._agents.get(agent_id or 0)
            return f"{gettext('AI')} · {name}" if name else gettext("AI")
        return self._agents.get(agent_id or 0) or gettext("an operator who left")


def reviews_context(widget: Any, given: Mapping[str, str]) -> dict[str, Any]:
    """The context of `reviews/reviews.html`; with `refused` true where the address names impossible values."""
    now, zone = timezone.now(), ZoneInfo(widget.time_zone)
    _title, first, after = periods(now, zone)[0]
    params = {name: value for name, value in given.items() if value and name != "before"}
    params = (
        params
        if params.keys() & {"from", "to", "period"}
        else {**params, "from": first.isoformat(), "to": after.isoformat()}
    )
    state = params.pop("state", "")
    form = FilterForm(params, widget_id=widget.pk, zone=zone.key, names=("from", "to", "zone"))
    context = {"form": form, "zones": zones(), "periods": period_links(params, now, zone)}
    try:
        query = read_question(widget.pk, params, takes=_TAKES)
    except Problem as refused:
        form.refuse(refused)
        return {**context, "refused": True}
    names, start, end = ReviewNames(widget.pk), query.window.start, query.window.end
    rows, older = _reviews(widget.pk, names, query.zone, state, start, end, given.get("before", ""))
    totals = subject_totals(widget.pk, start, end)
    return {
        **context,
        "refused": False,
        "shown": shown_window(query),
        "zone": query.zone.key,
        "totals": [
            SubjectRow(f"{each.kind}-{each.agent_id or each.assistant_id or 0}", _name(names, each), each.n, each.score)
            for each in totals
        ],
        "unconfirmed": [
            SubjectRow(str(each.assistant_id or 0), names.of("ai", None, each.assistant_id), each.n, each.score)
            for each in unconfirmed_totals(widget.pk, start, end)
        ],
        "agreement": _agreement(widget.pk),
        "rows": rows,
        "states": _states(params, state),
        "older": f"?{urlencode({**params, 'state': state, 'before': older})}" if older else "",
    }


def _name(names: ReviewNames, total: Any) -> str:
    return names.of(total.kind, total.agent_id, total.assistant_id)


def _reviews(
    widget_id: int, names: ReviewNames, zone: ZoneInfo, state: str, start: datetime, end: datetime, before: str
) -> tuple[list[ReviewRow], int | None]:
    """The newest reviews that were begun in the window, and the number before which the others are."""
    rows = Review.objects.for_widget(widget_id).filter(created_at__gte=start, created_at__lt=end)
    if state in STATES:
        rows = rows.filter(state=state)
    if before.isascii() and before.isdecimal() and len(before) < 19:
        rows = rows.filter(pk__lt=int(before))
    found = list(rows.defer("comment", "reply", "suggestion", "scores").order_by("-created_at", "-pk")[: A_PAGE + 1])
    shown = [_row(review, names, zone) for review in found[:A_PAGE]]
    return shown, found[A_PAGE - 1].pk if len(found) > A_PAGE else None


def _row(review: Review, names: ReviewNames, zone: ZoneInfo) -> ReviewRow:
    flags = ", ".join(str(FLAGS.get(flag, flag)) for flag in review.flags)
    origin = str(ORIGINS[review.origin])
    return ReviewRow(
        id=review.pk,
        created=date_format(review.created_at.astimezone(zone), "D, j E Y H:i"),
        subject=names.of(review.kind, review.agent_id, review.assistant_id),
        state=str(STATES[review.state]),
        why=f"{origin}: {flags}" if flags else origin,
        score=review.score,
        chat=reverse("admin:chats_chat_change", args=[review.chat_id]),
        console=f"{reverse('console')}#/reviews/{review.pk}",
    )


def _agreement(widget_id: int) -> Sequence[tuple[str, str, int, int, str]]:
    """By criterion: its key and title, in how many blind reviews, how many agree, and kappa in words."""
    titles = {each["key"]: each["title"] for each in scorecard_of(widget_id).criteria}
    return [
        (each.key, titles[each.key], each.n, each.agreed, "—" if each.kappa is None else number_format(each.kappa, 2))
        for each in agreement_with(widget_id)
        if each.n
    ]


def _states(params: Mapping[str, str], state: str) -> list[tuple[str, str, bool]]:
    """The states that a click chooses, and all of them."""
    named: list[tuple[str, Any]] = [("", gettext("all")), *STATES.items()]
    return [
        (str(title), urlencode({**params, **({"state": name} if name else {})}), name == state) for name, title in named
    ]
