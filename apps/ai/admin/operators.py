"""The cabinet's pages of AI operators."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel, TenantAdmin
from apps.agents.models import Agent
from apps.ai.actions.operators import change_operator, create_operator
from apps.ai.forms import OperatorForm
from apps.ai.models import AiOperator, Assistant

OPERATOR_FIELDS = ("name", "status", "show_in_header")


@admin.register(AiOperator)
class AiOperatorAdmin(TenantAdmin):
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    titles = (_("AI operator"), _("AI operators"))
    form = OperatorForm
    list_display = ("name", "widget", "status", "show_in_header")
    list_filter = ("widget",)
    list_select_related = ("widget",)
    search_fields = ("name",)
    ordering = ("-id",)
    fields = ("widget", "name", "assistant", "status", "show_in_header")

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
