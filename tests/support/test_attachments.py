"""Customers' attachments at the desk: what of them agents read, and what hostile ones come to (design, 8)."""

import base64
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from apps.agents.models import Agent
from apps.chats.models import Chat
from tests.client import assert_problem
from tests.extraction import documents
from tests.extraction.documents import paragraph
from tests.extraction.test_documents import LAUGHS, OPEN_TEXT, OUTSIDE, WORD, lying_bomb
from tests.factories import FileFactory, MessageFactory
from tests.factories.support import at_desk
from tests.support.test_desk import Desk

pytestmark = pytest.mark.django_db

WORDS = documents.docx_parts(WORD)
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
RTF = b"{\\rtf1 text}"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")


@pytest.fixture
def desk(token: str, alice: Agent) -> Desk:
    at_desk(token, alice)
    return Desk(token)


@pytest.fixture
def read(desk: Desk, chat: Chat) -> Callable[[str, bytes], Any]:
    """Ivan sends a file of that name, and the desk reads it."""

    def send_and_read(name: str, content: bytes, sender_kind: str = "client") -> Any:
        file = FileFactory.create(widget=chat.widget, contact=chat.contact, name=name, content=content)
        kept = {"file": {"id": file.pk, "name": name, "size": file.size, "content_type": file.content_type}}
        sent = MessageFactory.create(chat=chat, sender_kind=sender_kind, type="file", details=kept)
        return desk.get(f"/chats/{chat.pk}/messages/{sent.pk}/attachment")

    return send_and_read


def pdf_whose_table_is_a_loop() -> bytes:
    """Its table of references is the one before itself."""
    made = documents.pdf(["Цена 80"])
    start = made.rindex(b"\nxref\n") + 1
    return made.replace(b"trailer << ", b"trailer << /Prev %d " % start)


def pdf_whose_pages_are_a_loop() -> bytes:
    return documents.pdf(["Цена 80"]).replace(b"/Kids [9 0 R]", b"/Kids [2 0 R]")


def pdf_bomb() -> bytes:
    """A page of 60 MB of commands, packed twice."""
    packed = zlib.compress(zlib.compress(b"0 0 m " * 10_000_000, 9), 9)
    stream = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n" % len(packed) + packed + b"\nendstream"
    return documents.pdf_of(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>",
            stream,
        ]
    )


@pytest.mark.parametrize(
    ("name", "make", "kind", "holds"),
    [
        ("заказ.docx", lambda: documents.docx(WORD), "text", "Доставка"),
        ("заказ.odt", lambda: documents.odt(OPEN_TEXT), "text", "Молоко"),
        ("заказ.pdf", lambda: documents.pdf(["Цена 80"]), "text", "Цена 80"),
        ("заказ.txt", lambda: documents.pdf(["Цена 80"]), "text", "Цена 80"),
        ("заказ.pdf", lambda: documents.docx(WORD), "text", "Доставка"),
        ("заказ.log", lambda: "Цена 80".encode("cp1251"), "text", "Цена 80"),
        ("скан.pdf", lambda: documents.pdf([""]), "file", None),
        ("таблица.xlsx", lambda: documents.xlsx({"a": [["Цена"], [80]]}), "file", None),
        ("старое.doc", lambda: OLE, "file", None),
        ("старое.xls", lambda: OLE, "file", None),
        ("письмо.rtf", lambda: RTF, "file", None),
        ("фото.pdf", lambda: PNG, "image", None),
    ],
)
def test_an_attachment_is_read_by_its_kind(
    read: Callable[[str, bytes], Any], name: str, make: Callable[[], bytes], kind: str, holds: str | None
) -> None:
    content = make()
    data = read(name, content).json()["data"]
    assert (data["kind"], data["name"], data["size"], data["truncated"]) == (kind, name, len(content), False)
    if holds is None:
        assert base64.b64decode(data["base64"]) == content
    else:
        assert holds in data["text"]
        assert data["base64"] is None


def test_headings_are_in_the_text_and_nothing_is_in_it_twice(read: Callable[[str, bytes], Any]) -> None:
    long = " ".join(f"Предложение номер {number}." for number in range(200))
    content = documents.docx(paragraph("Доставка", style="Heading1") + paragraph(long) + paragraph("Конец"))
    assert read("a.docx", content).json()["data"]["text"] == f"Доставка\n\n{long}\n\nКонец"


@pytest.mark.parametrize(
    ("name", "make", "length", "truncated"),
    [
        ("a.txt", lambda: b"a" * 200_000, 200_000, False),
        ("a.txt", lambda: b"a" * 200_001, 200_000, True),
        ("a.docx", lambda: documents.docx(paragraph("a" * 200_000)), 200_000, False),
        ("a.docx", lambda: documents.docx(paragraph(" ".join(map(str, range(200_000))))), 200_000, True),
        ("a.pdf", lambda: documents.pdf(["a"] * 50), None, False),
        ("a.pdf", lambda: documents.pdf(["a"] * 51), None, True),
        ("a.pdf", lambda: documents.pdf(["a"] * 2001), None, True),
    ],
)
def test_a_text_ends_at_200_000_characters_or_50_pages(
    read: Callable[[str, bytes], Any], name: str, make: Callable[[], bytes], length: int | None, truncated: bool
) -> None:
    data = read(name, make()).json()["data"]
    assert (data["kind"], data["truncated"]) == ("text", truncated)
    assert len(data["text"]) == length if length else data["text"].count("a") == 50


UNREADABLE = [
    ("declared.docx", lambda: documents.archive({**WORDS, "word/media/a.bin": bytes(60_000_000)})),
    ("lying.docx", lying_bomb),
    ("many.docx", lambda: documents.archive({**WORDS, **{f"word/{n}.xml": "<a/>" for n in range(2000)}})),
    ("laughs.docx", lambda: documents.archive(documents.docx_parts(paragraph("&l9;"), prologue=LAUGHS))),
    ("outside.docx", lambda: documents.archive(documents.docx_parts(paragraph("&e;"), prologue=OUTSIDE))),
    ("bomb.xlsx", lambda: documents.archive({"[Content_Types].xml": "", "xl/workbook.xml": bytes(60_000_000)})),
    ("encrypted.pdf", documents.encrypted_pdf),
    ("encrypted.docx", lambda: OLE),
    ("encrypted.xlsx", lambda: OLE),
    ("cut.pdf", lambda: documents.pdf(["Цена"])[:200]),
    ("cut.docx", lambda: documents.docx(WORD)[:900]),
    ("broken.docx", lambda: documents.archive({**WORDS, "word/document.xml": "<w:"})),
    ("empty.docx", lambda: documents.docx("")),
    ("archive.docx", lambda: documents.archive({"a.txt": "text"})),
    ("program.pdf", lambda: b"\x7fELF\x02\x01\x01" + bytes(100)),
]


@pytest.mark.parametrize(("name", "make"), UNREADABLE, ids=lambda one: one if isinstance(one, str) else "")
def test_a_broken_encrypted_or_hostile_document_is_unreadable(
    read: Callable[[str, bytes], Any], name: str, make: Callable[[], bytes]
) -> None:
    answer = read(name, make())
    assert assert_problem(answer, 422, "attachment_unreadable")["reason"] == "attachment_unreadable"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.svg", b'<svg xmlns="http://www.w3.org/2000/svg"/>'),
        ("a.html", b"<html><body>text</body></html>"),
        ("a.zip", documents.archive({"a.txt": "text"})),
        ("a.exe", b"MZ\x90\x00\x03\x00\x00\x00"),
        ("a.txt", b"MZ\x90\x00\x03\x00\x00\x00"),
        ("a.txt", documents.archive({"a.txt": "text"})),
        ("a.mp3", b"ID3\x04\x00\x00\x00\x00\x00\x00"),
        ("a.rtf", b"MZ\x90\x00\x03\x00\x00\x00"),
        ("a.doc", b"MZ\x90\x00\x03\x00\x00\x00"),
        ("noname", b"text"),
    ],
)
def test_what_is_no_document_is_not_handed_out(read: Callable[[str, bytes], Any], name: str, content: bytes) -> None:
    assert_problem(read(name, content), 415, "attachment_unsupported")


def test_macros_are_no_part_of_the_text(read: Callable[[str, bytes], Any]) -> None:
    content = documents.archive({**WORDS, "word/vbaProject.bin": OLE + b"Sub AutoOpen()"})
    data = read("macros.docx", content).json()["data"]
    assert data["kind"] == "text"
    assert "AutoOpen" not in data["text"]


@pytest.mark.parametrize("make", [pdf_whose_table_is_a_loop, pdf_whose_pages_are_a_loop, pdf_bomb])
def test_a_pdf_that_never_ends_does(read: Callable[[str, bytes], Any], make: Callable[[], bytes]) -> None:
    """It is text, a file without any, or unreadable; the web process neither parses it nor waits for long."""
    answer = read("a.pdf", make())
    if answer.status_code != 200:
        assert_problem(answer, 422, "attachment_unreadable")
    else:
        assert answer.json()["data"]["kind"] in ("text", "file")


def test_only_customers_attachments_are_there(read: Callable[[str, bytes], Any], desk: Desk, chat: Chat) -> None:
    assert_problem(read("a.txt", b"text", "agent"), 404, "not_found")
    plain = MessageFactory.create(chat=chat, sender_kind="client")
    assert_problem(desk.get(f"/chats/{chat.pk}/messages/{plain.pk}/attachment"), 404, "not_found")
