"""A workbook (XLSX, ECMA-376) of one sheet, made row by row in little memory. Pure.

Texts stand in the cells themselves (`inlineStr`), so no spreadsheet reads one as a formula; numbers, truths and moments
are cells of their own kind. Moments are in UTC, as days since 30 December 1899.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_KIND = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_DAY_ZERO = datetime(1899, 12, 30, tzinfo=UTC)
_DAY_S = 86_400
# XML 1.0 has no place for these.
_NO_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_KIND}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_KIND}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_KIND}.styles+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="rId1" Type="{_RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}">'
        '<sheets><sheet name="Report" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    # Cells of the style 1 are moments.
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm:ss"/>'
        '</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
        '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    ),
}


def workbook(batches: Iterable[Sequence[Sequence[Any]]]) -> Iterator[tuple[str, Iterable[bytes]]]:
    """The parts of a workbook by name, to be zipped; each is read to its end before the next. None is an empty cell."""
    for name, content in _PARTS.items():
        yield name, [(_HEAD + content).encode()]
    yield "xl/worksheets/sheet1.xml", _sheet(batches)


def _sheet(batches: Iterable[Sequence[Sequence[Any]]]) -> Iterator[bytes]:
    yield f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>'.encode()
    for rows in batches:
        yield "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows).encode()
    yield b"</sheetData></worksheet>"


def _cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    if isinstance(value, datetime):
        return f'<c s="1"><v>{(value - _DAY_ZERO).total_seconds() / _DAY_S:.10f}</v></c>'
    text = escape(_NO_CHARACTERS.sub("", value))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
