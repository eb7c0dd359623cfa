"""Texts that are shown once, such as a new secret: on a page of their own, so that a reload does nothing again.

Between the form and the page a text is in the browser alone, in a cookie that is encrypted, of that page, for two
minutes; nothing of it is stored here.
"""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from apps.core.database.encryption import DecryptionFailed, decrypt, encrypt

COOKIE = "shown-once"
MAX_AGE_S = 120


def show_once(request: HttpRequest, template: str = "admin/replaced_secret.html", **context: Any) -> HttpResponse:
    """Leads to the page that shows a template with that context (texts and numbers) once, to this person."""
    kept = {"person": request.user.pk, "template": template, "context": context}
    response = HttpResponseRedirect(reverse("shown-once"))
    response.set_cookie(
        COOKIE,
        encrypt(json.dumps(kept)),
        max_age=MAX_AGE_S,
        path=reverse("shown-once"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )
    return response


@never_cache
def shown_once(request: HttpRequest) -> HttpResponse:
    """The page. Opened again, it says that there is nothing more to be seen."""
    kept = _kept(request)
    context = {**admin.site.each_context(request)}
    if kept is None:
        context |= {"title": gettext("It was shown once")}
        return TemplateResponse(request, "admin/shown_before.html", context)
    response = TemplateResponse(request, kept["template"], context | kept["context"])
    response.delete_cookie(COOKIE, path=reverse("shown-once"), samesite="Strict")
    return response


def _kept(request: HttpRequest) -> Any:
    try:
        kept = json.loads(decrypt(request.COOKIES.get(COOKIE, "")))
    except (DecryptionFailed, ValueError):
        return None
    return kept if kept["person"] == request.user.pk else None
