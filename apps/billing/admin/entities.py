"""The cabinet's pages of legal entities: an account's own, and who sends the invoices of the installation."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Widget
from apps.billing.actions.entities import change_entity, create_entity, delete_entity
from apps.billing.actions.payee import write_payee
from apps.billing.cabinet import MONEY
from apps.billing.forms import OF_ENTITIES, OF_PAYEES, LegalEntityForm, PayeeForm
from apps.billing.models import LegalEntity, Payee
from apps.billing.rules.entities import FIELDS
from apps.cabinet.menu import INSTALLATION, MenuPlace
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin, changes_of
from apps.core.problems import Problem


@admin.register(LegalEntity)
class LegalEntityAdmin(TenantAdmin):
    """The companies that invoices are made out to.

    Owners write their account's, 10 times an hour, here and over the API together.
    """

    menu = MenuPlace(MONEY, 40, _("Legal entities"))
    purpose = _("The companies that invoices are made out to.")
    account_path = "account_id"
    may_add = may_change = may_delete = AccessLevel.OWNERS
    form = LegalEntityForm
    titles = (_("legal entity"), _("legal entities"))
    labels = OF_ENTITIES
    list_display = ("short_name", "inn", "account", "created_at")
    list_select_related = ("account",)
    search_fields = ("short_name", "full_name", "inn")
    ordering = ("-id",)

    def get_fields(self, request: HttpRequest, obj: LegalEntity | None = None) -> tuple[str, ...]:
        return ("account", *FIELDS) if obj is None else ("account", *FIELDS, "created_at", "updated_at")

    def get_readonly_fields(self, request: HttpRequest, obj: LegalEntity | None = None) -> tuple[str, ...]:
        return () if obj is None else ("account", "created_at", "updated_at")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        if obj is not None:
            kwargs["fields"] = FIELDS
        return super().get_form(request, obj, change, **kwargs)

    def write(self, request: HttpRequest, obj: LegalEntity, form: ModelForm[Any], change: bool) -> None:
        if change:
            change_entity(widget_id=_a_widget_of(obj), entity_id=obj.pk, changes=changes_of(form))
            return
        wanted = form.cleaned_data
        fields = {name: wanted[name] for name in FIELDS}
        obj.pk = create_entity(account_id=wanted["account"].pk, fields=fields).pk

    def remove(self, request: HttpRequest, obj: LegalEntity) -> None:
        delete_entity(widget_id=_a_widget_of(obj), entity_id=obj.pk)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return _told(self, request, super().changeform_view, *args, **kwargs)

    def delete_view(self, request: HttpRequest, object_id: str, *args: Any, **kwargs: Any) -> HttpResponse:
        return _told(self, request, super().delete_view, object_id, *args, **kwargs)


def _told(page: TenantAdmin, request: HttpRequest, view: Any, *args: Any, **kwargs: Any) -> HttpResponse:
    """The answer of a view; what an action refuses is said on the page it was asked from."""
    try:
        answer: HttpResponse = view(request, *args, **kwargs)
    except Problem as refused:
        page.message_user(request, gettext(refused.type.explanation), messages.ERROR)
        return HttpResponseRedirect(request.get_full_path())
    return answer


def _a_widget_of(entity: LegalEntity) -> int:
    """Any widget of the entity's account: legal entities are shared by all of them."""
    widget = Widget.objects.filter(account_id=entity.account_id).order_by("pk").first()
    return widget.pk if widget else 0


@admin.register(Payee)
class PayeeAdmin(TenantAdmin):
    """The payee of the installation's invoices: one row, which its page makes and changes."""

    menu = MenuPlace(INSTALLATION, 50, _("Payee of invoices"))
    may_add = may_change = AccessLevel.INSTALLATION
    form = PayeeForm
    titles = (_("payee of invoices"), _("payee of invoices"))
    labels = OF_PAYEES

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and not Payee.objects.exists()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The page of the row, or the form that makes it."""
        row = self.get_queryset(request).first()
        if row is None and not self.has_add_permission(request):
            return super().changelist_view(request, extra_context)
        if row is None:
            return HttpResponseRedirect(reverse("admin:billing_payee_add"))
        return HttpResponseRedirect(reverse("admin:billing_payee_change", args=[row.pk]))

    def write(self, request: HttpRequest, obj: Payee, form: ModelForm[Any], change: bool) -> None:
        obj.pk = write_payee(changes_of(form) if change else form.cleaned_data).pk
