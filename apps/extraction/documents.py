"""Documents as their callers see them."""

from dataclasses import dataclass
from typing import Any

from apps.extraction import recognition
from apps.extraction.kinds import DOCX, HTML, ODS, ODT, PDF, XLSX
from apps.extraction.sandbox_process import CRASHED, Cage, ExtractionFailed

MAX_TITLE = 255
MAX_CHUNK = 1200
MAX_NOTES, MAX_PLACE = 200, 120
# Why a part of a document is not read; `recognised`: how it was, from a picture, with mistakes perhaps.
REASONS = (
    *("picture", "unreadable", "hidden", "hidden_rows", "hidden_columns", "struck_out", "deleted", "recognised"),
)
_OPEN_DOCUMENT = ("apps.extraction.sandbox.odf", "apps.extraction.sandbox.converters")
# What a format is read with, beside what all need: it is loaded before the document is.
_READ_WITH = {
    HTML: ("apps.extraction.sandbox.warm",),
    PDF: ("pypdfium2", "pypdfium2.raw"),
    DOCX: (
        *("mammoth", "xml.dom.expatbuilder", "apps.extraction.sandbox.markup", "apps.extraction.sandbox.word"),
        "apps.extraction.sandbox.converters",
    ),
    ODT: _OPEN_DOCUMENT,
    ODS: _OPEN_DOCUMENT,
    XLSX: ("apps.extraction.sandbox.sheets", "apps.extraction.sandbox.converters"),
}


@dataclass(frozen=True, slots=True)
class DocumentPiece:
    """A piece of a document: at most 1,200 characters, under the headings above it, joined by ` › `."""

    title: str
    content: str


@dataclass(frozen=True, slots=True)
class DocumentNote:
    """A part that was not read, at a place ("page 3", "sheet Prices", "" for the document), why, and how often there.

    `reason` is one of REASONS.
    """

    place: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """A document's text: its own title, or "", its chunks in order, its length, and what was left out."""

    title: str
    chunks: tuple[DocumentPiece, ...]
    characters: int
    notes: tuple[DocumentNote, ...] = ()


def extract(content: bytes, *, kind: str, name: str, languages: str = "") -> ExtractedDocument:
    """The text of a document of that kind (`kind_of`), in chunks. Takes up to 20 s of another process.

    Chunks are titled by the document's own title, or by its name. Pages of a PDF that are pictures of text are
    recognised in `languages` of Tesseract ("rus+eng"), which takes seconds a page; "": they are left out. Raises
    ExtractionFailed.
    """
    try:
        with Cage(preload=_READ_WITH.get(kind, ())) as cage:
            options: dict[str, Any] = {"kind": kind, "name": name}
            if languages and kind == PDF:
                options["recognised"] = recognition.recognise(cage, content, languages)
            answer = cage.call("apps.extraction.sandbox.formats:extract", content, options)
        return read_document(answer)
    except ExtractionFailed as failed:
        raise failed.named(name) from None


@dataclass(frozen=True, slots=True)
class Beginning:
    """The first text of a document, headings and all, and whether more follows."""

    text: str
    truncated: bool


def read_beginning(content: bytes, *, kind: str, pages: int, characters: int, seconds: float) -> Beginning:
    """The text of a document's first pages, as one. Takes up to `seconds` of another process.

    Raises ExtractionFailed.
    """
    options = {"kind": kind, "pages": pages, "characters": characters}
    with Cage(preload=_READ_WITH.get(kind, ())) as cage:
        answer = cage.call("apps.extraction.sandbox.formats:beginning", content, options, seconds=seconds)
    try:
        return Beginning(_text(answer["text"], characters), bool(answer["truncated"]))
    except (KeyError, TypeError, ValueError):
        raise ExtractionFailed(CRASHED, "an answer of another shape") from None


def read_document(answer: Any) -> ExtractedDocument:
    """A document as the cage answers it, of whose shape nothing is taken on trust. Raises ExtractionFailed."""
    try:
        chunks = tuple(
            DocumentPiece(_text(title, MAX_TITLE), _text(text, MAX_CHUNK)) for title, text in answer["chunks"]
        )
        notes = tuple(
            DocumentNote(_text(place, MAX_PLACE), REASONS[REASONS.index(reason)], int(count))
            for place, reason, count in answer.get("notes", [])[:MAX_NOTES]
        )
        return ExtractedDocument(_text(answer["title"], MAX_TITLE), chunks, int(answer["characters"]), notes)
    except (KeyError, TypeError, ValueError):
        raise ExtractionFailed(CRASHED, "an answer of another shape") from None


def _text(value: Any, longest: int) -> str:
    if not isinstance(value, str) or len(value) > longest or "\0" in value:
        raise ValueError
    value.encode()  # refuses what is no text, a lone surrogate
    return value
