"""The cabinet's front page: what goes on in one of the account's widgets, or in the whole installation."""

from typing import Any

from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import user_of
from apps.accounts.chosen_widget import chosen_widget
from apps.accounts.first_steps import first_steps
from apps.accounts.models import Widget
from apps.accounts.querysets import seen_by
from apps.core import cabinet

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
        widget = widgets.filter(pk=asked).first() if asked.isascii() and asked.isdecimal() else None
        if widget is None:
            raise Http404
    period = request.GET.get("period", "")
    period = period if period in PERIODS else "24h"
    _name, hours, bucket_hours = PERIODS[period]
    board = cabinet.Board(widget.pk if widget else None, timezone.now(), hours, bucket_hours)
    steps = first_steps(widget.pk) if widget and not user.is_superuser else []
    cards = cabinet.cards(board) if widget or user.is_superuser else []
    return context | {
        "title": gettext("Overview"),
        "widget": widget,
        "period": period,
        "periods": [(name, title) for name, (title, *_rest) in PERIODS.items()],
        "first_steps": steps,
        "first_steps_title": gettext("First steps"),
        "next_step": next((step for step in steps if not step.is_done), None),
        "cards": sorted(cards, key=lambda card: bool(card.bars or card.rows)),
    }
