"""Named reads of legal entities, wallets and financial records."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.db import models
from django.db.models import ExpressionWrapper, F, Q
from django.utils import timezone

from apps.accounts.models import Widget
from apps.accounts.questions import EVERYTHING, Entitlements
from apps.billing.rules.ledger import SubscriptionKind
from apps.billing.serializers import LegalEntitySerializer
from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    # Named in the bases below.
    from apps.billing.models import Entry, Invoice, LegalEntity, PlanSubscription, Transaction, Wallet  # noqa: F401


class LegalEntityQuerySet(TenantQuerySet["LegalEntity"]):
    """Legal entities are the account's: those of a widget are its siblings' too. Index: billing_legalentity_list."""

    def for_widget(self, widget_id: int) -> Self:
        """As a subquery, not a join: a page of many is read by the index, in its order."""
        widgets = Widget.objects.filter(pk=widget_id)
        return self.filter(account_id=models.Subquery(widgets.values("account_id")))


Record_co = TypeVar("Record_co", bound=models.Model, covariant=True)


class RecordQuerySet(TenantQuerySet[Record_co]):
    """The base of financial records, which match both the widget and the account that owns it ("Billing")."""

    def for_widget(self, widget_id: int) -> Self:
        return super().for_widget(widget_id).filter(account=F("widget__account"))


class WalletQuerySet(RecordQuerySet["Wallet"]):
    """A widget's wallet; an account's earnings as a partner are in one without a widget."""

    def of_partner(self, account_id: int) -> WalletQuerySet:
        return self.filter(account_id=account_id, widget=None)


class TransactionQuerySet(RecordQuerySet["Transaction"]):
    def unpaid_withdrawals(self) -> TransactionQuerySet:
        return self.filter(type="withdrawal", state="pending")


class EntryQuerySet(TenantQuerySet["Entry"]):
    widget_path = "transaction__widget_id"


class PlanSubscriptionQuerySet(RecordQuerySet["PlanSubscription"]):
    def running(self, now: datetime) -> PlanSubscriptionQuerySet:
        """The subscriptions that run now."""
        return self.filter(Q(ends_at=None) | Q(ends_at__gt=now), status="active", started_at__lte=now)

    def over(self, now: datetime) -> PlanSubscriptionQuerySet:
        """The expired subscriptions that still count as active. Index: billing_subscription_end."""
        return self.filter(status="active", ends_at__lte=now)


class InvoiceQuerySet(RecordQuerySet["Invoice"]):
    def for_api(self) -> Self:
        """With whether there is a document (`has_document`)."""
        has_document: Any = ExpressionWrapper(Q(document__isnull=False), output_field=models.BooleanField())
        return self.annotate(has_document=has_document)


def account_members(account_id: int) -> dict[str, Any]:
    """The billing members of the account's resource: all its legal entities, newest first."""
    from apps.billing.models import LegalEntity

    rows = LegalEntity.objects.unscoped("of the account that owns the widget").filter(account_id=account_id)
    columns = LegalEntitySerializer.columns()
    return {
        "legal_entities": [
            *map(LegalEntitySerializer.writer(), rows.order_by("-created_at", "-id").values_list(*columns))
        ]
    }


def entitlements_of(widget_id: int) -> Entitlements:
    """The entitlements of a widget's plans at this moment: the slots of all of them together.

    An installation that sells no plan asks for none: there everything is allowed.
    """
    from apps.billing.models import Plan, PlanSubscription

    bought = PlanSubscription.objects.for_widget(widget_id).running(timezone.now())
    plans = list(bought.values_list("kind", "ad_slots"))
    if not plans and not Plan.objects.exists():
        return EVERYTHING
    return Entitlements(
        paid=any(kind == SubscriptionKind.PRODUCT for kind, _ in plans), ad_slots=sum(slots for _, slots in plans)
    )
