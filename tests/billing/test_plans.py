"""How PostgreSQL runs the lists of money: by index, whatever is filtered, reading no whole tenant."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import Widget
from apps.billing.models import Invoice, LegalEntity, PlanSubscription, Transaction
from apps.billing.serializers import (
    InvoiceSerializer,
    LegalEntitySerializer,
    PlanSubscriptionSerializer,
    TransactionSerializer,
)
from apps.core.endpoints.paging import NEWEST_FIRST
from tests.factories import WidgetFactory
from tests.factories.billing import LegalEntityFactory, issued_invoice, plan_bought, topped_up

ROWS, LIMIT = 4_000, 20
Plan = dict[str, Any]
# The rare value of each filter: one row in a thousand has it.
LISTS: dict[str, tuple[Any, Any, dict[str, str]]] = {
    "transactions": (Transaction, TransactionSerializer, {}),
    "transactions by type": (Transaction, TransactionSerializer, {"type": "withdrawal"}),
    "transactions by state": (Transaction, TransactionSerializer, {"state": "pending"}),
    "transactions by direction": (Transaction, TransactionSerializer, {"direction": "debit"}),
    "subscriptions": (PlanSubscription, PlanSubscriptionSerializer, {}),
    "subscriptions by status": (PlanSubscription, PlanSubscriptionSerializer, {"status": "expired"}),
    "subscriptions by kind": (PlanSubscription, PlanSubscriptionSerializer, {"kind": "package"}),
    "invoices": (Invoice, InvoiceSerializer, {}),
    "invoices by status": (Invoice, InvoiceSerializer, {"status": "cancelled"}),
    "entities": (LegalEntity, LegalEntitySerializer, {}),
}
RARE: dict[type[Any], dict[str, str]] = {
    Transaction: {"type": "withdrawal", "state": "pending", "direction": "debit"},
    PlanSubscription: {"status": "expired", "kind": "package"},
    Invoice: {"status": "cancelled"},
    LegalEntity: {},
}


def copies(row: Any, rare: dict[str, str]) -> None:
    """Many rows like that one, a minute apart; one in a thousand has the rare values."""
    kind = type(row)
    columns = [field.column for field in kind._meta.concrete_fields if not field.primary_key]
    written = {
        "created_at": "created_at - n * interval '1 minute'",
        "reference": "'copy ' || n",
        **{name: f"CASE WHEN n % 1000 = 7 THEN '{value}' ELSE {name} END" for name, value in rare.items()},
    }
    chosen = ", ".join(written.get(column, column) for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {kind._meta.db_table} ({', '.join(columns)}) SELECT {chosen} "
            f"FROM {kind._meta.db_table}, generate_series(1, {ROWS}) n WHERE id = {row.pk}"
        )
        cursor.execute(f"ANALYZE {kind._meta.db_table}")


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """Two widgets with many records each; filled once for all tests of the file, and taken back after them."""
    with django_db_blocker.unblock(), transaction.atomic():
        shop, other = WidgetFactory.create_batch(2)
        for widget in (shop, other):
            entity = LegalEntityFactory.create(account=widget.account)
            for row in (topped_up(widget), plan_bought(widget), issued_invoice(widget, entity), entity):
                copies(row, RARE[type(row)])
        connection.check_constraints()
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE accounts_widget, accounts_account")
        yield shop.pk
        transaction.set_rollback(True)


def nodes(plan: Plan) -> Iterator[Plan]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def rows_of(node: Plan) -> float:
    return float(node["Actual Rows"] * node["Actual Loops"] + node.get("Rows Removed by Filter", 0))


@pytest.mark.parametrize("name", LISTS)
def test_a_page_reads_little_more_than_its_rows(filled: int, db: None, name: str) -> None:
    kind, shape, filters = LISTS[name]
    assert Widget.objects.filter(pk=filled).exists()
    with CaptureQueriesContext(connection) as captured:
        found = NEWEST_FIRST.read(kind.objects.for_widget(filled).for_api().filter(**filters), shape, None, LIMIT)
    assert len(found.rows) == LIMIT + 1 or 4 <= len(found.rows) <= 5
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + captured.captured_queries[0]["sql"])
        answer = cursor.fetchone()[0]
    plan = (answer if isinstance(answer, list) else orjson.loads(answer))[0]["Plan"]
    scans = [node for node in nodes(plan) if node.get("Relation Name") == kind._meta.db_table]
    assert scans
    assert all(node["Node Type"] != "Seq Scan" for node in scans), plan
    assert sum(rows_of(node) for node in scans) <= LIMIT + 5, plan
