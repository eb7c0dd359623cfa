"""Documents of shops as people have them: what a reader sees becomes knowledge, and nothing else does."""

import io
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

import odfdo
import pytest
from openpyxl.styles import Font

from apps.extraction import ExtractedDocument, ExtractionFailed, UnknownKind, extract, kind_of, recognition
from tests.extraction import documents
from tests.extraction import shop_documents as shop

PARAGRAPH = "Мы доставляем заказы по всей Москве каждый день без выходных, звоните нам по телефону магазина."


def read(name: str, content: bytes) -> ExtractedDocument:
    return extract(content, kind=kind_of(name, io.BytesIO(content)), name=name)


def said(found: ExtractedDocument) -> str:
    return "\n".join(f"{piece.title}\n{piece.content}" for piece in found.chunks)


class Case(NamedTuple):
    """A file, the texts that its pieces have and those that they have not, and the notes."""

    name: str
    make: Callable[[], bytes]
    has: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    notes: tuple[tuple[str, str, int], ...] = ()


def html(body: str, *, head: str = "") -> bytes:
    page = (
        f'<html><head><meta charset="utf-8"><title>Магазин</title>{head}</head><body><main>{body}</main></body></html>'
    )
    return page.encode()


def page_case(body: str, has: tuple[str, ...], lacks: tuple[str, ...] = (), *, head: str = "") -> Case:
    return Case("page.html", lambda: html(f"<h1>Доставка</h1><p>{PARAGRAPH}</p>{body}", head=head), has, lacks)


def hidden_sheet() -> bytes:
    def fill(book: Any) -> None:
        book.active.append(["Товар", "Цена"])
        book.active.append(["Роза", 150])
        for state in ("hidden", "veryHidden"):
            draft = book.create_sheet(f"Черновик {state}")
            draft.append(["Секрет", "Наценка 40 процентов"])
            draft.sheet_state = state

    return shop.workbook(fill, title="Прайс")


def filtered() -> bytes:
    def fill(book: Any) -> None:
        sheet = book.active
        for row in (["Товар", "Цена", "Закупка"], ["Роза", 150, 60], ["Архивная", 1, 1], ["Лилия", 170, 70]):
            sheet.append(row)
        sheet.auto_filter.ref = "A1:C4"
        sheet.row_dimensions[3].hidden = True
        sheet.column_dimensions["C"].hidden = True

    return shop.workbook(fill)


def struck_cells() -> bytes:
    def fill(book: Any) -> None:
        sheet = book.active
        for row in (["Товар", "Было", "Стало"], ["Роза", "999 ₽", "150 ₽"], ["Лилия", "170 ₽", shop.struck_price()]):
            sheet.append(row)
        sheet["B2"].font = Font(strike=True)

    return shop.workbook(fill)


def formatted() -> bytes:
    rows = [
        ["Артикул", "Товар", "Цена", "Скидка", "С даты"],
        [7012, "Роза", 149.9, 0.15, date(2026, 3, 5)],
        [7013, "Лилия", 1500, 1, date(2026, 3, 6)],
    ]
    formats = {"A2": "000000", "A3": "000000", "C2": '#,##0.00\\ "₽"', "C3": "#,##0.00\\ [$₽-419]"}
    formats |= {"D2": "0%", "D3": "0%", "E2": "dd.mm.yyyy", "E3": "dd.mm.yyyy"}
    return shop.sheet(rows, formats=formats)


def contract() -> bytes:
    def fill(made: Any) -> None:
        made.add_heading("Договор поставки", 1)
        paragraph = made.add_paragraph("Срок оплаты составляет ")
        shop.deleted(paragraph, "тридцать ")
        shop.inserted(paragraph, "десять ")
        paragraph.add_run("дней.")
        moved = made.add_paragraph("Штраф не предусмотрен. ")
        shop.inserted(moved, "Перенесённый абзац", tag="w:moveFrom")
        made.add_paragraph("Скрытая пометка").runs[0].font.hidden = True
        price = made.add_paragraph("Цена ")
        price.add_run("200 ₽ ").font.strike = True
        price.add_run("250 ₽ ").font.double_strike = True
        price.add_run("150 ₽")

    return shop.word(fill)


def kopecks_in_word() -> bytes:
    def fill(made: Any) -> None:
        price = made.add_paragraph("Роза 149")
        price.add_run("99").font.superscript = True
        price.add_run(" ₽, вода H")
        price.add_run("2").font.subscript = True
        price.add_run("O")

    return shop.word(fill)


def open_text(*, struck: bool = False) -> bytes:
    made = odfdo.Document("text")
    made.body.clear()
    properties = {"style:text-line-through-style": "solid"} if struck else {"text:display": "none"}
    style = odfdo.Style("text", name="Unseen")
    style.set_properties(properties, area="text")
    made.insert_style(style, automatic=True)
    paragraph = odfdo.Paragraph("Роза стоит ")
    paragraph.append(odfdo.Span("200 ₽ ", style="Unseen"))
    paragraph.append(odfdo.Span("150 ₽"))
    made.body.append(paragraph)
    saved = io.BytesIO()
    made.save(saved)
    return saved.getvalue()


LEFT = (
    "Доставка по городу бесплатна и",
    "осуществляется ежедневно с утра",
    "до вечера; курьер звонит за час",
    "до приезда к вам домой.",
)
RIGHT = (
    "Возврат товара возможен в тече-",
    "ние четырнадцати дней со дня",
    "покупки, если упаковка цела и",
    "сохранён кассовый чек.",
)


def brochure(page: Any) -> None:
    shop.columns(page, LEFT, RIGHT)


def with_edges(page: Any) -> None:
    for number, text in enumerate(
        ("Оплата картой принимается.", "Самовывоз из магазина.", "Гарантия двенадцать месяцев.")
    ):
        page.setFont("Text", 10)
        page.drawString(50, 815, "ООО «Ромашка», тел. 8 800 555-35-35")
        page.drawString(50, 700, text)
        page.drawString(280, 20, f"Стр. {number + 1} из 3")
        page.showPage()


def partly_scanned(page: Any) -> None:
    page.drawString(50, 700, "Первая страница с текстом условий доставки.")
    page.showPage()
    page.drawImage(shop.scanned(""), 0, 0, 595, 842)
    page.showPage()


def price_scanned(page: Any) -> None:
    page.drawImage(shop.scanned("White tea 560\nBlack tea 320"), 0, 0, 595, 842)
    page.showPage()


def noisy(page: Any) -> None:
    page.drawString(50, 700, "Первая страница с текстом условий доставки.")
    page.showPage()
    page.setFont("Text", 10)
    page.drawString(50, 700, "Ïðàéñ-ëèñò ìàãàçèíà öâåòîâ, öåíû óêàçàíû â ðóáëÿõ")
    page.showPage()


CSV_1C = """Прайс-лист ООО «Ромашка»
Артикул;Товар;Размер;Цена;Остаток
A-1;Роза красная;60 см;150,00;12
A-2;Роза белая;50 см;170,00;3
Итого;;;;15
"""

CASES = {
    "hidden sheets": Case(
        "прайс.xlsx",
        hidden_sheet,
        ("Товар: Роза; Цена: 150",),
        ("Секрет", "Наценка"),
        (("sheet Черновик hidden", "hidden", 1), ("sheet Черновик veryHidden", "hidden", 1)),
    ),
    "filtered rows and hidden columns": Case(
        "прайс.xlsx",
        filtered,
        ("Товар: Роза; Цена: 150\nТовар: Лилия; Цена: 170",),
        ("Архивная", "Закупка", "60"),
        (("sheet Лист1", "hidden_rows", 1), ("sheet Лист1", "hidden_columns", 1)),
    ),
    "struck-out cells and runs": Case(
        "прайс.xlsx",
        struck_cells,
        ("Товар: Роза; Стало: 150 ₽", "Стало: 150 ₽"),
        ("999", "200"),
        (("sheet Лист1", "struck_out", 1),),
    ),
    "formats as displayed": Case(
        "прайс.xlsx",
        formatted,
        (
            "Артикул: 007012; Товар: Роза; Цена: 149.90 ₽; Скидка: 15%; С даты: 05.03.2026",
            "Артикул: 007013; Товар: Лилия; Цена: 1500.00 ₽; Скидка: 100%; С даты: 06.03.2026",
        ),
    ),
    "a contract with tracked changes": Case(
        "договор.docx",
        contract,
        ("Срок оплаты составляет десять дней.", "Цена 150 ₽"),
        ("тридцать", "Перенесённый", "Скрытая", "200", "250"),
        (("", "deleted", 2), ("", "hidden", 1), ("", "struck_out", 2)),
    ),
    "kopecks in Word": Case("цены.docx", kopecks_in_word, ("Роза 149.99 ₽, вода H2O",), ("14999",)),
    "hidden text in OpenDocument": Case("текст.odt", open_text, ("Роза стоит 150 ₽",), ("200",), (("", "hidden", 1),)),
    "struck-out text in OpenDocument": Case(
        "текст.odt", lambda: open_text(struck=True), ("Роза стоит 150 ₽",), ("200",), (("", "struck_out", 1),)
    ),
    "columns drawn line by line": Case(
        "буклет.pdf",
        lambda: shop.pdf(brochure, title="untitled"),
        ("\n".join(LEFT), "в течение четырнадцати дней"),
        ("untitled",),
    ),
    "headers, footers and page numbers": Case(
        "условия.pdf",
        lambda: shop.pdf(with_edges),
        ("Оплата картой принимается.", "Самовывоз из магазина.", "Гарантия двенадцать месяцев."),
        ("Ромашка", "Стр."),
    ),
    "letters of another alphabet": Case(
        "прайс.pdf", lambda: shop.pdf(noisy), ("Первая страница",), ("Ïðàéñ",), (("page 2", "unreadable", 1),)
    ),
    "a CSV of 1C with a title and a sum": Case(
        "остатки.csv",
        lambda: CSV_1C.encode("cp1251"),
        (
            "Прайс-лист ООО «Ромашка»\nАртикул: A-1; Товар: Роза красная; Размер: 60 см; Цена: 150,00; Остаток: 12",
            "Артикул: Итого; Остаток: 15",
        ),
        ("150; 00",),
    ),
    "a CSV with commas in its cells": Case(
        "пункты.csv",
        "Город;Адрес;Часы\nКазань;ул. Баумана, 5;10:00-20:00\nСочи;ул. Мира, 7, офис 2;9:00-18:00\n".encode,
        ("Город: Казань; Адрес: ул. Баумана, 5; Часы: 10:00-20:00",),
    ),
    "a CSV of Excel": Case(
        "excel.csv",
        lambda: b"sep=;\r\n" + 'Товар;Цена\r\n"Роза ""Аваланш""";150,00\r\n'.encode("cp1251"),
        ('Товар: Роза "Аваланш"; Цена: 150,00',),
        ("sep=",),
    ),
    "struck-out Markdown": Case(
        "цены.md",
        "# Цены\n\nРоза ~~200 ₽~~ 150 ₽, лилия 149<sup>99</sup> ₽ и <del>300</del> 250 ₽\n".encode,
        ("Роза 150 ₽, лилия 149.99 ₽ и 250 ₽",),
        ("200", "300", "14999"),
    ),
    "a page's hidden attribute": page_case("<p hidden>закупка 100 ₽</p>", (PARAGRAPH,), ("закупка",)),
    "a page's templates and notices": page_case(
        "<template><p>шаблон карточки</p></template><noscript>Включите JavaScript</noscript>",
        (PARAGRAPH,),
        ("шаблон", "JavaScript"),
    ),
    "text of no size": page_case(
        '<p>Роза <span style="font-size:0">ключевые слова</span></p>', ("Роза",), ("ключевые",)
    ),
    "text outside the page": page_case(
        '<p style="position:absolute;left:-9999px">скрытые слова</p><p>Роза есть</p>', ("Роза есть",), ("скрытые",)
    ),
    "text that shows nothing": page_case(
        '<p style="display: none">раз</p><p style="visibility:hidden">два</p><p style="opacity:0">три</p>'
        '<p aria-hidden="true">четыре</p>',
        (PARAGRAPH,),
        ("раз\n", "два", "три", "четыре"),
    ),
    "what opens by a click": page_case(
        "<details><summary>Есть ли подъём на этаж?</summary>Да, бесплатно.</details>",
        ("Есть ли подъём на этаж?", "Да, бесплатно."),
    ),
    "sale prices": page_case("<p>Роза <del>200 ₽</del> <ins>150 ₽</ins></p>", ("Роза 150 ₽",), ("200",)),
    "sale prices by a style": page_case(
        '<p>Роза <span class="old-price">200 ₽</span> 150 ₽, лилия <s style="color:red">300 ₽</s> 250 ₽</p>',
        ("Роза 150 ₽, лилия 250 ₽",),
        ("200", "300"),
        head="<style>@media print {.x {color: red}} .old-price { text-decoration: line-through }</style>",
    ),
    "sale prices of WooCommerce": page_case(
        '<p>Роза <del aria-hidden="true"><bdi>200 ₽</bdi></del> <span class="screen-reader-text">Original price was: '
        '200.</span><ins aria-hidden="true"><bdi>150 ₽</bdi></ins></p>',
        ("Роза 150 ₽",),
        ("200",),
    ),
    "kopecks": page_case(
        '<p>Роза 149<sup>99</sup> ₽, лилия 39<small>90</small> ₽, пион 89<span class="price-kop">50</span> ₽</p>',
        ("Роза 149.99 ₽, лилия 39.90 ₽, пион 89.50 ₽",),
        ("14999", "3990", "8950"),
    ),
    "powers, formulas and marks of footnotes": page_case(
        "<p>Площадь 20 м<sup>2</sup>, 10<sup>6</sup> единиц, цена 1500<sup>1</sup> ₽, вода H<sub>2</sub>O</p>",
        ("Площадь 20 м², 10⁶ единиц, цена 1500 [1] ₽, вода H2O",),
        ("106", "15001"),
    ),
    "a page's delivery table": page_case(
        "<table><caption>Тарифы</caption><tr><th rowspan=2>Город</th><th colspan=2>Цена</th></tr>"
        "<tr><th>до 1 кг</th><th>до 5 кг</th></tr><tr><td>Москва</td><td>300 ₽</td><td>500 ₽</td></tr>"
        "<tr><td colspan=3>Регионы</td></tr><tr><td>Казань</td><td rowspan=2>400 ₽</td><td>600 ₽</td></tr>"
        "<tr><td>Сочи</td><td>700 ₽</td></tr></table>",
        (
            "Тарифы\nГород: Москва; Цена, до 1 кг: 300 ₽; Цена, до 5 кг: 500 ₽",
            (
                "Тарифы › Регионы\nГород: Казань; Цена, до 1 кг: 400 ₽; Цена, до 5 кг: 600 ₽\n"
                "Город: Сочи; Цена, до 1 кг: 400 ₽; Цена, до 5 кг: 700 ₽"
            ),
        ),
    ),
    "a page's table of facts": page_case(
        "<table><tr><th>Вес</th><td>2 кг</td></tr><tr><th>Цвет</th><td>белый</td></tr></table>",
        ("Вес: 2 кг\nЦвет: белый",),
    ),
    "ligatures": Case("a.txt", "Pro\ufb01l, o\ufb03ce, wa\ufb04e".encode, ("Profil, office, waffle",)),
}


@pytest.mark.parametrize("name", CASES)
def test_what_a_reader_sees_is_read(name: str) -> None:
    case = CASES[name]
    found = read(case.name, case.make())
    text = said(found)
    for wanted in case.has:
        assert wanted in text
    for unwanted in case.lacks:
        assert unwanted not in text
    assert [(note.place, note.reason, note.count) for note in found.notes] == list(case.notes)


def test_a_scanned_page_is_told_and_the_others_are_read() -> None:
    found = read("условия.pdf", shop.pdf(partly_scanned))
    assert [piece.content for piece in found.chunks] == ["Первая страница с текстом условий доставки."]
    assert [(note.place, note.reason) for note in found.notes] == [("page 2", "picture")]


with_tesseract = pytest.mark.skipif(not recognition.is_installed(), reason="tesseract is not on this machine")


def recognised(content: bytes, languages: str) -> ExtractedDocument:
    kind = kind_of("условия.pdf", io.BytesIO(content))
    return extract(content, kind=kind, name="условия.pdf", languages=languages)


@with_tesseract
def test_a_scanned_page_is_recognised_where_it_is_asked_for() -> None:
    found = recognised(shop.pdf(price_scanned), "eng")
    assert "White tea 560" in said(found)
    assert [(note.place, note.reason) for note in found.notes] == [("page 1", "recognised")]


@with_tesseract
def test_languages_that_it_lacks_leave_the_page_a_picture() -> None:
    found = recognised(shop.pdf(partly_scanned), "xxx")
    assert [piece.content for piece in found.chunks] == ["Первая страница с текстом условий доставки."]
    assert [(note.place, note.reason) for note in found.notes] == [("page 2", "picture")]


@pytest.mark.parametrize(
    "title",
    ["untitled", "Untitled 1", "(anonymous)", "Microsoft Word - прайс.doc", "Документ1", "Без имени", "прайс.xlsx"],
)
def test_a_title_of_a_program_is_none(title: str) -> None:
    found = read("условия доставки.pdf", shop.pdf(brochure, title=title))
    assert (found.title, found.chunks[0].title) == ("", "условия доставки")


def test_a_document_without_a_title_has_that_of_its_first_heading() -> None:
    found = read("doc1.docx", shop.word(lambda made: (made.add_heading("Доставка", 1), made.add_paragraph(PARAGRAPH))))
    assert (found.title, found.chunks[0].title) == ("Доставка", "Доставка")


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("пусто.txt", b"", "пусто.txt: The file is empty."),
        (
            "прайс.pdf",
            b"\x89PNG\r\n\x1a\n" + bytes(20),
            "прайс.pdf: This is a file of the kind .png, which can't be read",
        ),
        (
            "старый.xls",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
            "старый.xls: Old or encrypted Office documents",
        ),
    ],
)
def test_a_refusal_names_the_file(name: str, content: bytes, told: str) -> None:
    with pytest.raises(UnknownKind) as refused:
        kind_of(name, io.BytesIO(content))
    assert str(refused.value).startswith(told)


@pytest.mark.parametrize(
    ("name", "make", "told"),
    [
        (
            "прайс.xlsx",
            lambda: shop.sheet([[f"Товар номер {number} с длинным названием", number] for number in range(50_000)]),
            "прайс.xlsx: The file has more than 1,000,000 characters of text (sheet Лист1, row ",
        ),
        (
            "книга.pdf",
            lambda: documents.pdf(["x"] * 2001),
            "книга.pdf: Reading the file takes more time, memory or parts than one document may (page 2001).",
        ),
        (
            "битый.docx",
            lambda: documents.archive({**documents.docx_parts(""), "word/document.xml": "<w:"}),
            "битый.docx: The file is damaged, or is not what it says it is (word/document.xml).",
        ),
        ("закрыт.pdf", documents.encrypted_pdf, "закрыт.pdf: The file is protected by a password."),
    ],
)
def test_a_failure_names_the_file_and_the_place(name: str, make: Callable[[], bytes], told: str) -> None:
    with pytest.raises(ExtractionFailed) as failed:
        read(name, make())
    assert failed.value.detail.startswith(told)
