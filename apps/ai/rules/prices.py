"""The cost of calls of a model, by the prices that an owner has entered: per million tokens, in one currency a key."""

from decimal import Decimal

CURRENCIES = ("RUB", "USD", "EUR", "CNY", "GBP", "KZT", "BYN", "AED", "CHF")
PER = 1_000_000


def is_priced(prompt_price: Decimal | None, completion_price: Decimal | None, currency: str) -> bool:
    """Whether both prices are known; a price of 0 is one."""
    return prompt_price is not None and completion_price is not None and bool(currency)


def cost(*, prompt_tokens: int, completion_tokens: int, prompt_price: Decimal, completion_price: Decimal) -> Decimal:
    """The money for so many tokens, not rounded."""
    return (prompt_tokens * prompt_price + completion_tokens * completion_price) / PER
