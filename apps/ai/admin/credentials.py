"""The cabinet's pages of the keys of model vendors."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel, TenantAdmin
from apps.ai.actions.credentials import change_credential, create_credential
from apps.ai.forms import CredentialForm, look_up
from apps.ai.models import Credential


@admin.register(Credential)
class CredentialAdmin(TenantAdmin):
    """Keys are typed here, and shown nowhere."""

    account_path = "widget__account_id"
    may_add = AccessLevel.OWNERS
    may_change = AccessLevel.OWNERS
    titles = (_("credential"), _("credentials"))
    labels = {
        "widget": _("widget"),
        "base_url": _("address of a gateway or server"),
        "model": _("model"),
        "is_active": _("active"),
        "assistant": _("of this assistant alone"),
        "created_at": _("created"),
    }
    form = CredentialForm
    list_display = ("provider", "widget", "model", "is_active", "assistant", "created_at")
    list_filter = ("widget", "is_active")
    list_select_related = ("widget", "assistant")
    ordering = ("-id",)

    def get_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        fields = ("widget", "provider", "base_url", "model", "is_active", "assistant")
        return fields if obj and not self.has_change_permission(request, obj) else (*fields[:2], "api_key", *fields[2:])

    def get_readonly_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        return ("widget", "provider") if obj else ()

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        """Looks up an address that is sent before the page's transaction begins."""
        if request.method == "POST":
            credential = self.get_object(request, object_id) if object_id else None
            url = request.POST.get("base_url", "").strip()
            found = look_up(url, credential, request.POST.get("widget", ""))
            request.looked_up = found  # type: ignore[attr-defined]
        return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(
        self, request: HttpRequest, obj: Credential | None = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **options)
        form.looked_up = getattr(request, "looked_up", None)
        return form

    def write(self, request: HttpRequest, obj: Credential, form: "ModelForm[Any]", change: bool) -> None:
        wanted = {name: form.cleaned_data.get(name) for name in ("model", "is_active")}
        wanted["assistant_id"] = form.cleaned_data["assistant"].pk if form.cleaned_data.get("assistant") else None
        if form.cleaned_data.get("api_key"):
            wanted["api_key"] = form.cleaned_data["api_key"]
        if "base_url" in form.changed_data:
            found = getattr(request, "looked_up", None)
            wanted |= {"base_url": form.cleaned_data["base_url"], "target": found if isinstance(found, str) else ""}
        if change:
            change_credential(widget_id=obj.widget_id, credential_id=obj.pk, changes=wanted)
        else:
            provider = form.cleaned_data["provider"]
            obj.pk = create_credential(widget_id=obj.widget_id, provider=provider, **wanted).pk
