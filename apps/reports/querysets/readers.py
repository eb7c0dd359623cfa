"""The readers of the weekly letter of a widget."""

from apps.accounts.models import User, Widget
from apps.accounts.rules import MANAGER, OWNER, reaches
from apps.reports.models import WeeklyChoice


def may_read(user: User, widget: Widget) -> bool:
    """Whether somebody may have the letter: an owner or a manager of the widget's account."""
    is_staff = user.is_active and user.is_staff and user.account_id == widget.account_id
    return bool(is_staff and reaches(user.role, MANAGER))


def wants_letter(user: User, widget: Widget) -> bool:
    """Whether somebody gets the letter: owners unless they stopped it, managers if they asked for it."""
    if not may_read(user, widget):
        return False
    chosen = WeeklyChoice.objects.for_widget(widget.pk).filter(user=user).values_list("is_wanted", flat=True).first()
    return user.role == OWNER if chosen is None else chosen


def readers_of(widget: Widget) -> list[User]:
    """The people who get the letter, in the order of their joining."""
    people = User.objects.filter(account=widget.account_id, is_staff=True, is_active=True).order_by("pk")
    chosen = dict(WeeklyChoice.objects.for_widget(widget.pk).values_list("user", "is_wanted"))
    return [user for user in people if may_read(user, widget) and chosen.get(user.pk, user.role == OWNER)]
