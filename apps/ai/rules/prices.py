"""The cost of calls of a model, by the prices that an owner has entered: per million tokens, in one currency a key."""

from decimal import Decimal
from typing import NamedTuple

CURRENCIES = ("RUB", "USD", "EUR", "CNY", "GBP", "KZT", "BYN", "AED", "CHF")
PER = 1_000_000
# The digits of a price, and those of the cost of one token: money is rounded where it is shown, never where it is kept.
PRICE_DIGITS, PRICE_PLACES = 14, 6
COST_DIGITS, COST_PLACES = 28, 12


class Price(NamedTuple):
    """The money for a million tokens that are sent, and for a million that are answered."""

    prompt: Decimal
    completion: Decimal
    currency: str

    def of(self, prompt_tokens: int, completion_tokens: int) -> Decimal:
        """The money for so many tokens, not rounded."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / PER


def price_of(prompt: Decimal | None, completion: Decimal | None, currency: str) -> Price | None:
    """The price, if both parts and the currency are known; a price of 0 is one."""
    if prompt is None or completion is None or not currency:
        return None
    return Price(prompt, completion, currency)
