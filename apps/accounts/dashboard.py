"""The cards of accounts, widgets and tokens on the cabinet's front page."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from apps.accounts.health import health
from apps.accounts.models import Account, Widget
from apps.core.cabinet import Board, Card, Dashboard


def cards(board: Board) -> list[Card]:
    if board.widget_id is None:
        return [
            Card(
                title=gettext("Widgets"),
                figure=str(Widget.objects.count()),
                note=gettext("of %(count)d accounts") % {"count": Account.objects.count()},
                address=reverse("admin:accounts_widget_changelist"),
            ),
            _health(),
        ]
    widget = Widget.objects.get(pk=board.widget_id)
    address = reverse("admin:accounts_widget_change", args=[widget.pk])
    if widget.is_moving:
        moves = gettext("The account moves to another installation: until that is done, nothing is taken.")
        return [Card(title=gettext("API"), figure=gettext("moving"), note=moves, address=address, is_alarming=True)]
    tokens = widget.api_tokens.valid(timezone.now()).count()
    return [
        Card(
            title=gettext("API"),
            figure=gettext("on") if widget.api_enabled else gettext("off"),
            note=gettext("Tokens that work: %(count)d") % {"count": tokens if widget.api_enabled else 0},
            address=address,
        )
    ]


def _health() -> Card:
    """The lines that are bad, without what takes a while to ask."""
    bad = [line for group in health(timezone.now(), asks_workers=False) for line in group.lines if line.is_bad]
    return Card(
        title=gettext("Health"),
        figure=gettext("good") if not bad else str(len(bad)),
        note="; ".join(line.name for line in bad[:3]),
        address=reverse("admin:accounts_backupnote_changelist"),
        is_alarming=bool(bad),
    )


DASHBOARD = Dashboard(cards=cards)
