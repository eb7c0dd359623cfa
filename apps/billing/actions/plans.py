"""Buying plans, and their end. A plan counts from its beginning to its end, even if the job notes that later."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import models, transaction
from django.utils import timezone

from apps.accounts.events import PlanChanged
from apps.accounts.models import Widget
from apps.billing.actions.ledger import earlier_transaction, lock_wallet, record
from apps.billing.models import Plan, PlanSubscription
from apps.billing.rules.ledger import (
    MoneyRefused,
    SubscriptionKind,
    SubscriptionStatus,
    TransactionType,
    period_of,
)
from apps.core import bus

_AT_ONCE = 500


@transaction.atomic
def buy_plan(*, widget: Widget, plan: Plan, reference: str) -> PlanSubscription:
    """Pays for a plan from the widget's wallet. It begins now; a product bought again, when it would have ended.

    Raises MoneyRefused.
    """
    wallet = lock_wallet(widget)
    type_ = TransactionType.PLAN_PURCHASE
    if earlier := earlier_transaction(wallet, reference, type=type_):
        assert earlier.subscription is not None  # noqa: S101 - each purchase has one
        if earlier.subscription.plan != plan.code:
            raise MoneyRefused("The reference was used for another plan.")
        return earlier.subscription
    subscription = _begin(widget, plan, price_minor=plan.price_minor)
    record(
        wallet,
        type_,
        amount=plan.price_minor,
        reference=reference,
        description=plan.name,
        subscription=subscription,
    )
    return subscription


@transaction.atomic
def give_plan(*, widget: Widget, plan: Plan, reference: str) -> PlanSubscription:
    """Gives a plan without a payment: its price is zero, and no money moves. Once a reference.

    Raises MoneyRefused.
    """
    lock_wallet(widget)
    if earlier := PlanSubscription.objects.for_widget(widget.pk).filter(given_by=reference).first():
        if earlier.plan != plan.code:
            raise MoneyRefused("The reference was used for another plan.")
        return earlier
    return _begin(widget, plan, price_minor=0, given_by=reference)


def _begin(widget: Widget, plan: Plan, **details: Any) -> PlanSubscription:
    if not plan.is_on_sale:
        raise MoneyRefused("The plan is not on sale.")
    started_at, ends_at = _period(widget, plan, now=timezone.now())
    subscription = PlanSubscription.objects.create(
        account_id=widget.account_id,
        widget=widget,
        plan=plan.code,
        name=plan.name,
        kind=plan.kind,
        currency=plan.currency,
        ad_slots=plan.ad_slots,
        started_at=started_at,
        ends_at=ends_at,
        **details,
    )
    bus.publish(PlanChanged(widget_id=widget.pk, widget_guid=widget.guid))
    return subscription


def _period(widget: Widget, plan: Plan, *, now: datetime) -> tuple[datetime, datetime | None]:
    renewed_until = None
    if plan.kind == SubscriptionKind.PRODUCT:
        same = PlanSubscription.objects.for_widget(widget.pk).filter(plan=plan.code, status=SubscriptionStatus.ACTIVE)
        if same.filter(ends_at=None).exists():
            raise MoneyRefused("The widget has the plan for good.")
        renewed_until = same.order_by("-ends_at").values_list("ends_at", flat=True).first()
    return period_of(now=now, days=plan.days, renewed_until=renewed_until)


@transaction.atomic
def cancel_subscription(*, subscription: PlanSubscription) -> None:
    """Ends a plan now; what was paid stays paid. Does nothing to one that is not active."""
    _end(
        PlanSubscription.objects.for_widget(subscription.widget_id).filter(pk=subscription.pk),
        SubscriptionStatus.CANCELLED,
    )


@transaction.atomic
def end_plans() -> int:
    """Notes the end of plans whose time has run out, some 500 at a time; returns how many. Harmless at once, twice."""
    over = PlanSubscription.objects.unscoped("every widget's rows").over(timezone.now()).order_by("ends_at")[:_AT_ONCE]
    return _end(
        PlanSubscription.objects.unscoped("read with their widget before").filter(pk__in=[row.pk for row in over]),
        SubscriptionStatus.EXPIRED,
    )


def _end(which: "models.QuerySet[PlanSubscription]", status: SubscriptionStatus) -> int:
    rows = list(
        which.filter(status=SubscriptionStatus.ACTIVE)
        .select_related("widget")
        .select_for_update(of=("self",), skip_locked=status is SubscriptionStatus.EXPIRED)
    )
    for row in rows:
        row.status = status
        row.save(update_fields=["status"])
    guids = {row.widget_id: row.widget.guid for row in rows}
    if guids:
        bus.publish(*(PlanChanged(widget_id=id_, widget_guid=guid) for id_, guid in guids.items()))
    return len(rows)


@transaction.atomic
def add_plan(*, plan: Plan) -> None:
    """Stores what the installation sells from now on."""
    plan.save(force_insert=True)


@transaction.atomic
def change_plan(*, plan_id: int, changes: Mapping[str, Any]) -> None:
    """Changes those fields of a plan. Subscriptions that were bought before stay as they were."""
    plan = Plan.objects.select_for_update(no_key=True).get(pk=plan_id)
    for name, value in changes.items():
        setattr(plan, name, value)
    plan.save(update_fields=list(changes))
