"""Filters that show figures as a person reads them."""

from typing import Any

from django import template
from django.utils.formats import localize

from apps.accounts.purposes import PURPOSES

register = template.Library()


@register.filter
def in_percent(share: float | None) -> str:
    """A share of 1 in whole percents; a dash where it is not known."""
    return "–" if share is None else f"{localize(round(100 * share))} %"


@register.filter
def purpose_of(opts: Any) -> Any:
    """The purpose of a model's list; empty where nothing is said of it."""
    return PURPOSES.get(opts.label_lower, "")
