"""The cards of accounts, widgets and tokens on the cabinet's front page."""

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

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
            )
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


DASHBOARD = Dashboard(cards=cards)
