"""The cabinet's pages of invoices."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from unfold.decorators import action as unfold_action
from unfold.enums import ActionVariant

from apps.billing import printing
from apps.billing.actions.invoices import cancel_invoice, issue_invoice, pay_invoice, reopen_invoice
from apps.billing.cabinet import MONEY, WHOSE, MoneyAdmin
from apps.billing.forms import InvoiceForm, money_text
from apps.billing.models import Invoice
from apps.billing.rules.ledger import UNDONE_WITHIN, InvoiceStatus
from apps.cabinet.menu import MenuPlace
from apps.core.endpoints.uploads import ReceivedFile


@admin.register(Invoice)
class InvoiceAdmin(MoneyAdmin):
    menu = MenuPlace(MONEY, 10, _("Invoices"))
    purpose = _("Invoices of your account.")
    found_at = 110
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
        "due_at": pgettext_lazy("of an invoice", "pay by"),
        "paid_at": _("paid at"),
        "cancelled_at": _("cancelled at"),
    }
    actions_detail = ("print_it", "as_pdf", "paid", "cancel", "reopen")
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
        "cancelled_at",
    )

    def has_reopen_permission(self, request: HttpRequest, object_id: Any = None) -> bool:
        """Whether "paid" and "cancel" can still be undone."""
        if not self.has_change_permission(request, object_id):
            return False
        lately = timezone.now() - UNDONE_WITHIN
        rows = self.rows_with_key(request, object_id)
        return bool(rows.filter(Q(paid_at__gte=lately) | Q(cancelled_at__gte=lately)).exists())

    @unfold_action(description=_("To be printed"), url_path="print")  # type: ignore[untyped-decorator]
    def print_it(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The invoice as a page of its own, for paper. It is shown to everyone who may see the row."""
        invoice: Invoice = self.get_object(request, object_id)
        context = {
            **printing.contents(invoice),
            "lines_of_payee": settings.INVOICE_PAYEE,
            "status": self.how_far(invoice),
            "pdf": reverse("admin:billing_invoice_as_pdf", args=[invoice.pk]),
        }
        return TemplateResponse(request, "admin/billing/invoice.html", context)

    @unfold_action(description=_("PDF"), url_path="pdf")  # type: ignore[untyped-decorator]
    def as_pdf(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The same as a file, to be sent."""
        invoice: Invoice = self.get_object(request, object_id)
        headers = {"Content-Disposition": f'inline; filename="invoice-{invoice.number}.pdf"'}
        return HttpResponse(printing.pdf_of(invoice), content_type="application/pdf", headers=headers)

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

    @unfold_action(description=_("Paid…"), permissions=["settle"], url_path="paid")  # type: ignore[untyped-decorator]
    def paid(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("Is the money in the bank account? Its sum is in the widget's balance then. A day to undo it.")
        act = lambda row: pay_invoice(invoice=row)  # noqa: E731
        return self.asked(request, object_id, act, question=question, button=_("Yes, it is paid"))

    @unfold_action(  # type: ignore[untyped-decorator]
        description=_("Cancel the invoice…"),
        variant=ActionVariant.DANGER,
        permissions=["settle"],
        url_path="cancel",
    )
    def cancel(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("Nobody is to pay the invoice any more. A day to undo it.")
        act = lambda row: cancel_invoice(invoice=row)  # noqa: E731
        button = _("Yes, cancel the invoice")
        return self.asked(request, object_id, act, question=question, button=button, button_class="button-danger")

    @unfold_action(description=_("Undo…"), permissions=["reopen"], url_path="reopen")  # type: ignore[untyped-decorator]
    def reopen(self, request: HttpRequest, object_id: str) -> HttpResponse:
        question = _("The invoice is to be paid again. What came into the balance for it is taken out.")
        act = lambda row: reopen_invoice(invoice=row)  # noqa: E731
        return self.asked(request, object_id, act, question=question, button=_("Yes, undo it"))
