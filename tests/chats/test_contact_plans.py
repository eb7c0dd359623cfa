"""How PostgreSQL runs the contact list and its searches: by index, reading and sorting no whole tenant."""

from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from apps.chats.models import Contact
from apps.chats.querysets import contacts
from apps.chats.querysets.contacts import MAX_FOUND, NEWEST_A_ROW, search_contacts
from apps.chats.serializers.contacts import ContactSerializer
from apps.core.endpoints.paging import NEWEST_FIRST
from tests.factories import WidgetFactory

CONTACTS, LIMIT = 20_000, 20
FEW = 3 * CONTACTS // 1000  # the rare ones, and those with the digits of their phones in the name
Plan = dict[str, Any]


@pytest.fixture(scope="module")
def filled(django_db_setup: None, django_db_blocker: Any) -> Iterator[int]:
    """A widget with many contacts: `old` first, then `common` ones, some `rare`; of three in ten nothing is known.

    Filled once for all tests of the file, and taken back after them.
    """
    with django_db_blocker.unblock(), transaction.atomic(), connection.cursor() as cursor:
        shop = WidgetFactory.create()
        cursor.execute(
            """
            INSERT INTO chats_contact (widget_id, guid, name, email, phone, created_at)
            SELECT %(widget_id)s, lpad(n::text, 32, '0'), CASE WHEN n %% 10 < 3 THEN '' ELSE
                   CASE WHEN n < %(half)s THEN 'old ' ELSE 'common ' END
                   || CASE WHEN n %% 1000 = 5 THEN 'rare ' ELSE '' END || n END,
                   '', CASE WHEN n %% 1000 = 5 THEN '+7 (901) 5' || lpad(n::text, 6, '0') ELSE '' END,
                   now() - (%(contacts)s - n) * interval '1 second'
            FROM generate_series(1, %(contacts)s) n""",
            {"widget_id": shop.pk, "contacts": CONTACTS, "half": CONTACTS // 2},
        )
        connection.check_constraints()  # once: what is still to be checked would be checked after each test
        cursor.execute("ANALYZE chats_contact")
        yield shop.pk
        transaction.set_rollback(True)


@pytest.fixture
def tenant(filled: int, db: None) -> int:
    return filled


def plans_of(tenant: int, query: str | None, after: tuple[Any, ...] | None = None, **filters: Any) -> list[Plan]:
    """How each statement of that page was run."""
    with CaptureQueriesContext(connection) as captured:
        if query is None:
            rows = Contact.objects.for_widget(tenant).for_api().filter(**filters)
            NEWEST_FIRST.read(rows, ContactSerializer, after, LIMIT)
        else:
            search_contacts(widget_id=tenant, query=query, after=after, limit=LIMIT)
    with connection.cursor() as cursor:
        plans = []
        for statement in captured.captured_queries:
            cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + statement["sql"])
            answer = cursor.fetchone()[0]
            plans.append((answer if isinstance(answer, list) else orjson.loads(answer))[0]["Plan"])
    return plans


def nodes(plan: Plan) -> Iterator[Plan]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from nodes(inner)


def rows_of(node: Plan) -> float:
    return float(node["Actual Rows"] * node["Actual Loops"] + node.get("Rows Removed by Filter", 0))


def read_rows(plans: list[Plan]) -> float:
    """How many contacts the statements read; asserts that none was read by a scan of the table.

    What was planned and not needed does not count: for a table that is half empty after other tests, another plan.
    """
    scans = [n for plan in plans for n in nodes(plan) if n.get("Relation Name") == "chats_contact"]
    run = [scan for scan in scans if scan["Actual Loops"]]
    assert not [scan for scan in run if scan["Node Type"] == "Seq Scan"]
    return sum(rows_of(scan) for scan in run)


def sorted_rows(plans: list[Plan]) -> float:
    """How many rows the largest sort got."""
    sorts = [node for plan in plans for node in nodes(plan) if node["Node Type"] in ("Sort", "Incremental Sort")]
    return max((rows_of(inner) for sort in sorts for inner in sort["Plans"]), default=0)


def indexes(plans: list[Plan]) -> set[str]:
    """The indexes that were really used."""
    used = (node for plan in plans for node in nodes(plan) if "Index Name" in node and node["Actual Loops"])
    return {node["Index Name"] for node in used if node["Index Name"].startswith("chats_contact_")}


def middle(tenant: int) -> tuple[Any, ...]:
    row = Contact.objects.for_widget(tenant).order_by("-created_at", "-id")[CONTACTS // 2]
    return row.created_at, row.pk


@pytest.mark.parametrize("page", ["first", "middle"])
def test_the_list_reads_its_page_alone(tenant: int, page: str) -> None:
    plans = plans_of(tenant, None, None if page == "first" else middle(tenant))
    assert indexes(plans) == {"chats_contact_list"}
    assert read_rows(plans) == LIMIT + 1
    assert sorted_rows(plans) == 0


def test_a_proved_user_is_found_by_the_index(tenant: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE chats_contact SET external_id = id::text WHERE widget_id = %s AND id %% 10 = 0", [tenant]
        )
        cursor.execute("ANALYZE chats_contact")
    known = Contact.objects.filter(widget=tenant, external_id__isnull=False).values_list("external_id", flat=True)[0]
    plans = plans_of(tenant, None, external_id=known)
    assert indexes(plans) == {"chats_contact_external"}
    assert read_rows(plans) <= 2


@pytest.mark.parametrize("query", ["common", "c", "co"])
def test_a_common_needle_is_found_among_the_newest(tenant: int, query: str) -> None:
    plans = plans_of(tenant, query)
    assert (len(plans), indexes(plans)) == (1, {"chats_contact_known"})
    assert read_rows(plans) <= NEWEST_A_ROW * (LIMIT + 1)
    assert sorted_rows(plans) == 0


@pytest.mark.parametrize("query", ["rare", "RA", "a", "(901)", "9015", "nobody", "~", "~~", "Ж"])
def test_a_rare_needle_is_found_by_the_index(tenant: int, query: str) -> None:
    plans = plans_of(tenant, query)
    assert "chats_contact_found" in indexes(plans)
    assert indexes(plans) <= {"chats_contact_found", "chats_contact_known", "chats_contact_pkey"}
    assert read_rows(plans[1:]) <= FEW + LIMIT + 1, "the matches, and the page again"
    assert sorted_rows(plans) <= FEW


@pytest.mark.parametrize("query", ["old", "o"])
def test_a_needle_of_old_contacts_sorts_no_more_than_what_the_index_gave(tenant: int, query: str) -> None:
    plans = plans_of(tenant, query, middle(tenant))
    assert indexes(plans) == {"chats_contact_known"}, "read on from the page before, it is common"
    plans = plans_of(tenant, "old")
    assert "chats_contact_found" in indexes(plans)
    assert sorted_rows(plans) <= MAX_FOUND + 1
    assert read_rows(plans) < CONTACTS


def test_a_needle_of_old_contacts_does_not_read_down_to_them(tenant: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contacts, "LOOKED_THROUGH", 500)
    assert search_contacts(widget_id=tenant, query="old", after=None, limit=LIMIT).resume_after
    plans = plans_of(tenant, "old")
    assert sorted_rows(plans) <= MAX_FOUND + 1
    assert read_rows(plans) <= NEWEST_A_ROW * (LIMIT + 1) + MAX_FOUND + 1 + 2 * 500
