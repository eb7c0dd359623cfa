"""Invoices: issued to a legal entity, paid by bank transfer into the wallet."""

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.billing.actions.ledger import hold_entity, lock_wallet, record, undo
from apps.billing.models import Invoice, LegalEntity, Payee, Transaction
from apps.billing.rules import ledger
from apps.billing.rules.ledger import (
    UNDONE,
    UNDONE_WITHIN,
    InvoiceStatus,
    MoneyRefused,
    TransactionState,
    TransactionType,
)
from apps.chats.actions.files import file_being_stored
from apps.chats.models import File
from apps.chats.rules.files import FilePurpose
from apps.core.endpoints.uploads import ReceivedFile


class Item(NamedTuple):
    """A line of an invoice."""

    name: str
    quantity: int
    price_minor: int

    @property
    def amount_minor(self) -> int:
        return self.quantity * self.price_minor


def issue_invoice(
    *,
    widget: Widget,
    entity: LegalEntity,
    items: Sequence[Item],
    reference: str,
    due_at: datetime | None = None,
    document: ReceivedFile | None = None,
) -> Invoice:
    """Bills one of the account's legal entities for the items. The document is a file of the widget, but of no chat.

    It is stored before anything is locked. Raises MoneyRefused, STORAGE_FAILED (500), TRY_AGAIN (503).
    """
    issue = partial(_issue, widget, entity, items, reference, due_at)
    if document is None or Invoice.objects.for_widget(widget.pk).filter(reference=reference).exists():
        return issue(document=None)
    with file_being_stored(widget_id=widget.pk, upload=document, purpose=FilePurpose.INVOICE) as file:
        return issue(document=file)


@transaction.atomic
def _issue(
    widget: Widget,
    entity: LegalEntity,
    items: Sequence[Item],
    reference: str,
    due_at: datetime | None,
    *,
    document: File | None,
) -> Invoice:
    wallet = lock_wallet(widget)
    earlier = Invoice.objects.for_widget(widget.pk).filter(reference=reference).first()
    if earlier is not None:
        return earlier
    hold_entity(widget, entity)
    payee = Payee.objects.first()
    invoice = Invoice.objects.create(
        account_id=widget.account_id,
        widget=widget,
        entity=entity,
        amount_minor=ledger.checked_amount(sum(item.amount_minor for item in items)),
        currency=wallet.currency,
        items=[{**item._asdict(), "amount_minor": item.amount_minor} for item in items],
        document=document,
        reference=reference,
        due_at=due_at,
        payee=payee.details._asdict() if payee else {},
    )
    invoice.number = ledger.invoice_number(invoice.pk, now=timezone.now())
    invoice.save(update_fields=["number"])
    return invoice


@transaction.atomic
def pay_invoice(*, invoice: Invoice) -> Transaction:
    """Notes that an invoice was paid: its amount comes into the wallet, once.

    Raises MoneyRefused for one that was cancelled.
    """
    wallet = lock_wallet(invoice.widget)
    row = Invoice.objects.for_widget(invoice.widget_id).get(pk=invoice.pk)
    if row.status == InvoiceStatus.PAID:
        return row.transactions.get(type=TransactionType.INVOICE_PAYMENT, state=TransactionState.COMPLETED)
    if row.status != InvoiceStatus.ISSUED:
        raise MoneyRefused("The invoice was cancelled.")
    row.status, row.paid_at = InvoiceStatus.PAID, timezone.now()
    row.save(update_fields=["status", "paid_at"])
    return record(
        wallet,
        TransactionType.INVOICE_PAYMENT,
        amount=row.amount_minor,
        reference=f"invoice {row.pk}",
        description=row.number,
        entity_id=row.entity_id,
        invoice=row,
    )


@transaction.atomic
def cancel_invoice(*, invoice: Invoice) -> None:
    """Withdraws an invoice; again is no change. Raises MoneyRefused for one that was paid."""
    lock_wallet(invoice.widget)
    row = Invoice.objects.for_widget(invoice.widget_id).get(pk=invoice.pk)
    if row.status == InvoiceStatus.PAID:
        raise MoneyRefused("The invoice was paid.")
    if row.status == InvoiceStatus.ISSUED:
        row.status, row.cancelled_at = InvoiceStatus.CANCELLED, timezone.now()
        row.save(update_fields=["status", "cancelled_at"])


@transaction.atomic
def reopen_invoice(*, invoice: Invoice) -> None:
    """Takes "paid" or "cancelled" back within a day: the invoice is issued again, and what came in is taken out.

    One that is issued stays so. Raises MoneyRefused when it is too late, or the money is spent.
    """
    lock_wallet(invoice.widget)
    row = Invoice.objects.for_widget(invoice.widget_id).get(pk=invoice.pk)
    if row.status == InvoiceStatus.ISSUED:
        return
    settled_at = row.paid_at or row.cancelled_at
    if settled_at is None or settled_at < timezone.now() - UNDONE_WITHIN:
        raise MoneyRefused("It is too late to undo this.")
    if row.status == InvoiceStatus.PAID:
        undo(row.transactions.get(type=TransactionType.INVOICE_PAYMENT, state=TransactionState.COMPLETED), UNDONE)
    row.status, row.paid_at, row.cancelled_at = InvoiceStatus.ISSUED, None, None
    row.save(update_fields=["status", "paid_at", "cancelled_at"])
