"""The widget's money over REST, to be read (specification, Endpoints, "Billing"). No endpoint moves any."""

from typing import Any

from apps.billing.models import Invoice, PlanSubscription, Transaction, Wallet
from apps.billing.rules.ledger import (
    CURRENCY,
    SCALES,
    Direction,
    InvoiceStatus,
    SubscriptionKind,
    SubscriptionStatus,
    Sums,
    TransactionState,
    TransactionType,
)
from apps.billing.serializers import (
    BalanceSerializer,
    InvoiceSerializer,
    InvoiceWithItemsSerializer,
    PlanSubscriptionSerializer,
    Slug,
    TransactionSerializer,
)
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.viewsets import ApiViewSet


class TransactionQuery(PageQuery):
    """The filters of the list of transactions."""

    type = Slug(TransactionType, required=False)
    state = Slug(TransactionState, required=False)
    direction = Slug(Direction, required=False, help_text="As the account sees it: `credit` is money that came in.")


class SubscriptionQuery(PageQuery):
    """The filters of the list of subscriptions."""

    status = Slug(SubscriptionStatus, required=False)
    kind = Slug(SubscriptionKind, required=False)


class InvoiceQuery(PageQuery):
    """The filter of the list of invoices."""

    status = Slug(InvoiceStatus, required=False)


class BalanceViewSet(ApiViewSet):
    target, target_field = Wallet, None
    reads = ("billing:read",)

    @operation(summary="Read the balance", answers=BalanceSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The money of the widget, in minor units. A widget that never had any has zero."""
        wallet = context.existing
        sums, currency = (wallet.sums, wallet.currency) if wallet else (Sums(), CURRENCY)
        return {
            "balance_minor": sums.balance,
            "reserved_minor": sums.reserved,
            "available_minor": sums.available,
            "currency": currency,
            "minor_unit_scale": SCALES[currency],
        }


class TransactionViewSet(ApiViewSet):
    target = Transaction
    reads = ("billing:read",)

    @operation(
        summary="List transactions",
        filters=TransactionQuery,
        answers=TransactionSerializer,
        lists=True,
    )
    def list(self, context: RequestContext) -> Page:
        """The moves into and out of the widget's balance, newest first."""
        return context.page(Transaction.objects.for_widget(context.widget_id))

    @operation(summary="Read a transaction", answers=TransactionSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One transaction of the widget."""
        return context.target


class PlanSubscriptionViewSet(ApiViewSet):
    target = PlanSubscription
    reads = ("billing:read",)

    @operation(
        summary="List plan subscriptions",
        filters=SubscriptionQuery,
        answers=PlanSubscriptionSerializer,
        lists=True,
    )
    def list(self, context: RequestContext) -> Page:
        """The plans that were bought for the widget, newest first: products, and packages that add to them."""
        return context.page(PlanSubscription.objects.for_widget(context.widget_id))

    @operation(summary="Read a plan subscription", answers=PlanSubscriptionSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One subscription of the widget."""
        return context.target


class InvoiceViewSet(ApiViewSet):
    target = Invoice
    reads = ("billing:read",)

    @operation(summary="List invoices", filters=InvoiceQuery, answers=InvoiceSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's bank-transfer invoices to legal entities, newest first, without their lines."""
        return context.page(Invoice.objects.for_widget(context.widget_id))

    @operation(summary="Read an invoice", answers=InvoiceWithItemsSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """One invoice of the widget, with its lines."""
        return context.target
