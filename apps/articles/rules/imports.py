"""An import of articles reads: the names of an archive's entries, front matter, pictures and links. Pure.

A file stands at `lang/category/name.md`; without a folder of a language, or of a category, it has none by its place.
All work on a foreign text is linear.
"""

import json
import posixpath
import re
import stat
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from urllib.parse import unquote, urljoin

from apps.articles.rules.limits import MAX_NAME

MAX_IMPORT_BYTES = 50 * 1024 * 1024
MAX_PROBLEMS, MAX_PATH = 500, 400
# An address that an import starts from, the pages that it reads, and the addresses that it knows at a time.
MAX_URL, MAX_PAGES, MAX_KNOWN = 2_000, 500, 5_000
MARKDOWN_ENDINGS = (".md", ".markdown", ".mdown")
_MATTER = ("title", "slug", "lang", "category", "summary")
_LONGEST_MATTER = 64
_MEMBER = re.compile(r"([A-Za-z_]{1,40}):[ \t]*(.*)")
_HEADING = re.compile(r" {0,3}#[ \t]+(.*)")
_CLOSING = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_DRIVE = re.compile(r"[A-Za-z]:")
# The address of a link or picture, at most so long; one in angle brackets may hold spaces.
_TARGET = re.compile(r"(!?)(\[[^\[\]\n]{0,500}\]\()(<[^<>\n]{1,1000}>|[^\s()<>]{1,1000})(?=[ \t]|\))")
_OUTSIDE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#")


class ImportState(StrEnum):
    """How far an import is."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


FINISHED = (ImportState.DONE.value, ImportState.FAILED.value)


class Refused(StrEnum):
    """Why a file, a page or a picture is left out; it refuses itself alone."""

    BAD_PATH = "bad_path"
    DUPLICATE = "duplicate"
    NOT_A_PICTURE = "not_a_picture"
    NO_SUCH_PICTURE = "no_such_picture"
    NO_TITLE = "no_title"
    TOO_LONG = "too_long"
    BAD_LANGUAGE = "bad_language"
    BAD_TEXT = "bad_text"
    UNREADABLE = "unreadable"
    TOO_MANY = "too_many"
    KB_FULL = "kb_full"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class ImportEntry:
    """A text to be imported: `key` identifies it, `path` is how people are told of it.

    `category` is its name in the language; None where it has none. `publishes`: a text that was a draft where it comes
    from stays one.
    """

    path: str
    key: str
    lang: str | None
    category: str | None
    title: str
    body: str
    summary: str = ""
    slug: str | None = None
    publishes: bool = True


@dataclass(frozen=True, slots=True)
class Matter:
    """A file's front matter by name, and the text behind it."""

    members: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


def path_of(name: str, *, is_utf8: bool) -> str:
    """An entry's name as it was meant: one that says nothing of its letters is UTF-8, else of Russian Windows (cp866).

    >>> path_of("ру.md".encode("cp866").decode("cp437"), is_utf8=False)
    'ру.md'
    """
    if is_utf8 or name.isascii():
        return name
    try:
        raw = name.encode("cp437")
    except UnicodeEncodeError:
        return name
    for charset in ("utf-8", "cp866"):
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            continue
    return name


def is_bad_path(path: str, mode: int) -> bool:
    """Whether an entry is absolute, a link, leads out of its folder, or bears a name that systems read differently."""
    if "\0" in path or "\\" in path or path.startswith("/") or _DRIVE.match(path) or stat.S_ISLNK(mode):
        return True
    return ".." in path.split("/") or len(path) > MAX_PATH or not path.isprintable()


def is_markdown(path: str) -> bool:
    """Whether an entry is a text to be imported; folders, hidden files and packers' own files are none."""
    parts = path.split("/")
    if any(part.startswith(".") or part == "__MACOSX" for part in parts):
        return False
    return path.lower().endswith(MARKDOWN_ENDINGS)


def place_of(path: str, languages: Collection[str]) -> tuple[str | None, str | None, str]:
    """The language and the category that a file's folders name, and its path without that of the language.

    >>> place_of("ru/Delivery/times.md", ["en", "ru"])
    ('ru', 'Delivery', 'Delivery/times.md')
    >>> place_of("times.md", ["en"])
    (None, None, 'times.md')
    """
    *folders, name = [part for part in path.split("/") if part not in ("", ".")]
    lang = folders.pop(0).lower() if folders and folders[0].lower() in languages else None
    category = folders[-1] if folders else None
    return lang, category, "/".join([*folders, name])


def matter_of(text: str) -> Matter:
    """The front matter of a text: lines `name: value` between two lines `---`, values plain or in quotation marks.

    >>> found = matter_of('---\\ntitle: "Сроки"\\nlang: ru\\n---\\n\\nText')
    >>> found.members, found.body
    ({'title': 'Сроки', 'lang': 'ru'}, 'Text')
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.startswith("---\n"):
        return Matter({}, text)
    lines = text.split("\n", _LONGEST_MATTER + 2)
    for place, line in enumerate(lines[1 : _LONGEST_MATTER + 2], start=1):
        if line.rstrip() in ("---", "..."):
            members = dict(filter(None, map(_member, lines[1:place])))
            return Matter(members, "\n".join(lines[place + 1 :]).lstrip("\n"))
    return Matter({}, text)


def _member(line: str) -> tuple[str, str] | None:
    found = _MEMBER.fullmatch(line.rstrip())
    if found is None or found[1].lower() not in _MATTER:
        return None
    return found[1].lower(), _value(found[2].strip())


def _value(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] == '"':
        try:
            read = json.loads(value)
        except ValueError:
            return value[1:-1]
        return read if isinstance(read, str) else value
    if len(value) > 1 and value[0] == value[-1] == "'":
        return value[1:-1].replace("''", "'")
    return value


def titled(body: str) -> tuple[str, str]:
    """The first heading of the first level, if a text begins with one, and the text without it.

    >>> titled("# Returns #\\n\\nWithin 14 days.")
    ('Returns', 'Within 14 days.')
    """
    lines = body.split("\n")
    fence = None
    for place, line in enumerate(lines):
        if mark := _FENCE.match(line):
            fence = None if fence == mark[1] else fence or mark[1]
        elif fence is None and (found := _HEADING.fullmatch(line)):
            title = _CLOSING.sub("", found[1][:1_000]).strip()
            rest = [*lines[:place], *lines[place + 1 :]]
            return title, "\n".join(rest).strip("\n")
    return "", body


def entry_of(path: str, text: str, languages: Collection[str]) -> ImportEntry:
    """The text of a Markdown file. Its title may be empty: then it has none."""
    lang, category, rest = place_of(path, languages)
    matter = matter_of(text)
    said = matter.members
    heading, body = titled(matter.body)
    if said.get("title"):
        body = body if heading == said["title"] else matter.body
    return ImportEntry(
        path=path,
        key=f"path:{rest}"[:MAX_PATH],
        lang=said.get("lang", "").lower() or lang,
        category=said.get("category") or category,
        title=said.get("title") or heading,
        body=body,
        summary=said.get("summary", ""),
        slug=said.get("slug") or None,
    )


def with_addresses(body: str, given: Callable[[bool, str], str | None]) -> str:
    """A body whose links and pictures have the addresses that `given(is_picture, address)` says; None: as it stands."""

    def replaced(found: re.Match[str]) -> str:
        made = given(bool(found[1]), found[3].strip("<>"))
        return found[0] if made is None else f"{found[1]}{found[2]}{made}"

    return _TARGET.sub(replaced, body)


def with_targets(body: str, path: str, target: Callable[[bool, str], str | None]) -> str:
    """A body whose relative addresses are those that `target(is_picture, path)` gives for them; None: as it stands.

    The path is one within the archive: it begins at its root, where the file at `path` is looked at from.
    """
    folder = posixpath.dirname(path)

    def given(is_picture: bool, address: str) -> str | None:
        if _OUTSIDE.match(address):
            return None
        name, _, part = address.partition("#")
        within = posixpath.normpath(posixpath.join(folder, unquote(name.partition("?")[0])))
        made = None if within.startswith(("/", "../")) else target(is_picture, within)
        return f"{made}#{part}" if made and part and not is_picture else made

    return with_addresses(body, given)


def with_base(body: str, base: str) -> str:
    """A page's text whose relative addresses are whole; those that lead nowhere stay."""

    def given(is_picture: bool, address: str) -> str | None:
        if address.startswith("#") or re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", address):
            return None
        try:
            return urljoin(base, address)
        except ValueError:
            return None

    return with_addresses(body, given)


# How Chatwoot calls the states of an article, as a word or a number.
_PUBLISHED = ("published", 1, None)


def entries_of_listing(document: Any) -> list[ImportEntry | str] | None:
    """The articles of a list as Chatwoot's API answers it; None where the document is none.

    An article that is none of it is its path alone.
    """
    rows = document.get("payload") if isinstance(document, dict) else document
    if isinstance(rows, dict):
        rows = rows.get("articles")
    if not isinstance(rows, list):
        return None
    return [_listed(row, place) for place, row in enumerate(rows)]


def _listed(row: Any, place: int) -> ImportEntry | str:
    path = f"articles.{place}"
    if not isinstance(row, dict) or not isinstance(row.get("id"), int | str):
        return path
    category = row["category"] if isinstance(row.get("category"), dict) else {}
    body = row["content"] if isinstance(row.get("content"), str) else ""
    root = row.get("associated_article_id") or row["id"]
    return ImportEntry(
        path=f"{path} ({row['id']})"[:MAX_PATH],
        key=f"id:{root}"[:MAX_PATH],
        lang=_lang(row.get("locale") or category.get("locale")),
        category=_text(category.get("name"))[:MAX_NAME] or None,
        title=_text(row.get("title")),
        body=body,
        summary=_text(row.get("description")),
        publishes=row.get("status") in _PUBLISHED,
    )


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _lang(value: Any) -> str | None:
    """The language of a locale: `pt_BR` is `pt`."""
    return re.split("[_-]", value.lower())[0] if isinstance(value, str) and value else None
