"""The earnings of an account that recommends the service: facts of the same ledger, in a wallet of its own."""

from django.db import transaction

from apps.accounts.models import Account
from apps.billing.actions.ledger import earlier_transaction, lock_partner_wallet, record
from apps.billing.models import Transaction
from apps.billing.rules.ledger import TransactionType


def reward_partner(*, account: Account, amount: int, reference: str, description: str = "") -> Transaction:
    """Adds to what the account has earned. Raises MoneyRefused."""
    return _move(account, TransactionType.PARTNER_REWARD, amount, reference, description)


def pay_partner(*, account: Account, amount: int, reference: str, description: str = "") -> Transaction:
    """Notes that earnings were paid out. Raises MoneyRefused when there are not as much."""
    return _move(account, TransactionType.PARTNER_PAYOUT, amount, reference, description)


@transaction.atomic
def _move(account: Account, type_: TransactionType, amount: int, reference: str, description: str) -> Transaction:
    wallet = lock_partner_wallet(account.pk)
    earlier = earlier_transaction(wallet, reference, type=type_, amount_minor=amount)
    return earlier or record(wallet, type_, amount=amount, reference=reference, description=description)
