"""The cabinet's page of uploaded documents: dropped, watched, tried again, deleted."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import AccessLevel, TenantAdmin, display_value
from apps.accounts.models import Widget
from apps.core.endpoints.uploads import ReceivedFile as Received
from apps.core.problems import Problem
from apps.kb.actions.uploads import UPLOAD_FORM, delete_upload, retry_upload, store_upload
from apps.kb.forms import UploadDocumentForm
from apps.kb.models import Upload


@admin.register(Upload)
class UploadAdmin(TenantAdmin):
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
    fields = ("name", "widget", "how_far", "why", "rules", "characters", "size", "created_at", "finished_at")
    readonly_fields = fields
    actions_detail = ("try_again",)

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

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """A form that takes a file, by choosing or by dropping it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request)
        form = UploadDocumentForm(request.POST or None, request.FILES or None, widgets=widgets)
        if request.method == "POST" and form.is_valid() and self._stored(request, form):
            return HttpResponseRedirect(reverse("admin:kb_upload_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Upload a document"),
            "form": form,
            "opts": self.opts,
            "back": reverse("admin:kb_upload_changelist"),
        }
        return TemplateResponse(request, "admin/kb/form.html", context)

    def _stored(self, request: HttpRequest, form: UploadDocumentForm) -> bool:
        sent = form.cleaned_data["file"]
        with Received(sent.name) as received:
            for chunk in sent.chunks():
                if received.size <= UPLOAD_FORM.max_bytes:
                    received.write(chunk)
            if received.size > UPLOAD_FORM.max_bytes:
                form.add_error("file", UPLOAD_FORM.too_large.errors["file"][0])
                return False
            try:
                store_upload(widget_id=form.cleaned_data["widget"].pk, upload=received)
            except Problem as problem:
                for text in problem.errors.get("file") or [problem.detail or problem.type.title]:
                    form.add_error("file", text)
                return False
        messages.success(request, gettext("The document is being read."))
        return True

    @unfold_action(description=_("Try again"), url_path="again")  # type: ignore[untyped-decorator]
    def try_again(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Has a document read once more that failed."""
        upload: Upload = self.get_object(request, object_id)
        if retry_upload(widget_id=upload.widget_id, upload_id=upload.pk):
            messages.success(request, gettext("The document is being read."))
        else:
            messages.info(request, gettext("Only a document that failed is read again."))
        return HttpResponseRedirect(reverse("admin:kb_upload_change", args=[upload.pk]))

    def remove(self, request: HttpRequest, obj: Upload) -> None:
        delete_upload(widget_id=obj.widget_id, upload_id=obj.pk)
