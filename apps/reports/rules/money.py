"""The money of models: calls by the time they were made, their cost, and that of each answered chat. Pure.

Money is kept exactly with each call (`ai.Usage`); it is rounded here, to six places, and currencies are never added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from apps.reports.rules.reports import ReportQuery

DAY, ASSISTANT, MODEL, PURPOSE = "day", "assistant", "model", "purpose"
MONEY_GROUPS = (DAY, ASSISTANT, MODEL, PURPOSE)
OF_MONEY = ("from", "to", "period", "zone", "group")
SIX_PLACES = Decimal("0.000001")

Money = Mapping[str, Decimal]  # by currency


@dataclass(frozen=True, slots=True, kw_only=True)
class SpentCalls:
    """Calls, their tokens, and their money. `unpriced_tokens` are of calls whose price nobody had entered."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unpriced_tokens: int = 0
    money: Money

    def __add__(self, calls: SpentCalls) -> SpentCalls:
        money = dict(self.money)
        for currency, amount in calls.money.items():
            money[currency] = money.get(currency, Decimal(0)) + amount
        return SpentCalls(
            calls=self.calls + calls.calls,
            prompt_tokens=self.prompt_tokens + calls.prompt_tokens,
            completion_tokens=self.completion_tokens + calls.completion_tokens,
            unpriced_tokens=self.unpriced_tokens + calls.unpriced_tokens,
            money=money,
        )


NOTHING = SpentCalls(money={})


@dataclass(frozen=True, slots=True)
class MachineWork:
    """Episodes that were opened in a window: with AI, resolved by it for good; and the answers of machines in them."""

    answered: int = 0
    resolved: int = 0
    replies: int = 0


@dataclass(frozen=True, slots=True)
class MoneyGroup:
    """The calls of one key; `work` is None where episodes have no such key. `query` is the question of the key."""

    key: str
    label: str
    spent: SpentCalls
    work: MachineWork | None
    query: ReportQuery


@dataclass(frozen=True, slots=True)
class MoneyReport:
    """The answer to a question. `rest` is how many groups, and calls of them, are left out."""

    query: ReportQuery
    page: str
    spent: SpentCalls
    work: MachineWork
    minutes_per_reply: int
    groups: Sequence[MoneyGroup]
    rest_groups: int
    rest_calls: int


def amounts(money: Money) -> list[dict[str, str]]:
    """Money as it is answered: one entry a currency, by its code."""
    return [{"currency": currency, "amount": amount_of(money[currency])} for currency in sorted(money)]


def amount_of(amount: Decimal) -> str:
    """An amount of six places, half up."""
    return f"{amount.quantize(SIX_PLACES, ROUND_HALF_UP):f}"


def for_each(money: Money, count: int) -> Money:
    """The money for each of so many; nothing of none."""
    return {currency: amount / count for currency, amount in money.items()} if count else {}


def hours_saved(replies: int, minutes_per_reply: int) -> float:
    """The hours that people would have written for, to four places: the one figure that is an assumption."""
    return round(replies * minutes_per_reply / 60, 4)


def summed(found: Sequence[SpentCalls]) -> SpentCalls:
    """All of them together."""
    return sum(found, NOTHING)


def has_work(group: Any) -> bool:
    """Whether episodes have the keys of a group: a call's model or purpose is none of theirs."""
    return group in (DAY, ASSISTANT)
