"""Legal entities, the ledger (wallets, transactions, entries), plans and what was bought of them, invoices.

Amounts are whole minor units of `currency`. Rows of the ledger are never changed in what they say of money: a
transaction's state moves on, and entries are added.
"""

from enum import StrEnum
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Account, Widget
from apps.billing.querysets import (
    EntryQuerySet,
    InvoiceQuerySet,
    LegalEntityQuerySet,
    PlanSubscriptionQuerySet,
    TransactionQuerySet,
    WalletQuerySet,
)
from apps.billing.rules import ledger
from apps.billing.rules.ledger import (
    Direction,
    InvoiceStatus,
    LedgerPlace,
    SubscriptionKind,
    SubscriptionStatus,
    Sums,
    TransactionState,
    TransactionType,
)
from apps.billing.rules.payments import PayeeDetails
from apps.cabinet.coded_values import display_value
from apps.chats.models import File


def _slug(kind: type[StrEnum], **options: Any) -> "models.CharField[Any, Any]":
    return models.CharField(max_length=32, choices=[(slug.value, slug.value) for slug in kind], **options)


def _amount(**options: Any) -> "models.BigIntegerField[Any, Any]":
    return models.BigIntegerField(help_text=_("Minor units."), **options)


def _currency() -> "models.CharField[Any, Any]":
    return models.CharField(max_length=3, db_default=ledger.CURRENCY, default=ledger.CURRENCY)


class LegalEntity(models.Model):
    """The bank and tax details of an account (specification, "Legal entity fields")."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="legal_entities", db_index=False)
    short_name = models.CharField(max_length=255)
    full_name = models.CharField(max_length=1000)
    representative = models.CharField(max_length=255)
    legal_address = models.CharField(max_length=1000)
    postal_address = models.CharField(max_length=1000)
    contact_person = models.CharField(max_length=255)
    contact_phone = models.CharField(max_length=32)
    inn = models.CharField(max_length=12)
    kpp = models.CharField(max_length=9)
    ogrn = models.CharField(max_length=15)
    bank_name = models.CharField(max_length=255)
    bik = models.CharField(max_length=9)
    checking_account = models.CharField(max_length=20)
    correspondent_account = models.CharField(max_length=20)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = LegalEntityQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "legal entities"
        indexes = [models.Index(fields=["account", "-created_at", "-id"], name="billing_legalentity_list")]

    def __str__(self) -> str:
        return self.short_name


class Payee(models.Model):
    """The payee of this installation's invoices: one row. Each invoice keeps a copy (`Invoice.payee`)."""

    name = models.CharField(max_length=160)
    inn = models.CharField(max_length=12)
    kpp = models.CharField(max_length=9)
    address = models.CharField(max_length=1000)
    bank_name = models.CharField(max_length=255)
    bik = models.CharField(max_length=9)
    checking_account = models.CharField(max_length=20)
    correspondent_account = models.CharField(max_length=20)
    director = models.CharField(max_length=255, blank=True, db_default="", default="")
    accountant = models.CharField(max_length=255, blank=True, db_default="", default="")
    vat_rate = models.PositiveSmallIntegerField(null=True, blank=True, help_text=_("In percent, within the prices."))
    only = models.BooleanField(db_default=True, default=True, editable=False, unique=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(only=True), name="billing_payee_once")]

    def __str__(self) -> str:
        return self.name

    @property
    def details(self) -> PayeeDetails:
        return PayeeDetails(**{name: getattr(self, name) for name in PayeeDetails._fields})


class Wallet(models.Model):
    """The money of a widget, or, without one, an account's earnings as a partner.

    The sums are those of the ledger's entries; a writer of one holds this row's lock.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="wallets", db_index=False)
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="wallets", null=True)
    currency = _currency()
    credited_minor = _amount(db_default=0, default=0)
    debited_minor = _amount(db_default=0, default=0)
    reserved_minor = _amount(db_default=0, default=0)

    objects = WalletQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account", "widget"], nulls_distinct=False, name="billing_wallet_once"),
            models.CheckConstraint(
                condition=Q(reserved_minor__gte=0, credited_minor__gte=F("debited_minor") + F("reserved_minor")),
                name="billing_wallet_not_overdrawn",
            ),
        ]

    def __str__(self) -> str:
        return str(self.widget or self.account)

    @property
    def sums(self) -> Sums:
        return Sums(self.credited_minor, self.debited_minor, self.reserved_minor)

    @property
    def available_minor(self) -> int:
        return self.sums.available


class Plan(models.Model):
    """Something that the installation sells: for so many days, or for good."""

    code = models.SlugField(unique=True, help_text=_("What the API calls it."))
    name = models.CharField(max_length=255)
    kind = _slug(SubscriptionKind, default=SubscriptionKind.PRODUCT)
    price_minor = _amount()
    currency = _currency()
    days = models.PositiveIntegerField(
        null=True, blank=True, help_text=_("How long it lasts; none set means for good.")
    )
    ad_slots = models.PositiveIntegerField(
        db_default=0, default=0, help_text=_("How many ad-marketplace cabinets it lets be enabled.")
    )
    is_on_sale = models.BooleanField(db_default=True, default=True)

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(price_minor__gt=0), name="billing_plan_has_a_price")]

    def __str__(self) -> str:
        return self.name


class PlanSubscription(models.Model):
    """A plan that was bought for a widget, as it was when it was bought; or given, then `given_by` is the reference."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="subscriptions", db_index=False)
    plan = models.CharField(max_length=50, help_text=_("The plan's code."))
    name = models.CharField(max_length=255)
    kind = _slug(SubscriptionKind)
    status = _slug(SubscriptionStatus, default=SubscriptionStatus.ACTIVE)
    price_minor = _amount()
    currency = _currency()
    ad_slots = models.PositiveIntegerField(db_default=0, default=0)
    started_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
    given_by = models.CharField(max_length=64, blank=True, db_default="", default="", editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = PlanSubscriptionQuerySet.as_manager()

    class Meta:
        db_table = "billing_subscription"
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="billing_subscription_list"),
            models.Index(fields=["widget", "status", "-created_at", "-id"], name="billing_subscription_status"),
            models.Index(fields=["widget", "kind", "-created_at", "-id"], name="billing_subscription_kind"),
            models.Index(fields=["ends_at"], condition=Q(status="active"), name="billing_subscription_end"),
        ]

    def __str__(self) -> str:
        return self.name


class Invoice(models.Model):
    """A bill to a legal entity, to be paid by bank transfer. `items` are `{name, quantity, price_minor, amount_minor}`.

    `reference` is the issuer's name for it: the same one again is the same invoice. `payee` is a copy of the
    installation's details (`PayeeDetails`) at that time; empty where it had none.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="invoices", db_index=False)
    entity = models.ForeignKey(LegalEntity, models.RESTRICT, related_name="invoices")
    number = models.CharField(max_length=32, blank=True, db_default="", default="")
    status = _slug(InvoiceStatus, default=InvoiceStatus.ISSUED)
    amount_minor = _amount()
    currency = _currency()
    items = models.JSONField(default=list)
    document = models.ForeignKey(File, models.SET_NULL, null=True, blank=True, related_name="+")
    reference = models.CharField(max_length=ledger.MAX_REFERENCE, editable=False)
    due_at = models.DateTimeField(null=True, blank=True)
    paid_at = models.DateTimeField(null=True, blank=True)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    payee = models.JSONField(db_default={}, default=dict, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = InvoiceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["widget", "reference"], name="billing_invoice_once"),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="billing_invoice_of_something"),
        ]
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="billing_invoice_list"),
            models.Index(fields=["widget", "status", "-created_at", "-id"], name="billing_invoice_status"),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def payee_details(self) -> PayeeDetails | None:
        return PayeeDetails(**self.payee) if self.payee else None


class Transaction(models.Model):
    """Money that came into a wallet or went out of it, and why.

    `entity` is who a withdrawal pays or an invoice bills. `reference` is the mover's name for it: the same one again
    moves nothing.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    widget = models.ForeignKey(Widget, models.CASCADE, related_name="transactions", null=True, db_index=False)
    wallet = models.ForeignKey(Wallet, models.CASCADE, related_name="transactions", db_index=False)
    type = _slug(TransactionType)
    state = _slug(TransactionState)
    direction = _slug(Direction)
    amount_minor = _amount()
    currency = _currency()
    description = models.CharField(max_length=ledger.MAX_DESCRIPTION, blank=True, db_default="", default="")
    entity = models.ForeignKey(LegalEntity, models.RESTRICT, null=True, blank=True, related_name="transactions")
    invoice = models.ForeignKey(Invoice, models.CASCADE, null=True, blank=True, related_name="transactions")
    subscription = models.ForeignKey(
        PlanSubscription, models.CASCADE, null=True, blank=True, related_name="transactions"
    )
    reference = models.CharField(max_length=ledger.MAX_REFERENCE, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    settled_at = models.DateTimeField(null=True, blank=True)

    objects = TransactionQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["wallet", "reference"], name="billing_transaction_once"),
            models.CheckConstraint(condition=Q(amount_minor__gt=0), name="billing_transaction_of_something"),
        ]
        indexes = [
            models.Index(fields=["widget", "-created_at", "-id"], name="billing_transaction_list"),
            models.Index(fields=["widget", "type", "-created_at", "-id"], name="billing_transaction_type"),
            models.Index(fields=["widget", "state", "-created_at", "-id"], name="billing_transaction_state"),
            models.Index(fields=["widget", "direction", "-created_at", "-id"], name="billing_transaction_dir"),
        ]

    def __str__(self) -> str:
        return f"{display_value(self.type)}, № {self.pk}"


class Entry(models.Model):
    """An entry of the ledger: the amount is taken from one place and given to another, so it balances by itself."""

    transaction = models.ForeignKey(Transaction, models.CASCADE, related_name="entries")
    debited = _slug(LedgerPlace)
    credited = _slug(LedgerPlace)
    amount_minor = _amount()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = EntryQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "entries"
        constraints = [
            models.CheckConstraint(
                condition=Q(amount_minor__gt=0) & ~Q(debited=F("credited")), name="billing_entry_moves_something"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.debited} → {self.credited}"
