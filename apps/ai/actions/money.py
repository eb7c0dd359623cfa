"""The money that models have cost, by the prices that stood on the keys when each was called: nothing is guessed."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Sum
from django.db.models.functions import TruncDay
from django.utils import timezone

from apps.ai.models import Credential, Usage

# A key's price is of the model that answers; the one that reads the knowledge base has another.
_NOT_PRICED = ("embedding",)


class MoneySpent(NamedTuple):
    """Money by day (UTC) and currency, and the keys that were used without a price and have none yet."""

    by_day: Mapping[date, Mapping[str, Decimal]]
    unpriced: list[Credential]

    @property
    def total(self) -> dict[str, Decimal]:
        """By currency."""
        found: dict[str, Decimal] = {}
        for spent in self.by_day.values():
            for currency, money in spent.items():
                found[currency] = found.get(currency, Decimal(0)) + money
        return found


def money_spent(widget_id: int, *, days: int) -> MoneySpent:
    """The money of the last days (UTC), today among them, of deleted keys too. Index: ai_usage_widget."""
    first = timezone.now().astimezone(UTC).date() - timedelta(days=days - 1)
    since = datetime.combine(first, datetime.min.time(), UTC)
    used = Usage.objects.for_widget(widget_id).filter(at__gte=since)
    by_day: dict[date, dict[str, Decimal]] = {}
    rows = used.priced().annotate(day=TruncDay("at", tzinfo=UTC)).values("day", "currency")
    for row in rows.annotate(money=Sum("cost")).filter(money__gt=0).order_by("day", "currency"):
        by_day.setdefault(row["day"].date(), {})[row["currency"]] = row["money"]
    keys = set(used.unpriced().exclude(purpose__in=_NOT_PRICED).values_list("credential", flat=True).distinct())
    found = Credential.objects.for_widget(widget_id).filter(pk__in=keys).defer("api_key", "signing_secret")
    return MoneySpent(by_day, [key for key in found.order_by("pk") if key.price is None])
