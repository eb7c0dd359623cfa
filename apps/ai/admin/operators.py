"""The cabinet's pages of AI operators."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.agents.cabinet import avatar_page
from apps.agents.models import Agent
from apps.ai.actions.operators import change_operator, create_operator, retire_operator
from apps.ai.forms import OperatorForm
from apps.ai.models import AiOperator, Assistant
from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin

OPERATOR_FIELDS = ("name", "status", "show_in_header")


@admin.register(AiOperator)
class AiOperatorAdmin(TenantAdmin):
    menu = MenuTab(Assistant, 10, _("Operators"))
    purpose = _("The names in which assistants answer visitors.")
    found_at = 80
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("AI operator"), _("AI operators"))
    form = OperatorForm
    list_display = ("name", "widget", "status", "show_in_header")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("-id",)
    actions_detail = ("picture",)
    fields = ("widget", "name", "assistant", "status", "show_in_header")

    @unfold_action(description=_("Picture…"), url_path="picture")  # type: ignore[untyped-decorator]
    def picture(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The picture that visitors see."""
        agent: AiOperator = self.get_object(request, object_id)
        if not self.has_change_permission(request, agent):
            raise PermissionDenied
        return avatar_page(self, request, agent, reverse("admin:ai_aioperator_change", args=[agent.pk]))

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        return super().get_queryset(request).filter(type=Agent.Type.AI)

    def get_readonly_fields(self, request: HttpRequest, obj: AiOperator | None = None) -> tuple[str, ...]:
        return ("widget",) if obj else ()

    def get_form(
        self, request: HttpRequest, obj: AiOperator | None = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **options)
        if obj is None and "assistant" in form.base_fields:
            form.base_fields["assistant"].queryset = self.own_choices(Assistant, request)
        return form

    def write(self, request: HttpRequest, obj: AiOperator, form: "ModelForm[Any]", change: bool) -> None:
        wanted = form.cleaned_data
        fields: dict[str, Any] = {name: wanted[name] for name in OPERATOR_FIELDS if name in wanted}
        if change:
            changes = {**fields, "assistant_id": wanted["assistant"].pk}
            change_operator(widget_id=obj.widget_id, operator_id=obj.pk, changes=changes)
        else:
            assistant_id = wanted["assistant"].pk
            obj.pk = create_operator(widget_id=obj.widget_id, assistant_id=assistant_id, **fields).pk

    def remove(self, request: HttpRequest, obj: AiOperator) -> None:
        """Retires it: chats keep its name."""
        retire_operator(widget_id=obj.widget_id, operator_id=obj.pk)
