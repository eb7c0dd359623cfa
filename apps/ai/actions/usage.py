"""Calls of vendors: each asks the day's budget before it goes out, and is written down as usage, failed ones too.

`vendor_call` is the one door of them all (`tests/architecture/test_paid_calls.py`). A row is written before the call,
so no death of a process loses one; until its end is written, it counts with what it may cost. A call that takes from
other budgets, too, takes from all by one statement, or from none.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import cache
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
from apps.ai.rules.budgets import alert_of, is_low, limit_for, limit_of, most_before, unanswered_cost
from apps.ai.rules.configuration import AlertCode
from apps.ai.rules.evaluations import is_for_automatic
from apps.ai.rules.prices import Price
from apps.ai.settings import settings_of
from apps.core import database
from apps.core.database import Parameters
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.core.quotas import Quota
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


class LimitReached(Exception):
    """A budget beside the day's has no room for the call, and will have some in `wait_s` seconds. Nothing was sent."""

    def __init__(self, wait_s: int) -> None:
        super().__init__(f"nothing is left for {wait_s} s")
        self.wait_s = wait_s


# A budget beside the day's, and its key.
Limit = tuple[Quota, object]
# The end of a call, which is its writer's to write: `USED` by these parameters.
CallEnd = Parameters
USED = """
UPDATE ai_usage SET outcome = %(used_outcome)s, latency_ms = %(used_ms)s, reserved_tokens = %(used_reserved)s,
    prompt_tokens = %(used_prompt)s, completion_tokens = %(used_completion)s,
    cost = coalesce(%(used_cost)s::numeric, cost), model = coalesce(%(used_model)s, model)
WHERE widget_id = %(widget_id)s AND id = %(used_id)s"""


class VendorCall:
    """A call under way. `answered` says what it has cost."""

    def __init__(
        self, usage_id: int, about: Mapping[str, Any], estimate: TokenEstimate, price: Price | None = None
    ) -> None:
        self._id, self._about, self._estimate, self._price = usage_id, about, estimate, price
        self._began = time.monotonic()
        self._outcome, self._cost = "spent", 0
        self._tokens = (0, 0)
        self._model: str | None = None

    def answered(self, *, prompt_tokens: int = 0, completion_tokens: int = 0, said: int | None = None) -> None:
        """The call gave an answer. The estimate counts where the vendor tells no tokens, and for the answer `said`."""
        self._outcome = "ok"
        self._tokens = (prompt_tokens, completion_tokens)
        if not prompt_tokens:
            self._cost = self._estimate.prompt
        if not completion_tokens and (said is not None or not prompt_tokens):
            self._cost += self._estimate.answer if said is None else said

    def used_model(self, model: str) -> None:
        """The model, where it is found out by the call itself."""
        self._model = model

    def failed(self, failure: ProviderFailed) -> None:
        self._outcome = failure.reason
        self._cost = unanswered_cost(failure.reason, failure.status, self._estimate.total)

    def ended(self, requests: int, ends: Callable[[CallEnd], None]) -> None:
        """Writes down what came of it, or gives that to `ends`. The last of several requests counts."""
        widget_id, (prompt, completion) = self._about["widget_id"], self._tokens
        if not requests:
            Usage.objects.for_widget(widget_id).filter(pk=self._id).delete()
            return
        took_ms = round((time.monotonic() - self._began) * 1000)
        end = {
            "widget_id": widget_id,
            "used_id": self._id,
            "used_outcome": self._outcome,
            "used_ms": took_ms,
            "used_reserved": self._cost,
            "used_prompt": prompt,
            "used_completion": completion,
            "used_cost": None if self._price is None else self._price.of(prompt, completion),
            "used_model": self._model,
        }
        is_usual = self._outcome == "ok" and requests == 1 and self._cost + prompt + completion <= self._estimate.total
        if is_usual:
            ends(end)
            return
        write_end(end)
        if self._cost + prompt + completion > self._estimate.total:
            is_budget_left(settings_of(widget_id))
        for _ in range(requests - 1):
            _note_refused(self._about, took_ms)


def write_end(end: CallEnd) -> None:
    """Writes down what came of a call."""
    database.execute(USED, end)


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
    limits: Sequence[Limit] = (),
    ends: Callable[[CallEnd], None] = write_end,
    **whose: Any,
) -> Iterator[VendorCall]:
    """One question to a vendor, of one HTTP request, or of several where the first was refused for its form.

    `requests`: how many are written down; None, those that the budget counts in the block. `automatic`: it runs by
    itself, and leaves the last tenth of the day's budget to people. `price`: the model's, which is kept with the call.
    `limits`: of each the call takes one. `ends`: called with the end of a call that answered, which is then its own to
    write; it is written at once where there is more to see to.
    Raises BudgetExhausted and LimitReached before anything is sent. Outside of transactions: other calls of the widget
    see what this one may cost.
    """
    about = {"widget_id": widget_id, "purpose": purpose, "model": model, **whose, **price_columns(price)}
    usage_id = _reserve(about, estimate.total, automatic=automatic, limits=limits)
    call, spent = VendorCall(usage_id, about, estimate, price), budget.spent
    try:
        yield call
    except ProviderFailed as failure:
        call.failed(failure)
        raise
    finally:
        call.ended(budget.spent - spent if requests is None else requests, ends)


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


_LOCKS = """
SELECT (SELECT daily_token_budget FROM ai_aisettings WHERE widget_id = %(widget_id)s),
       pg_advisory_xact_lock(hashtextextended(name, 0))
FROM unnest(%(names)s::text[]) WITH ORDINALITY AS held (name, place) ORDER BY place"""
# Takes one of each limit, and writes down a call if there is one, where all have room; what was spent before.
# Indexes: core_spending_budget, ai_usage_widget.
_TAKE = """
WITH asked AS MATERIALIZED (
    SELECT scope, key, most, span
    FROM unnest(%(scopes)s::text[], %(keys)s::text[], %(mosts)s::int[], %(spans)s::interval[])
      AS asked (scope, key, most, span)
), before AS MATERIALIZED (
    SELECT ({spent}) AS tokens, NOT EXISTS (
        SELECT FROM asked WHERE asked.most < (
            SELECT coalesce(sum(weight), 0) FROM core_spending s
            WHERE s.scope = asked.scope AND s.key = asked.key AND s.at > statement_timestamp() - asked.span)
    ) AS is_within_limits
), fits AS MATERIALIZED (
    SELECT FROM before WHERE is_within_limits AND (%(most)s::bigint IS NULL OR tokens <= %(most)s::bigint)
), taken AS (
    INSERT INTO core_spending (scope, key, weight) SELECT scope, key, 1 FROM asked CROSS JOIN fits
){written}
SELECT before.is_within_limits, before.tokens, {usage_id} FROM before"""
_CALL = """, written AS (
    INSERT INTO ai_usage (widget_id, assistant_id, operator_id, credential_id, chat_id, purpose, model, prompt_tokens,
        completion_tokens, reserved_tokens, prompt_price, completion_price, currency, cost, latency_ms, outcome)
    SELECT %(widget_id)s, %(assistant_id)s, %(operator_id)s, %(credential_id)s, %(chat_id)s, %(purpose)s, %(model)s, 0,
        0, %(tokens)s, %(prompt_price)s, %(completion_price)s, %(currency)s, %(cost)s, 0, %(outcome)s FROM fits
    RETURNING id
)"""


class _Taken(NamedTuple):
    """The row of the call, None without room for it or without a call; what the widget had spent before and its limit
    today; and in how many seconds there is room in the other budgets.
    """

    usage_id: int | None
    spent: int
    limit: int | None
    wait_s: int


@cache
def _take_statement(*, counts: bool, is_call: bool) -> str:
    return _TAKE.format(
        spent=SPENT_TODAY if counts else "0",
        written=_CALL if is_call else "",
        usage_id="(SELECT id FROM written)" if is_call else "NULL::bigint",
    )


def take(widget_id: int, limits: Sequence[Limit]) -> int:
    """Takes one of each limit, and returns 0; or takes nothing, and returns the seconds until all have one.

    For work that waits instead of being refused. Name the limits in one order everywhere.
    """
    return _take({"widget_id": widget_id}, 0, automatic=False, limits=limits, is_call=False).wait_s


def _reserve(about: Mapping[str, Any], tokens: int, *, automatic: bool, limits: Sequence[Limit]) -> int:
    """Writes down a call that is about to be made, and gives its row.

    Raises LimitReached; BudgetExhausted, of which it tells the owner.
    """
    widget_id = about["widget_id"]
    try:
        taken = _take(about, tokens, automatic=automatic, limits=limits)
    except IntegrityError:
        taken = _take({**about, **_NOBODYS}, tokens, automatic=automatic, limits=limits)
    if taken.wait_s:
        raise LimitReached(taken.wait_s)
    if taken.usage_id is None:
        report(widget_id, AlertCode.BUDGET_EXHAUSTED, advice.BUDGET_EXHAUSTED)
        raise BudgetExhausted(until_tomorrow_s())
    if taken.limit is not None and is_low(taken.spent + tokens, taken.limit):
        report_once_a_day(widget_id, AlertCode.BUDGET_LOW, advice.BUDGET_LOW)
    return taken.usage_id


@transaction.atomic
def _take(
    about: Mapping[str, Any], tokens: int, *, automatic: bool, limits: Sequence[Limit], is_call: bool = True
) -> _Taken:
    """Takes one of each limit, and the tokens, by a row of the call; of all or of none.

    Each budget is held by its name's lock, so it is exact under any number of callers.
    """
    widget_id = about["widget_id"]
    names = [quota.lock_of(key) for quota, key in limits]
    if tokens:
        names.append(f"ai_budget:{widget_id}")
    held = database.fetch_one(_LOCKS, {"widget_id": widget_id, "names": names}) if names else None
    limit = limit_of(held[0], installation.AI_DAILY_TOKEN_BUDGET) if held and tokens else None
    parameters: Parameters = {
        **_OF_NOBODY,
        **about,
        "tokens": tokens,
        "outcome": UNDER_WAY,
        "most": None if limit is None else most_before(tokens, limit_for(limit, automatic=automatic)),
        "scopes": [quota.scope for quota, _ in limits],
        "keys": [str(key) for _, key in limits],
        "mosts": [quota.limit - 1 for quota, _ in limits],
        "spans": [quota.window for quota, _ in limits],
    }
    row = database.fetch_one(_take_statement(counts=limit is not None, is_call=is_call), parameters)
    is_within_limits, spent, usage_id = row or (True, 0, None)
    wait_s = 0 if is_within_limits else max(1, *(quota.wait_s(key) for quota, key in limits))
    return _Taken(usage_id, int(spent), limit, wait_s)


def _note_refused(about: Mapping[str, Any], took_ms: int) -> None:
    """A request before the last one, which was refused for its form: nothing was paid."""
    names = ("widget_id", "assistant_id", "operator_id", "credential_id", "chat_id", "purpose", "model")
    values = {name: about.get(name) for name in names}
    try:
        Usage.objects.create(**values, outcome="bad_answer", latency_ms=took_ms)
    except IntegrityError:
        Usage.objects.create(**{**values, **_NOBODYS}, outcome="bad_answer", latency_ms=took_ms)


def until_tomorrow_s() -> int:
    now = timezone.now().astimezone(UTC)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    return ceil((midnight - now).total_seconds())


# Of an assistant or a credential that has been deleted.
_NOBODYS: Parameters = {"assistant_id": None, "credential_id": None}
_OF_NOBODY: Parameters = _NOBODYS | {
    "operator_id": None,
    "chat_id": None,
    "prompt_price": None,
    "completion_price": None,
    "currency": "",
    "cost": None,
}
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
