"""The cabinet's pages of money. An account's staff reads its own; who runs the installation moves it.

Adding a row is the move itself (a top-up, a purchase, an invoice), and a row's buttons take it further. Each form has a
reference that is sent with it, so that sending it twice moves nothing twice.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.cabinet import AccessLevel, TenantAdmin, changes_of, display_value
from apps.billing.actions.invoices import cancel_invoice, issue_invoice, pay_invoice
from apps.billing.actions.ledger import cancel_withdrawal, pay_withdrawal
from apps.billing.actions.plans import add_plan, buy_plan, cancel_subscription, change_plan
from apps.billing.forms import MOVES, OF_ENTITIES, BuyPlanForm, InvoiceForm, MoneyForm, PlanForm, money_text
from apps.billing.models import Invoice, LegalEntity, Plan, PlanSubscription, Transaction, Wallet
from apps.billing.rules.ledger import (
    InvoiceStatus,
    MoneyRefused,
    SubscriptionStatus,
    TransactionState,
    TransactionType,
)
from apps.core.endpoints.uploads import ReceivedFile
from apps.core.problems import Problem

WHOSE = {"account": _("account"), "widget": _("widget"), "created_at": _("created")}


class MoneyAdmin(TenantAdmin):
    """Rows that are made by a form of their own (`add_form`) and then are read; a refused move is told.

    `open_status` are the fields of a row whose buttons can be pressed.
    """

    account_path = "account_id"
    may_add = AccessLevel.INSTALLATION
    may_change = AccessLevel.INSTALLATION
    add_form: type[ModelForm[Any]]
    actions_submit_line: tuple[str, ...] = ()
    open_status: dict[str, Any] = {}
    ordering = ("-created_at", "-id")
    list_select_related: tuple[str, ...] = ("widget",)

    def get_form(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        if obj is None:
            kwargs["form"] = self.add_form
        return super().get_form(request, obj, **kwargs)

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


@admin.register(Transaction)
class TransactionAdmin(MoneyAdmin):
    add_form = MoneyForm
    titles = (_("movement of money"), _("movements of money"))
    labels = WHOSE | {
        "wallet": _("wallet"),
        "type": _("kind"),
        "state": _("state"),
        "direction": _("direction"),
        "amount_minor": _("amount, minor units"),
        "currency": _("currency"),
        "description": _("description"),
        "entity": _("legal entity"),
        "invoice": _("invoice"),
        "subscription": _("subscription"),
        "settled_at": _("settled"),
    }
    open_status = {"type": TransactionType.WITHDRAWAL, "state": TransactionState.PENDING}
    list_display = ("title", "widget", "which_way", "how_far", "amount", "created_at")
    list_display_links = ("title",)
    list_filter = ("widget", "type", "state", "direction")
    fields = (
        "account",
        "widget",
        "what",
        "how_far",
        "which_way",
        "amount",
        "description",
        "entity",
        "invoice",
        "subscription",
        "created_at",
        "settled_at",
    )
    actions_submit_line = ("paid_out", "cancel")

    @admin.display(description=_("movement of money"))
    def title(self, row: Transaction) -> str:
        return f"{display_value(row.type)} #{row.pk}"

    @admin.display(description=_("direction"))
    def which_way(self, row: Transaction) -> str:
        return display_value(row.direction)

    def make(self, wanted: dict[str, Any]) -> Transaction:
        return MOVES[wanted["move"]](wanted)

    @admin.action(description=_("Paid out"), permissions=["settle"])
    def paid_out(self, request: HttpRequest, row: Transaction) -> None:
        pay_withdrawal(withdrawal=row)

    @admin.action(description=_("Cancel the withdrawal"), permissions=["settle"])
    def cancel(self, request: HttpRequest, row: Transaction) -> None:
        cancel_withdrawal(withdrawal=row)


@admin.register(PlanSubscription)
class PlanSubscriptionAdmin(MoneyAdmin):
    add_form = BuyPlanForm
    titles = (_("subscription"), _("subscriptions"))
    labels = WHOSE | {
        "plan": _("plan"),
        "name": _("name"),
        "kind": _("kind"),
        "status": _("state"),
        "price_minor": _("price, minor units"),
        "currency": _("currency"),
        "ad_slots": _("ad slots"),
        "started_at": _("begins"),
        "ends_at": _("ends"),
    }
    open_status = {"status": SubscriptionStatus.ACTIVE}
    list_display = ("name", "widget", "what", "how_far", "price", "started_at", "ends_at")
    list_filter = ("widget", "kind", "status")
    fields = (
        "account",
        "widget",
        "plan",
        "name",
        "what",
        "how_far",
        "price",
        "ad_slots",
        "started_at",
        "ends_at",
        "created_at",
    )
    actions_submit_line = ("end",)

    @admin.display(description=_("price"))
    def price(self, row: PlanSubscription) -> str:
        return money_text(row.price_minor, row.currency)

    def make(self, wanted: dict[str, Any]) -> PlanSubscription:
        return buy_plan(widget=wanted["widget"], plan=wanted["plan_on_sale"], reference=wanted["intent"])

    @admin.action(description=_("End now"), permissions=["settle"])
    def end(self, request: HttpRequest, row: PlanSubscription) -> None:
        cancel_subscription(subscription=row)


@admin.register(Invoice)
class InvoiceAdmin(MoneyAdmin):
    add_form = InvoiceForm
    titles = (_("invoice"), _("invoices"))
    labels = WHOSE | {
        "entity": _("legal entity"),
        "number": _("number"),
        "status": _("state"),
        "amount_minor": _("amount, minor units"),
        "currency": _("currency"),
        "items": _("lines"),
        "document": _("document"),
        "due_at": _("due"),
        "paid_at": _("paid at"),
    }
    actions_detail = ("print_it",)
    open_status = {"status": InvoiceStatus.ISSUED}
    list_display = ("number", "widget", "entity", "how_far", "amount", "created_at", "paid_at")
    list_filter = ("widget", "status")
    list_select_related = ("widget", "entity")
    search_fields = ("number",)
    fields = (
        "account",
        "widget",
        "entity",
        "number",
        "how_far",
        "amount",
        "lines",
        "document",
        "due_at",
        "created_at",
        "paid_at",
    )
    actions_submit_line = ("paid", "cancel")

    @unfold_action(description=_("To be printed"), url_path="print")  # type: ignore[untyped-decorator]
    def print_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The invoice as a page of its own, for paper. It is shown to everyone who may see the row."""
        invoice: Invoice = self.get_object(request, object_id)
        lines = [
            {
                "name": item["name"],
                "quantity": item["quantity"],
                "price": money_text(item["price_minor"], invoice.currency),
                "amount": money_text(item["amount_minor"], invoice.currency),
            }
            for item in invoice.items
        ]
        context = {
            "invoice": invoice,
            "entity": invoice.entity,
            "payee": settings.INVOICE_PAYEE,
            "lines": lines,
            "total": self.amount(invoice),
            "status": self.how_far(invoice),
        }
        return TemplateResponse(request, "admin/billing/invoice.html", context)

    @admin.display(description=_("lines"))
    def lines(self, row: Invoice) -> str:
        return "; ".join(
            f"{item['name']}: {item['quantity']} × {money_text(item['price_minor'], row.currency)}"
            for item in row.items
        )

    def make(self, wanted: dict[str, Any]) -> Invoice:
        asked = {
            "widget": wanted["widget"],
            "entity": wanted["entity"],
            "items": wanted["lines"],
            "reference": wanted["intent"],
            "due_at": wanted["due_at"],
        }
        if not (file := wanted["file"]):
            return issue_invoice(**asked)
        with ReceivedFile(file.name) as document:
            for chunk in file.chunks():
                document.write(chunk)
            return issue_invoice(document=document, **asked)

    @admin.action(description=_("Paid"), permissions=["settle"])
    def paid(self, request: HttpRequest, row: Invoice) -> None:
        pay_invoice(invoice=row)

    @admin.action(description=_("Cancel the invoice"), permissions=["settle"])
    def cancel(self, request: HttpRequest, row: Invoice) -> None:
        cancel_invoice(invoice=row)


@admin.register(Wallet)
class WalletAdmin(TenantAdmin):
    """A widget's money; a wallet without a widget is what the account has earned as a partner."""

    account_path = "account_id"
    titles = (_("wallet"), _("wallets"))
    labels = {"account": _("account"), "widget": _("widget")}
    list_display = ("whose", "account", "balance", "reserved", "available")
    list_display_links = ("whose",)
    list_filter = ("widget",)
    list_select_related = ("account", "widget")
    ordering = ("id",)
    fields = ("account", "widget", "balance", "reserved", "available")
    readonly_fields = fields

    @admin.display(description=_("wallet"))
    def whose(self, wallet: Wallet) -> str:
        return str(wallet)

    @admin.display(description=_("balance"))
    def balance(self, wallet: Wallet) -> str:
        return money_text(wallet.sums.balance, wallet.currency)

    @admin.display(description=_("reserved"))
    def reserved(self, wallet: Wallet) -> str:
        return money_text(wallet.reserved_minor, wallet.currency)

    @admin.display(description=_("available"))
    def available(self, wallet: Wallet) -> str:
        return money_text(wallet.available_minor, wallet.currency)


@admin.register(LegalEntity)
class LegalEntityAdmin(TenantAdmin):
    """Legal entities are written over the API."""

    account_path = "account_id"
    titles = (_("legal entity"), _("legal entities"))
    labels = OF_ENTITIES
    list_display = ("short_name", "inn", "account", "created_at")
    list_select_related = ("account",)
    search_fields = ("short_name", "full_name", "inn")
    ordering = ("-id",)


@admin.register(Plan)
class PlanAdmin(TenantAdmin):
    """The page of plans that the installation sells. Subscriptions stay as they were bought."""

    may_add = AccessLevel.INSTALLATION
    may_change = AccessLevel.INSTALLATION
    form = PlanForm
    titles = (_("plan"), _("plans"))
    labels = {
        "code": _("code"),
        "name": _("name"),
        "kind": _("kind"),
        "price_minor": _("price, minor units"),
        "currency": _("currency"),
        "days": _("days"),
        "ad_slots": _("ad slots"),
        "is_on_sale": _("on sale"),
    }
    list_display = ("name", "code", "what", "price", "days", "ad_slots", "is_on_sale")
    list_filter = ("kind", "is_on_sale")
    ordering = ("id",)
    fields = ("code", "name", "kind", "amount", "days", "ad_slots", "is_on_sale")

    @admin.display(description=_("kind"), ordering="kind")
    def what(self, plan: Plan) -> str:
        return display_value(plan.kind)

    @admin.display(description=_("price"))
    def price(self, plan: Plan) -> str:
        return money_text(plan.price_minor, plan.currency)

    def write(self, request: HttpRequest, obj: Plan, form: ModelForm[Any], change: bool) -> None:
        changes = changes_of(form)
        if "amount" in changes:
            changes["price_minor"] = changes.pop("amount")
        if change:
            change_plan(plan_id=obj.pk, changes=changes)
        else:
            obj.price_minor = changes["price_minor"]
            add_plan(plan=obj)
