"""The cabinet's ways in: the menu by jobs, its tabs, the switcher of widgets, the person's menu, the search.

Given to unfold by `UNFOLD` in the settings. Pages declare their places (`menu.py`): an app that is left out takes its
pages along; what a person may not see is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext
from unfold.dataclasses import SearchResult

from apps.cabinet.chosen_widget import OFFERED, chosen_widget, current_widget, widgets_offered, zone_shown
from apps.cabinet.menu import INSTALLATION, MenuGroup, MenuPlace, MenuTab, WayOut
from apps.cabinet.tenant_admin import TenantAdmin
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.core import plugins

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model
    from django.http import HttpRequest
    from django_stubs_ext import StrOrPromise

    from apps.accounts.models import Widget


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A line of the menu: the first page; the others are tabs beside it."""

    title: StrOrPromise
    pages: tuple[tuple[TenantAdmin, StrOrPromise], ...]  # with the title of its tab


@dataclass(frozen=True, slots=True)
class Section:
    """An entry of the first level, with its lines in their order."""

    group: MenuGroup
    entries: tuple[MenuEntry, ...]


@cache
def sections() -> tuple[Section, ...]:
    """The menu that the registered pages declare. A tab beside a page that is not there is left out with it."""
    pages = [page for page in admin.site._registry.values() if isinstance(page, TenantAdmin)]
    tabs: dict[type[Model], list[tuple[int, TenantAdmin, StrOrPromise]]] = {}
    for page in pages:
        if isinstance(page.menu, MenuTab):
            tabs.setdefault(page.menu.of, []).append((page.menu.order, page, page.menu.title))
    lines: dict[MenuGroup, list[tuple[int, MenuEntry]]] = {}
    for page in pages:
        if isinstance(page.menu, MenuPlace):
            place = page.menu
            beside = sorted(tabs.get(page.model, ()), key=itemgetter(0))
            shown = ((page, place.tab or place.title), *((tab, title) for _order, tab, title in beside))
            lines.setdefault(place.group, []).append((place.order, MenuEntry(place.title, shown)))
    return tuple(
        Section(group, tuple(entry for _order, entry in sorted(lines[group], key=itemgetter(0))))
        for group in sorted(lines, key=attrgetter("order"))
    )


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu: the overview, then a group a job; at the end, for those who run the installation, its own."""
    overview = {"title": gettext("Overview"), "icon": "dashboard", "link": reverse("admin:index")}
    groups = [_group(request, section) for section in sections()]
    return [{"items": [overview]}, *(group for group in groups if group["items"])]


def _group(request: HttpRequest, section: Section) -> dict[str, Any]:
    items = []
    for entry in section.entries:
        pages = list(_allowed(request, entry))
        if pages:
            addresses = [address for _title, address in pages]
            here = any(request.path.startswith(address) for address in addresses)
            items.append({"title": capfirst(str(entry.title)), "link": addresses[0], "active": here})
    icon = '<span class="material-symbols-outlined" aria-hidden="true">{}</span><span>{}</span>'
    title = format_html(icon, section.group.icon, section.group.title)
    apart = {"separator": True} if section.group is INSTALLATION else {}
    return {"title": title, "items": items, "collapsible": True, **apart}


def _allowed(request: HttpRequest, entry: MenuEntry) -> Iterator[tuple[str, str]]:
    """The title and the address of each page of an entry that the person may see."""
    for page, title in entry.pages:
        if page.has_view_permission(request):
            yield capfirst(str(title)), _list_of(page)


def _list_of(page_admin: TenantAdmin) -> str:
    return reverse(f"admin:{page_admin.opts.app_label}_{page_admin.opts.model_name}_changelist")


def tabs(request: HttpRequest) -> list[dict[str, Any]]:
    """The tabs of each entry with several pages, above each of their lists; on a row's page those of the row."""
    entries = [entry for section in sections() for entry in section.entries if len(entry.pages) > 1]
    return [
        {
            "models": [_where_tabs_stand(page) for page, _title in entry.pages],
            "items": [{"title": title, "link": address} for title, address in _allowed(request, entry)],
        }
        for entry in entries
    ] + _row_tabs(request)


def _row_tabs(request: HttpRequest) -> list[dict[str, Any]]:
    """The tabs of the row whose page is shown, where several pages are about it."""
    match = request.resolver_match
    key = match.kwargs.get("object_id") if match else None
    pages = [page for page in admin.site._registry.values() if isinstance(page, TenantAdmin) and page.row_tab]
    shown = next((page for page in pages if match and match.url_name == _change_name(page)), None)
    if key is None or shown is None:
        return []
    beside = sorted((page for page in pages if _row_of(page) is _row_of(shown)), key=lambda page: _row_order(page))
    items = [
        {"title": capfirst(str(page.row_tab.title)), "link": reverse(f"admin:{_change_name(page)}", args=[key])}
        for page in beside
        if page.row_tab and page.has_view_permission(request)
    ]
    if len(items) < 2:
        return []
    return [{"models": [{"name": page.opts.label_lower, "detail": True} for page in beside], "items": items}]


def _change_name(page_admin: TenantAdmin) -> str:
    return f"{page_admin.opts.app_label}_{page_admin.opts.model_name}_change"


def _row_of(page_admin: TenantAdmin) -> Any:
    return page_admin.row_tab.of if page_admin.row_tab else None


def _row_order(page_admin: TenantAdmin) -> int:
    return page_admin.row_tab.order if page_admin.row_tab else 0


def _where_tabs_stand(page_admin: TenantAdmin) -> Any:
    """A list; of a model of which each widget has one page_admin, that page_admin."""
    label = page_admin.opts.label_lower
    return {"name": label, "detail": True} if isinstance(page_admin, WidgetPageAdmin) else label


@cache
def ways_out() -> list[WayOut]:
    """The ways out of the cabinet that the installed apps declare, in their order."""
    declared = plugins.declared("dashboard", WayOut).values()
    return sorted((way for of_app in declared for way in of_app), key=attrgetter("order"))


def site_dropdown(request: HttpRequest) -> list[dict[str, Any]]:
    """The switcher of widgets, then the ways out of the cabinet."""
    links = [{"icon": way.icon, "title": way.title, "link": way.address} for way in ways_out()]
    if not request.user.is_authenticated:
        return links
    offered = widgets_offered(request)
    chosen = chosen_widget(request)
    if len(offered) < 2 and chosen is None:
        return links
    shown = [*offered[:OFFERED]]
    if chosen is not None and chosen not in shown:
        shown.insert(0, chosen)
    widgets = [_choice(widget.pk, str(widget), is_chosen=widget == chosen) for widget in shown]
    everything = _choice(0, gettext("All widgets"), is_chosen=chosen is None)
    more = {"icon": "more_horiz", "title": gettext("More widgets"), "link": reverse("admin:accounts_widget_changelist")}
    return [everything, *widgets, *([more] if len(offered) > OFFERED else []), *links]


def _choice(key: int, title: str, *, is_chosen: bool) -> dict[str, Any]:
    icon = "radio_button_checked" if is_chosen else "radio_button_unchecked"
    return {"icon": icon, "title": title, "link": reverse("choose-widget", args=[key])}


def site_subheader(request: HttpRequest) -> str:
    """The widget whose pages are shown, under the name of the site."""
    if not request.user.is_authenticated:
        return ""
    widget = current_widget(request)
    if widget is not None:
        return str(widget)
    offered = widgets_offered(request)
    return gettext("All widgets") if offered else ""


def widget_page(widget: Widget) -> str:
    """The page of a widget's own values, such as its time zone."""
    return reverse("admin:accounts_widget_change", args=[widget.pk])


def account_navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The person's menu, above "sign out"."""
    if not request.user.is_authenticated:
        return []
    profile = reverse("admin:accounts_user_change", args=[request.user.pk])
    widget = current_widget(request)
    zone = reverse("admin:accounts_widget_changelist") if widget is None else widget_page(widget)
    return [
        {"title": gettext("Profile and language"), "link": profile},
        {"title": gettext("Times: %(zone)s") % {"zone": zone_shown()}, "link": zone},
        {"title": gettext("Change password"), "link": reverse("admin:password_change")},
        {"title": gettext("Two-factor sign-in"), "link": reverse("two-factor")},
        *({"title": str(way.title), "link": way.address} for way in ways_out() if way.in_persons_menu),
    ]


# The search looks at this many of a kind: whoever wants more uses the list.
FOUND_OF_A_KIND = 5
MOST_SEARCHED = 100  # characters


def search(request: HttpRequest, term: str) -> list[SearchResult]:
    """The results of unfold's palette beside the lists: pages by their names in the menu, settings, objects."""
    term = term.strip()[:MOST_SEARCHED]
    if not term or "\0" in term:
        return []
    return [*_pages_found(request, term), *_settings_found(request, term), *_objects_found(request, term)]


def _pages_found(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    for section in sections():
        group = section.group
        for entry in section.entries:
            for title, address in _allowed(request, entry):
                if term in f"{group.title} {entry.title} {title}".casefold():
                    yield SearchResult(title=title, description=str(group.title), link=address, icon=group.icon)
    for link in account_navigation(request):
        if term in link["title"].casefold():
            yield SearchResult(title=link["title"], description=gettext("Profile"), link=link["link"], icon="person")


def _settings_found(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    for page in admin.site._registry.values():
        if not isinstance(page, TenantAdmin):
            continue
        settings = page.settings_shown()
        if not settings or not page.has_view_permission(request):
            continue
        address = _list_of(page)
        of = capfirst(str(page.opts.verbose_name_plural))
        for label in settings:
            if term in str(label).casefold():
                yield SearchResult(title=capfirst(str(label)), description=of, link=address, icon="tune")


def _objects_found(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    """The rows found by name on the pages that are searched; the longest lists (chats, calls) are not."""
    for page in _pages_searched():
        if not page.search_fields or not page.has_view_permission(request):
            continue
        rows, _has_duplicates = page.get_search_results(request, page.get_queryset(request), term)
        for row in rows.order_by("-pk")[:FOUND_OF_A_KIND]:
            yield SearchResult(
                title=Truncator(str(row)).chars(80),
                description=capfirst(str(page.opts.verbose_name)),
                link=reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_change", args=[row.pk]),
                icon="arrow_forward",
            )


@cache
def _pages_searched() -> list[TenantAdmin]:
    placed = [
        (page.found_at, page)
        for page in admin.site._registry.values()
        if isinstance(page, TenantAdmin) and page.found_at is not None
    ]
    return [page for _place, page in sorted(placed, key=itemgetter(0))]
