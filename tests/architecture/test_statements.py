"""SQL stands in its places, and every read of a tenant's rows is of one widget or says why not.

The reads themselves are looked at when they run (`tests/tenancy.py`). Here: that no code goes past what looks at them.
"""

import ast
import inspect
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.db.models import Model

from apps.accounts.models import Widget
from apps.chats.models import Chat, Contact, ContactTag, Tag
from apps.core.database.tenants import Openings, TenantQuerySet, _Objects
from bench.options import NAMES, ONLY_BY_NAME
from tests.architecture.exceptions import SQL_BY_HAND, SQL_WITHOUT_BENCHMARK
from tests.architecture.source import name_of, source_files, tree_of
from tests.architecture.sql import unbound
from tests.architecture.tenants import product_models, tenant_models, tenant_tables

SOURCE = source_files("apps", "config")
# By these a statement is run, or kept as a part of one.
RUNS_SQL = {"execute", "executemany", "raw", "extra", "RawSQL", "fetch_all", "fetch_one", "Cte", "Write"}
# What leads to a model's rows past its `objects`.
OTHER_DOORS = {"_default_manager", "_base_manager"}
FINDERS = {"get_object_or_404", "get_list_or_404", "aget_object_or_404", "aget_list_or_404"}


def called(node: ast.AST) -> str:
    """The last name of what is called; empty for what is no call."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def runs_sql(tree: ast.AST) -> bool:
    return any(called(node) in RUNS_SQL and (node.args or node.keywords) for node in ast.walk(tree))  # type: ignore[attr-defined]


def test_sql_by_hand_stands_where_a_benchmark_or_a_reason_asks_for_it() -> None:
    found = {name_of(path) for path in SOURCE if runs_sql(tree_of(path))}
    assert found == SQL_BY_HAND.keys() | SQL_WITHOUT_BENCHMARK.keys()
    assert not SQL_BY_HAND.keys() & SQL_WITHOUT_BENCHMARK.keys()
    assert set(SQL_BY_HAND.values()) <= {*NAMES, *ONLY_BY_NAME}


@pytest.mark.parametrize("name", sorted(RUNS_SQL))
def test_every_way_to_run_sql_is_seen(name: str) -> None:
    assert runs_sql(ast.parse(f"def read(it):\n    it.{name}('SELECT 1')"))
    assert not runs_sql(ast.parse(f"def read(it):\n    it.{name}"))


# The doors to a tenant's rows.


def past_the_guard(tree: ast.AST) -> Iterator[str]:
    """What leads to rows past `objects`, and is neither scoped nor given to `unscoped(…)`."""
    let_in = {
        id(inner)
        for node in ast.walk(tree)
        if called(node) == "unscoped" or called(node) in {"for_widget", "none", "bulk_create"}
        for inner in ast.walk(node.args[0] if called(node) == "unscoped" and node.args else node.func)  # type: ignore[attr-defined]
    }
    for node in ast.walk(tree):
        is_door = called(node) in FINDERS or (isinstance(node, ast.Attribute) and node.attr in OTHER_DOORS)
        if is_door and id(node) not in let_in:
            yield ast.unparse(node)


# Queues know no tenants: `leases` lies below them, and says so itself.
BELOW_TENANTS = {"apps/leases/claims.py", "apps/leases/queues.py"}


def test_no_code_goes_past_the_guard() -> None:
    found = {name_of(path) for path in SOURCE if list(past_the_guard(tree_of(path)))}
    assert found == BELOW_TENANTS


PAST = {
    "Chat._base_manager.get(pk=1)": True,
    "model._default_manager.all()": True,
    "get_object_or_404(Chat, pk=1)": True,
    "model._default_manager.for_widget(1).get()": False,
    "model._default_manager.none()": False,
    "unscoped(model._base_manager.all(), 'every widget')": False,
    "Chat.objects.filter(pk=1)": False,  # refused when it runs
}


@pytest.mark.parametrize("expression", PAST)
def test_what_goes_past_the_guard(expression: str) -> None:
    assert bool(list(past_the_guard(ast.parse(expression)))) == PAST[expression]


def without_reason(tree: ast.AST) -> list[str]:
    """Calls of `unscoped` whose reason is no text that the reader finds there."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called(node) == "unscoped"]
    return [
        ast.unparse(call)
        for call in calls
        if not (call.args and isinstance(why := call.args[-1], ast.Constant) and len(str(why.value).split()) > 1)
    ]


def test_a_reason_is_a_text_that_stands_at_the_call() -> None:
    found = {name_of(path): found for path in SOURCE if (found := without_reason(tree_of(path)))}
    assert found == {"apps/core/database/tenants.py": ["unscoped(self, why)"]}  # the method that hands it on
    assert without_reason(ast.parse("Chat.objects.unscoped('')")) == ["Chat.objects.unscoped('')"]
    assert without_reason(ast.parse("Chat.objects.unscoped(why)")) == ["Chat.objects.unscoped(why)"]
    assert without_reason(ast.parse("Chat.objects.unscoped('every widget')")) == []


def models_in(tree: ast.AST) -> dict[str, Any]:
    """The models that a file imports or declares, by the name that it has for them."""
    by_name = {model.__name__: model for model in product_models()}
    imported = {
        alias.asname or alias.name: by_name.get(alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return by_name | imported


def refused_openings(tree: ast.AST) -> Iterator[str]:
    """What the guard would refuse when it runs, of models that the file names: found before it does."""
    models = models_in(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Attribute(value=ast.Name(id=name), attr="objects"), attr=opening):
                model = models.get(name)
                guarded = model and isinstance(inspect.getattr_static(model, "objects", None), _Objects)
                if guarded and opening not in OPENINGS:
                    yield f"{name}.{opening}"


OPENINGS = {name for name in vars(Openings) if not name.startswith("_")} | {
    *("for_widget", "unscoped", "none", "create", "bulk_create")
}


def test_no_code_waits_for_the_guard_to_refuse_it() -> None:
    found = {name_of(path): found for path in SOURCE if (found := list(refused_openings(tree_of(path))))}
    assert found == {}


def test_what_the_guard_would_refuse() -> None:
    opened = "C.objects.get(pk=1), Chat.objects.for_widget(1), Chat.objects.filter(), Tag.objects.all()"
    tree = ast.parse(f"from apps.chats.models import Chat as C; {opened}")
    assert list(refused_openings(tree)) == ["C.get", "Chat.filter"]


# Which models are guarded.


def unguarded(models: Iterable[type[Model]]) -> list[str]:
    """The models whose `objects` is not guarded, or whose queryset starts from the widget in a way of its own."""
    return [
        model.__name__
        for model in models
        if not isinstance(inspect.getattr_static(model, "objects"), _Objects)
        or not isinstance(model._default_manager.get_queryset(), TenantQuerySet)
    ]


def test_every_model_of_a_tenant_is_guarded() -> None:
    assert unguarded(model for model in tenant_models() if not model._meta.auto_created) == []
    assert unguarded([Widget, Tag, Chat]) == ["Widget", "Tag"]


@pytest.mark.django_db
def test_every_model_of_a_tenant_starts_from_its_widget() -> None:
    for model in tenant_models():
        if not model._meta.auto_created:
            assert list(model._default_manager.for_widget(1)) == [], model  # type: ignore[attr-defined]


def test_what_is_a_tenants() -> None:
    assert {Chat, Contact, ContactTag} <= tenant_models()
    assert not {Widget, Tag} & tenant_models()


# How a statement is read.

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
    "as the ORM writes it": """
        SELECT "chats_message"."id",
               (SELECT U0."id" FROM "chats_file" U0 WHERE U0."widget_id" = ("chats_chat"."widget_id"))
        FROM "chats_message" INNER JOIN "chats_chat" ON ("chats_message"."chat_id" = "chats_chat"."id")
        WHERE ("chats_chat"."widget_id" = %s AND ("chats_message"."body" = %s OR NOT ("chats_message"."type" = %s)))""",
    "a part of a time": """
        SELECT EXTRACT(EPOCH FROM "chats_chat"."created_at") FROM "chats_chat" WHERE "chats_chat"."widget_id" = %s""",
    "with a reason": "SELECT id FROM chats_chat WHERE id = %(chat_id)s /* unscoped: its visitor's own */",
    "in the part with a reason": """
        WITH taken AS (SELECT id FROM chats_chat LIMIT 1 /* unscoped: every widget's rows */)
        SELECT m.id FROM chats_message m JOIN taken ON taken.id = m.chat_id""",
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
    "by a value that is set": "UPDATE chats_chat SET widget_id = %(widget_id)s WHERE id = %(chat_id)s",
    "by a column that is selected": "SELECT widget_id = %(widget_id)s FROM chats_chat WHERE id = %(chat_id)s",
    "as the ORM writes it": 'SELECT "chats_chat"."id" FROM "chats_chat" WHERE "chats_chat"."id" = %s',
    "or anything, as the ORM writes it": """
        SELECT "chats_chat"."id" FROM "chats_chat"
        WHERE (("chats_chat"."widget_id" = %s AND "chats_chat"."channel" = %s) OR "chats_chat"."id" = %s)""",
    "not the widget's, as the ORM writes it": """
        SELECT "chats_chat"."id" FROM "chats_chat"
        WHERE (NOT ("chats_chat"."widget_id" = %s) AND "chats_chat"."id" > %s)""",
    "with an empty reason": "SELECT id FROM chats_chat WHERE id = %(chat_id)s /* unscoped: */",
    "with a reason in a text": "SELECT id FROM chats_chat WHERE channel = '/* unscoped: why */'",
    "beside the part with a reason": """
        WITH taken AS (SELECT id FROM chats_contact LIMIT 1 /* unscoped: every widget's rows */)
        SELECT c.id FROM chats_chat c, taken WHERE c.channel = 'widget'""",
}


@pytest.mark.parametrize("sql", BOUND.values(), ids=BOUND.keys())
def test_a_bound_statement(sql: str) -> None:
    assert unbound(sql, tenant_tables()) == []


@pytest.mark.parametrize("sql", UNBOUND.values(), ids=UNBOUND.keys())
def test_an_unbound_statement(sql: str) -> None:
    assert unbound(sql, tenant_tables()) == ["chats_chat"]
