"""Documents as shops have them, made by the programs' own formats: each with the pieces that a reader takes from it."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import docx
import odfdo
import openpyxl
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib import colors
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas
from reportlab.platypus import SimpleDocTemplate, Table, TableStyle

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def workbook(fill: Callable[[Any], None], *, title: str = "Лист1") -> bytes:
    book = openpyxl.Workbook()
    book.active.title = title
    fill(book)
    saved = io.BytesIO()
    book.save(saved)
    return saved.getvalue()


def sheet(rows: Sequence[Sequence[Any]], *, merges: Sequence[str] = (), formats: dict[str, str] | None = None) -> bytes:
    def fill(book: Any) -> None:
        for row in rows:
            book.active.append(list(row))
        for area in merges:
            book.active.merge_cells(area)
        for place, code in (formats or {}).items():
            book.active[place].number_format = code

    return workbook(fill)


def word(fill: Callable[[Any], None]) -> bytes:
    made = docx.Document()
    fill(made)
    saved = io.BytesIO()
    made.save(saved)
    return saved.getvalue()


def word_table(made: Any, rows: Sequence[Sequence[str]], *, merges: Sequence[tuple[int, int, int, int]] = ()) -> Any:
    table = made.add_table(len(rows), max(map(len, rows)))
    for y, row in enumerate(rows):
        for x, text in enumerate(row):
            table.cell(y, x).text = text
    for top, left, bottom, right in merges:
        kept = table.cell(top, left).text
        table.cell(top, left).merge(table.cell(bottom, right)).text = kept
    return table


def deleted(paragraph: Any, text: str) -> None:
    """Text that a tracked change has deleted."""
    change = OxmlElement("w:del")
    change.set(qn("w:id"), "1")
    change.set(qn("w:author"), "Anna")
    run = OxmlElement("w:r")
    inside = OxmlElement("w:delText")
    inside.text = text
    run.append(inside)
    change.append(run)
    paragraph._p.append(change)


def inserted(paragraph: Any, text: str, *, tag: str = "w:ins") -> None:
    change = OxmlElement(tag)
    change.set(qn("w:id"), "2")
    change.set(qn("w:author"), "Anna")
    run = OxmlElement("w:r")
    inside = OxmlElement("w:t")
    inside.text = text
    run.append(inside)
    change.append(run)
    paragraph._p.append(change)


def opened(kind: str, *elements: Any) -> bytes:
    made = odfdo.Document(kind)
    made.body.clear()
    for element in elements:
        made.body.append(element)
    saved = io.BytesIO()
    made.save(saved)
    return saved.getvalue()


def open_table(rows: Sequence[Sequence[Any]], *, spans: Sequence[tuple[int, int, int, int]] = ()) -> Any:
    table = odfdo.Table("Прайс", width=max(map(len, rows)), height=len(rows))
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            table.set_value((x, y), value)
    for left, top, right, bottom in spans:
        table.set_span((left, top, right, bottom))
    return table


def pdf(draw: Callable[[Any], None], *, title: str = "") -> bytes:
    pdfmetrics.registerFont(TTFont("Text", FONT))
    saved = io.BytesIO()
    page = canvas.Canvas(saved)
    page.setFont("Text", 10)
    if title:
        page.setTitle(title)
    draw(page)
    page.save()
    return saved.getvalue()


def pdf_table(rows: Sequence[Sequence[str]], *, grid: bool, style: Sequence[Any] = ()) -> bytes:
    pdfmetrics.registerFont(TTFont("Text", FONT))
    saved = io.BytesIO()
    table = Table([list(row) for row in rows], colWidths=[120] * len(rows[0]))
    drawn = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)] if grid else []
    table.setStyle(TableStyle([("FONT", (0, 0), (-1, -1), "Text", 9), *drawn, *style]))
    SimpleDocTemplate(saved).build([table])
    return saved.getvalue()


def columns(page: Any, left: Sequence[str], right: Sequence[str]) -> None:
    """Two columns, drawn line by line across both."""
    for at, (one, other) in enumerate(zip(left, right, strict=True)):
        page.drawString(50, 700 - 14 * at, one)
        page.drawString(310, 700 - 14 * at, other)


def scanned(text: str) -> Any:
    """A picture of a page with a text on it."""
    picture = Image.new("L", (1240, 1754), 255)
    ImageDraw.Draw(picture).text((100, 200), text, font=ImageFont.truetype(FONT, 44), fill=0, spacing=30)
    return ImageReader(picture)


def struck_price() -> Any:
    return CellRichText(TextBlock(InlineFont(strike=True), "200 ₽"), " 150 ₽")
