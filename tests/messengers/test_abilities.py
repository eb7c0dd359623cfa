"""What messengers take: each row of their abilities at its limits, and the guide's table of them."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.messengers.adapters import ADAPTERS
from apps.messengers.rules.delivery import Abilities, FileKind, kinds_for, parts_of

GUIDE = Path("docs/guides/messengers.md")
BEGIN, END = "<!-- abilities: written by tests/messengers/test_abilities.py -->", "<!-- abilities end -->"
ROWS = [
    pytest.param(code, kind, id=f"{code}-{kind.name}-{number}")
    for code, adapter in ADAPTERS.items()
    for number, kind in enumerate(adapter.can.files)
]
MB = 1024 * 1024


def file(kind: FileKind, **changes: Any) -> dict[str, Any]:
    """A file that fits into a kind."""
    type_ = min(kind.types, default="application/x-odd")
    return {"id": 1, "name": "a", "size": kind.max_bytes, "content_type": type_, **changes}


def takes(kind: FileKind, given: dict[str, Any], sides: tuple[int, int] | None = None) -> bool:
    type_ = "image" if kind.name == "image" else "file"
    return bool(kinds_for(type_, given, Abilities(files=(kind,)), sides))


@pytest.mark.parametrize(("provider", "kind"), ROWS)
def test_a_kind_of_file_is_taken_up_to_its_limits(provider: str, kind: FileKind) -> None:
    assert takes(kind, file(kind))
    assert not takes(kind, file(kind, size=kind.max_bytes + 1))
    for type_ in kind.types:
        assert takes(kind, file(kind, content_type=type_))
    assert takes(kind, file(kind, content_type="application/x-odd")) is not bool(kind.types)
    if kind.max_sides:
        half = kind.max_sides // 2
        assert takes(kind, file(kind), (half, half))
        assert not takes(kind, file(kind), (half + 1, half))
    if kind.max_ratio:
        assert takes(kind, file(kind), (int(kind.max_ratio), 1))
        assert not takes(kind, file(kind), (int(kind.max_ratio) + 1, 1))


@pytest.mark.parametrize(("provider", "kind"), ROWS)
def test_an_ending_that_is_refused_fits_into_no_kind(provider: str, kind: FileKind) -> None:
    for ending in kind.refused_endings:
        assert not takes(kind, file(kind, name=f"price.{ending}"))
        assert not takes(kind, file(kind, name=f"price.pdf.{ending.upper()}"))
        assert takes(kind, file(kind, name=f"{ending}.pdf"))


@pytest.mark.parametrize(("provider", "kind"), ROWS)
def test_a_caption_goes_with_its_file_or_after_it(provider: str, kind: FileKind) -> None:
    can = ADAPTERS[provider].can
    for length in (kind.max_caption, kind.max_caption + 1):
        parts = parts_of("file", "x" * length, {"file": file(kind)}, can, "https://x.example/a", kind)
        assert "".join(part.text for part in parts) == "x" * length
        assert bool(parts[0].text) is (0 < length <= kind.max_caption)


@pytest.mark.parametrize("provider", ADAPTERS)
def test_a_text_goes_in_parts_of_the_longest(provider: str) -> None:
    can = ADAPTERS[provider].can
    parts = parts_of("text", "x" * (can.longest + 1), {}, can)
    assert [can.length(part.text) for part in parts] == [can.longest, 1]


@pytest.mark.parametrize("provider", ADAPTERS)
def test_what_fits_into_no_kind_is_a_line(provider: str) -> None:
    can = replace(ADAPTERS[provider].can, files=())
    (part,) = parts_of("image", "Роза", {"file": {"id": 1, "name": "a.png"}}, can, "https://x.example/a", None)
    assert part.text == "Роза\na.png: https://x.example/a"


def _said(kind: FileKind) -> str:
    types = ", ".join(sorted(type_.partition("/")[2] for type_ in kind.types)) or "any type"
    limits = [f"{kind.max_bytes // MB} MB"]
    limits += [f"width and height {kind.max_sides:,} together"] if kind.max_sides else []
    limits += [f"{kind.max_ratio:g} to 1"] if kind.max_ratio else []
    limits += ["not " + ", ".join(sorted(kind.refused_endings))] if kind.refused_endings else []
    limits.append(f"caption {kind.max_caption:,}" if kind.max_caption else "its text goes apart")
    return f"{kind.name} ({types}; {', '.join(limits)})"


def table() -> str:
    """The guide's table: a row a messenger."""
    lines = ["| messenger | longest text | files, the best first | place | links as buttons |", "|---|---|---|---|---|"]
    for code, adapter in ADAPTERS.items():
        can = adapter.can
        files = "; ".join([*(_said(kind) for kind in can.files), "link"])
        place, buttons = "place" if can.has_places else "link", "buttons" if can.has_buttons else "lines"
        lines.append(f"| `{code}` | {can.longest:,} | {files} | {place} | {buttons} |")
    return "\n".join(lines)


def test_the_guide_has_the_table() -> None:
    text = GUIDE.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    written = f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
    if os.environ.get("PARLEY_WRITE_DOCS"):
        GUIDE.write_text(written)
    assert text == written
