"""The cabinet's pages of what went wrong: each says why, keeps what was typed, and has a way back."""

from __future__ import annotations

import json
import logging
import sys
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.core.signals import got_request_exception
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import Resolver404, resolve, reverse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext
from django.views.decorators.csrf import requires_csrf_token

from apps.accounts.models import User
from apps.core.views import server_error

logger = logging.getLogger("django.request")

# What a form sends that nobody has typed, and what is not to stand on a page.
NOT_TYPED = ("csrfmiddlewaretoken", "initial-", "_", "action", "next")
SECRET = ("password", "secret", "token", "api_key", "bearer", "code")
MAX_RESENT = 200_000


def script_that_keeps(request: HttpRequest) -> str:
    """The address of the script that brings back what was typed: to the same person, in the words of their language."""
    user = getattr(request, "user", None)
    person = salted_hmac("parley.typed", str(user.pk)).hexdigest()[:16] if user and user.is_authenticated else ""
    words = {
        "kept": gettext("You were signed out. What you typed is kept: it comes back when you have signed in."),
        "back": gettext("This is what you typed before. It is not saved yet."),
    }
    return f"{static('accounts/kept.js')}?{urlencode({'p': person, 'w': json.dumps(words)}, quote_via=quote)}"


def page_of(request: HttpRequest, error: Exception) -> HttpResponse | None:
    """The page of an error that a page of the cabinet has raised; None where Django's own handling does.

    Other errors are Django's, which logs them; with DEBUG on its page would be shown in place of ours.
    """
    if isinstance(error, Http404):
        return missing(request)
    if isinstance(error, PermissionDenied):
        return refused(request, error)
    if not settings.DEBUG:
        return None
    got_request_exception.send(sender=None, request=request)
    logger.error("Internal Server Error: %s", request.path, exc_info=sys.exc_info(), extra={"request": request})
    return failed(request)


def missing(request: HttpRequest) -> HttpResponse:
    """404. The page repeats the text that was typed for a row that is gone."""
    typed = _typed(request)
    text = gettext("It was deleted meanwhile, or the address is wrong.")
    if typed:
        text += " " + gettext("Nothing was saved. What you typed is below: copy what you need.")
    return _page(request, 404, gettext("Not found"), text, typed=typed)


def refused(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403 of a page that the person's role may not open."""
    user = request.user
    text = gettext("Your role doesn't allow this. An owner of the account can give you another one.")
    if isinstance(user, User) and user.is_staff:
        role = gettext("administrator") if user.is_superuser else str(user.get_role_display())
        text += " " + gettext("You are signed in as %(person)s (%(role)s).") % {"person": user.email, "role": role}
    return _page(request, 403, gettext("Not allowed"), text, typed=_typed(request))


def failed(request: HttpRequest) -> HttpResponse:
    """500, with a way back into the cabinet. It asks the database for nothing."""
    answer = server_error(request)
    if answer.status_code != HTTPStatus.INTERNAL_SERVER_ERROR or not _is_of_cabinet(request):
        return answer
    context = {
        "frame": "core/base.html",
        "title": gettext("Something went wrong"),
        "text": gettext("The request failed on our side. Try again."),
        "here": request.get_full_path(),
        "ways": [
            (gettext("Open the page again"), request.get_full_path()),
            (gettext("To the overview"), reverse("admin:index")),
        ],
    }
    return HttpResponse(render_to_string("admin/error.html", context), status=answer.status_code)


@requires_csrf_token
def csrf_refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 of a form whose proof of origin is not that of this session, most often after signing in anew elsewhere.

    A form of our own page can be sent again from here; one that another website has sent cannot.
    """
    if not _is_from_here(request):
        text = gettext("The form came from another website, so nothing was done. Open the page here and try again.")
        return _page(request, 403, gettext("The form was not accepted"), text)
    text = gettext(
        "The page was open since before you signed in, or the browser takes no cookies. Nothing was saved, and what "
        "you typed is kept."
    )
    kept = [(name, value) for name, values in request.POST.lists() for value in values if _may_be_resent(name)]
    can_resend = request.user.is_authenticated and bool(kept) and sum(len(value) for _, value in kept) < MAX_RESENT
    again: dict[str, Any] = {"resent": kept, "csrf_token": get_token(request)} if can_resend else {}
    again["has_lost_files"] = bool(can_resend and request.FILES)
    again["has_lost_secrets"] = bool(can_resend and len(kept) < sum(len(v) for _, v in request.POST.lists()) - 1)
    return _page(request, 403, gettext("The form was not accepted"), text, **again)


def _page(request: HttpRequest, status: int, title: str, text: str, **context: Any) -> HttpResponse:
    user = getattr(request, "user", None)
    is_inside = bool(user and user.is_staff and user.is_active and admin.site.has_permission(request))
    frame = admin.site.each_context(request) if is_inside else {}
    ways = [(gettext("To the overview"), reverse("admin:index"))]
    if is_inside and (list_of := _list_of(request.path_info)):
        ways.insert(0, (gettext("To the list"), list_of))
    context |= {
        **frame,
        "frame": "admin/base_site.html" if is_inside else "accounts/door.html",
        "title": title,
        "text": text,
        "ways": ways,
        "here": request.get_full_path(),
    }
    return render(request, "admin/error.html", context, status=status)


def _is_of_cabinet(request: HttpRequest) -> bool:
    is_for_people = any(kind.main_type == "text" for kind in request.accepted_types)
    return is_for_people and request.path_info.startswith(reverse("admin:index"))


def _list_of(path: str) -> str | None:
    """The list of the rows that an address is about."""
    parts = path.removeprefix(reverse("admin:index")).split("/")
    if len(parts) < 3 or not parts[2]:
        return None
    found = f"{reverse('admin:index')}{parts[0]}/{parts[1]}/"
    try:
        name = resolve(found).url_name or ""
    except Resolver404:
        return None
    return found if name.endswith("_changelist") else None


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    if request.method != "POST":
        return []
    return [
        (name.replace("_", " "), value)
        for name, values in request.POST.lists()
        for value in values
        if value and not name.startswith(NOT_TYPED) and not _is_secret(name)
    ]


def _may_be_resent(name: str) -> bool:
    return name != "csrfmiddlewaretoken" and not _is_secret(name)


def _is_secret(name: str) -> bool:
    return any(word in name.lower() for word in SECRET)


def _is_from_here(request: HttpRequest) -> bool:
    """Whether the browser says that one of our own pages has sent a form."""
    said = request.headers.get("Origin") or request.headers.get("Referer") or ""
    if not said:
        return request.headers.get("Sec-Fetch-Site") == "same-origin"
    return urlsplit(said).netloc == request.get_host()
