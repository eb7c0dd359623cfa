"""Nine formats in, titled pieces of text out (`extraction`): good documents, odd ones, and hostile ones."""

import io
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise

import odfdo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.extraction import ExtractedDocument, ExtractionFailed, UnknownKind, extract, kind_of
from apps.extraction.sandbox.blocks import MAX_CHUNK, OVERLAP, TextBlock, document
from apps.extraction.sandbox.encodings import decode
from apps.extraction.sandbox.refusals import DocumentRefused
from tests.extraction import documents
from tests.extraction.documents import paragraph

RU = "Доставка по Москве стоит 300 рублей и занимает один день."
EN = "Delivery within the city takes one working day."
PRICES: list[list[str | float]] = [["Товар", "Цена"], ["Молоко", 80], ["Хлеб белый", 45.5]]
PRICE_LINES = "Товар: Молоко; Цена: 80\nТовар: Хлеб белый; Цена: 45.5"
TEXT_PRICES = [[str(value) for value in row] for row in PRICES]


def read(name: str, content: bytes | str) -> ExtractedDocument:
    content = content.encode() if isinstance(content, str) else content
    return extract(content, kind=kind_of(name, io.BytesIO(content)), name=name)


def chunks_of(found: ExtractedDocument) -> list[tuple[str, str]]:
    return [(chunk.title, chunk.content) for chunk in found.chunks]


PAGE = f"""<!DOCTYPE html><html><head><meta charset="utf-8"><title>Магазин</title></head><body>
<nav><ul><li><a href="/">Главная страница</a></li></ul></nav><div id="cookie-notice">Мы используем куки</div>
<main><h1>Доставка</h1><p>{RU}</p><p>{EN}</p><h2>Цены</h2>
<table><tr><th>Товар</th><th>Цена</th></tr><tr><td>Молоко</td><td>80</td></tr>
<tr><td>Хлеб белый</td><td>45.5</td></tr></table>
</main><footer>Все права защищены 2024</footer></body></html>"""
WORD = (
    paragraph("Доставка", style="Heading1")
    + paragraph(RU)
    + paragraph(EN)
    + paragraph("Цены", style="Heading2")
    + documents.word_table(TEXT_PRICES)
)
OPEN_TEXT = [
    odfdo.Header(1, "Доставка"),
    odfdo.Paragraph(RU),
    odfdo.Paragraph(EN),
    odfdo.Header(2, "Цены"),
    documents.open_table(PRICES),
]
MARKDOWN = (
    f"# Доставка\n\n{RU}\n\n{EN}\n\n## Цены\n\n| Товар | Цена |\n|---|---:|\n| Молоко | 80 |\n| Хлеб белый | 45.5 |\n"
)


@pytest.mark.parametrize(
    ("name", "content", "kind", "above"),
    [
        ("текст.md", MARKDOWN.encode(), "text/markdown", ""),
        ("страница.html", PAGE.encode(), "text/html", "Магазин › "),
        (
            "письмо.docx",
            documents.docx(WORD),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "",
        ),
        ("письмо.odt", documents.odt(OPEN_TEXT), "application/vnd.oasis.opendocument.text", ""),
    ],
)
def test_headings_are_in_titles_and_tables_are_lines(name: str, content: bytes, kind: str, above: str) -> None:
    assert kind_of(name, io.BytesIO(content)) == kind
    assert chunks_of(read(name, content)) == [
        (f"{above}Доставка", f"{RU}\n\n{EN}"),
        (f"{above}Доставка › Цены", PRICE_LINES),
    ]


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("прайс.csv", "Товар;Цена\nМолоко;80\nХлеб белый;45.5\n".encode(), "text/csv"),
        ("прайс.csv", 'Товар,Цена\r\n"Молоко",80\r\n"Хлеб белый",45.5\r\n'.encode("cp1251"), "text/csv"),
        (
            "прайс.xlsx",
            documents.xlsx({"Лист1": PRICES}),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ),
        ("прайс.ods", documents.ods({"Лист1": PRICES}), "application/vnd.oasis.opendocument.spreadsheet"),
    ],
)
def test_sheets_become_one_line_a_row(name: str, content: bytes, kind: str) -> None:
    assert kind_of(name, io.BytesIO(content)) == kind
    assert chunks_of(read(name, content)) == [("прайс", PRICE_LINES)]


def test_sheets_of_a_book_are_apart() -> None:
    found = read("book.xlsx", documents.xlsx({"Цены": PRICES, "Адреса": [["Город", "Улица"], ["Казань", "Баумана"]]}))
    assert chunks_of(found) == [("Цены", PRICE_LINES), ("Адреса", "Город: Казань; Улица: Баумана")]


def test_a_pdf_in_any_script_under_its_title() -> None:
    content = documents.pdf([f"{RU}\n{EN}", "Вторая страница про воз-\nврат товара"], title="Условия")
    assert kind_of("scan.txt", io.BytesIO(content)) == "application/pdf", "a PDF named .txt is a PDF"
    (chunk,) = read("scan.txt", content).chunks
    assert chunk.title == "Условия"
    assert RU in chunk.content
    assert EN in chunk.content
    assert "возврат товара" in chunk.content


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1251", "koi8-r", "utf-16", "utf-16-le", "utf-16-be", "cp866"]
)
def test_russian_text_in_every_encoding_it_is_written_in(encoding: str) -> None:
    text = f"{RU}\n\nВозврат товара возможен в течение четырнадцати дней."
    assert chunks_of(read("прайс.txt", text.encode(encoding))) == [("прайс", text)]


@pytest.mark.parametrize("declared", ["windows-1251", "utf-8", "no-such", "koi8-r"])
def test_a_page_in_windows_1251_whatever_it_declares_but_another_that_fits(declared: str) -> None:
    page = PAGE.replace('charset="utf-8"', f'charset="{declared}"').encode("cp1251")
    found = chunks_of(read("a.html", page))
    assert (found[0][1] == f"{RU}\n\n{EN}") == (declared != "koi8-r")


def test_text_of_unknown_names_is_plain_and_is_not_read_as_markup() -> None:
    assert kind_of("server.log", io.BytesIO(b"<b>2024</b> started")) == "text/plain"
    assert kind_of("noname", io.BytesIO(b"# x")) == "text/plain"
    assert chunks_of(read("noname", "# not a heading\n\n<b>x</b>")) == [("noname", "# not a heading\n\n<b>x</b>")]


def test_unseen_characters_are_no_text() -> None:
    hidden = "".join(chr(0xE0000 + ord(character)) for character in "ignore")
    assert chunks_of(read("a.txt", f"Це\u00adна\u200b {hidden}80\u202e руб\r\nи\tещё")) == [("a", "Цена 80 руб\nи ещё")]


def test_markdown_that_people_write() -> None:
    text = (
        "---\ntitle: Справка\n---\nВступление\nв две строки\n\nЗаголовок\n=========\n\n- один\n- два\n  и дальше\n\n"
        "```\n# not a heading\n  code\n```\n<!-- a note -->\n> цитата\n\n## Пусто\n"
    )
    assert chunks_of(read("a.md", text)) == [
        ("Справка", "Вступление в две строки"),
        ("Справка › Заголовок", "- один\n- два и дальше\n\n# not a heading\n  code\n\nцитата"),
    ]


# Chunks


def texts(blocks: list[TextBlock]) -> list[str]:
    return [text for _, text in document(blocks, title="")["chunks"]]


def test_a_chunk_has_at_most_1200_characters_and_is_cut_between_paragraphs() -> None:
    made = texts([TextBlock("text", f"Paragraph {number}. " + "word " * 60) for number in range(20)])
    assert all(len(text) <= MAX_CHUNK for text in made)
    assert len(made) == 7
    assert all(text.startswith("Paragraph") for text in made), "no overlap between paragraphs"


def test_pieces_of_one_long_paragraph_overlap() -> None:
    sentences = [f"Предложение номер {number} о доставке товаров." for number in range(200)]
    made = texts([TextBlock("text", " ".join(sentences))])
    assert all(len(text) <= MAX_CHUNK for text in made)
    for before, after in pairwise(made):
        shared = max(length for length in range(OVERLAP + 1) if before.endswith(after[:length]))
        assert 0 < shared <= OVERLAP
    assert all(any(sentence in text for text in made) for sentence in sentences), "each sentence is whole somewhere"


def test_rows_are_never_cut_and_never_repeated() -> None:
    rows = [f"Товар: номер {number}; Цена: {number * 10}" for number in range(500)]
    assert [row for text in texts([TextBlock("line", row) for row in rows]) for row in text.split("\n")] == rows


def test_a_heading_is_never_alone() -> None:
    blocks = [
        TextBlock("heading", "A", 1),
        TextBlock("heading", "B", 2),
        TextBlock("text", "x y z"),
        TextBlock("heading", "C", 2),
    ]
    assert document(blocks, title="T")["chunks"] == [("T › A › B", "x y z")]


def test_a_list_made_of_headings_is_kept() -> None:
    blocks = [TextBlock("text", "Мы умеем:"), *(TextBlock("heading", name, 3) for name in ("Пилить", "Строгать"))]
    assert document(blocks, title="")["chunks"] == [("", "Мы умеем:\n\nПилить\nСтрогать")]


def test_a_title_has_255_characters_at_most_and_says_nothing_twice() -> None:
    blocks = [TextBlock("heading", "магазин", 1), TextBlock("heading", "d" * 300, 2), TextBlock("text", "x")]
    ((title, _),) = document(blocks, title="Магазин")["chunks"]
    assert title.startswith("Магазин › ddd")
    assert len(title) == 255


@pytest.mark.slow
def test_a_million_characters_are_read_and_one_more_is_too_much() -> None:
    assert document([TextBlock("text", "a" * 999_999), TextBlock("text", "b")], title="")["characters"] == 1_000_000
    with pytest.raises(DocumentRefused) as refused:
        document([TextBlock("text", "a" * 1_000_000), TextBlock("text", "b")], title="")
    assert refused.value.code == "too_much_text"


@given(
    st.lists(st.tuples(st.sampled_from(["heading", "text", "line", "code"]), st.text(max_size=3000), st.integers(1, 6)))
)
@settings(max_examples=60, deadline=None)
def test_any_blocks_are_chunks_within_the_limits_or_no_text(parts: list[tuple[str, str, int]]) -> None:
    try:
        made = document([TextBlock(*part) for part in parts], title="", name="n")  # type: ignore[arg-type]
    except DocumentRefused as refused:
        if refused.code != "no_text":
            raise
        return
    for title, text in made["chunks"]:
        assert 0 < len(text) <= MAX_CHUNK
        assert len(title) <= 255
        assert "\0" not in title + text


# What is no document


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.txt", b""),
        ("blank.txt", b" \r\n "),
        ("program.pdf", b"\x7fELF\x02\x01\x01" + bytes(100)),
        ("program.txt", b"MZ\x90\x00\x03\x00\x00\x00"),
        ("a.txt", b"\x89PNG\r\n\x1a\n" + bytes(20)),
        ("a.html", b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"></svg>'),
        ("a.rtf", b"{\\rtf1 text}"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        ("a.gz", b"\x1f\x8b\x08\x00" + bytes(30)),
        ("a.docx", documents.archive({"a.txt": "text"})),
        ("a.docx", documents.archive({"inner.zip": documents.archive({"a.txt": "x"})})),
        ("a.docx", documents.docx(WORD)[:900]),
        ("a.docx", b"PK\x03\x04" + bytes(100)),
        (
            "many.docx",
            documents.archive({**documents.docx_parts(WORD), **{f"word/{n}.xml": "<a/>" for n in range(2000)}}),
        ),
        ("bomb.docx", documents.archive({**documents.docx_parts(WORD), "word/media/a.bin": bytes(60_000_000)})),
        ("claims.docx", documents.claiming(documents.docx(WORD), part="word/document.xml", size=200_000_000)),
        ("large.docx", documents.large(documents.docx(WORD))),
        ("random.txt", random.Random(1).randbytes(5000)),
    ],
)
def test_other_files_and_declared_bombs_are_refused_before_anything_is_unpacked(name: str, content: bytes) -> None:
    before = time.process_time()
    with pytest.raises(UnknownKind) as refused:
        kind_of(name, io.BytesIO(content))
    assert str(refused.value).endswith(".")
    assert time.process_time() - before < 2


BILLION = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
LAUGHS = f'<!DOCTYPE x [<!ENTITY l0 "ha">{BILLION}]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'


def lying_bomb() -> bytes:
    """30 MB of a part, whose directory says 1,000 bytes."""
    parts = {**documents.docx_parts(WORD), "word/a.xml": bytes(30_000_000)}
    return documents.claiming(documents.archive(parts), part="word/a.xml", size=1000)


@pytest.mark.parametrize(
    ("name", "make", "codes"),
    [
        (
            "laughs.docx",
            lambda: documents.archive(documents.docx_parts(paragraph("&l9;"), prologue=LAUGHS)),
            "limits_exceeded",
        ),
        (
            "outside.docx",
            lambda: documents.archive(documents.docx_parts(paragraph("&e;"), prologue=OUTSIDE)),
            "limits_exceeded",
        ),
        ("lying.docx", lying_bomb, "unreadable"),
        ("encrypted.pdf", documents.encrypted_pdf, "encrypted"),
        ("pages.pdf", lambda: documents.pdf(["x"] * 2001), "limits_exceeded"),
        ("scan.pdf", lambda: documents.pdf([""]), "no_text"),
        ("cut.pdf", lambda: documents.pdf([RU])[:200], "unreadable"),
        ("nothing.docx", lambda: documents.docx(""), "no_text"),
        ("blank.html", lambda: b"<html><body><script>1</script></body></html>", "no_text"),
        ("signs.txt", lambda: b"--- *** ---", "no_text"),
        ("long.txt", lambda: b"a " * 500_001, "too_much_text"),
        (
            "broken.docx",
            lambda: documents.archive({**documents.docx_parts(""), "word/document.xml": "<w:"}),
            "unreadable",
        ),
    ],
)
def test_documents_that_give_no_text_say_why(name: str, make: Callable[[], bytes], codes: str) -> None:
    with pytest.raises(ExtractionFailed) as failed:
        read(name, make())
    assert failed.value.code in codes.split()


def test_parts_under_a_password_are_encrypted() -> None:
    locked = bytearray(documents.docx(WORD))
    for found in re.finditer(rb"PK\x01\x02", bytes(locked)):
        locked[found.start() + 8] |= 1
    with pytest.raises(ExtractionFailed, match="encrypted"):
        read("a.docx", bytes(locked))
    manifest = '<m:manifest xmlns:m="urn:x"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    parts: dict[str, bytes | str] = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "x"}
    with pytest.raises(ExtractionFailed, match="encrypted"):
        read("a.odt", documents.archive({**parts, "META-INF/manifest.xml": manifest}, compressed=False))


@pytest.mark.parametrize("kind", ["docx", "odt", "xlsx", "ods", "pdf"])
def test_fuzzed_bytes_are_text_or_a_code_and_never_more(kind: str) -> None:
    good = {
        "docx": lambda: documents.docx(WORD),
        "odt": lambda: documents.odt(OPEN_TEXT),
        "xlsx": lambda: documents.xlsx({"A": PRICES}),
        "ods": lambda: documents.ods({"A": PRICES}),
        "pdf": lambda: documents.pdf([RU]),
    }[kind]()
    chance = random.Random(kind)
    for _ in range(12):
        bad = bytearray(good)
        for _ in range(chance.randint(1, 30)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        with suppress(UnknownKind, ExtractionFailed):
            assert read(f"a.{kind}", bytes(bad)).chunks


def test_what_is_declared_and_fits_no_text_is_not_believed() -> None:
    for declared in ("idna", "unicode_escape", "rot13", "base64", "utf-7", "punycode", "mbcs"):
        assert decode("Привет, мир. Доставка.".encode("cp1251"), declared=declared) == "Привет, мир. Доставка."
