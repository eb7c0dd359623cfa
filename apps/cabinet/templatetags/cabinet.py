"""Filters and tags that show figures, names and times as a person reads them."""

from typing import Any

from django import template
from django.conf import settings
from django.contrib import admin
from django.db.models import Model
from django.utils.formats import localize
from django.utils.text import capfirst

from apps.cabinet import chosen_widget
from apps.cabinet.error_pages import script_that_keeps

register = template.Library()


@register.filter
def in_percent(share: float | None) -> str:
    """A share of 1 in whole percents; a dash where it is not known."""
    return "–" if share is None else f"{localize(round(100 * share))} %"


@register.filter
def purpose_of(opts: Any) -> Any:
    """The purpose of a model's list; empty where nothing is said of it."""
    return getattr(admin.site._registry.get(opts.model), "purpose", "")


@register.filter
def title_of(part: Any) -> str:
    """A part of a page's title: names of pages begin with a capital, objects are spelt as they are."""
    return str(part) if isinstance(part, Model) else str(capfirst(str(part)))


@register.simple_tag(takes_context=True, name="script_that_keeps")
def script_address(context: Any) -> str:
    """The script that keeps typed words over a sign-in, for a page without the cabinet's frame."""
    return script_that_keeps(context["request"])


@register.simple_tag
def version() -> str:
    return str(settings.VERSION)


register.simple_tag(chosen_widget.zone_shown, name="zone_shown")


@register.simple_tag(takes_context=True)
def crumbs(context: Any, parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The parts of a page's title: the list, then the row; without the app, which is no page here, and no name twice.

    A page of which each widget has one is its own list: the switcher beside it names the widget.
    """
    shown: list[dict[str, Any]] = []
    for part in parts:
        is_app = str(part.get("link", "")).rpartition("/admin/")[2].count("/") == 1
        is_head = isinstance(part["title"], Model) and head_widget(context) is not None
        if not is_app and not is_head and title_of(part["title"]) not in (title_of(each["title"]) for each in shown):
            shown.append(part)
    return shown or parts[-1:]


@register.inclusion_tag("accounts/switcher.html", takes_context=True)
def widget_switcher(context: Any) -> dict[str, Any]:
    """The menu of widgets in the head of a page that shows one of several."""
    widget = head_widget(context)
    offered = chosen_widget.widgets_offered(context["request"]) if widget is not None else ()
    shown = list(offered[: chosen_widget.OFFERED])
    if widget is not None and widget not in shown:
        shown.insert(0, widget)
    has_more = len(offered) > chosen_widget.OFFERED
    return {"widget": widget if len(shown) > 1 else None, "widgets": shown, "has_more": has_more}


def head_widget(context: Any) -> Any:
    """The widget whose page it is; None on other pages."""
    return getattr(context.get("request"), "head_widget", None)
