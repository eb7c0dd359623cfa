"""The serializers of legal entities, financial records and the partner's data."""

from enum import StrEnum
from typing import Any

from rest_framework import serializers

from apps.billing.rules.entities import FIELDS
from apps.billing.rules.ledger import (
    SCALES,
    Direction,
    InvoiceStatus,
    SubscriptionKind,
    SubscriptionStatus,
    TransactionState,
    TransactionType,
)
from apps.core.endpoints.row_serializers import RowSerializer, TextOrNull, Time, Url
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text


class Slug(Choice):
    """One of an enum's slugs."""

    def __init__(self, kind: type[StrEnum], **options: Any) -> None:
        super().__init__(choices=[slug.value for slug in kind], **options)


class MinorUnitScale(serializers.IntegerField):
    """How many digits of the amounts stand behind the decimal point, found by the currency."""

    def __init__(self) -> None:
        super().__init__(source="currency", help_text="Digits behind the decimal point: 12345 with 2 is 123.45.")

    def to_representation(self, value: str) -> int:  # type: ignore[override]
        return SCALES[value]


class LegalEntitySerializer(RowSerializer):
    """A legal entity of the account, shared by its widgets."""

    id = Integer()
    vars().update({name: Text() for name in FIELDS})
    created_at = Time()
    updated_at = Time()


class BalanceSerializer(RowSerializer):
    """The money of the widget: what is available is the balance without what is reserved."""

    balance_minor = Integer()
    reserved_minor = Integer(help_text="Held for withdrawals that are not paid out yet.")
    available_minor = Integer()
    currency = Text()
    minor_unit_scale = Integer(help_text="Digits behind the decimal point: 12345 with 2 is 123.45.")


class TransactionSerializer(RowSerializer):
    """Money that came in (`credit`) or went out (`debit`), and why."""

    id = Integer()
    type = Slug(TransactionType)
    state = Slug(TransactionState)
    direction = Slug(Direction)
    amount_minor = Integer()
    currency = Text()
    minor_unit_scale = MinorUnitScale()
    description = TextOrNull()
    legal_entity_id = Integer(source="entity_id", allow_null=True)
    invoice_id = Integer(allow_null=True)
    subscription_id = Integer(allow_null=True)
    created_at = Time()
    settled_at = Time(allow_null=True, help_text="When a withdrawal was paid or cancelled, all else was done.")


class PlanSubscriptionSerializer(RowSerializer):
    """A plan that was bought. It counts while it is `active`, from `started_at` to `ends_at` (null: for good)."""

    id = Integer()
    plan = Text()
    name = Text()
    kind = Slug(SubscriptionKind)
    status = Slug(SubscriptionStatus)
    price_minor = Integer()
    currency = Text()
    minor_unit_scale = MinorUnitScale()
    ad_slots = Integer()
    started_at = Time()
    ends_at = Time(allow_null=True)
    created_at = Time()


class InvoiceSerializer(RowSerializer):
    """A bank-transfer invoice to a legal entity."""

    id = Integer()
    number = Text()
    status = Slug(InvoiceStatus)
    legal_entity_id = Integer(source="entity_id")
    amount_minor = Integer()
    currency = Text()
    minor_unit_scale = MinorUnitScale()
    has_document = Boolean()
    document_id = Integer(
        allow_null=True, help_text="The document, under `GET /v1/files/{id}` with `files:read` and `billing:read`."
    )
    due_at = Time(allow_null=True)
    paid_at = Time(allow_null=True)
    created_at = Time()


class InvoiceItemSerializer(RowSerializer):
    """A line of an invoice. In its currency."""

    name = Text()
    quantity = Integer()
    price_minor = Integer()
    amount_minor = Integer()


class InvoiceItems(serializers.ListField):
    """The lines of an invoice, as they are kept."""

    child = InvoiceItemSerializer()

    def to_representation(self, value: Any) -> Any:
        return value


class InvoiceWithItemsSerializer(InvoiceSerializer):
    """A bank-transfer invoice with its lines. An invoice that was raised without lines has none."""

    items = InvoiceItems()


class PartnerSerializer(RowSerializer):
    """The account's earnings by recommending the service."""

    code = Text(help_text="The account's referral code.")
    link = Url(help_text="The address to recommend: who opens an account with it counts as referred.")
    referred_accounts = Integer(help_text="How many accounts were opened on the recommendation.")
    earned_minor = Integer()
    paid_minor = Integer()
    available_minor = Integer(help_text="Earned, and not paid out yet.")
    currency = Text()
    minor_unit_scale = Integer()
