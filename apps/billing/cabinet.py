"""The base of the cabinet's pages of money: rows that a form of their own makes, and that buttons take further."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.billing.forms import money_text
from apps.billing.rules.ledger import MoneyRefused
from apps.cabinet.coded_values import display_value
from apps.cabinet.menu import MenuGroup
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.problems import Problem

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

MONEY = MenuGroup(80, _("Billing"), "payments")

WHOSE = {"account": _("account"), "widget": _("widget"), "created_at": _("created")}


class MoneyAdmin(TenantAdmin):
    """Rows that are made by a form of their own (`add_form`) and then are read; a refused move is told.

    `open_status` are the fields of a row whose buttons can be pressed.
    """

    account_path = "account_id"
    may_add = AccessLevel.INSTALLATION
    may_change = AccessLevel.INSTALLATION
    add_form: type[ModelForm[Any]]
    open_status: dict[str, Any] = {}
    ordering = ("-created_at", "-id")
    list_select_related: tuple[str, ...] = ("widget",)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is None:
            kwargs["form"] = self.add_form
        return super().get_form(request, obj, change, **kwargs)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return list(self.add_form.field_order or self.add_form.base_fields) if obj is None else self.fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return () if obj is None else self.fields

    def has_settle_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Whether the buttons of a row are offered."""
        if not self.has_change_permission(request, object_id):
            return False
        return bool(self.rows_with_key(request, object_id).filter(**self.open_status).exists())

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        context: dict[str, Any] = {"show_save_and_add_another": False, "show_save_and_continue": False}
        if object_id is not None:
            context["show_save"] = False
        try:
            answer: HttpResponse = super().changeform_view(
                request, object_id, form_url, context | (extra_context or {})
            )
        except (MoneyRefused, Problem) as refused:
            self.message_user(request, gettext(str(refused)), messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
        return answer

    def asked(
        self,
        request: HttpRequest,
        object_id: str,
        act: Callable[[Any], Any],
        *,
        question: StrOrPromise,
        button: StrOrPromise,
        button_class: str = "button-primary",
    ) -> HttpResponse:
        """The page that asks at a GET; at a POST the row is taken further, or it is said why not."""
        row = self.get_object(request, object_id)
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[row.pk])
        if not self.has_change_permission(request, row):
            raise PermissionDenied
        if request.method != "POST":
            context = {
                **self.admin_site.each_context(request),
                "opts": self.opts,
                "title": f"{row} · {self.amount(row)}",
                "question": question,
                "button": button,
                "button_class": button_class,
                "back": back,
            }
            return TemplateResponse(request, "admin/billing/ask.html", context)
        try:
            act(row)
        except (MoneyRefused, Problem) as refused:
            self.message_user(request, gettext(str(refused)), messages.ERROR)
        else:
            self.message_user(request, gettext("Done."), messages.SUCCESS)
        return HttpResponseRedirect(back)

    def write(self, request: HttpRequest, obj: Any, form: ModelForm[Any], change: bool) -> None:
        if not change:
            obj.pk = self.make(form.cleaned_data).pk
            obj.refresh_from_db()

    def make(self, wanted: dict[str, Any]) -> Any:
        """Calls the action that makes the row that a form asks for."""
        raise NotImplementedError

    @admin.display(description=_("amount"))
    def amount(self, row: Any) -> str:
        return money_text(row.amount_minor, row.currency)

    @admin.display(description=_("kind"))
    def what(self, row: Any) -> str:
        return display_value(getattr(row, "kind", "") or row.type)

    @admin.display(description=_("state"))
    def how_far(self, row: Any) -> str:
        return display_value(getattr(row, "status", "") or row.state)
