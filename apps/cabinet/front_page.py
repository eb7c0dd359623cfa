"""The cabinet's front page: what goes on in one of the account's widgets, or in the whole installation."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Widget
from apps.accounts.querysets import seen_by
from apps.cabinet.chosen_widget import chosen_widget
from apps.cabinet.first_steps import first_steps, may_put_away
from apps.cabinet.tenant_admin import user_of
from apps.core import cabinet
from apps.core.cabinet import Figure

# By their names in the address: what each is called, how many hours it has, and how many a bar of a chart has.
PERIODS = {"24h": (_("24 hours"), 24, 1), "7d": (_("7 days"), 168, 6)}


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Adds the cards to the front page's context, as unfold's DASHBOARD_CALLBACK.

    `?widget` is one of the widgets that the user may see; another's is 404. Without it, staff of an account see their
    chosen widget, or their first; superusers the chosen one, or the installation. `?period` is one of PERIODS.
    """
    user = user_of(request)
    widgets = seen_by(user, Widget.objects.all(), "account_id").order_by("id")
    asked = request.GET.get("widget", "")
    widget = chosen_widget(request) or (widgets.first() if user.account_id is not None else None)
    if asked:
        widget = widgets.filter(pk=asked).first() if asked.isascii() and asked.isdecimal() and len(asked) < 19 else None
        if widget is None:
            raise Http404
    period = request.GET.get("period", "")
    period = period if period in PERIODS else "24h"
    _name, hours, bucket_hours = PERIODS[period]
    board = cabinet.Board(widget.pk if widget else None, timezone.now(), hours, bucket_hours)
    steps = first_steps(widget.pk) if widget and not user.is_superuser else []
    is_away = widget is not None and widget.steps_put_away_at is not None
    places = by_place(cabinet.figures(board) if widget or user.is_superuser else [])
    request.head_widget = widget  # type: ignore[attr-defined] # the switcher in the head
    return context | {
        "title": gettext("Overview"),
        "widget": widget,
        "period": period,
        "periods": [(name, title) for name, (title, *_rest) in PERIODS.items()],
        "first_steps": [] if is_away else steps,
        "first_steps_title": gettext("First steps"),
        "steps_are_away": is_away and bool(steps),
        "may_put_away": may_put_away(user),
        "next_step": next((step for step in steps if not step.is_done), None),
        "figures": [figure for each in places.values() for figure in each],
        "today": places["today"],
        "charts": places["chart"],
        "needs_you": places["needs_you"],
        "rest": places["rest"],
    }


def by_place(figures: Iterable[Figure]) -> dict[str, list[Figure]]:
    """The figures without tasks that are done; API and seats, of the lowest apps, stand last."""
    shown = [figure for figure in figures if figure.place != "needs_you" or figure.is_alarming]
    places = {
        place: [figure for figure in shown if figure.place == place]
        for place in ("today", "chart", "needs_you", "rest")
    }
    places["rest"].reverse()
    return places
