"""Which models and tables are a tenant's."""

from collections.abc import Iterator
from functools import cache

from django.apps import apps
from django.db import models

from apps.accounts.models import Widget


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
