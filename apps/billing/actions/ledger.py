"""Moves of money: each under the lock of its wallet, once for its reference, all of it or none."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.billing.models import Entry, LegalEntity, Transaction, Wallet
from apps.billing.rules import ledger
from apps.billing.rules.ledger import LedgerMove, MoneyRefused, TransactionState, TransactionType


def lock_wallet(widget: Widget) -> Wallet:
    """The wallet of a widget, held until the transaction ends; an empty one is made of it if there is none."""
    return _lock(account_id=widget.account_id, widget_id=widget.pk)


def lock_partner_wallet(account_id: int) -> Wallet:
    """The wallet of an account's earnings as a partner; see `lock_wallet`."""
    return _lock(account_id=account_id, widget_id=None)


def _lock(**owner: Any) -> Wallet:
    wallet, _ = (
        Wallet.objects.unscoped("of the account that owns the widget")
        .select_for_update(no_key=True)
        .get_or_create(**owner)
    )
    return wallet


def earlier_transaction(wallet: Wallet, reference: str, **said: Any) -> Transaction | None:
    """The transaction that has the reference already; None without one. The wallet is locked.

    Raises MoneyRefused if it was another move: of another type, amount or recipient.
    """
    earlier = wallet.transactions.filter(reference=reference).first()
    if earlier is not None and any(getattr(earlier, name) != value for name, value in said.items()):
        raise MoneyRefused("The reference was used for another move of money.")
    return earlier


def record(wallet: Wallet, type_: TransactionType, *, amount: int, reference: str, **details: Any) -> Transaction:
    """Moves an amount as its type says, in a transaction of its own row. The wallet is locked.

    Raises MoneyRefused, and then nothing has moved.
    """
    is_withdrawal = type_ is TransactionType.WITHDRAWAL
    ledger.checked_amount(amount)
    row = Transaction(
        account_id=wallet.account_id,
        widget_id=wallet.widget_id,
        wallet=wallet,
        type=type_,
        state=TransactionState.PENDING if is_withdrawal else TransactionState.COMPLETED,
        direction=ledger.direction_of(type_),
        amount_minor=amount,
        currency=wallet.currency,
        reference=reference,
        settled_at=None if is_withdrawal else timezone.now(),
        **details,
    )
    after = wallet.sums.after(ledger.MOVES[type_], amount)
    row.save()
    _enter(wallet, row, ledger.MOVES[type_], after)
    return row


def _enter(wallet: Wallet, row: Transaction, move: LedgerMove, after: ledger.Sums) -> None:
    Entry.objects.create(transaction=row, debited=move.debited, credited=move.credited, amount_minor=row.amount_minor)
    wallet.credited_minor, wallet.debited_minor, wallet.reserved_minor = after
    wallet.save(update_fields=["credited_minor", "debited_minor", "reserved_minor"])


@transaction.atomic
def top_up(*, widget: Widget, amount: int, reference: str, description: str = "") -> Transaction:
    """Puts money into the widget's wallet. Raises MoneyRefused."""
    wallet = lock_wallet(widget)
    type_ = TransactionType.TOP_UP
    earlier = earlier_transaction(wallet, reference, type=type_, amount_minor=amount)
    return earlier or record(wallet, type_, amount=amount, reference=reference, description=description)


@transaction.atomic
def request_withdrawal(
    *, widget: Widget, entity: LegalEntity, amount: int, reference: str, description: str = ""
) -> Transaction:
    """Reserves money that is to be paid to one of the account's legal entities, which is locked until it is settled.

    Raises MoneyRefused.
    """
    wallet = lock_wallet(widget)
    type_ = TransactionType.WITHDRAWAL
    said = {"type": type_, "amount_minor": amount, "entity_id": entity.pk}
    if earlier := earlier_transaction(wallet, reference, **said):
        return earlier
    hold_entity(widget, entity)
    return record(wallet, type_, amount=amount, reference=reference, description=description, entity=entity)


def hold_entity(widget: Widget, entity: LegalEntity) -> None:
    """Holds a legal entity of the widget's account, so that it is not changed before it is named.

    Raises MoneyRefused for any other.
    """
    held = LegalEntity.objects.for_widget(widget.pk).filter(pk=entity.pk).select_for_update(of=("self",))
    if held.first() is None:
        raise MoneyRefused("The legal entity is not the account's.")


def pay_withdrawal(*, withdrawal: Transaction) -> Transaction:
    """Notes that a withdrawal was paid: what was reserved has left. Raises MoneyRefused for one that was cancelled."""
    return _settle(withdrawal, TransactionState.COMPLETED)


def cancel_withdrawal(*, withdrawal: Transaction) -> Transaction:
    """Frees what a withdrawal has reserved. Raises MoneyRefused for one that was paid."""
    return _settle(withdrawal, TransactionState.CANCELLED)


@transaction.atomic
def _settle(withdrawal: Transaction, state: TransactionState) -> Transaction:
    wallet = (
        Wallet.objects.unscoped("read with its widget before")
        .select_for_update(no_key=True)
        .get(pk=withdrawal.wallet_id)
    )
    row = wallet.transactions.get(pk=withdrawal.pk)
    if row.type != TransactionType.WITHDRAWAL:
        raise MoneyRefused("This is no withdrawal.")
    if row.state == state:
        return row
    if row.state != TransactionState.PENDING:
        raise MoneyRefused("The withdrawal was settled otherwise.")
    after = wallet.sums.after(ledger.SETTLED[state], row.amount_minor)
    row.state, row.settled_at = state, timezone.now()
    row.save(update_fields=["state", "settled_at"])
    _enter(wallet, row, ledger.SETTLED[state], after)
    return row


def undo(row: Transaction, move: LedgerMove) -> None:
    """Takes a completed move back by an entry of its own; its reference is free again. The caller holds the wallet.

    Raises MoneyRefused when the money is not there any more.
    """
    wallet = Wallet.objects.unscoped("of a transaction that was read with its widget").get(pk=row.wallet_id)
    after = wallet.sums.after(move, row.amount_minor)
    row.state, row.reference = TransactionState.CANCELLED, f"undone {row.pk}"
    row.save(update_fields=["state", "reference"])
    _enter(wallet, row, move, after)
