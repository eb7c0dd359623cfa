"""The figures of the installation, accounts, widgets and tokens on the cabinet's front page."""

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from apps.accounts.models import Account, Widget
from apps.cabinet.health import health
from apps.cabinet.menu import WayOut
from apps.cabinet.redis_usage import is_usable
from apps.core.cabinet import Board, Dashboard, Figure


def figures(board: Board) -> list[Figure]:
    if board.widget_id is None:
        return [
            Figure(
                title=gettext("Widgets"),
                value=str(Widget.objects.count()),
                note=gettext("of %(count)d accounts") % {"count": Account.objects.count()},
                address=reverse("admin:accounts_widget_changelist"),
            ),
            _version(),
            _health(),
        ]
    widget = Widget.objects.get(pk=board.widget_id)
    address = reverse("admin:accounts_widget_change", args=[widget.pk])
    if widget.is_moving:
        moves = gettext("The account moves to another installation: until that is done, nothing is taken.")
        return [Figure(title=gettext("API"), value=gettext("moving"), note=moves, address=address, is_alarming=True)]
    if not widget.api_enabled:
        return [Figure(title=gettext("API"), value=gettext("off"), note=gettext("No token works."), address=address)]
    tokens = gettext("Tokens that work: %(count)d") % {"count": widget.api_tokens.valid(timezone.now()).count()}
    return [Figure(title=gettext("API"), value=gettext("on"), note=tokens, address=address)]


def _version() -> Figure:
    has_redis = is_usable()
    note = gettext("Redis works.") if has_redis else gettext("Redis is away: the service does without.")
    return Figure(title=gettext("Version"), value=settings.VERSION, note=note, is_alarming=not has_redis)


def _health() -> Figure:
    """The lines that are bad, without what takes a while to ask."""
    bad = [line for group in health(timezone.now(), asks_workers=False) for line in group.lines if line.is_bad]
    return Figure(
        title=gettext("Health"),
        value=gettext("good") if not bad else str(len(bad)),
        note="; ".join(line.name for line in bad[:3]),
        address=reverse("admin:accounts_backupnote_changelist"),
        is_alarming=bool(bad),
    )


DASHBOARD = Dashboard(figures=figures)
# The pages of `documentation`, which is below.
REFERENCE = WayOut(order=30, title=gettext_lazy("API documentation"), icon="menu_book", address="/api/docs")
GUIDES = WayOut(order=40, title=gettext_lazy("Guides for developers"), icon="school", address="/api/docs/guides/")
