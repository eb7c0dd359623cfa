"""The cabinet's page of a company's own application: bound, given another secret, unbound."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import ApiToken
from apps.ai.errors import CREDENTIAL_UNAVAILABLE
from apps.ai.models import Assistant
from apps.cabinet.menu import MenuPlace
from apps.cabinet.shown_once import show_once
from apps.cabinet.tenant_admin import AccessLevel, TenantSecretsAdmin
from apps.core.problems import Problem
from apps.support.actions.bindings import bind, rotate, unbind
from apps.support.cabinet import DESK
from apps.support.errors import INTEGRATION_EXISTS
from apps.support.forms import BindForm
from apps.support.models import Binding
from apps.support.serializers.application import turn_endpoint

# Why it can't be bound, where people meet it here, and at which field.
REFUSALS = {
    INTEGRATION_EXISTS.code: ("token", _("An application is bound to this widget already. Unbind it first.")),
    CREDENTIAL_UNAVAILABLE.code: ("provider", _("The widget has no active AI credential of this provider.")),
}


@admin.register(Binding)
class BindingAdmin(TenantSecretsAdmin):
    menu = MenuPlace(DESK, 30, _("Own application"))
    purpose = _("Your own application, which signs what it tells of its customers.")
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    consequence = _("Calls that are signed with the old one are refused from then on.")
    titles = (_("own application"), _("own application"))
    labels = {
        "widget": _("widget"),
        "token": _("API token"),
        "provider": _("provider"),
        "assistant": _("assistant"),
        "created_at": _("bound"),
    }
    list_display = ("widget", "token", "provider", "assistant", "created_at")
    list_filter = ("widget",)
    list_select_related = ("widget", "token", "assistant")
    list_display_links = ("widget",)
    ordering = ("-id",)
    fields = ("widget", "token", "token_state", "provider", "assistant", "endpoint", "created_at")
    readonly_fields = fields

    @admin.display(description=_("state of the token"))
    def token_state(self, binding: Binding) -> str:
        if binding.token.revoked_at is not None:
            return gettext("Revoked: every call is refused.")
        if not binding.widget.api_enabled:
            return gettext("The widget's API is switched off: every call is refused.")
        return gettext("It may sign.")

    @admin.display(description=_("address of a turn"))
    def endpoint(self, binding: Binding) -> str:
        return str(turn_endpoint(binding.provider))

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Binds a token, and leads to the page that shows its new secret once."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        tokens = self.own_choices(ApiToken, request).filter(revoked_at__isnull=True, scopes__contains=["ai:write"])
        form = BindForm(request.POST or None, tokens=tokens, assistants=self.own_choices(Assistant, request))
        if request.method == "POST" and form.is_valid() and (binding := self._bound(form)) is not None:
            return show_once(
                request,
                title=gettext("The application is bound"),
                owner=str(binding.widget),
                page=reverse("admin:support_binding_change", args=[binding.pk]),
                plain_text=binding.secret,
            )
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Bind an application"),
            "note": gettext("Your own application calls the AI and files tickets by calls that it signs."),
            "form": form,
            "back": reverse("admin:support_binding_changelist"),
        }
        return TemplateResponse(request, "admin/kb/form.html", context)

    def _bound(self, form: BindForm) -> Binding | None:
        token, assistant = form.cleaned_data["token"], form.cleaned_data["assistant"]
        try:
            return bind(
                widget_id=token.widget_id,
                token_id=token.pk,
                provider=form.cleaned_data["provider"],
                assistant_id=assistant.pk if assistant else None,
            )
        except Problem as refused:
            # What else is refused is an assistant of another widget.
            field, text = REFUSALS.get(refused.type.code, ("assistant", _("It is not of the token's widget.")))
            form.add_error(field, text)
        return None

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Shows the binding. Only the page's buttons change anything."""
        shown = {"show_save": False, "show_save_and_continue": False, **(extra_context or {})}
        response: HttpResponse = super().change_view(request, object_id, form_url, shown)
        return response

    def write(self, request: HttpRequest, obj: Binding, form: "ModelForm[Any]", change: bool) -> None:
        """The form has no field, so that there is nothing to store."""

    def renew(self, obj: Binding) -> str:
        return rotate(widget_id=obj.widget_id)

    def remove(self, request: HttpRequest, obj: Binding) -> None:
        unbind(widget_id=obj.widget_id)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """The binding alone: its nonces and requests are not for people to read."""
        return [str(obj.widget) for obj in objs], {self.opts.verbose_name: len(objs)}, set(), []
