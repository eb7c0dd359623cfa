"""Budgets: "N in any hour", exactly, for what costs money or may not be lost sight of.

Spent units are rows, counted under a lock of the budget's name in the transaction of the work: so refused or rolled
back work costs nothing, N is exact under any number of callers, and without the database nothing is allowed. (The
limits of calls are Redis's, `core/redis/rate_limits.py`: cheaper, and they let pass when it is away.)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from django.db.models import DurationField, ExpressionWrapper, F, Sum
from django.db.models.functions import Now

from apps.core import database
from apps.core.models import QuotaUse
from apps.core.problems import ProblemType

LONGEST = timedelta(days=1)  # that a window may be; older rows are swept

_WINDOWS = {timedelta(minutes=1): "minute", timedelta(hours=1): "hour", timedelta(days=1): "day"}

Spent = Sequence[tuple[timedelta, int]]


@dataclass(frozen=True, slots=True)
class Quota:
    """At most `limit` in any `window`, for each key. A weight above one counts so many times.

    `scope` is the budget's name, `refusal` the 429 that says it is used up, `per` in words what a key stands for.
    """

    scope: str
    limit: int
    window: timedelta
    refusal: ProblemType
    per: str = "widget"

    def __post_init__(self) -> None:
        if not timedelta() < self.window <= LONGEST:
            raise ValueError(f"the window of {self.scope} is longer than rows are kept")

    @property
    def told(self) -> str:
        """The limit, for people: `10 in any hour for a widget`."""
        return f"{self.limit} in any {_WINDOWS[self.window]} for a{'n' * (self.per[0] in 'aeiou')} {self.per}"

    def spend(self, key: object, weight: int = 1) -> int:
        """Takes so much, and returns what remains. Raises the refusal with `Retry-After`, and takes nothing.

        Call it in the transaction of the work, behind whatever else may refuse it: others wait until that ends.
        """
        remaining = self.require(key, weight)
        QuotaUse.objects.create(scope=self.scope, key=str(key), weight=weight)
        return remaining - weight

    def require(self, key: object, weight: int = 1) -> int:
        """Returns what remains if that is as much; takes nothing. Raises the refusal with `Retry-After`."""
        spent = self._spent(key)
        if wait_s := wait_for(weight, spent, limit=self.limit, window=self.window):
            raise self.refusal(headers={"Retry-After": str(wait_s)})
        return self.limit - _sum(spent)

    def wait_s(self, key: object, weight: int = 1) -> int:
        """The seconds until so much may be spent; 0 for now. For work that waits instead of being refused."""
        return wait_for(weight, self._spent(key), limit=self.limit, window=self.window)

    def remaining(self, key: object) -> int:
        """The rest of the budget, to be shown: it is not held."""
        used = QuotaUse.objects.within(self.window, self.scope, str(key)).aggregate(used=Sum("weight", default=0))
        return max(0, self.limit - int(used["used"]))

    def lock_of(self, key: object) -> str:
        """The name of the lock under which it is counted."""
        return f"budget:{self.scope}:{key}"

    def _spent(self, key: object) -> Spent:
        database.lock(self.lock_of(key))
        age = ExpressionWrapper(Now() - F("at"), output_field=DurationField())
        rows = QuotaUse.objects.within(self.window, self.scope, str(key)).annotate(age=age)
        return list(rows.order_by("at").values_list("age", "weight"))


def wait_for(weight: int, spent: Spent, *, limit: int, window: timedelta) -> int:
    """The seconds until `weight` fits beside what was `spent`, ages with weights, the oldest first; 0 if it does.

    A weight over the limit never fits: then it is the whole window.
    """
    if weight > limit:
        return ceil(window.total_seconds())
    too_much = _sum(spent) + weight - limit
    wait_s = 0
    for age, each in spent:
        if too_much <= 0:
            break
        too_much -= each
        wait_s = max(1, ceil((window - age).total_seconds()))
    return wait_s


def _sum(spent: Spent) -> int:
    return sum(weight for _, weight in spent)


def forget_old() -> None:
    """Deletes what counts in no window any more."""
    QuotaUse.objects.filter(at__lte=Now() - LONGEST).delete()
