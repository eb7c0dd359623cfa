"""The cabinet's page that brings articles in from files and websites: it shows first which would be written."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from apps.accounts.models import Widget
from apps.articles.actions.imports import IMPORT_FORM, queue_file, queue_site
from apps.articles.cabinet.pages import category_choices, languages_of, widget_of_page
from apps.articles.cabinet.words import IMPORT_PROBLEMS, IMPORT_STATES
from apps.articles.forms import ArticleImportForm
from apps.articles.models import ArticleImport
from apps.cabinet.tenant_admin import TenantAdmin, user_of
from apps.core.endpoints.outbound_writes import ExternalCall
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.problems import Problem

MOST_PROBLEMS = 100


def import_page(tenant_admin: TenantAdmin, request: HttpRequest) -> HttpResponse:
    """The form, and how far the last import is; at a POST a file or a site is looked at, or its texts become drafts."""
    if not tenant_admin.has_add_permission(request):
        raise PermissionDenied
    widget = widget_of_page(request, tenant_admin.own_choices(Widget, request))
    context = {
        **tenant_admin.admin_site.each_context(request),
        "opts": tenant_admin.opts,
        "title": gettext("Import articles"),
    }
    if widget is None:
        return TemplateResponse(request, "admin/no_widget.html", context)
    languages = languages_of(widget.pk)
    form = ArticleImportForm(
        request.POST or None,
        request.FILES or None,
        languages=list(languages.items()),
        categories=category_choices(widget.pk, next(iter(languages))),
    )
    if request.method == "POST" and form.is_valid():
        try:
            _queued(request, widget, form)
        except Problem as problem:
            form.refuse(problem)
        else:
            return HttpResponseRedirect(f"{request.path}?{urlencode({'widget': str(widget.pk)})}")
    request.head_widget = widget  # type: ignore[attr-defined] # the switcher in the head
    last = ArticleImport.objects.for_widget(widget.pk).order_by("-pk").first()
    more = {
        "widget": widget,
        "form": form,
        "job": last and _told(last, request.get_full_path()),
        "back": reverse("admin:articles_article_changelist"),
    }
    return TemplateResponse(request, "articles/import.html", {**context, **more})


def _queued(request: HttpRequest, widget: Widget, form: ArticleImportForm) -> None:
    given = form.cleaned_data
    members: dict[str, Any] = {
        "lang": given["lang"],
        "category_id": int(given["category"]) if given["category"] else None,
        "dry_run": request.POST.get("does") != "import",
        "actor": str(user_of(request)),
        "outbound": ExternalCall(widget.pk),
    }
    if given["url"]:
        queue_site(url=given["url"], **members)
        return
    sent = given["file"]
    with ReceivedFile(sent.name) as received:
        for chunk in sent.chunks():
            if received.size <= IMPORT_FORM.max_bytes:
                received.write(chunk)
        if received.size > IMPORT_FORM.max_bytes:
            raise IMPORT_FORM.too_large
        queue_file(upload=received, **members)
    messages.success(request, gettext("The file is being read."))


def _told(row: ArticleImport, address: str) -> dict[str, Any]:
    state = IMPORT_STATES[row.state]
    counts = [
        (gettext("new articles"), row.created),
        (gettext("changed articles"), row.updated),
        (gettext("unchanged articles"), row.unchanged),
        (gettext("pictures"), row.pictures),
        (gettext("left out"), row.refused),
    ]
    problems = [
        (each["path"], IMPORT_PROBLEMS.get(each["reason"], each["reason"])) for each in row.problems[:MOST_PROBLEMS]
    ]
    return {
        "name": row.name or row.url,
        "state": state,
        "is_running": row.state in ("queued", "running"),
        "is_done": row.state == "done",
        "error": gettext("It could not be read: %(why)s") % {"why": row.error} if row.error else "",
        "dry_run": row.dry_run,
        "counts": counts,
        "problems": problems,
        "address": address,
    }
