"""Brings the catalogues of `locale/` up to date with the texts in the source, and compiles them.

Django's command of this name, without GNU gettext: it needs Babel alone, which only developers install. English texts
are their own translation; for the others a new text is left untranslated, and a text that is gone leaves.

Staff read Russian or English. Mail, and the page of an invitation, is in any of the product's languages: catalogues of
the others hold the texts of the files that an app declares `for_everybody`, and no other.
"""

from collections.abc import Iterator
from copy import deepcopy
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation.template import templatize

from apps.core import plugins

LANGUAGES = ("en", "ru")
MORE_LANGUAGES = ("ar", "de", "el", "es", "zh_Hans")
HEADER = {"project": "Parley", "version": "1", "msgid_bugs_address": "-", "last_translator": "-", "language_team": "-"}
SOURCES = ("apps", "config", "templates")
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}


class Command(BaseCommand):
    help = "Brings the catalogues of locale/ up to date with the texts in the source, and compiles them."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="write nothing; fail if a catalogue is not up to date or not complete"
        )

    def handle(self, *args: Any, check: bool, **options: Any) -> None:
        template = texts_in_source(settings.BASE_DIR)
        lacking = []
        for language in (*LANGUAGES, *MORE_LANGUAGES):
            folder = settings.LOCALE_PATHS[0] / language / "LC_MESSAGES"
            texts = template if language in LANGUAGES else for_everybody(template)
            catalogue = updated(folder / "django.po", language, texts)
            for path, content in written(folder, catalogue).items():
                if not check:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                elif not path.exists() or path.read_bytes() != content:
                    lacking.append(
                        f"{path.relative_to(settings.LOCALE_PATHS[0].parent)} is not up to date: manage.py makemessages"
                    )
            lacking += faults(catalogue)
        if check and lacking:
            raise CommandError("\n".join(lacking))
        for fault in lacking:
            self.stdout.write(fault)


def texts_in_source(root: Path) -> Catalog:
    """Every text that the source marks as one for people, with the files that it is in."""
    texts = Catalog(charset="utf-8")
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            if is_source(path.relative_to(root)) and "migrations" not in path.parts:
                for _, message, comments, context in texts_of(path):
                    texts.add(
                        message, locations=[(str(path.relative_to(root)), 0)], auto_comments=comments, context=context
                    )
    return texts


def is_source(path: Path) -> bool:
    """Whether a file may hold texts for people: a module, or a template of a page or a mail."""
    return path.suffix in (".py", ".html") or (path.suffix == ".txt" and "templates" in path.parts)


def for_everybody(template: Catalog) -> Catalog:
    """The texts that people of all languages read."""
    texts = Catalog(charset="utf-8")
    paths = tuple(f"apps/{app.label}/{path}" for app in plugins.installed() for path in app.plugin.for_everybody)
    for message in template:
        locations = [(path, line) for path, line in message.locations if path.startswith(paths)]
        if message.id and locations:
            texts.add(message.id, locations=locations, auto_comments=message.auto_comments, context=message.context)
    return texts


def texts_of(path: Path) -> Iterator[Any]:
    """Babel's findings in a module or a template: line, text or texts, comments for translators, context."""
    source = path.read_text()
    if path.suffix != ".py":
        # Django turns a template into calls of gettext; without its indentation that is Python enough for Babel.
        source = "\n".join(line.strip() for line in templatize(source).splitlines())
    return extract("python", BytesIO(source.encode()), KEYWORDS, ["Translators:"])


def updated(path: Path, language: str, template: Catalog) -> Catalog:
    """The stored catalogue of a language with the texts of the source; an empty one if none is stored."""
    catalogue = Catalog(language, header_comment="# The texts of Parley's pages.", fuzzy=False, **HEADER)
    if path.exists():
        with path.open("rb") as stored:
            catalogue = read_po(stored, language)
    catalogue.update(deepcopy(template), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    if language == "en":
        for message in catalogue:
            if message.id:
                message.string = message.id
    return catalogue


def written(folder: Path, catalogue: Catalog) -> dict[Path, bytes]:
    """The files of a catalogue as they should be: to be translated in, and compiled."""
    readable, compiled = BytesIO(), BytesIO()
    write_po(readable, catalogue, width=120, sort_by_file=True, include_lineno=False)
    write_mo(compiled, catalogue)
    return {folder / "django.po": readable.getvalue(), folder / "django.mo": compiled.getvalue()}


def faults(catalogue: Catalog) -> list[str]:
    """The reasons why a catalogue is not complete: texts not translated, not surely, or not rightly."""
    language = catalogue.locale_identifier
    found = []
    for message in catalogue:
        texts = message.string if isinstance(message.string, tuple) else (message.string,)
        if not message.id:
            continue  # the header
        if not all(texts):
            found.append(f"{language}: not translated: {message.id!r}")
            continue
        if message.fuzzy:
            found.append(f"{language}: fuzzy: {message.id!r}")
        found += [f"{language}: {error}: {message.id!r}" for error in message.check(catalogue)]
    return found
