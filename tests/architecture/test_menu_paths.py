"""A guide that names a way through the cabinet names one that is there: group, line, tab, and what the page has."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation
from django.utils.text import capfirst

from apps.cabinet.navigation import sections
from config.environment import PROJECT_ROOT

DOCUMENTS = [PROJECT_ROOT / "README.md", *sorted((PROJECT_ROOT / "docs").glob("**/*.md"))]
# A way stands in one pair of stars or two.
WAY = re.compile(r"(?<![*\w])(\*{1,2})(?=\S)([^*\n|]+? → [^*\n|]+?)(?<=\S)\1(?![*\w])")
# Menus and pages of before, by which readers looked in vain.
NAMES_OF_BEFORE = (
    "AI → ",
    "AI settings*",
    "AI exchanges",
    '"Users"',
    "“Users”",
    "*Transactions",
    "Bots in the legacy format",
)


def ways(text: str) -> list[tuple[str, ...]]:
    return [tuple(part.strip() for part in found.split(" → ")) for _stars, found in WAY.findall(text)]


def menu() -> dict[str, dict[str, set[str]]]:
    """The lines of each group, and the tabs of each line, in English."""
    with translation.override("en"):
        return {
            str(section.group.title): {
                capfirst(str(entry.title)): {capfirst(str(title)) for _page, title in entry.pages}
                for entry in section.entries
            }
            for section in sections()
        }


def is_a_label(text: str) -> bool:
    """Whether the pages have this text: then it is translated."""
    with translation.override("ru"):
        return any(translation.gettext(each) != each for each in (text, text[:1].lower() + text[1:], capfirst(text)))


def missing(way: tuple[str, ...]) -> str | None:
    """The first part of a way that is not there; None if it leads somewhere."""
    there = menu()
    group, line, *rest = way
    if group not in there:
        return group
    if line not in there[group]:
        return line
    if rest and capfirst(rest[0]) in there[group][line]:
        rest = rest[1:]
    return next((part for part in rest if not is_a_label(part)), None)


def told() -> Iterator[tuple[Path, tuple[str, ...]]]:
    for path in DOCUMENTS:
        for way in ways(path.read_text()):
            yield path, way


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.stem)
def test_every_way_through_the_cabinet_leads_to_a_page_of_the_menu(path: Path) -> None:
    assert {" → ".join(way): gone for way in ways(path.read_text()) if (gone := missing(way))} == {}


def test_the_guides_tell_ways() -> None:
    found = {path.stem for path, _way in told()}
    assert found >= {"ai", "people-and-ai", "billing", "backup", "migrating", "external-operators", "cabinet"}


def test_no_document_names_a_menu_of_before() -> None:
    """`AI → …` is found as a whole way; the others stand alone."""
    left = [
        (path.name, name)
        for path in DOCUMENTS
        for name in NAMES_OF_BEFORE
        if re.search(rf"(?<! → )(?<!knowledge → )\*?{re.escape(name)}", path.read_text())
    ]
    assert left == []


@pytest.mark.parametrize(
    ("way", "gone"),
    [
        ("AI and knowledge → Assistants → Keys → Add", None),
        ("Billing → Money → Movements", None),
        ("AI → Credentials → Add", "AI"),
        ("AI and knowledge → Credentials → Add", "Credentials"),
        ("AI and knowledge → Assistants → Vaults", "Vaults"),
    ],
)
def test_what_is_not_there_is_named(way: str, gone: str | None) -> None:
    assert missing(tuple(way.split(" → "))) == gone


def test_a_way_is_found_in_its_stars() -> None:
    assert ways("see *A → B*, **C → D → E** and 2 * 3 → 4 * 5") == [("A", "B"), ("C", "D", "E")]
