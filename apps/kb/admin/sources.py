"""The cabinet's page of sources: what each document has given, and its deletion with all its rules."""

from typing import Any

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib import admin
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.files import storage
from apps.kb.actions.documents import delete_own_source
from apps.kb.cabinet import document_of, note_of_page, pieces_of
from apps.kb.labels import PAGE_NOTES
from apps.kb.models import KnowledgeBase, Rule, Source
from apps.kb.rules.placeholders import lines_with
from apps.kb.rules.texts import SourceType
from apps.kb.rules.uploads import MAX_BYTES

UNFILLED_SHOWN = 20
# What a browser shows in a frame; the others are downloaded.
SHOWN = ("application/pdf", "text/plain", "text/csv", "text/markdown")


@admin.register(Source)
class SourceAdmin(TenantAdmin):
    menu = MenuTab(KnowledgeBase, 10, _("Sources"))
    purpose = _("Documents, pages and texts that answers rest on.")
    found_at = 100
    account_path = "widget__account_id"
    may_delete = AccessLevel.ACCOUNT
    titles = (_("source of the knowledge base"), _("sources of the knowledge base"))
    labels = {
        "widget": _("widget"),
        "ref": _("name in the API"),
        "type": _("kind"),
        "chunks": _("rules"),
        "regenerates": _("is crawled again"),
        "updated_at": _("changed"),
    }
    list_display = ("named", "widget", "type", "chunks", "regenerates", "updated_at")
    list_filter = ("widget", "type")
    list_select_related = ("widget",)
    search_fields = ("ref", "title")
    ordering = ("-id",)
    fields = (*list_display, "ref", "url")
    readonly_fields = fields
    show_full_result_count = False
    change_form_outer_after_template = "admin/kb/source.html"
    actions_detail = ("original",)

    @admin.display(description=_("source"), ordering="title")
    def named(self, source: Source) -> str:
        return str(source)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """With its pieces, beside the original where a browser shows that in a frame."""
        source: Source = context["original"]
        document = document_of(source)
        address = reverse("admin:kb_source_original", args=[source.pk]) if document else ""
        context |= {
            "pieces": (pieces := pieces_of(source)),
            "unfilled": lines_with(piece.rule.content for piece in pieces)[:UNFILLED_SHOWN],
            "page_note": PAGE_NOTES[note] if (note := note_of_page(source)) else "",
            "may_correct": self.admin_site._registry[Rule].has_change_permission(request),
            "original_frame": address if document and document.content_type in SHOWN else "",
            # A browser's own viewer of PDF does not run in a sandbox.
            "original_sandboxed": document is not None and document.content_type != "application/pdf",
            "original_address": address or source.url or "",
        }
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        # The original stands in a frame.
        csp_replace({"frame-src": [SELF]})(lambda _request: response)(request)
        return response

    @unfold_action(description=_("Original"), url_path="original", permissions=())  # type: ignore[untyped-decorator]
    def original(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The document as it was uploaded: shown in a frame of this page, or downloaded."""
        source: Source = self.get_object(request, object_id)
        document = document_of(source)
        if document is None:
            raise Http404
        content = storage.read_stored(document.storage_key, most=MAX_BYTES)
        shows = document.content_type in SHOWN
        kind = document.content_type if document.content_type == "application/pdf" else "text/plain; charset=utf-8"
        response = HttpResponse(content, content_type=kind if shows else "application/octet-stream")
        response.headers["Content-Disposition"] = content_disposition_header(not shows, document.name) or "attachment"
        # A PDF is drawn by the browser's viewer, which a policy would stop.
        policy = "frame-ancestors 'self'" + ("" if document.content_type == "application/pdf" else "; sandbox")
        response.headers["Content-Security-Policy"] = policy
        response.headers["X-Frame-Options"] = "SAMEORIGIN"
        response.headers["X-Content-Type-Options"] = "nosniff"
        return response

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).filled()  # type: ignore[attr-defined]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """An article's source goes with it."""
        is_own = obj is None or obj.type != SourceType.ARTICLE
        return is_own and bool(super().has_delete_permission(request, obj))

    def remove(self, request: HttpRequest, obj: Source) -> None:
        delete_own_source(widget_id=obj.widget_id, source_ref=obj.ref)
