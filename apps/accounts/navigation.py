"""The cabinet's ways in: the menu by jobs, its tabs, the switcher of widgets, the person's menu, the search.

Given to unfold by `UNFOLD` in the settings. Pages are named by their models' labels, so an app that is left out takes
its pages along; what a person may not see is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from django.apps import apps as django_apps
from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.dataclasses import SearchResult

from apps.accounts.cabinet import TenantAdmin
from apps.accounts.chosen_widget import OFFERED, chosen_widget, current_widget, widgets_offered
from apps.accounts.widget_pages import WidgetPageAdmin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A line of the menu: the page of the first model; the others are tabs beside it."""

    title: StrOrPromise
    pages: tuple[tuple[str, StrOrPromise], ...]  # (label of the model, title of its tab)


@dataclass(frozen=True, slots=True)
class Section:
    """An entry of the first level."""

    title: StrOrPromise
    icon: str
    entries: tuple[MenuEntry, ...]


def _entry(title: StrOrPromise, *pages: tuple[str, StrOrPromise] | str) -> MenuEntry:
    return MenuEntry(title, tuple((page, title) if isinstance(page, str) else page for page in pages))


SECTIONS = (
    Section(
        _("Chats and contacts"),
        "chat",
        (
            _entry(_("Chats"), "chats.chat"),
            _entry(_("Contacts"), "chats.contact"),
            _entry(_("Blocked visitors"), "chats.block"),
        ),
    ),
    Section(
        _("Widget"),
        "chat_bubble",
        (
            _entry(_("Look and texts"), "widget.widgetlook"),
            _entry(_("Widgets"), "accounts.widget"),
            _entry(_("Cards from your system"), "cards.widgetcards"),
        ),
    ),
    Section(
        _("Channels"),
        "hub",
        (
            _entry(_("Messengers"), "messengers.connection"),
            _entry(
                _("Letters"),
                ("letters.widgetletters", _("Settings")),
                ("letters.mailbox", _("Mailboxes")),
                ("letters.inletter", _("Without a chat")),
                ("letters.address", _("Addresses")),
            ),
            _entry(_("VK communities"), "messengers.community"),
            _entry(_("Ad cabinets"), "messengers.adcabinet"),
            _entry(_("Custom channels"), "messengers.channel"),
            _entry(_("Bots of before"), "compat.legacybot"),
        ),
    ),
    Section(
        _("AI and knowledge"),
        "auto_awesome",
        (
            _entry(_("AI"), "ai.aisettings"),
            _entry(
                _("Assistants"),
                "ai.assistant",
                ("ai.aioperator", _("Operators")),
                ("ai.credential", _("Keys")),
                ("ai.externaloperator", _("External operators")),
            ),
            _entry(
                _("Knowledge"),
                ("kb.knowledgebase", _("Overview")),
                ("kb.source", _("Sources")),
                ("kb.rule", _("Rules")),
                ("kb.upload", _("Documents")),
                ("kb.crawler", _("Websites")),
                ("kb.crawlrun", _("Crawls")),
            ),
            _entry(_("Drafts"), "assists.assist", ("assists.owntool", _("Tools for texts"))),
            _entry(_("Evaluation"), ("ai.evaluationcase", _("Questions")), ("ai.evaluationrun", _("Runs"))),
            _entry(
                _("Learning"),
                ("learning.demandtopic", _("Unanswered")),
                ("learning.wish", _("Wishes")),
                ("learning.tunedassistant", _("Tuning")),
                ("learning.cycle", _("Cycles")),
            ),
            _entry(
                _("Usage and alerts"),
                ("ai.alert", _("Alerts")),
                ("ai.exchange", _("Answers")),
                ("ai.answerfeedback", _("rated answers")),
                ("ai.usage", _("Calls")),
            ),
        ),
    ),
    Section(
        _("People and hours"),
        "groups",
        (
            _entry(_("Operators"), "agents.agent", ("chats.desksettings", _("Console"))),
            _entry(_("Departments and hours"), "agents.department", ("agents.holiday", _("Holidays"))),
            _entry(_("Invitations"), "agents.invitation"),
        ),
    ),
    Section(
        _("Webhooks and API"),
        "webhook",
        (
            _entry(_("API tokens"), "accounts.apitoken"),
            _entry(
                _("Webhooks"), ("webhooks.subscription", _("Subscriptions")), ("webhooks.delivery", _("Deliveries"))
            ),
        ),
    ),
    Section(
        _("Support desk"),
        "support_agent",
        (
            _entry(_("Tickets"), "support.ticket"),
            _entry(_("Settings"), "support.supportdesk"),
            _entry(_("Own application"), "support.binding"),
            _entry(_("Steps"), "support.supportaction"),
        ),
    ),
    Section(
        _("Billing"),
        "payments",
        (
            _entry(_("Invoices"), "billing.invoice"),
            _entry(_("Plans"), ("billing.plansubscription", _("Subscriptions")), ("billing.plan", _("Plans"))),
            _entry(_("Money"), ("billing.wallet", _("Wallets")), ("billing.transaction", _("Movements"))),
            _entry(_("Legal entities"), "billing.legalentity"),
        ),
    ),
    Section(
        _("Account and data"),
        "manage_accounts",
        (
            _entry(_("Account"), "accounts.account"),
            _entry(_("Who may sign in"), "accounts.user"),
            _entry(_("Retention"), "chats.retention"),
            _entry(_("Audit trail"), "accounts.auditentry"),
        ),
    ),
)
OF_THE_INSTALLATION = Section(
    _("The installation"),
    "dns",
    (
        _entry(_("Health"), "accounts.backupnote"),
        _entry(_("Event types"), "webhooks.eventswitch"),
        _entry(_("Vendors of messengers"), "messengers.vendorsettings"),
        _entry(_("Tuning switch"), "learning.learningswitch"),
        _entry(_("Payee of invoices"), "billing.payee"),
    ),
)


def sidebar(request: HttpRequest) -> list[dict[str, Any]]:
    """The menu: the overview, then a group a job; at the end, for those who run the installation, its own."""
    overview = {"title": gettext("Overview"), "icon": "dashboard", "link": reverse("admin:index")}
    groups = [_group(request, section) for section in (*SECTIONS, OF_THE_INSTALLATION)]
    groups[-1]["separator"] = True
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
    return {"title": format_html(icon, section.icon, section.title), "items": items, "collapsible": True}


def _allowed(request: HttpRequest, entry: MenuEntry) -> Iterator[tuple[str, str]]:
    """The title and the address of each page of an entry that the person may see."""
    for label, title in entry.pages:
        page = _admin_of(label)
        if page is not None and page.has_view_permission(request):
            yield capfirst(str(title)), reverse(f"admin:{label.replace('.', '_')}_changelist")


def _admin_of(label: str) -> TenantAdmin | None:
    app, name = label.split(".")
    if not django_apps.is_installed(f"apps.{app}"):
        return None
    return cast("TenantAdmin", admin.site._registry[django_apps.get_model(app, name)])


def tabs(request: HttpRequest) -> list[dict[str, Any]]:
    """The tabs of each entry with several pages, above each of their lists."""
    groups = []
    for section in SECTIONS:
        for entry in section.entries:
            if len(entry.pages) > 1 and any(_admin_of(label) for label, _title in entry.pages):
                items = [{"title": title, "link": address} for title, address in _allowed(request, entry)]
                groups.append({"models": [*map(_where_tabs_stand, entry.pages)], "items": items})
    return groups


def _where_tabs_stand(page: tuple[str, StrOrPromise]) -> Any:
    """A list; of a model of which each widget has one page, that page."""
    label, _title = page
    is_page = isinstance(_admin_of(label), WidgetPageAdmin)
    return {"name": label, "detail": True} if is_page else label


def site_dropdown(request: HttpRequest) -> list[dict[str, Any]]:
    """The switcher of widgets, then the ways out of the cabinet."""
    links = [
        {"icon": "support_agent", "title": gettext("Operators' console"), "link": "/console/"},
        {"icon": "storefront", "title": gettext("Demo page"), "link": "/demo/"},
        {"icon": "menu_book", "title": gettext("API documentation"), "link": "/api/docs"},
        {"icon": "school", "title": gettext("Guides for developers"), "link": "/api/docs/guides/"},
    ]
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


def account_navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The person's menu, above "sign out"."""
    if not request.user.is_authenticated:
        return []
    profile = reverse("admin:accounts_user_change", args=[request.user.pk])
    return [
        {"title": gettext("Profile and language"), "link": profile},
        {"title": gettext("Change password"), "link": reverse("admin:password_change")},
        {"title": gettext("Two-factor sign-in"), "link": reverse("two-factor")},
        {"title": gettext("Operators' console"), "link": "/console/"},
    ]


# The search looks at this many of a kind: whoever wants more uses the list.
FOUND_OF_A_KIND = 5
# What is looked for by name; of the longest lists (chats, calls) nothing.
SEARCHED = (
    *("accounts.widget", "accounts.apitoken", "accounts.user", "agents.agent", "agents.department"),
    *("chats.contact", "ai.assistant", "ai.aioperator", "kb.rule", "kb.source", "billing.invoice"),
)
MOST_SEARCHED = 100  # characters


def search(request: HttpRequest, term: str) -> list[SearchResult]:
    """The results of unfold's palette beside the lists: pages by their names in the menu, settings, objects."""
    term = term.strip()[:MOST_SEARCHED]
    if not term or "\0" in term:
        return []
    return [*_pages_found(request, term), *_settings_found(request, term), *_objects_found(request, term)]


def _pages_found(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    for section in (*SECTIONS, OF_THE_INSTALLATION):
        for entry in section.entries:
            for title, address in _allowed(request, entry):
                if term in f"{section.title} {entry.title} {title}".casefold():
                    yield SearchResult(title=title, description=str(section.title), link=address, icon=section.icon)
    for link in account_navigation(request):
        if term in link["title"].casefold():
            yield SearchResult(title=link["title"], description=gettext("Profile"), link=link["link"], icon="person")


def _settings_found(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    for page in admin.site._registry.values():
        settings = page.settings_shown() if isinstance(page, TenantAdmin) else {}
        if not settings or not page.has_view_permission(request):
            continue
        address = reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_changelist")
        of = capfirst(str(page.opts.verbose_name_plural))
        for label in settings:
            if term in str(label).casefold():
                yield SearchResult(title=capfirst(str(label)), description=of, link=address, icon="tune")


def _objects_found(request: HttpRequest, term: str) -> Iterator[SearchResult]:
    for label in SEARCHED:
        page = _admin_of(label)
        if page is None or not page.search_fields or not page.has_view_permission(request):
            continue
        rows, _has_duplicates = page.get_search_results(request, page.get_queryset(request), term)
        for row in rows.order_by("-pk")[:FOUND_OF_A_KIND]:
            yield SearchResult(
                title=Truncator(str(row)).chars(80),
                description=capfirst(str(page.opts.verbose_name)),
                link=reverse(f"admin:{label.replace('.', '_')}_change", args=[row.pk]),
                icon="arrow_forward",
            )
