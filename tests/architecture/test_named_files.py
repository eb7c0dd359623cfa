"""The files that texts name are there: a renamed module takes every mention of it along."""

import re
from pathlib import Path, PurePath

from config.environment import PROJECT_ROOT
from tests.architecture.source import source_files

_NAMED = re.compile(r"[`( ]((?:[\w<>-]+/)*[\w-]+\.py)\b")
# Decisions and changes of the past keep the names of their day; the table of old names is made of them.
OF_THE_PAST = ("docs/adr/", "CHANGELOG.md", "docs/renamed.md")
# Names that are no file of ours: an example of a domain in a message, the app file that is a folder in most apps.
NO_FILES = {"main.py", "actions.py"}


def texts() -> list[Path]:
    pages = [*PROJECT_ROOT.glob("*.md"), *(PROJECT_ROOT / "docs").rglob("*.md"), *(PROJECT_ROOT / "apps").rglob("*.md")]
    named = [page for page in pages if not page.relative_to(PROJECT_ROOT).as_posix().startswith(OF_THE_PAST)]
    return [*named, *source_files("apps", "config", "launcher", "bench")]


def files() -> set[str]:
    folders = ("apps", "config", "launcher", "bench", "tests", "docs", "clients")
    below = [
        path for folder in folders for path in (PROJECT_ROOT / folder).rglob("*.py") if "node_modules" not in path.parts
    ]
    return {path.relative_to(PROJECT_ROOT).as_posix() for path in [*below, *PROJECT_ROOT.glob("*.py")]}


def missing(text: str, there: set[str]) -> list[str]:
    """The names of Python files in a text that are the end of no path; `<app>/` and the like stand for any folder."""
    return [name for name in _NAMED.findall(text) if not is_there(name, there)]


def is_there(name: str, there: set[str]) -> bool:
    if name in NO_FILES:
        return True
    plain = PurePath(name).name if "<" in name else name
    return any(path == plain or path.endswith(f"/{plain}") for path in there)


def test_the_files_that_texts_name_are_there() -> None:
    there = files()
    found = {path.relative_to(PROJECT_ROOT).as_posix(): missing(path.read_text(), there) for path in texts()}
    assert {path: names for path, names in found.items() if names} == {}


def test_a_file_that_is_not_there_is_found() -> None:
    there = {"apps/chats/rules/states.py", "apps/chats/handlers.py"}
    text = "See `chats/rules/states.py`, `<app>/handlers.py` and `chats/reactions.py` (rules/states.py)."
    assert missing(text, there) == ["chats/reactions.py"]


def broken_links(page: Path) -> list[str]:
    """The relative links of a page that lead to no file; those to addresses and within a page are left out."""
    targets = re.findall(r"\]\(([\w./-]+)(?=[)#])", page.read_text())
    return [target for target in targets if not target.startswith("/") and not (page.parent / target).exists()]


def test_links_between_pages_lead_to_files() -> None:
    pages = [page for page in [*PROJECT_ROOT.glob("*.md"), *(PROJECT_ROOT / "docs").rglob("*.md")] if page.is_file()]
    found = {page.relative_to(PROJECT_ROOT).as_posix(): broken_links(page) for page in pages}
    assert {page: links for page, links in found.items() if links} == {}


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[itself](page.md) [gone](adr/0006-gone.md#why) [there](#here) [out](https://example.com)")
    assert broken_links(page) == ["adr/0006-gone.md"]
