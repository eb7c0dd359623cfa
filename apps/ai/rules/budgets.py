"""The day's budget of tokens: how much a widget may spend, and what a call counts with. Pure."""

from apps.ai.rules.configuration import AlertCode

LOW_PERCENT = 80
# What runs by itself ends here: the last tenth is people's.
AUTOMATIC_PERCENT = 90


def limit_of(own: int | None, of_installation: int) -> int | None:
    """The widget's limit a day: its own, else the installation's; 0 of either is none."""
    return (of_installation if own is None else own) or None


def limit_for(limit: int, *, automatic: bool) -> int:
    """How much of a day's limit a call may take: all that a person asks for, nine tenths what runs by itself."""
    return limit * AUTOMATIC_PERCENT // 100 if automatic else limit


def most_before(tokens: int, limit: int) -> int:
    """The most that may have been spent before a call that may cost so much, so that it fits."""
    return limit - tokens


def is_low(spent: int, limit: int) -> bool:
    """Whether the owner is to be told that the day's tokens come to their end."""
    return spent * 100 >= limit * LOW_PERCENT


def alert_of(spent: int, limit: int, *, automatic: bool) -> AlertCode | None:
    """The alert of a day on which so much was spent; None: the owner need not know."""
    if spent >= limit_for(limit, automatic=automatic):
        return AlertCode.BUDGET_EXHAUSTED
    return AlertCode.BUDGET_LOW if is_low(spent, limit) else None


def unanswered_cost(reason: str, status: int | None, estimate: int) -> int:
    """The tokens that a call without a good answer counts with: all of the estimate where the vendor may have worked.

    A refusal (a wrong key, too many calls), and a server that was not reached, cost nothing.
    """
    may_be_paid = reason == "timeout" or (status is not None and status < 300)
    return estimate if may_be_paid else 0
