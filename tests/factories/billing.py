"""Legal entities as rows, and money as the actions move it."""

from typing import Any
from uuid import uuid4

import factory
from factory.django import DjangoModelFactory

from apps.accounts.models import Widget
from apps.billing.actions.invoices import Item, issue_invoice
from apps.billing.actions.ledger import request_withdrawal, top_up
from apps.billing.actions.plans import buy_plan
from apps.billing.api.entities import EXAMPLE
from apps.billing.models import Invoice, LegalEntity, Plan, PlanSubscription, Transaction
from tests.factories.accounts import AccountFactory

# An organisation whose numbers are right.
FIELDS = EXAMPLE


def entity_fields(**changes: Any) -> dict[str, Any]:
    """The fourteen fields of a legal entity, as a body."""
    return FIELDS | changes


class LegalEntityFactory(DjangoModelFactory[LegalEntity]):
    """A legal entity that nothing names."""

    class Meta:
        model = LegalEntity

    account = factory.SubFactory(AccountFactory)
    locals().update(FIELDS)


class PlanFactory(DjangoModelFactory[Plan]):
    """A product for 30 days that costs 990.00, with two ad slots."""

    class Meta:
        model = Plan

    code = factory.Sequence(lambda n: f"plan-{n}")
    name = "Pro"
    kind = "product"
    price_minor = 99_000
    days = 30
    ad_slots = 2


def topped_up(widget: Widget, amount: int = 100_000) -> Transaction:
    """Money that came into the widget's wallet: 1000.00 unless told."""
    return top_up(widget=widget, amount=amount, reference=uuid4().hex)


def plan_bought(widget: Widget, **fields: Any) -> PlanSubscription:
    """A plan of the widget's, paid for by a top-up of its price."""
    plan = PlanFactory.create(**fields)
    topped_up(widget, plan.price_minor)
    return buy_plan(widget=widget, plan=plan, reference=uuid4().hex)


def issued_invoice(widget: Widget, entity: LegalEntity | None = None, price: int = 50_000) -> Invoice:
    """An unpaid invoice of two items at 500.00 each, to a legal entity of the widget's account."""
    entity = entity or LegalEntityFactory.create(account=widget.account)
    items = [Item(name="Пакет «Про»", quantity=2, price_minor=price)]
    return issue_invoice(widget=widget, entity=entity, items=items, reference=uuid4().hex)


def unpaid_withdrawal(widget: Widget, entity: LegalEntity, amount: int = 10_000) -> Transaction:
    """A withdrawal of 100.00 unless told, of money that came in for it."""
    topped_up(widget, amount)
    return request_withdrawal(widget=widget, entity=entity, amount=amount, reference=uuid4().hex)
