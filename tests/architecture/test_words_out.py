"""One thing has one word, in English and in Russian, on every surface (GLOSSARY.md, "What people read").

The words that are out are found in the catalogues, the texts of console and widget, the documents and the guides.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest
import yaml
from babel.messages.pofile import read_po

from config.environment import PROJECT_ROOT
from tests.architecture.source import name_of, source_files, tree_of
from tests.architecture.test_words import described

# By language: a word that is out, and the word that stands in its place.
OUT = {
    "en": {
        r"\bplease\b": "(nothing)",
        r"\bmay be left (out|empty)\b|\(if you like\)": "optional",
        r"\bput aside\b": "snoozed",
        r"\bnobody has it\b": "Unassigned",
        r"\bgive (it |the chat )?back\b": "Unassign",
        r"\bdealt with\b": "Mark as answered",
        r"\bshall this page\b": "Notify you about new messages?",
        r"\b(a|the|by) machines?\b(?! that| with)": "AI",
        r"\((the )?admin\)|\badmin (page|panel|area)\b": "Cabinet",
        r"\bletters\b(?! and digits|, digits)(?<!small letters)(?<!two letters)": "e-mails",
    },
    "ru": {
        r"пожалуйста": "(ничего)",
        r"можно (не (указывать|заполнять|писать)|оставить пустым)|если хотите\)": "необязательно",
        r"никем не взят": "Не назначен",
        r"ответ не нужен|ответ здесь не нужен": "Отметить отвеченным",
        r"\bна связи\b": "В сети",
        r"\bмашин(а|ой|ный|ного)\b|ответ программы": "ИИ",
        r"админк": "Кабинет",
    },
}
# What no label of a chat is called: where pages say it, they speak of keys, plans and documents.
OUT_OF_CHATS = {
    "en": {r"^(Active|Ready)$": "Unanswered, Answered"},
    "ru": {r"^Готов(ые)?$": "Отвечен", r"^Активные$": "Без ответа", r"^Вернуть$": "Снять с себя"},
}
# What a word means elsewhere: signs of a script, another vendor's page, a computer.
EXCUSED = {
    "en": {
        "letters that are none: the font does not name them",
        "Must be a list of handles of 3 to 32 letters, digits and _, without @.",
        "The token of the bot, of the Viber admin panel.",
    },
    "ru": set[str](),
}
# How many texts of a surface still have a word that is out. May only shrink; a surface that is missing has none.
STILL: dict[str, int] = {}
# How many hints of forms and models are longer than twelve words. May only shrink.
HINT_WORDS, LONG_HINTS = 12, 41

STATIC = PROJECT_ROOT / "apps"
_CODE = re.compile(r"`[^`]*`")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


def catalogue(language: str) -> Iterator[str]:
    """The texts of the pages: message ids in English, their translations in Russian."""
    with (PROJECT_ROOT / "locale/ru/LC_MESSAGES/django.po").open("rb") as file:
        for message in read_po(file):
            texts = message.id if language == "en" else message.string
            if message.id:
                yield from [texts] if isinstance(texts, str) else texts


def strings_of(*paths: str) -> Iterator[str]:
    for path in paths:
        yield from (part for found in _STRING.findall((STATIC / path).read_text()) for part in found.split("|"))


def surfaces(language: str) -> Iterator[tuple[str, str]]:
    """Every text that people read, with the surface that it stands on."""
    yield from (("pages", text) for text in catalogue(language))
    console = f"console/static/console/base/texts/{language}.js"
    yield from (("console", text) for text in strings_of(console))
    widget = "widget/static/widget/languages"
    yield from (("widget", text) for text in strings_of(f"{widget}/{language}.js", f"{widget}/more/{language}.js"))
    if language == "en":
        for path in sorted((PROJECT_ROOT / "docs").glob("openapi*.yaml")):
            yield from (("API", text) for text in described(yaml.load(path.read_text(), yaml.CSafeLoader)))


def found_out(language: str, text: str, surface: str = "console") -> list[str]:
    """The words of a text that are out, each with the one that stands in its place. A name of the API is none."""
    text = _CODE.sub("", text)
    if text in EXCUSED[language]:
        return []
    out = OUT[language] | (OUT_OF_CHATS[language] if surface in ("console", "widget") else {})
    return [f"{word} → {other}" for word, other in out.items() if re.search(word, text, re.IGNORECASE)]


@pytest.mark.parametrize("language", OUT)
def test_no_text_has_a_word_that_is_out(language: str) -> None:
    found = [(surface, text, out) for surface, text in surfaces(language) for out in found_out(language, text, surface)]
    counted = Counter(f"{surface} {language}" for surface, _text, _out in found)
    assert {name: count for name, count in counted.items() if count > STILL.get(name, 0)} == {}, found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Please check the address."),
        ("en", "Nobody has it"),
        ("en", "The chat is put aside"),
        ("ru", "Никем не взят"),
        ("ru", "Мы на связи"),
        ("ru", "Комментарий (можно не писать)"),
    ],
)
def test_a_word_that_is_out_is_found(language: str, text: str) -> None:
    assert len(found_out(language, text)) == 1


def test_an_excuse_has_its_text() -> None:
    for language, texts in EXCUSED.items():
        assert texts <= {text for _surface, text in surfaces(language)}


def test_the_glossary_has_the_words_that_people_read() -> None:
    table = (PROJECT_ROOT / "GLOSSARY.md").read_text().partition("## What people read")[2]
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", table, re.MULTILINE)
    assert ("Unassigned", "Не назначен", "Nobody has it, Никем не взят") in rows
    assert len(rows) == 12, "the head and eleven things"


def hints() -> Iterator[tuple[str, str]]:
    """The short explanations of fields, with the files that they stand in."""
    for path in source_files("apps"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.keyword) and node.arg == "help_text" and isinstance(node.value, ast.Call):
                for argument in node.value.args[:1]:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield name_of(path), argument.value


def test_hints_are_short() -> None:
    long = [(path, text) for path, text in hints() if len(text.split()) > HINT_WORDS]
    assert len(long) <= LONG_HINTS, long
