"""Money: what moves it, between which places, and what that does to a wallet.

Amounts are whole minor units (kopecks), never fractions. Every entry of the ledger takes an amount from one place and
gives it to another, so that all of them together are always zero.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

CURRENCY = "RUB"
# How many digits of an amount stand behind the decimal point, by currency (ISO 4217).
SCALES: Mapping[str, int] = {"RUB": 2}
MAX_AMOUNT = 10**13  # minor units
MAX_DESCRIPTION, MAX_REFERENCE = 255, 64


class TransactionType(StrEnum):
    """The kinds of moves of money. `unknown` stands for types that come later (specification, "Billing statuses")."""

    TOP_UP = "top_up"
    INVOICE_PAYMENT = "invoice_payment"
    PLAN_PURCHASE = "plan_purchase"
    WITHDRAWAL = "withdrawal"
    PARTNER_REWARD = "partner_reward"
    PARTNER_PAYOUT = "partner_payout"
    UNKNOWN = "unknown"


class TransactionState(StrEnum):
    """A withdrawal is pending until it is paid out; everything else is completed at once."""

    PENDING = "pending"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class Direction(StrEnum):
    """As the account sees it: a credit is money that comes in."""

    CREDIT = "credit"
    DEBIT = "debit"
    UNKNOWN = "unknown"


class InvoiceStatus(StrEnum):
    ISSUED = "issued"
    PAID = "paid"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class SubscriptionStatus(StrEnum):
    ACTIVE = "active"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class SubscriptionKind(StrEnum):
    """A product is a plan of the service; a package adds something to it."""

    PRODUCT = "product"
    PACKAGE = "package"
    UNKNOWN = "unknown"


class LedgerPlace(StrEnum):
    """The places of money: in a wallet, free or reserved, or outside it."""

    AVAILABLE = "available"
    RESERVED = "reserved"
    BANK = "bank"
    SALES = "sales"
    PARTNERS = "partners"


IN_WALLET = (LedgerPlace.AVAILABLE, LedgerPlace.RESERVED)


class LedgerMove(NamedTuple):
    """From which place to which."""

    debited: LedgerPlace
    credited: LedgerPlace


# What each type of transaction does at first; a withdrawal goes on as SETTLED says.
MOVES: Mapping[TransactionType, LedgerMove] = {
    TransactionType.TOP_UP: LedgerMove(LedgerPlace.BANK, LedgerPlace.AVAILABLE),
    TransactionType.INVOICE_PAYMENT: LedgerMove(LedgerPlace.BANK, LedgerPlace.AVAILABLE),
    TransactionType.PLAN_PURCHASE: LedgerMove(LedgerPlace.AVAILABLE, LedgerPlace.SALES),
    TransactionType.WITHDRAWAL: LedgerMove(LedgerPlace.AVAILABLE, LedgerPlace.RESERVED),
    TransactionType.PARTNER_REWARD: LedgerMove(LedgerPlace.PARTNERS, LedgerPlace.AVAILABLE),
    TransactionType.PARTNER_PAYOUT: LedgerMove(LedgerPlace.AVAILABLE, LedgerPlace.BANK),
}
SETTLED: Mapping[TransactionState, LedgerMove] = {
    TransactionState.COMPLETED: LedgerMove(LedgerPlace.RESERVED, LedgerPlace.BANK),
    TransactionState.CANCELLED: LedgerMove(LedgerPlace.RESERVED, LedgerPlace.AVAILABLE),
}


# An invoice paid by mistake: the money leaves the wallet again. That, and a cancellation, is undone within a day.
UNDONE = LedgerMove(LedgerPlace.AVAILABLE, LedgerPlace.BANK)
UNDONE_WITHIN = timedelta(days=1)


class MoneyRefused(ValueError):
    """A move of money that is not made; its text says why. Nothing has changed."""


class Sums(NamedTuple):
    """The sums that went into a wallet and out of it in its whole life, and the reserved part of the rest.

    Minor units.
    """

    credited: int = 0
    debited: int = 0
    reserved: int = 0

    @property
    def balance(self) -> int:
        return self.credited - self.debited

    @property
    def available(self) -> int:
        return self.balance - self.reserved

    def after(self, move: LedgerMove, amount: int) -> "Sums":
        """The sums after a move. Raises MoneyRefused when there is not as much where it is taken from."""
        debited, credited = move
        came = amount if credited in IN_WALLET and debited not in IN_WALLET else 0
        went = amount if debited in IN_WALLET and credited not in IN_WALLET else 0
        reserved = amount * ((credited is LedgerPlace.RESERVED) - (debited is LedgerPlace.RESERVED))
        after = Sums(self.credited + came, self.debited + went, self.reserved + reserved)
        if after.available < 0 or after.reserved < 0:
            raise MoneyRefused("There is not enough money available.")
        return after


def direction_of(type_: TransactionType) -> Direction:
    """Whether a transaction of that type brings the account money or takes it."""
    return Direction.CREDIT if MOVES[type_].debited not in IN_WALLET else Direction.DEBIT


def checked_amount(amount: int) -> int:
    """An amount that may be moved. Raises MoneyRefused."""
    if not 1 <= amount <= MAX_AMOUNT:
        raise MoneyRefused("The amount is not positive, or too large.")
    return amount


def period_of(*, now: datetime, days: int | None, renewed_until: datetime | None) -> tuple[datetime, datetime | None]:
    """When a plan that is bought now begins and ends: at once, or when the one that it renews is over.

    Without days it does not end.
    """
    start = max(now, renewed_until) if renewed_until else now
    return start, None if days is None else start + timedelta(days=days)


def invoice_number(invoice_id: int, *, now: datetime) -> str:
    """The number of an invoice: its year and its id."""
    return f"{now.year}-{invoice_id:06d}"
