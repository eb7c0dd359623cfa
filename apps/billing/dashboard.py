"""Billing on the cabinet's other pages: the plans, where a customer's account is opened."""

from collections.abc import Sequence

from apps.accounts.actions.customers import PlanOffer
from apps.accounts.models import Widget
from apps.billing.actions.ledger import top_up
from apps.billing.actions.plans import buy_plan
from apps.billing.models import Plan


def choices() -> Sequence[tuple[str, str]]:
    return [(plan.code, plan.name) for plan in Plan.objects.filter(is_on_sale=True).order_by("id")]


def give(widget: Widget, code: str, reference: str) -> None:
    """Puts the price into the widget's balance, and buys the plan of it. Raises MoneyRefused."""
    plan = Plan.objects.get(code=code)
    top_up(widget=widget, amount=plan.price_minor, reference=f"{reference[:56]} topup", description=plan.name)
    buy_plan(widget=widget, plan=plan, reference=reference)


PLANS = PlanOffer(choices, give)
