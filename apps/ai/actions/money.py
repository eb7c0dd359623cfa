"""The money that models have cost, by the prices that the owner has entered on the keys: nothing is guessed."""

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import NamedTuple

from django.db.models import Sum
from django.db.models.functions import TruncDay
from django.utils import timezone

from apps.ai.models import Credential, Usage
from apps.ai.rules.prices import cost, is_priced

# A key's price is of the model that answers; the one that reads the knowledge base has another.
_NOT_PRICED = ("embedding",)


class MoneySpent(NamedTuple):
    """Money by day (UTC) and currency, at today's prices, and the keys that were used and have no prices."""

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
    """The money of the last days (UTC), today among them. Deleted keys count nothing. Index: ai_usage_widget."""
    first = timezone.now().astimezone(UTC).date() - timedelta(days=days - 1)
    since = datetime.combine(first, datetime.min.time(), UTC)
    rows = Usage.objects.for_widget(widget_id).filter(at__gte=since, credential__isnull=False)
    used = rows.exclude(purpose__in=_NOT_PRICED).annotate(day=TruncDay("at", tzinfo=UTC)).values("day", "credential_id")
    keys = {key.pk: key for key in Credential.objects.for_widget(widget_id).defer("api_key", "signing_secret")}
    by_day: dict[date, dict[str, Decimal]] = {}
    unpriced: dict[int, Credential] = {}
    for row in used.annotate(prompt=Sum("prompt_tokens"), completion=Sum("completion_tokens")).order_by("day"):
        key = keys.get(row["credential_id"])
        if key is None or not row["prompt"] + row["completion"]:
            continue
        if not is_priced(key.prompt_price, key.completion_price, key.price_currency):
            unpriced[key.pk] = key
            continue
        money = cost(
            prompt_tokens=row["prompt"],
            completion_tokens=row["completion"],
            prompt_price=key.prompt_price or Decimal(0),
            completion_price=key.completion_price or Decimal(0),
        )
        spent = by_day.setdefault(row["day"].date(), {})
        spent[key.price_currency] = spent.get(key.price_currency, Decimal(0)) + money
    return MoneySpent(by_day, [*unpriced.values()])
