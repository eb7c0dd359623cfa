"""Filters and tags that show figures, names and times as a person reads them."""

from typing import Any

from django import template
from django.db.models import Model
from django.utils import timezone
from django.utils.formats import localize
from django.utils.text import capfirst

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


@register.filter
def title_of(part: Any) -> str:
    """A part of a page's title: names of pages begin with a capital, objects are spelt as they are."""
    return str(part) if isinstance(part, Model) else str(capfirst(str(part)))


@register.simple_tag
def zone_shown() -> str:
    """The time zone in which the page shows times, and reads them: "Europe/Berlin, UTC+02:00"."""
    now = timezone.localtime()
    offset = now.strftime("%z")
    return f"{timezone.get_current_timezone_name()}, UTC{offset[:3]}:{offset[3:]}"
