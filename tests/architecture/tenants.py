"""Which models are a tenant's, and where the product's source reads them through the ORM."""

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.apps import apps
from django.db import models

from apps.accounts.models import Widget
from tests.architecture.resolving import UNKNOWN, Function, Scope
from tests.architecture.source import source_files, tree_of
from tests.architecture.statements import module_of

MANAGERS = {"objects", "_default_manager", "_base_manager"}
FINDERS = {"get_object_or_404", "get_list_or_404", "aget_object_or_404", "aget_list_or_404"}
INSERTS = {"create", "bulk_create", "acreate", "abulk_create"}
# Reads by what they are given, and inserts if there is none.
INSERTS_IF_NEW = {"get_or_create", "update_or_create", "aget_or_create", "aupdate_or_create"}


def product_models() -> list[type[models.Model]]:
    """The models of the product's own apps."""
    every = apps.get_models(include_auto_created=True)
    return [each for each in every if each._meta.app_config.name.startswith("apps.")]


@cache
def tenant_models() -> frozenset[type[models.Model]]:
    """The models whose rows are a widget's: those with a key to it, and those that hang on such a model."""
    found: set[type[models.Model]] = {Widget}
    while more := {each for each in product_models() if each not in found and found & set(_hangs_on(each))}:
        found |= more
    return frozenset(found - {Widget})


def _hangs_on(model: type[models.Model]) -> Iterator[type[models.Model]]:
    for field in model._meta.concrete_fields:
        if isinstance(field, models.ForeignKey) and isinstance(field.related_model, type):
            yield field.related_model


@cache
def tenant_tables() -> frozenset[str]:
    return frozenset(model._meta.db_table for model in tenant_models())


def reads_in(module: Any, tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Every use of a model's manager: the place and "Model.objects.method"; "?" for a model that is not known."""
    for place, functions, chain in _chains(tree):
        manager, call = chain
        for model in Scope(module, functions).values(manager.value if isinstance(manager, ast.Attribute) else manager):
            if model is UNKNOWN or not isinstance(model, type) or model in tenant_models():
                name = getattr(model, "__name__", ast.unparse(manager))
                yield ".".join([module.__name__, *place]), f"{name}.{_first(manager, call)}"


def starts_from_the_widget(read: str) -> bool:
    """Whether the rows are those of one widget (or a new one's)."""
    method = read.rpartition(".")[2]
    return method == "for_widget" or method in INSERTS or method.endswith("(widget)")


def _first(manager: ast.expr, call: ast.Call | ast.Attribute | None) -> str:
    """The manager's first method; with `(widget)`, if it reads or inserts by the widget that it is given."""
    if isinstance(manager, ast.Name):
        return "404"
    method = call.func if isinstance(call, ast.Call) else call
    name = method.attr if isinstance(method, ast.Attribute) else "itself"
    given = {keyword.arg for keyword in call.keywords} if isinstance(call, ast.Call) else set()
    return f"{name}(widget)" if name in INSERTS_IF_NEW and given & {"widget", "widget_id"} else name


Chain = tuple[ast.expr, ast.Call | ast.Attribute | None]


def _chains(tree: ast.AST) -> Iterator[tuple[tuple[str, ...], tuple[Function, ...], Chain]]:
    """Every manager that is named, with what is called on it first, and the functions and classes around it."""

    def walk(node: ast.AST, above: tuple[ast.AST, ...], place: tuple[str, ...]) -> Iterator[Any]:
        functions = tuple(each for each in above if isinstance(each, Function))
        if isinstance(node, ast.Attribute) and node.attr in MANAGERS and isinstance(node.ctx, ast.Load):
            method = above[-1] if isinstance(above[-1], ast.Attribute) else None
            call = (
                above[-2]
                if method is not None and isinstance(above[-2], ast.Call) and above[-2].func is method
                else None
            )
            yield place, functions, (node, call or method)
        if (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "") in FINDERS
            and isinstance(node.args[0], ast.Name)
        ):
            yield place, functions, (node.args[0], None)
        inner = (*place, node.name) if isinstance(node, Function | ast.ClassDef) else place
        for child in ast.iter_child_nodes(node):
            yield from walk(child, (*above, node), inner)

    yield from walk(tree, (tree,), ())


@cache
def product_reads() -> tuple[tuple[str, str], ...]:
    return tuple(
        read
        for path in source_files("apps")
        for read in reads_in(importlib.import_module(module_of(path)), tree_of(path))
    )
