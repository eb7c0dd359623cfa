"""The cabinet's pages of the keys of model vendors."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.ai.actions.credentials import change_credential, create_credential, delete_credential
from apps.ai.actions.models import models_of
from apps.ai.drivers import DRIVERS, Model
from apps.ai.forms import CredentialForm, look_up
from apps.ai.models import Assistant, Credential
from apps.ai.rules.configuration import MAX_MODEL
from apps.ai.rules.embedders import may_answer
from apps.cabinet.menu import MenuTab
from apps.cabinet.outbound_address_admin import OutboundAddressAdmin
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel
from apps.core.problems import Problem

_SETTINGS = (
    *("model", "for_answers", "for_knowledge", "own_embedding_model", "timeout_s", "context_tokens", "is_active"),
    *("prompt_price", "completion_price", "price_currency"),
)


@admin.register(Credential)
class CredentialAdmin(OutboundAddressAdmin):
    """Keys are typed here, and shown nowhere."""

    menu = MenuTab(Assistant, 20, _("Keys"))
    purpose = _("Keys of the vendors whose models answer.")
    address_field = "base_url"
    account_path = "widget__account_id"
    may_add = AccessLevel.OWNERS
    may_change = AccessLevel.OWNERS
    may_delete = AccessLevel.OWNERS
    titles = (_("credential"), _("credentials"))
    labels = {
        "widget": _("widget"),
        "base_url": _("address of a gateway or server"),
        "model": _("model"),
        "for_answers": _("for answers"),
        "for_knowledge": _("for the knowledge base"),
        "own_embedding_model": _("model for the knowledge base"),
        "timeout_s": _("time limit, seconds"),
        "context_tokens": _("context, tokens"),
        "prompt_price": _("price of a million tokens that are sent"),
        "completion_price": _("price of a million tokens that are answered"),
        "price_currency": _("currency of the prices"),
        "is_active": _("active"),
        "assistant": _("of this assistant alone"),
        "backup": _("what answers instead of it when it fails"),
        "created_at": _("created"),
    }
    form = CredentialForm
    list_display = ("provider", "widget", "model", "for_answers", "for_knowledge", "is_active", "assistant")
    actions_detail = ("choose_model",)
    list_filter = ("widget", "is_active")
    list_select_related = ("widget", "assistant")
    ordering = ("-id",)

    def get_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        fields = (
            *("widget", "provider", "base_url", "model", "for_answers", "for_knowledge", "own_embedding_model"),
            *("timeout_s", "context_tokens", "prompt_price", "completion_price", "price_currency"),
            *("is_active", "assistant", "backup"),
        )
        return fields if obj and not self.has_change_permission(request, obj) else (*fields[:2], "api_key", *fields[2:])

    def get_readonly_fields(self, request: HttpRequest, obj: Credential | None = None) -> tuple[str, ...]:
        return ("widget", "provider") if obj else ()

    def look_up(self, url: str, row: Any, widget_id: str) -> Any:
        return look_up(url, row, widget_id)

    def response_add(self, request: HttpRequest, obj: Credential, post_url_continue: str | None = None) -> HttpResponse:
        """Goes on to the list of models where none is named and the provider recommends none."""
        response: HttpResponse = super().response_add(request, obj, post_url_continue)
        if obj.model or DRIVERS[obj.provider].recommended_models or not obj.for_answers:
            return response
        return HttpResponseRedirect(reverse("admin:ai_credential_choose_model", args=[obj.pk]))

    @unfold_action(description=_("Choose the model…"), url_path="choose-model")  # type: ignore[untyped-decorator]
    def choose_model(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Lists the models that the server has now, once it is asked by POST, and keeps the one that is chosen."""
        credential: Credential | None = self.get_object(request, object_id)
        if credential is None or not self.has_change_permission(request, credential):
            raise PermissionDenied
        back = reverse("admin:ai_credential_change", args=[credential.pk])
        model = request.POST.get("model", "").strip()
        if request.method == "POST" and model and len(model) <= MAX_MODEL:
            change_credential(widget_id=credential.widget_id, credential_id=credential.pk, changes={"model": model})
            messages.success(request, gettext("The model is %(model)s.") % {"model": model})
            return HttpResponseRedirect(back)
        found: list[Model] = []
        if request.method == "POST":
            try:
                found = models_of(widget_id=credential.widget_id, credential=credential)
                if credential.for_answers:
                    found = [one for one in found if may_answer(one.id)]
            except Problem as refused:
                reason = refused.members.get("provider_reason")
                messages.error(request, f"{refused.type.title}: {reason}" if reason else words_of(refused))
        context = {
            "is_asked": request.method == "POST",
            **self.admin_site.each_context(request),
            "title": gettext("Choose the model"),
            "credential": credential,
            "models": found,
            "back": back,
        }
        return TemplateResponse(request, "admin/ai/choose_model.html", context)

    def write(self, request: HttpRequest, obj: Credential, form: "ModelForm[Any]", change: bool) -> None:
        wanted = {name: form.cleaned_data.get(name) for name in _SETTINGS}
        wanted["assistant_id"] = form.cleaned_data["assistant"].pk if form.cleaned_data.get("assistant") else None
        wanted["backup_id"] = form.cleaned_data["backup"].pk if form.cleaned_data.get("backup") else None
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

    def remove(self, request: HttpRequest, obj: Credential) -> None:
        delete_credential(widget_id=obj.widget_id, credential_id=obj.pk)
