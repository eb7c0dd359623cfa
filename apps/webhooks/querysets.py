"""Named reads of subscriptions; each starts from the widget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import models

from apps.core.database import Parameters, Row, fetch_all, fetch_one

if TYPE_CHECKING:
    from datetime import datetime

    from apps.webhooks.models import Subscription  # noqa: F401 - named in the base below

Position = tuple[Any, ...]


class SubscriptionRow(NamedTuple):
    """A subscription as it is read for showing, without its secret; the fields are the statement's columns."""

    id: int
    url: str
    events: list[str]
    is_active: bool
    is_legacy_compat: bool
    created_at: datetime
    updated_at: datetime


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def of(self, widget_id: int) -> SubscriptionQuerySet:
        return self.filter(widget_id=widget_id)


_SUBSCRIPTIONS = """
SELECT id, url, events, is_active, is_legacy_compat, created_at, updated_at
FROM webhooks_subscription WHERE widget_id = %(widget_id)s"""


def subscription_page(*, widget_id: int, after: Position | None, limit: int) -> list[Row]:
    """A widget's subscriptions, newest first, from a position (created_at, id); one row more than `limit`.

    In the columns of SubscriptionRow. Index: webhooks_subscription_list.
    """
    parameters: Parameters = {"widget_id": widget_id, "rows": limit + 1}
    sql = _SUBSCRIPTIONS
    if after is not None:
        sql += " AND (created_at, id) < (%(after_at)s, %(after_id)s)"
        parameters["after_at"], parameters["after_id"] = after
    return fetch_all(sql + " ORDER BY created_at DESC, id DESC LIMIT %(rows)s", parameters)


def subscription_row(*, widget_id: int, subscription_id: int) -> Row | None:
    """One subscription of a widget in the columns of SubscriptionRow, or None."""
    return fetch_one(_SUBSCRIPTIONS + " AND id = %(id)s", {"widget_id": widget_id, "id": subscription_id})
