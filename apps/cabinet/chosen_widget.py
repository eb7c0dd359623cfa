"""The widget that a person has chosen to work with in the cabinet: kept in the session, respected by every page."""

from collections.abc import Sequence
from typing import Any, cast
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import Resolver404, resolve, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme

from apps.accounts.models import User, Widget
from apps.accounts.querysets import seen_by

SESSION_KEY = "cabinet_widget"
# The switcher offers so many; more have a list of their own.
OFFERED = 20


def widgets_offered(request: HttpRequest) -> Sequence[Widget]:
    """The first widgets that the person may see, one more than the switcher offers."""
    found: list[Widget] | None = getattr(request, "cabinet_widgets", None)
    if found is None:
        user = cast("User", request.user)
        found = list(seen_by(user, Widget.objects.all(), "account_id").order_by("id")[: OFFERED + 1])
        request.cabinet_widgets = found  # type: ignore[attr-defined] # one query a page
    return found


def chosen_widget(request: HttpRequest) -> Widget | None:
    """The widget that the person has chosen and may still see; None until one is chosen."""
    session: Any = getattr(request, "session", None)
    key = session.get(SESSION_KEY) if session is not None else None
    if key is None:
        return None
    if not hasattr(request, "cabinet_widget"):
        user = cast("User", request.user)
        found = seen_by(user, Widget.objects.filter(pk=key), "account_id").first()
        request.cabinet_widget = found  # type: ignore[attr-defined] # one query a page
    return cast("Widget | None", request.cabinet_widget)  # type: ignore[attr-defined]


def current_widget(request: HttpRequest) -> Widget | None:
    """The chosen widget, or the only one that an account has."""
    if (chosen := chosen_widget(request)) is not None:
        return chosen
    if cast("User", request.user).account_id is None:
        return None
    offered = widgets_offered(request)
    return offered[0] if len(offered) == 1 else None


def zone_of(request: HttpRequest) -> ZoneInfo:
    """The time zone in which the cabinet shows and reads times: that of the current widget, else the installation's."""
    widget = current_widget(request) if request.user.is_authenticated else None
    return ZoneInfo(widget.time_zone if widget is not None else settings.TIME_ZONE)


def zone_shown() -> str:
    """The time zone in which the page shows times, and reads them: "Europe/Berlin, UTC+02:00"."""
    now = timezone.localtime()
    offset = now.strftime("%z")
    return f"{timezone.get_current_timezone_name()}, UTC{offset[:3]}:{offset[3:]}"


def choose(request: HttpRequest, widget_id: int) -> HttpResponse:
    """Notes the choice, and leads back to the page; from a row's page to its list, as the row may be another's.

    0 is all widgets. A widget that the person may not see changes nothing.
    """
    user = cast("User", request.user)
    if widget_id == 0:
        request.session.pop(SESSION_KEY, None)
    elif seen_by(user, Widget.objects.filter(pk=widget_id), "account_id").exists():
        request.session[SESSION_KEY] = widget_id
    return HttpResponseRedirect(_back_to(request))


def _back_to(request: HttpRequest) -> str:
    index = reverse("admin:index")
    came_from = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(came_from, {request.get_host()}):
        return index
    path = "/" + came_from.split("//", 1)[-1].partition("/")[2].partition("?")[0].partition("#")[0]
    try:
        match = resolve(path)
    except Resolver404:
        return index
    if "admin" not in match.namespaces or not match.url_name:
        return index
    if match.args or match.kwargs:
        names = match.url_name.split("_")
        return reverse(f"admin:{names[0]}_{names[1]}_changelist") if len(names) > 2 else index
    return path
