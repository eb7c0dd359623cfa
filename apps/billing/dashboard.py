"""Billing on the cabinet's other pages: the plans, where a customer's account is opened."""

from collections.abc import Sequence

from apps.accounts.actions.customers import PlanOffer
from apps.accounts.models import Widget
from apps.billing.actions.plans import give_plan
from apps.billing.models import Plan


def choices() -> Sequence[tuple[str, str]]:
    return [(plan.code, plan.name) for plan in Plan.objects.filter(is_on_sale=True).order_by("id")]


def give(widget: Widget, code: str, reference: str) -> None:
    """Gives the plan without a payment, as a clerk does under Billing. Raises MoneyRefused."""
    give_plan(widget=widget, plan=Plan.objects.get(code=code), reference=reference)


PLANS = PlanOffer(choices, give)
