"""Documents as people and attackers make them, put together byte by byte, so that each says what it is a case of."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

import odfdo

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


_CONTENT_TYPES = f'<Types xmlns="{_TYPES}"><Default Extension="xml" ContentType="application/xml"/></Types>'


def archive(parts: dict[str, bytes | str], *, compressed: bool = True) -> bytes:
    """A zip file of these parts, in their order."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as opened:
        for name, content in parts.items():
            opened.writestr(name, content)
    return made.getvalue()


def paragraph(text: str, *, style: str = "") -> str:
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}<w:r><w:t>{escape(text)}</w:t></w:r></w:p>"


def word_table(rows: Sequence[Sequence[str]]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def docx_parts(body: str, *, prologue: str = "") -> dict[str, bytes | str]:
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in (1, 2)
    )
    return {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="r1" Type="{_OFFICE}/officeDocument" '
        'Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'{prologue}<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>',
        "word/styles.xml": f'<w:styles xmlns:w="{_W}">{styles}</w:styles>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="s1" '
        f'Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
    }


def docx(body: str) -> bytes:
    return archive(docx_parts(body))


def xlsx_parts(sheets: dict[str, Sequence[Sequence[str | float]]]) -> dict[str, bytes | str]:
    numbered = list(enumerate(sheets, start=1))
    listed = "".join(f'<sheet name="{escape(name)}" sheetId="{n}" r:id="r{n}"/>' for n, name in numbered)
    relations = "".join(
        f'<Relationship Id="r{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>' for n, _ in numbered
    )
    parts: dict[str, bytes | str] = {
        "[Content_Types].xml": _CONTENT_TYPES,
        "_rels/.rels": f'<Relationships xmlns="{_RELS}"><Relationship Id="r1" Type="{_OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{_S}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_RELS}">{relations}</Relationships>',
    }
    for n, name in numbered:
        parts[f"xl/worksheets/sheet{n}.xml"] = f'<worksheet xmlns="{_S}">{_sheet_data(sheets[name])}</worksheet>'
    return parts


def _sheet_data(rows: Sequence[Sequence[str | float]]) -> str:
    made = []
    for y, row in enumerate(rows, start=1):
        cells = [_sheet_cell(f"{chr(64 + x)}{y}", value) for x, value in enumerate(row, start=1)]
        made.append(f'<row r="{y}">{"".join(cells)}</row>')
    return f"<sheetData>{''.join(made)}</sheetData>"


def _sheet_cell(place: str, value: str | float) -> str:
    if isinstance(value, str):
        return f'<c r="{place}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{place}"><v>{value}</v></c>'


def xlsx(sheets: dict[str, Sequence[Sequence[str | float]]]) -> bytes:
    return archive(xlsx_parts(sheets))


def odt(elements: Iterable[odfdo.Element]) -> bytes:
    made = odfdo.Document("text")
    made.body.clear()
    for element in elements:
        made.body.append(element)
    return _saved(made)


def open_table(rows: Sequence[Sequence[str | float]], name: str = "Table") -> odfdo.Table:
    table = odfdo.Table(name, width=len(rows[0]), height=len(rows))
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            table.set_value((x, y), value)
    return table


def ods(sheets: dict[str, Sequence[Sequence[str | float]]]) -> bytes:
    made = odfdo.Document("spreadsheet")
    made.body.clear()
    for name, rows in sheets.items():
        made.body.append(open_table(rows, name))
    return _saved(made)


def _saved(made: odfdo.Document) -> bytes:
    saved = io.BytesIO()
    made.save(saved)
    return saved.getvalue()


_TO_UNICODE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange
1 beginbfrange <0000> <FFFF> <0000> endbfrange
endcmap end end"""

_FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>"
)
_GLYPHS = b"""<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /DW 500 /FontDescriptor 6 0 R
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>"""
_METRICS = b"""<< /Type /FontDescriptor /FontName /A /Flags 4 /FontBBox [0 0 500 700] /ItalicAngle 0 /Ascent 700
/Descent 0 /CapHeight 700 /StemV 80 >>"""


def pdf(pages: Sequence[str], *, title: str = "") -> bytes:
    """A PDF whose pages have these lines, in any script; without fonts of its own."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"",
        _FONT,
        _GLYPHS,
        _stream(_TO_UNICODE),
        _METRICS,
        b"<< /Title <feff" + title.encode("utf-16-be").hex().encode() + b"> >>",
    ]
    kids = []
    for text in pages:
        lines = b" ".join(b"<" + line.encode("utf-16-be").hex().encode() + b"> Tj T*" for line in text.split("\n"))
        objects.append(_stream(b"BT /F 12 Tf 14 TL 50 750 Td " + lines + b" ET"))
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> "
            b"/Contents %d 0 R >>" % len(objects)
        )
        kids.append(b"%d 0 R" % len(objects))
    objects[1] = b"<< /Type /Pages /Kids [" + b" ".join(kids) + b"] /Count %d >>" % len(kids)
    return pdf_of(objects, b"/Info 7 0 R")


def encrypted_pdf() -> bytes:
    """A PDF for which a password is needed, by its trailer; of what is in it nothing can be read without."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [] /Count 0 >>",
        b"<< /Filter /Standard /V 1 /R 2 /O <" + b"ab" * 32 + b"> /U <" + b"cd" * 32 + b"> /P -44 >>",
    ]
    return pdf_of(objects, b"/Encrypt 3 0 R /ID [<01> <01>]")


def _stream(content: bytes) -> bytes:
    packed = zlib.compress(content)
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\nendstream"


def pdf_of(objects: Sequence[bytes], trailer: bytes = b"") -> bytes:
    made, places = bytearray(b"%PDF-1.5\n"), []
    for number, content in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n" % number + content + b"\nendobj\n"
    start = len(made)
    made += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    made += b"".join(b"%010d 00000 n \n" % place for place in places)
    made += b"trailer << /Size %d /Root 1 0 R " % (len(objects) + 1) + trailer + b" >>\nstartxref\n%d\n%%%%EOF" % start
    return bytes(made)


def claiming(content: bytes, *, part: str, size: int) -> bytes:
    """A zip file whose directory and header say that a part has another size than it has."""
    made = bytearray(content)
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        entry = opened.getinfo(part)
    made[entry.header_offset + 22 : entry.header_offset + 26] = struct.pack("<I", size)
    at = made.rfind(b"PK\x01\x02", 0, made.rfind(part.encode()))
    made[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(made)


def large(content: bytes) -> bytes:
    """A zip file with a second last record, as those over 4 GB have, which readers believe in place of the last one."""
    at = content.rfind(b"PK\x05\x06")
    entries, length, start = struct.unpack("<HII", content[at + 10 : at + 20])
    record = struct.pack("<4sQHHLLQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, length, start)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    ending = bytearray(content[at:])
    ending[8:12] = struct.pack("<HH", 1, 1)
    return content[:at] + record + locator + bytes(ending)
