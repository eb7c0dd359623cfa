"""SQL stands in its places, and every read is of one widget: each statement and each manager in the product's source.

What is let pass is in `exceptions.py`; a list that could be shorter fails.
"""

import ast
import sys
import types
from collections.abc import Iterable
from textwrap import dedent
from typing import Any

import pytest
from django.db.models import Model, QuerySet

from apps.accounts.models import Widget
from apps.chats.models import Chat, Contact, ContactTag, Tag
from apps.core.database.tenants import TenantQuerySet
from bench.__main__ import NAMES
from tests.architecture.exceptions import (
    PARTS_AT_RUN_TIME,
    SQL_BY_HAND,
    SQL_WITHOUT_BENCHMARK,
    UNBOUND_READS,
    UNBOUND_STATEMENTS,
)
from tests.architecture.sql import tables_of, unbound
from tests.architecture.statements import (
    RUNS_SQL,
    Statements,
    called_name,
    find_statements,
    product_sites,
    sites_in,
)
from tests.architecture.tenants import (
    product_models,
    product_reads,
    reads_in,
    starts_from_the_widget,
    tenant_models,
    tenant_tables,
)


@pytest.fixture(scope="module")
def product() -> Statements:
    return find_statements(product_sites())


class TestEveryStatement:
    def test_none_is_left_out(self, product: Statements) -> None:
        """By name: every call that runs SQL, or of a function or class that only forwards it, was looked at."""
        forwards = {name for name in product.forwarders if not name.startswith("_")}
        by_name = [
            site
            for site in product_sites()
            if called_name(site.call) in RUNS_SQL | forwards and (site.call.args or site.call.keywords)
        ]
        assert len(by_name) > 50
        assert [site.place for site in by_name if site.call not in product.judged] == []

    def test_is_known(self, product: Statements) -> None:
        assert product.unresolved.keys() == PARTS_AT_RUN_TIME.keys(), product.unresolved

    def test_on_a_tenants_table_is_bound_to_a_widget(self, product: Statements) -> None:
        found = {
            place: sorted({table for sql in statements for table in unbound(sql, tenant_tables())})
            for place, statements in product.by_place.items()
        }
        allowed = {place: sorted(tables.split()) for place, (tables, _) in UNBOUND_STATEMENTS.items()}
        assert {place: tables for place, tables in found.items() if tables} == allowed

    def test_stands_where_a_benchmark_asks_for_it(self, product: Statements) -> None:
        tables = {model._meta.db_table for model in product_models()}
        on_tables = {
            place
            for place, statements in product.by_place.items()
            if any(tables & tables_of(statement) for statement in statements)
        }
        assert on_tables == SQL_BY_HAND.keys() | SQL_WITHOUT_BENCHMARK.keys()
        assert not SQL_BY_HAND.keys() & SQL_WITHOUT_BENCHMARK.keys()
        assert set(SQL_BY_HAND.values()) <= set(NAMES)


def test_a_read_of_a_tenants_rows_starts_from_the_widget() -> None:
    assert {read for read in product_reads() if not starts_from_the_widget(read[1])} == UNBOUND_READS.keys()


def own_ways(models: Iterable[type[Model]]) -> list[str]:
    """The models whose queryset starts from the widget in a way of its own."""
    querysets = {model: model._default_manager.get_queryset() for model in models}
    return [
        m.__name__
        for m, rows in querysets.items()
        if hasattr(rows, "for_widget") and not isinstance(rows, TenantQuerySet)
    ]


def test_there_is_one_way_to_start_from_the_widget() -> None:
    assert own_ways(tenant_models()) == []
    assert TenantQuerySet in Chat.objects.get_queryset().__class__.__mro__


# How the guards tell good from bad.

BOUND = {
    "itself": "SELECT id FROM chats_chat WHERE widget_id = %(widget_id)s AND id = %(id)s",
    "by its alias": "SELECT c.id FROM chats_chat c, chats_tag t WHERE c.widget_id = %(widget_id)s",
    "past an index": "SELECT id FROM chats_contact c WHERE c.widget_id + 0 = %(widget_id)s",
    "joined to what is": """
        SELECT c.id FROM chats_chat c JOIN chats_contact p ON p.id = c.contact_id
        WHERE c.widget_id = %(widget_id)s AND (p.email = '' OR p.phone = '')""",
    "joined to its widget": """
        SELECT f.id FROM chats_chat c LEFT JOIN chats_file f ON f.id = %(file_id)s AND f.widget_id = c.widget_id
        WHERE c.widget_id = %(widget_id)s""",
    "by a table expression": """
        WITH chat AS MATERIALIZED (SELECT id FROM chats_chat WHERE widget_id = %(widget_id)s)
        UPDATE chats_message m SET seen_at = now() FROM chat WHERE m.chat_id = chat.id""",
    "inside what is": """
        SELECT (SELECT count(*) FROM chats_message WHERE chat_id = c.id) FROM chats_chat c
        WHERE c.widget_id = %(widget_id)s""",
    "of its ids": """
        DELETE FROM chats_message WHERE chat_id = ANY (ARRAY(
            SELECT id FROM chats_chat WHERE widget_id = %(widget_id)s))""",
    "an insert": "INSERT INTO chats_chat (widget_id) VALUES (%(widget_id)s)",
    "nobody's table": "SELECT key FROM core_orphanedobject",
}
UNBOUND = {
    "by an id": "SELECT id FROM chats_chat WHERE id = %(chat_id)s",
    "by a wrong parameter": "SELECT id FROM chats_chat WHERE id = %(widget_id)s",
    "somebody else's alias": """
        SELECT c.id FROM chats_contact p, chats_chat c WHERE p.widget_id = %(widget_id)s AND c.id = %(chat_id)s""",
    "or anything": "SELECT id FROM chats_chat WHERE widget_id = %(widget_id)s OR id = %(chat_id)s",
    "joined by a name": """
        SELECT c.id FROM chats_contact p JOIN chats_chat c ON c.channel = p.name WHERE p.widget_id = %(widget_id)s""",
    "joined to what is not": """
        SELECT c.id FROM unnest(%(ids)s) AS given (id) JOIN chats_chat c ON c.id = given.id""",
    "in one half of a union": """
        SELECT id FROM chats_chat WHERE widget_id = %(widget_id)s UNION ALL SELECT id FROM chats_chat""",
    "in a comment": "SELECT id FROM chats_chat -- WHERE widget_id = %(widget_id)s",
    "in a text": "SELECT id FROM chats_chat WHERE channel = 'widget_id = %(widget_id)s'",
    "an update": "UPDATE chats_chat SET version = version + 1 WHERE id = %(chat_id)s",
    "in a table expression": """
        WITH gone AS (DELETE FROM chats_chat WHERE id = %(id)s RETURNING id) SELECT count(*) FROM gone""",
}


@pytest.mark.parametrize("sql", BOUND.values(), ids=BOUND.keys())
def test_a_bound_statement(sql: str) -> None:
    assert unbound(sql, tenant_tables()) == []


@pytest.mark.parametrize("sql", UNBOUND.values(), ids=UNBOUND.keys())
def test_an_unbound_statement(sql: str) -> None:
    assert unbound(sql, tenant_tables()) == ["chats_chat"]


# Each way in which the product composes a statement, and what is found of it. `run` is a forwarder.
COMPOSED = {
    "SELECT 1": {"SELECT 1"},
    "_BASE": {"SELECT a FROM t"},
    "f'{_BASE} LIMIT {_MOST}'": {"SELECT a FROM t LIMIT 20"},
    "_BASE + (' AND x' if given else '')": {"SELECT a FROM t", "SELECT a FROM t AND x"},
    "_KINDS[given]": {"SELECT b", "SELECT c"},
    "_TEMPLATE.format(what=_BASE, more=len(''))": {"WITH SELECT a FROM t ⟦?⟧"},
    "' AND '.join(['a', *(_KINDS[name] for name in _KINDS if given)])": {"a", "a AND SELECT b AND SELECT c"},
}


def found_in(source: str) -> Statements:
    """What is found in a module of that source."""
    module = types.ModuleType("apps.of_a_test")
    tree = ast.parse(dedent(source))
    exec(compile(tree, "apps/of_a_test.py", "exec"), module.__dict__)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "apps.of_a_test", module)
        return find_statements(tuple(sites_in("apps.of_a_test", tree)))


MODULE = """
_BASE, _MOST, _KINDS, _TEMPLATE = "SELECT a FROM t", 20, {{1: "SELECT b", 2: "SELECT c"}}, "WITH {{what}} {{more}}"

def run(sql, parameters):
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)

def read(given=None):
    return run({statement}, {{}})
"""


@pytest.mark.parametrize("statement", COMPOSED)
def test_a_composed_statement_is_followed_through_its_forwarder(statement: str) -> None:
    source = repr(statement) if statement.startswith("SELECT") else statement
    found = found_in(MODULE.format(statement=source))
    assert found.by_place.get("apps.of_a_test.read", set()) == COMPOSED[statement]
    assert found.forwarders == {"run"}
    assert bool(found.unresolved) == ("⟦?⟧" in str(COMPOSED[statement]))


def test_a_text_that_grows_is_found_with_and_without_what_is_added() -> None:
    found = found_in(
        """
        def read(cursor, after):
            sql = "SELECT a"
            if after:
                sql += " AND b"
            cursor.execute(sql)
        """
    )
    assert found.by_place["apps.of_a_test.read"] == {"SELECT a", "SELECT a AND b"}


def test_a_statement_that_nobody_knows_is_told() -> None:
    found = found_in("def read(cursor):\n    cursor.execute(input())")
    assert found.unresolved.keys() == {"apps.of_a_test.read"}


def test_a_forwarder_that_nobody_calls_is_told() -> None:
    found = found_in("def run(cursor, sql):\n    cursor.execute(sql)")
    assert found.unresolved.keys() == {"apps.of_a_test.run"}


@pytest.mark.parametrize("name", sorted(RUNS_SQL))
def test_every_way_to_run_sql_is_seen(name: str) -> None:
    assert found_in(f"def read(it):\n    it.{name}('SELECT 1')").by_place == {"apps.of_a_test.read": {"SELECT 1"}}


def test_a_queryset_with_a_way_of_its_own() -> None:
    class OwnQuerySet(QuerySet[Any]):
        def for_widget(self, widget_id: int) -> "OwnQuerySet":
            return self

    class Model:
        _default_manager = OwnQuerySet.as_manager()

    Model._default_manager.model = Chat
    assert own_ways([Model, Chat]) == ["Model"]  # type: ignore[list-item]


def test_what_is_a_tenants() -> None:
    assert {Chat, Contact, ContactTag} <= tenant_models()
    assert not {Widget, Tag} & tenant_models()


GOOD_READS = (
    "Chat.objects.for_widget(widget_id).filter(pk=1)",
    "Chat.objects.create(widget_id=widget_id)",
    "Contact.objects.get_or_create(widget_id=widget_id, email='')",
    "Tag.objects.filter(name='')",
)
BAD_READS = {
    "Chat.objects.filter(pk=1)": "Chat.filter",
    "Chat.objects.all().for_widget(widget_id)": "Chat.all",
    "list(Chat.objects)": "Chat.itself",
    "Contact.objects.get_or_create(email='')": "Contact.get_or_create",
    "Chat._base_manager.get(pk=1)": "Chat.get",
    "get_object_or_404(Chat, pk=1)": "Chat.404",
    "model.objects.for_widget(1).get()": None,
    "model.objects.get(pk=1)": "model.objects.get",
}


def unbound_reads(expression: str) -> list[str]:
    module = types.ModuleType("apps.of_a_test")
    module.__dict__.update(Chat=Chat, Contact=Contact, Tag=Tag)
    source = f"def read(widget_id, model):\n    return {expression}"
    return [read for _, read in reads_in(module, ast.parse(source)) if not starts_from_the_widget(read)]


@pytest.mark.parametrize("expression", GOOD_READS)
def test_a_read_from_the_widget_on(expression: str) -> None:
    assert unbound_reads(expression) == []


@pytest.mark.parametrize("expression", BAD_READS)
def test_any_other_read(expression: str) -> None:
    assert unbound_reads(expression) == [read for read in [BAD_READS[expression]] if read]
