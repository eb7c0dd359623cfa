"""The cabinet's page of uploaded documents: dropped, watched, tried again, deleted."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.models import Widget
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.endpoints.uploads import ReceivedFile as Received
from apps.core.problems import Problem
from apps.extraction import recognition
from apps.kb.actions.uploads import UPLOAD_FORM, delete_upload, retry_upload, store_upload
from apps.kb.cabinet import source_of, states_of
from apps.kb.forms import UploadDocumentForm
from apps.kb.models import KnowledgeBase, Upload

LEFT_OUT = {
    "picture": _("a picture without text"),
    "unreadable": _("letters that are none: the font does not name them"),
    "hidden": pgettext_lazy("of text", "hidden"),
    "hidden_rows": _("hidden rows"),
    "hidden_columns": _("hidden columns"),
    "struck_out": _("struck out"),
    "deleted": _("deleted in a tracked change"),
    "recognised": _("read from a picture, with mistakes perhaps"),
}


def _recognition() -> str:
    """Whether pictures of text, such as scans, are read on this installation, and how that is changed."""
    if not settings.KB_OCR_LANGUAGES:
        return gettext("Scans are not read here: the administrator switches that on by KB_OCR_LANGUAGES.")
    if not recognition.is_installed():
        return gettext("Scans are not read here: Tesseract is not installed.")
    languages = settings.KB_OCR_LANGUAGES.replace("+", ", ")
    return gettext("Scans are read by Tesseract in: %(languages)s.") % {"languages": languages}


@admin.register(Upload)
class UploadAdmin(TenantAdmin):
    menu = MenuTab(KnowledgeBase, 30, _("Documents"))
    purpose = _("Documents that were added: PDF, Word, Excel and others.")
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("document of the knowledge base"), _("documents of the knowledge base"))
    labels = {
        "widget": _("widget"),
        "name": pgettext_lazy("of a thing", "name"),
        "size": _("bytes"),
        "characters": _("characters"),
        "created_at": _("created"),
        "finished_at": _("finished"),
    }
    list_display = ("name", "widget", "how_far", "rules", "created_at")
    list_filter = ("widget", "state")
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("-id",)
    fields = (
        "name",
        "widget",
        "how_far",
        "why",
        "rules",
        "left_out",
        "characters",
        "size",
        "created_at",
        "finished_at",
    )
    readonly_fields = fields
    actions_detail = ("read", "try_again")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).for_api()  # type: ignore[attr-defined]

    @admin.display(description=_("state"), ordering="state")
    def how_far(self, upload: Upload) -> str:
        return display_value(upload.state)

    @admin.display(description=_("why not"))
    def why(self, upload: Upload) -> str:
        return upload.error_detail

    @admin.display(description=_("rules"))
    def rules(self, upload: Upload) -> int:
        return upload.chunks

    @admin.display(description=_("not read"))
    def left_out(self, upload: Upload) -> str:
        """Place by place, what was not read of the document, and why."""
        said = ((note["place"], LEFT_OUT.get(note["reason"], ""), note["count"]) for note in upload.notes)
        told = "; ".join(
            (f"{place}: " if place else "") + str(why) + (f" ({count})" if count > 1 else "")
            for place, why, count in said
        )
        has_scans = any(note["reason"] == "picture" for note in upload.notes)
        return f"{told}. {_recognition()}" if has_scans else told

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A form that takes a file, by choosing or by dropping it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request)
        form = UploadDocumentForm(request.POST or None, request.FILES or None, widgets=widgets)
        if request.method == "POST" and request.accepts("application/json") and not request.accepts("text/html"):
            return JsonResponse({"documents": self._answers(form)})
        if request.method == "POST" and form.is_valid() and self._stored(request, form):
            return HttpResponseRedirect(reverse("admin:kb_upload_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Upload documents"),
            "form": form,
            "opts": self.opts,
            "states": reverse("admin:kb_upload_states"),
            "back": reverse("admin:kb_upload_changelist"),
        }
        return TemplateResponse(request, "admin/kb/form.html", context)

    def _stored(self, request: HttpRequest, form: UploadDocumentForm) -> bool:
        """Whether all are kept; of others it is told at the form why not, and those that are good are kept."""
        widget_id, kept = form.cleaned_data["widget"].pk, 0
        for sent in form.cleaned_data["file"]:
            found = keep(widget_id, sent)
            if isinstance(found, Upload):
                kept += 1
            else:
                form.add_error("file", f"{sent.name}: {found}")
        if kept:
            told = ngettext("%(count)s document is being read.", "%(count)s documents are being read.", kept)
            messages.success(request, told % {"count": kept})
        return not form.errors

    def _answers(self, form: UploadDocumentForm) -> list[dict[str, Any]]:
        """The outcome of each document, for the script of the page."""
        if not form.is_valid():
            return [{"refusal": " ".join(str(text) for texts in form.errors.values() for text in texts)}]
        answers: list[dict[str, Any]] = []
        for sent in form.cleaned_data["file"]:
            found = keep(form.cleaned_data["widget"].pk, sent)
            answers += states_of([found]) if isinstance(found, Upload) else [{"refusal": found}]
        return answers

    def get_urls(self) -> list[URLPattern]:
        return [path("states/", self.admin_site.admin_view(self.states), name="kb_upload_states"), *super().get_urls()]

    def states(self, request: HttpRequest) -> HttpResponse:
        """How far documents are (`ids`, with commas between), for the script of the page."""
        named = request.GET.get("ids", "").split(",")
        ids = [int(each) for each in named if each.isascii() and each.isdigit() and len(each) < 19][:100]
        return JsonResponse({"documents": states_of(self.get_queryset(request).filter(pk__in=ids))})

    @unfold_action(description=_("What was read"), url_path="read")  # type: ignore[untyped-decorator]
    def read(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The pieces that were read of it, beside the original."""
        upload: Upload = self.get_object(request, object_id)
        source = source_of(upload)
        if source is not None:
            return HttpResponseRedirect(reverse("admin:kb_source_change", args=[source.pk]))
        messages.info(request, gettext("Nothing was read of it yet."))
        return HttpResponseRedirect(reverse("admin:kb_upload_change", args=[upload.pk]))

    @unfold_action(description=_("Try again"), url_path="again")  # type: ignore[untyped-decorator]
    def try_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks at a GET; at a POST, a document that failed is read once more."""
        upload: Upload = self.get_object(request, object_id)
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "title": upload.name,
                "form": forms.Form(),
                "button": gettext("Try again"),
                "back": reverse("admin:kb_upload_change", args=[upload.pk]),
            }
            return TemplateResponse(request, "admin/simple_form.html", context)
        if retry_upload(widget_id=upload.widget_id, upload_id=upload.pk):
            messages.success(request, gettext("The document is being read."))
        else:
            messages.info(request, gettext("Only a document that failed is read again."))
        return HttpResponseRedirect(reverse("admin:kb_upload_change", args=[upload.pk]))

    def remove(self, request: HttpRequest, obj: Upload) -> None:
        delete_upload(widget_id=obj.widget_id, upload_id=obj.pk)


def keep(widget_id: int, sent: Any) -> Upload | str:
    """The document that is kept, or why it is refused, in words."""
    with Received(sent.name) as received:
        for chunk in sent.chunks():
            if received.size <= UPLOAD_FORM.max_bytes:
                received.write(chunk)
        if received.size > UPLOAD_FORM.max_bytes:
            return UPLOAD_FORM.too_large.errors["file"][0]
        try:
            return store_upload(widget_id=widget_id, upload=received)
        except Problem as problem:
            return " ".join(problem.errors.get("file") or [problem.detail or problem.type.title])
