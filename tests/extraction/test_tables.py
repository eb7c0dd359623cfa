"""One set of tables over all formats that have tables: each gives the same pieces, whatever program made it."""

import csv
import io
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, NamedTuple

import pytest

from apps.extraction import extract, kind_of
from apps.extraction.sandbox import tables
from tests.extraction import shop_documents as shop

Span = tuple[int, int, int, int]  # left, top, right, bottom
Made = Callable[[Sequence[Sequence[str]], Sequence[Span]], bytes]


class Case(NamedTuple):
    """Rows with the spans that merge some of their cells, and the pieces of the document: title and lines."""

    rows: Sequence[Sequence[str]]
    pieces: Sequence[tuple[str, str]]
    spans: Sequence[Span] = ()


CASES = {
    "prices": Case(
        [["Товар", "Цена", "Остаток"], ["Роза красная", "150 ₽", "12"], ["Роза белая", "170 ₽", "3"]],
        [
            (
                "прайс",
                "Товар: Роза красная; Цена: 150 ₽; Остаток: 12\nТовар: Роза белая; Цена: 170 ₽; Остаток: 3",
            )
        ],
    ),
    "a city over two rows": Case(
        [
            ["Город", "Вес", "Цена"],
            ["Москва", "до 1 кг", "300 ₽"],
            ["", "до 5 кг", "500 ₽"],
            ["Казань", "до 1 кг", "400 ₽"],
        ],
        [
            (
                "прайс",
                (
                    "Город: Москва; Вес: до 1 кг; Цена: 300 ₽\n"
                    "Город: Москва; Вес: до 5 кг; Цена: 500 ₽\n"
                    "Город: Казань; Вес: до 1 кг; Цена: 400 ₽"
                ),
            )
        ],
        [(0, 1, 0, 2)],
    ),
    "groups and a title": Case(
        [
            ["Прайс-лист на сентябрь", "", ""],
            ["Товар", "Цена", "Остаток"],
            ["Розы", "", ""],
            ["Роза красная", "150 ₽", "12"],
            ["Роза белая", "170 ₽", "3"],
            ["Тюльпаны", "", ""],
            ["Тюльпан жёлтый", "90 ₽", "40"],
            ["Тюльпан белый", "95 ₽", "41"],
        ],
        [
            (
                "Прайс-лист на сентябрь › Розы",
                "Товар: Роза красная; Цена: 150 ₽; Остаток: 12\nТовар: Роза белая; Цена: 170 ₽; Остаток: 3",
            ),
            (
                "Прайс-лист на сентябрь › Тюльпаны",
                "Товар: Тюльпан жёлтый; Цена: 90 ₽; Остаток: 40\nТовар: Тюльпан белый; Цена: 95 ₽; Остаток: 41",
            ),
        ],
        [(0, 0, 2, 0), (0, 2, 2, 2), (0, 5, 2, 5)],
    ),
    "a header of two rows": Case(
        [
            ["Товар", "Цена", ""],
            ["", "опт", "розница"],
            ["Молоко", "70", "80"],
            ["Хлеб", "40", "45"],
        ],
        [("прайс", "Товар: Молоко; Цена, опт: 70; Цена, розница: 80\nТовар: Хлеб; Цена, опт: 40; Цена, розница: 45")],
        [(0, 0, 0, 1), (1, 0, 2, 0)],
    ),
    "sizes are names": Case(
        [["Модель", "36", "37", "38"], ["Туфли", "есть", "нет", "есть"], ["Сапоги", "2", "0", "5"]],
        [("прайс", "Модель: Туфли; 36: есть; 37: нет; 38: есть\nМодель: Сапоги; 36: 2; 37: 0; 38: 5")],
    ),
    "years are names": Case(
        [["Показатель", "2024", "2025"], ["Заказы", "120", "150"]],
        [("прайс", "Показатель: Заказы; 2024: 120; 2025: 150")],
    ),
    "no header at all": Case(
        [["Чайник", "12 месяцев"], ["Пиала", "6 месяцев"]],
        [("прайс", "Чайник: 12 месяцев\nПиала: 6 месяцев")],
    ),
    "numbers from the first row on": Case(
        [["Молоко", "80", "90"], ["Хлеб", "45", "50"]],
        [("прайс", "Молоко; 80; 90\nХлеб; 45; 50")],
    ),
}


def as_xlsx(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    areas = [f"{chr(65 + left)}{top + 1}:{chr(65 + right)}{bottom + 1}" for left, top, right, bottom in spans]
    return shop.sheet([[_typed(cell) for cell in row] for row in rows], merges=areas)


def _typed(cell: str) -> str | int | None:
    return int(cell) if cell.isdigit() else cell or None


def as_docx(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    merges = [(top, left, bottom, right) for left, top, right, bottom in spans]
    return shop.word(lambda made: shop.word_table(made, rows, merges=merges))


def as_odt(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    return shop.opened("text", shop.open_table(rows, spans=spans))


def as_ods(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    return shop.opened("spreadsheet", shop.open_table(rows, spans=spans))


def as_html(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    covered = {
        (x, y) for left, top, right, bottom in spans for x in range(left, right + 1) for y in range(top, bottom + 1)
    }
    first = {(left, top): (right - left + 1, bottom - top + 1) for left, top, right, bottom in spans}
    made = ""
    for y, row in enumerate(rows):
        cells = ""
        for x, text in enumerate(row):
            if (x, y) in covered and (x, y) not in first:
                continue
            wide, high = first.get((x, y), (1, 1))
            cells += f'<td colspan="{wide}" rowspan="{high}">{escape(text)}</td>'
        made += f"<tr>{cells}</tr>"
    return f'<html><head><meta charset="utf-8"></head><body><table>{made}</table></body></html>'.encode()


def as_csv(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    made = io.StringIO()
    csv.writer(made, delimiter=";").writerows(rows)
    return made.getvalue().replace("₽", "руб.").encode("cp1251")


def as_markdown(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    first, *rest = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([first, "|---" * len(rows[0]) + "|", *rest]).encode()


def as_pdf(rows: Sequence[Sequence[str]], spans: Sequence[Span]) -> bytes:
    return shop.pdf_table(rows, grid=True, style=[("SPAN", span[:2], span[2:]) for span in spans])


FORMATS: dict[str, Made] = {
    "xlsx": as_xlsx,
    "docx": as_docx,
    "odt": as_odt,
    "ods": as_ods,
    "html": as_html,
    "csv": as_csv,
    "md": as_markdown,
    "pdf": as_pdf,
}
# A CSV and Markdown say no more than the texts of their cells; Markdown has a header always.
LEFT_OUT = {
    *(("csv", name) for name in ("a city over two rows",)),
    *(("md", name) for name in CASES if name not in ("prices", "sizes are names", "years are names")),
    *(("pdf", name) for name in ("a city over two rows", "a header of two rows")),
}


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("name", CASES)
def test_a_table_keeps_its_meaning(name: str, form: str) -> None:
    if (form, name) in LEFT_OUT:
        pytest.skip("the format does not say so")
    case = CASES[name]
    content = FORMATS[form](case.rows, case.spans)
    file = f"прайс.{form}"
    found = extract(content, kind=kind_of(file, io.BytesIO(content)), name=file)
    is_sheet = form in ("xlsx", "ods", "csv")
    wanted = [
        (
            f"прайс › {title}" if is_sheet and title != "прайс" else title,
            text.replace("₽", "руб.") if form == "csv" else text,
        )
        for title, text in case.pieces
    ]
    assert [(piece.title, piece.content) for piece in found.chunks] == wanted


def test_each_piece_of_a_long_table_has_its_headers_and_title() -> None:
    rows = [["Прайс-лист", "", ""], ["Товар", "Цена", "Остаток"]]
    rows += [[f"Роза номер {number}", f"{number} ₽", "1"] for number in range(100)]
    content = as_xlsx(rows, [(0, 0, 2, 0)])
    found = extract(content, kind=kind_of("a.xlsx", io.BytesIO(content)), name="a.xlsx")
    assert len(found.chunks) > 3
    for piece in found.chunks:
        assert piece.title == "a › Прайс-лист"
        assert all(line.startswith("Товар: Роза номер ") and "; Цена: " in line for line in piece.content.split("\n"))


def test_two_tables_of_one_sheet_have_their_own_headers() -> None:
    rows = [["Товар", "Цена"], ["Роза", "150 ₽"], ["Лилия", "170 ₽"], [], ["Доставка"], ["Город", "Срок"]]
    rows += [["Казань", "2 дня"], ["Сочи", "3 дня"]]
    content = shop.sheet(rows)
    found = extract(content, kind=kind_of("a.xlsx", io.BytesIO(content)), name="a.xlsx")
    assert [(piece.title, piece.content) for piece in found.chunks] == [
        ("a", "Товар: Роза; Цена: 150 ₽\nТовар: Лилия; Цена: 170 ₽"),
        ("a › Доставка", "Город: Казань; Срок: 2 дня\nГород: Сочи; Срок: 3 дня"),
    ]


@pytest.mark.parametrize("title", ["", "Прайс"])
def test_two_price_lists_have_the_names_of_their_files(title: str) -> None:
    def fill(book: Any) -> None:
        book.properties.title = title
        book.active.append(["Товар", "Цена"])
        book.active.append(["Роза", 150])
        other = book.create_sheet("Доставка")
        other.append(["Город", "Срок"])
        other.append(["Казань", "2 дня"])

    content = shop.workbook(fill, title="Прайс")
    found = [
        extract(content, kind=kind_of(name, io.BytesIO(content)), name=name)
        for name in ("опт 2026.xlsx", "розница.xlsx")
    ]
    for one, name in zip(found, ("опт 2026", "розница"), strict=True):
        assert one.title == (f"Прайс ({name})" if title else "")
        assert all(name in piece.title for piece in one.chunks)


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ([["Адрес", "ул. Ленина, 5"], ["Часы", "10-20"]], ["Адрес: ул. Ленина, 5", "Часы: 10-20"]),
        (
            [["Москва", "Курьер", "бесплатно"], ["Сочи", "Почта", "300 ₽"]],
            ["Москва; Курьер; бесплатно", "Сочи; Почта; 300 ₽"],
        ),
        ([["Месяц", "01.2026", "02.2026"], ["Заказы", "10", "20"]], ["Месяц: Заказы; 01.2026: 10; 02.2026: 20"]),
        ([["EU", "36", "36,5", "37"], ["см", "22,5", "23", "23,5"]], ["EU: см; 36: 22,5; 36,5: 23; 37: 23,5"]),
        ([["Товар", "Цена, руб."], ["Хлеб", "45"], ["* с НДС", ""]], ["Товар: Хлеб; Цена, руб.: 45", "* с НДС"]),
    ],
)
def test_what_names_the_columns_is_told_by_the_cells(rows: list[list[str]], wanted: list[str]) -> None:
    assert [block.text for block in tables.lines(rows) if block.kind == "line"] == wanted
