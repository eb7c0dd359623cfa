"""The cabinet's page of sources: what each document has given, and its deletion with all its rules."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel, TenantAdmin
from apps.kb.actions.documents import delete_source
from apps.kb.models import Source


@admin.register(Source)
class SourceAdmin(TenantAdmin):
    account_path = "widget__account_id"
    may_delete = AccessLevel.ACCOUNT
    titles = (_("source of the knowledge base"), _("sources of the knowledge base"))
    labels = {
        "widget": _("widget"),
        "ref": _("source"),
        "type": _("kind"),
        "chunks": _("rules"),
        "regenerates": _("is crawled again"),
        "updated_at": _("changed"),
    }
    list_display = ("ref", "title", "widget", "type", "chunks", "regenerates", "updated_at")
    list_filter = ("widget", "type")
    list_select_related = ("widget",)
    search_fields = ("ref", "title")
    ordering = ("-id",)
    fields = (*list_display, "url")
    readonly_fields = fields
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).filled()  # type: ignore[attr-defined]

    def remove(self, request: HttpRequest, obj: Source) -> None:
        delete_source(widget_id=obj.widget_id, source_ref=obj.ref)
