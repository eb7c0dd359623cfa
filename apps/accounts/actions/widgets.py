"""Adding and changing widgets."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts import rules
from apps.accounts.actions.permissions import end_cached_permissions
from apps.accounts.events import WidgetAdded, WidgetChanged
from apps.accounts.models import Account, User, Widget
from apps.core import bus


@transaction.atomic
def add_widget(*, account: Account, name: str, owner: User, seats: int = 3) -> Widget:
    """Adds a widget, its API switched off. Its owner is one of the account's people, and takes a seat.

    Raises ValueError for an owner of another account.
    """
    if owner.account_id != account.pk:
        raise ValueError("the owner of a widget is one of its account's people")
    widget = Widget.objects.create(account=account, name=name, seats=seats)
    bus.publish(WidgetAdded(widget_id=widget.pk, widget_guid=widget.guid, owner_id=owner.pk))
    return widget


@transaction.atomic
def set_api_enabled(*, widget: Widget, enabled: bool) -> None:
    """Flips the widget's switch “Allow widget API (JS and REST)”; it counts from the very next request."""
    widget.api_enabled = enabled
    widget.save(update_fields=["api_enabled"])
    _tell_of_change(widget)
    transaction.on_commit(end_cached_permissions)


@transaction.atomic
def change_widget(*, widget: Widget, changes: Mapping[str, Any]) -> None:
    """Changes those of `name`, `allowed_origins` (who may embed it), `seats` and `time_zone` that are given.

    Raises ValueError for a bad origin.
    """
    if "allowed_origins" in changes:
        origins = dict.fromkeys(rules.origin_of(origin) for origin in changes["allowed_origins"])
        changes = {**changes, "allowed_origins": list(origins)}
    for name, value in changes.items():
        setattr(widget, name, value)
    widget.save(update_fields=list(changes))
    _tell_of_change(widget)


@transaction.atomic
def set_answerer(*, widget_id: int, answerer: rules.Answerer, answers: bool) -> None:
    """Notes whether a kind of answerer is at work in a widget, in the transaction that switches it on or off.

    Posting reads the widget's row anyhow, and its events name the answerers: a handler that has nothing to do asks
    nothing.
    """
    found = Widget.objects.select_for_update(no_key=True).values_list("answerers", flat=True).filter(pk=widget_id)
    for before in found:
        now = [each for each in rules.Answerer if (answers if each is answerer else each in before)]
        if now != before:
            begins = any(each in now for each in rules.ANSWER_FIRST) and not any(
                each in before for each in rules.ANSWER_FIRST
            )
            since = {"answered_first_since": timezone.now()} if begins else {}
            Widget.objects.filter(pk=widget_id).update(answerers=now, **since)


@transaction.atomic
def put_steps_away(*, widget: Widget, away: bool) -> None:
    """Ends the list of first steps on the cabinet's front page, whatever is left of it, or brings it back."""
    widget.steps_put_away_at = timezone.now() if away else None
    widget.save(update_fields=["steps_put_away_at"])


def _tell_of_change(widget: Widget) -> None:
    bus.publish(WidgetChanged(widget_id=widget.pk, widget_guid=widget.guid))
