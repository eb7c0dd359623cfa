"""Invoices on paper: the page's contents, and the same as a PDF."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import segno
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext, pgettext
from reportlab.graphics.shapes import Drawing, Rect
from reportlab.lib import colors
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from apps.billing.forms import money_text
from apps.billing.models import Invoice, Payee
from apps.billing.rules.payments import PayeeDetails, payment_text, vat_of

FONTS = Path(__file__).parent / "static" / "billing" / "fonts"
WIDTH = A4[0] - 36 * mm
QR_SIDE = 34 * mm
NO_KPP = "0" * 9


def contents(invoice: Invoice) -> dict[str, Any]:
    """The context of the page, in the active language; the purpose of the payment is Russian, as the banks are."""
    payee = payee_of(invoice)
    currency = invoice.currency
    return {
        "invoice": invoice,
        "entity": invoice.entity,
        "payee": payee,
        "payee_kpp": _kpp(payee.kpp) if payee else "",
        "entity_kpp": _kpp(invoice.entity.kpp),
        "lines": [
            {
                "name": item["name"],
                "quantity": item["quantity"],
                "price": money_text(item["price_minor"], currency),
                "amount": money_text(item["amount_minor"], currency),
            }
            for item in invoice.items
        ],
        "total": money_text(invoice.amount_minor, currency),
        "vat": vat_text(invoice, payee),
        "purpose": purpose_of(invoice, payee) if payee else "",
        "qr": segno.make(qr_text(invoice, payee), error="m", micro=False).svg_inline(scale=3, border=2, light="#fff")
        if payee
        else "",
    }


def payee_of(invoice: Invoice) -> PayeeDetails | None:
    """The payee as it was when the invoice was issued, else as it is now."""
    if (details := invoice.payee_details) is not None:
        return details
    payee = Payee.objects.first()
    return payee.details if payee else None


def _kpp(kpp: str) -> str:
    return "" if kpp == NO_KPP else kpp


def vat_text(invoice: Invoice, payee: PayeeDetails | None) -> str:
    if payee is None:
        return ""
    if payee.vat_rate is None:
        return gettext("Without VAT")
    vat = money_text(vat_of(invoice.amount_minor, payee.vat_rate), invoice.currency)
    return gettext("Including VAT %(rate)s %%: %(vat)s") % {"rate": payee.vat_rate, "vat": vat}


def purpose_of(invoice: Invoice, payee: PayeeDetails) -> str:
    """The purpose of the payment, for the bank."""
    with translation.override("ru"):
        date = timezone.localtime(invoice.created_at).strftime("%d.%m.%Y")
        said = {"number": invoice.number, "date": date, "vat": vat_text(invoice, payee).replace("\u00a0", " ")}
        return gettext("Payment of invoice %(number)s of %(date)s. %(vat)s") % said


def qr_text(invoice: Invoice, payee: PayeeDetails) -> str:
    return payment_text(payee, amount_minor=invoice.amount_minor, purpose=purpose_of(invoice, payee))


def pdf_of(invoice: Invoice) -> bytes:
    """The invoice as a PDF of A4, in the active language."""
    _load_fonts()
    shown = contents(invoice)
    file = BytesIO()
    title = _title(invoice)
    document = SimpleDocTemplate(
        file, pagesize=A4, leftMargin=18 * mm, rightMargin=18 * mm, topMargin=15 * mm, bottomMargin=15 * mm, title=title
    )
    payee: PayeeDetails | None = shown["payee"]
    story: list[Any] = []
    if payee:
        story += [_bank_table(payee, shown["purpose"]), Spacer(1, 8 * mm)]
    story += [_text(title, _style(size=14, bold=True)), Spacer(1, 4 * mm), _parties(invoice, shown), Spacer(1, 4 * mm)]
    story += [_items(shown), Spacer(1, 3 * mm), _sums(shown), Spacer(1, 8 * mm)]
    if payee:
        story.append(_signatures(payee, qr_text(invoice, payee)))
    document.build(story)
    return file.getvalue()


def _title(invoice: Invoice) -> str:
    date = date_format(timezone.localtime(invoice.created_at), "DATE_FORMAT")
    return gettext("Invoice %(number)s of %(date)s") % {"number": invoice.number, "date": date}


def _load_fonts() -> None:
    if "Invoice" not in pdfmetrics.getRegisteredFontNames():
        pdfmetrics.registerFont(TTFont("Invoice", FONTS / "DejaVuSans.ttf"))
        pdfmetrics.registerFont(TTFont("InvoiceBold", FONTS / "DejaVuSans-Bold.ttf"))


def _style(*, size: int = 9, bold: bool = False, right: bool = False) -> ParagraphStyle:
    font = "InvoiceBold" if bold else "Invoice"
    return ParagraphStyle(
        f"{font}{size}{right}", fontName=font, fontSize=size, leading=size * 1.3, alignment=TA_RIGHT if right else 0
    )


def _text(text: Any, style: ParagraphStyle | None = None) -> Paragraph:
    escaped = str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return Paragraph(escaped, style or _style())


def _bank_table(payee: PayeeDetails, purpose: str) -> Table:
    """The head that Russian invoices have: the payee's bank, the payee, the purpose."""
    rows = [
        [_text(payee.bank_name), _text(gettext("BIK")), _text(payee.bik)],
        [_text(gettext("Payee's bank")), _text(gettext("Corr. account")), _text(payee.correspondent_account)],
        [
            _text(" · ".join(f"{name} {value}" for name, value in _numbers(payee.inn, payee.kpp))),
            _text(pgettext("of a bank", "Account")),
            _text(payee.checking_account),
        ],
        [_text(f"{gettext('Payee')}: {payee.name}"), "", ""],
        [_text(f"{gettext('Purpose of the payment')}: {purpose}"), "", ""],
    ]
    spans = [("SPAN", (0, 3), (-1, 3)), ("SPAN", (0, 4), (-1, 4))]
    widths = [WIDTH - 82 * mm, 26 * mm, 56 * mm]
    return Table(rows, colWidths=widths, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black), *spans])


def _numbers(inn: str, kpp: str) -> list[tuple[str, str]]:
    numbers = [(gettext("INN"), inn), (gettext("KPP"), _kpp(kpp))]
    return [pair for pair in numbers if pair[1]]


def _parties(invoice: Invoice, shown: dict[str, Any]) -> Table:
    entity = invoice.entity
    payee: PayeeDetails | None = shown["payee"]
    rows = []
    if payee:
        rows.append((gettext("Supplier"), _party(payee.name, payee.inn, payee.kpp, payee.address)))
    rows.append((gettext("Buyer"), _party(entity.full_name, entity.inn, entity.kpp, entity.legal_address)))
    if invoice.due_at:
        rows.append((gettext("Pay by"), date_format(timezone.localtime(invoice.due_at), "DATE_FORMAT")))
    cells = [[_text(name), _text(said, _style(bold=True))] for name, said in rows]
    return Table(cells, colWidths=[32 * mm, WIDTH - 32 * mm], style=[("VALIGN", (0, 0), (-1, -1), "TOP")])


def _party(name: str, inn: str, kpp: str, address: str) -> str:
    return ", ".join([name, *(f"{label} {value}" for label, value in _numbers(inn, kpp)), address])


def _items(shown: dict[str, Any]) -> Table:
    bold, right = _style(bold=True), _style(right=True)
    head = ["№", gettext("Description of goods"), gettext("Quantity"), gettext("Price"), gettext("Amount")]
    rows = [[_text(name, bold) for name in head]]
    for number, line in enumerate(shown["lines"], 1):
        cells = (line["quantity"], line["price"], line["amount"])
        rows.append([_text(number), _text(line["name"]), *(_text(cell, right) for cell in cells)])
    widths = [10 * mm, WIDTH - 104 * mm, 30 * mm, 32 * mm, 32 * mm]
    return Table(rows, colWidths=widths, repeatRows=1, style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)])


def _sums(shown: dict[str, Any]) -> Table:
    bold = _style(bold=True, right=True)
    rows = [[_text(gettext("Total"), bold), _text(shown["total"], bold)]]
    if shown["vat"]:
        rows.append([_text(shown["vat"], bold), ""])
    spans = [("SPAN", (0, 1), (-1, 1))] if shown["vat"] else []
    return Table(rows, colWidths=[WIDTH - 42 * mm, 42 * mm], style=spans)


def _signatures(payee: PayeeDetails, qr: str) -> Table:
    lines = [f"{gettext('Director')} ____________________ {payee.director}"]
    if payee.accountant:
        lines.append(f"{gettext('Accountant')} ____________________ {payee.accountant}")
    cells: list[Any] = []
    for line in lines:
        cells += [_text(line), Spacer(1, 8 * mm)]
    return Table([[_code(qr), cells]], colWidths=[QR_SIDE + 8 * mm, WIDTH - QR_SIDE - 8 * mm])


def _code(text: str) -> Drawing:
    matrix = [list(row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=2)]
    module = QR_SIDE / len(matrix)
    drawing = Drawing(QR_SIDE, QR_SIDE)
    for down, row in enumerate(matrix):
        for across, dark in enumerate(row):
            if dark:
                corner = (across * module, QR_SIDE - (down + 1) * module)
                drawing.add(Rect(*corner, module, module, fillColor=colors.black, strokeWidth=0, strokeColor=None))
    return drawing
