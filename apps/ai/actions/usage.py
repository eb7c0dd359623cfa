"""Calls of vendors: each asks the day's budget before it goes out, and is written down as usage, failed ones too.

`vendor_call` is the one door of them all (`tests/architecture/test_paid_calls.py`). A row is written before the call,
so no death of a process loses one; until the call has ended, it counts with what it may cost.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from math import ceil
from typing import Any, NamedTuple

from django.conf import settings as installation
from django.db import IntegrityError, transaction
from django.db.models import F, Sum
from django.db.models.functions import TruncDay
from django.utils import timezone

from apps.ai.actions import advice
from apps.ai.actions.alerts import report, report_once_a_day
from apps.ai.drivers import ProviderFailed
from apps.ai.models import AiSettings, Usage
from apps.ai.querysets.reply_context import SPENT_TODAY
from apps.ai.rules.budgets import alert_of, is_low, is_within, limit_for, limit_of, unanswered_cost
from apps.ai.rules.configuration import AlertCode
from apps.ai.rules.evaluations import is_for_automatic
from apps.ai.rules.prices import Price
from apps.ai.settings import settings_of
from apps.core import database
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.egress.call_budget import CallBudget
from apps.kb.questions import BudgetExhausted

UNDER_WAY = "under_way"


class TokenEstimate(NamedTuple):
    """The tokens that a call may cost: of what is sent, and of the longest answer."""

    prompt: int
    answer: int = 0

    @property
    def total(self) -> int:
        return self.prompt + self.answer


FREE = TokenEstimate(0)


class VendorCall:
    """A call under way. `answered` says what it has cost."""

    def __init__(self, row: Usage, estimate: TokenEstimate, price: Price | None = None) -> None:
        self._row, self._estimate, self._price = row, estimate, price
        self._began = time.monotonic()
        self._outcome, self._cost = "spent", 0
        self._what: dict[str, Any] = {}

    def answered(self, *, prompt_tokens: int = 0, completion_tokens: int = 0, said: int | None = None) -> None:
        """The call gave an answer. The estimate counts where the vendor tells no tokens, and for the answer `said`."""
        self._outcome = "ok"
        self._what |= {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
        if not prompt_tokens:
            self._cost = self._estimate.prompt
        if not completion_tokens and (said is not None or not prompt_tokens):
            self._cost += self._estimate.answer if said is None else said

    def used_model(self, model: str) -> None:
        """The model, where it is found out by the call itself."""
        self._what["model"] = model

    def failed(self, failure: ProviderFailed) -> None:
        self._outcome = failure.reason
        self._cost = unanswered_cost(failure.reason, failure.status, self._estimate.total)

    def ended(self, requests: int) -> None:
        """Writes down what came of it. If there were several requests, the last one's values count."""
        took_ms = round((time.monotonic() - self._began) * 1000)
        if not requests:
            self._row.delete()
            return
        if self._price is not None:
            tokens = self._what.get("prompt_tokens", 0), self._what.get("completion_tokens", 0)
            self._what["cost"] = self._price.of(*tokens)
        mine = Usage.objects.for_widget(self._row.widget_id).filter(pk=self._row.pk)
        mine.update(outcome=self._outcome, latency_ms=took_ms, reserved_tokens=self._cost, **self._what)
        cost = self._cost + self._what.get("prompt_tokens", 0) + self._what.get("completion_tokens", 0)
        if cost > self._estimate.total:
            is_budget_left(settings_of(self._row.widget_id))
        for _ in range(requests - 1):
            _note_refused(self._row, took_ms)


@contextmanager
def vendor_call(
    *,
    widget_id: int,
    purpose: str,
    model: str,
    estimate: TokenEstimate,
    budget: CallBudget,
    requests: int | None = None,
    automatic: bool = False,
    price: Price | None = None,
    **whose: Any,
) -> Iterator[VendorCall]:
    """One question to a vendor, of one HTTP request, or of several where the first was refused for its form.

    `requests`: how many are written down; None, those that the budget counts in the block. `automatic`: it runs by
    itself, and leaves the last tenth of the day's budget to people. `price`: the model's, which is kept with the call.
    Raises BudgetExhausted before anything is sent. Outside of transactions: other calls of the widget see what this
    one may cost.
    """
    about = {"widget_id": widget_id, "purpose": purpose, "model": model, **whose, **price_columns(price)}
    call = VendorCall(_reserve(about, estimate.total, automatic=automatic), estimate, price)
    spent = budget.spent
    try:
        yield call
    except ProviderFailed as failure:
        call.failed(failure)
        raise
    finally:
        call.ended(budget.spent - spent if requests is None else requests)


def price_columns(price: Price | None) -> dict[str, Any]:
    """The columns of a price; a call costs nothing until it has ended."""
    if price is None:
        return {}
    prompt, completion, currency = price
    return {"prompt_price": prompt, "completion_price": completion, "currency": currency, "cost": Decimal(0)}


def is_budget_left(settings: AiSettings, *, automatic: bool = False, spent: int | None = None) -> bool:
    """Whether the widget may spend tokens today (UTC). Nothing is held: `vendor_call` decides. `spent`: today's, where
    it was read already.

    The owner is told of a day that is near its end or at it, once a day, however it came there: by a call that cost
    more than its estimate, or by a limit that was made lower.
    """
    limit = _limit(settings)
    if limit is None:
        return True
    spent = _spent_today(settings.widget_id) if spent is None else spent
    if (code := alert_of(spent, limit, automatic=automatic)) is not None:
        report_once_a_day(settings.widget_id, code, _OF_BUDGET[code])
    return spent < limit_for(limit, automatic=automatic)


def is_budget_left_for_automatic(settings: AiSettings) -> bool:
    """Whether a run that nobody started may spend tokens today (UTC)."""
    limit = _limit(settings)
    return limit is None or is_for_automatic(_spent_today(settings.widget_id), limit)


def require_budget(settings: AiSettings) -> None:
    """Raises AI_BUDGET_EXHAUSTED (429) where the widget may spend no tokens today."""
    if not is_budget_left(settings):
        raise AI_BUDGET_EXHAUSTED(headers=BudgetExhausted(until_tomorrow_s()).headers)


def _limit(settings: AiSettings) -> int | None:
    return limit_of(settings.daily_token_budget, installation.AI_DAILY_TOKEN_BUDGET)


def _spent_today(widget_id: int) -> int:
    """The tokens of the day (UTC), with what calls under way may cost. Index: ai_usage_widget."""
    (spent,) = database.fetch_one(SPENT_TODAY, {"widget_id": widget_id}) or (0,)
    return int(spent)


def _reserve(about: dict[str, Any], tokens: int, *, automatic: bool) -> Usage:
    """Writes down a call that is about to be made. Raises BudgetExhausted, and tells the owner, where it is refused."""
    widget_id = about["widget_id"]
    limit = _limit(settings_of(widget_id)) if tokens else None
    most = None if limit is None else limit_for(limit, automatic=automatic)
    try:
        row, spent = _reserved(about, tokens, most)
    except IntegrityError:
        row, spent = _reserved({**about, **_NOBODYS}, tokens, most)
    if row is None:
        report(widget_id, AlertCode.BUDGET_EXHAUSTED, advice.BUDGET_EXHAUSTED)
        raise BudgetExhausted(until_tomorrow_s())
    if limit is not None and is_low(spent + tokens, limit):
        report_once_a_day(widget_id, AlertCode.BUDGET_LOW, advice.BUDGET_LOW)
    return row


@transaction.atomic
def _reserved(about: dict[str, Any], tokens: int, limit: int | None) -> tuple[Usage | None, int]:
    """The call's row, if the day's budget has so much, and what was spent before.

    Calls of a widget reserve one after the other, so the budget is exact under any number of them.
    """
    spent = 0
    if limit is not None:
        database.lock(f"ai_budget:{about['widget_id']}")
        spent = _spent_today(about["widget_id"])
        if not is_within(spent, tokens, limit):
            return None, spent
    return Usage.objects.create(**about, outcome=UNDER_WAY, latency_ms=0, reserved_tokens=tokens), spent


def _note_refused(row: Usage, took_ms: int) -> None:
    """A request before the last one, which was refused for its form: nothing was paid."""
    names = ("widget_id", "assistant_id", "operator_id", "credential_id", "chat_id", "purpose", "model")
    about = {name: getattr(row, name) for name in names}
    try:
        Usage.objects.create(**about, outcome="bad_answer", latency_ms=took_ms)
    except IntegrityError:
        Usage.objects.create(**{**about, **_NOBODYS}, outcome="bad_answer", latency_ms=took_ms)


def until_tomorrow_s() -> int:
    now = timezone.now().astimezone(UTC)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return ceil((midnight - now).total_seconds())


# Of an assistant or a credential that has been deleted.
_NOBODYS = {"assistant_id": None, "credential_id": None}
_OF_BUDGET = {
    AlertCode.BUDGET_LOW: advice.BUDGET_LOW,
    AlertCode.BUDGET_EXHAUSTED: advice.BUDGET_EXHAUSTED,
}


class BudgetToday(NamedTuple):
    """The tokens that a widget has spent today (UTC), and how many it may; None: no limit."""

    spent: int
    limit: int | None


def budget_today(settings: AiSettings) -> BudgetToday:
    return BudgetToday(_spent_today(settings.widget_id), _limit(settings))


def tokens_by_day(widget_id: int, *, days: int) -> list[tuple[date, int]]:
    """The tokens of each of the last days (UTC), today last. Index: ai_usage_widget."""
    today = timezone.now().astimezone(UTC).date()
    first = today - timedelta(days=days - 1)
    since = datetime.combine(first, datetime.min.time(), UTC)
    rows = Usage.objects.for_widget(widget_id).filter(at__gte=since).annotate(day=TruncDay("at", tzinfo=UTC))
    spent = rows.values("day").annotate(tokens=Sum(F("prompt_tokens") + F("completion_tokens"))).order_by("day")
    by_day = {row["day"].date(): row["tokens"] for row in spent}
    return [(day, by_day.get(day, 0)) for day in (first + timedelta(days=count) for count in range(days))]
