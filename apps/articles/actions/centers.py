"""Changing the settings of a help center."""

from collections.abc import Mapping
from typing import Any

from apps.accounts.actions.settings import change_settings
from apps.articles.errors import SLUG_TAKEN
from apps.articles.events import HelpCenterChanged
from apps.articles.models import HelpCenter
from apps.articles.settings import CENTER
from apps.core import bus
from apps.core.database.constraints import unique_or


def change_center(*, widget_id: int, changes: Mapping[str, Any]) -> HelpCenter:
    """Changes the named settings of a widget's help center, all or none. With its first change it has a slug.

    Raises INVALID_INPUT (422) by path, SLUG_TAKEN (409) for another help center's slug, KB_FULL (409) where the
    knowledge has no room for the articles.
    """
    with unique_or(SLUG_TAKEN, "articles_helpcenter_slug"):
        row: HelpCenter = change_settings(CENTER, widget_id=widget_id, changes=changes, then=_tell)
        return row


def _tell(row: HelpCenter, changed: list[str]) -> None:
    bus.publish(HelpCenterChanged(widget_id=row.widget_id, changed=tuple(changed)))
