"""Three collections of help in Russian and English, out of packages of Debian that are fetched and never installed.

`gnome-user-docs` is for development: a topic's title, or its description, asks for its body. `debian-faq` is held out:
nothing is tuned by it; a question asks for its answer. `gimp-help` is the third, which nothing was ever tuned by: the
title of a section asks for its text.
"""

import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree, html

from config.environment import PROJECT_ROOT

PACKAGES = ("gnome-user-docs", "debian-faq", "debian-faq-ru", "gimp-help-ru", "gimp-help-en")
KEPT = PROJECT_ROOT / "var/bench/packages"
LANGUAGES = ("ru", "en")
FEWEST_CHARACTERS = 300
SEED = 34
MOST = 60

_MALLARD = "{http://projectmallard.org/1.0/}"
_CYRILLIC = re.compile(r"[а-яё]", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{5,}")
_CODE = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_./][A-Za-z0-9]+)*[A-Za-z0-9]{2,}")
_LETTERS = {"ru": "абвгдежзиклмнопрстуфхцчшщыэюя", "en": "abcdefghijklmnopqrstuvwxyz"}


class Topic(NamedTuple):
    """A question and the document that answers it, in one language; `key` is the same in the other."""

    key: str
    question: str
    document: str


class Query(NamedTuple):
    """A question of a track, to the documents in `language`; `key` is the one that answers."""

    language: str
    text: str
    key: str


Collection = dict[str, list[Topic]]


def fetch(folder: Path) -> Path:
    """Unpacks the packages, which are downloaded once. Raises RuntimeError where they can't be had."""
    KEPT.mkdir(parents=True, exist_ok=True)
    missing = [name for name in PACKAGES if not any(KEPT.glob(f"{name}_*.deb"))]
    try:
        if missing:
            subprocess.run(["apt-get", "download", *missing], cwd=KEPT, check=True, capture_output=True)
        for package in [next(KEPT.glob(f"{name}_*.deb")) for name in PACKAGES]:
            subprocess.run(["dpkg", "-x", package, folder / "files"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise RuntimeError(
            f"the collections are not measured: apt-get download {' '.join(PACKAGES)}: {error}"
        ) from None
    return folder / "files"


def collections(files: Path) -> dict[str, Collection]:
    """All, each topic in both languages."""
    gimp = files / "usr/share/gimp/3.0/help"
    gimp = gimp if gimp.is_dir() else files / "usr/share/gimp/2.0/help"
    help_, faq = files / "usr/share/help", files / "usr/share/doc/debian/FAQ"
    return {
        "development": _in_both(
            dict(_pages(help_ / "ru/gnome-help")), dict(_pages(help_ / "C/gnome-help")), FEWEST_CHARACTERS
        ),
        "held out": _in_both(dict(_answers(faq / "ru", "*.ru.html")), dict(_answers(faq, "*.en.html")), 1),
        "third": _in_both(dict(_chapters(gimp / "ru")), dict(_chapters(gimp / "en")), FEWEST_CHARACTERS),
    }


def tracks(collection: Collection) -> dict[str, list[Query]]:
    """The questions, by track: a seeded MOST of each at most, as spelling takes a second a question."""
    chance = random.Random(SEED)
    every = _tracks(collection)
    return {track: chance.sample(queries, min(MOST, len(queries))) for track, queries in every.items()}


def _tracks(collection: Collection) -> dict[str, list[Query]]:
    plain = {to: [Query(to, one.question, one.key) for one in collection[to]] for to in LANGUAGES}
    chance = random.Random(SEED)
    misspelt = [query._replace(text=_misspelt(query, chance)) for to in LANGUAGES for query in plain[to]]
    return {
        "ru": plain["ru"],
        "en": plain["en"],
        "ru to en": [query._replace(language="en") for query in plain["ru"]],
        "en to ru": [query._replace(language="ru") for query in plain["en"]],
        "misspelt": [one for one, was in zip(misspelt, plain["ru"] + plain["en"], strict=True) if one != was],
        "codes": [query for to in LANGUAGES for query in _codes(to, collection[to], chance)],
        "other keyboard": [query._replace(text=_other_keyboard(query)) for query in plain["ru"] + plain["en"]],
        "follow-up": [query for to in LANGUAGES for query in _follow_ups(to, collection[to], chance)],
    }


def _in_both(ru: dict[str, Topic], en: dict[str, Topic], fewest: int) -> Collection:
    keys = [
        key
        for key in sorted(ru.keys() & en.keys())
        if all(_CYRILLIC.search(text) for text in ru[key][1:])
        and min(len(ru[key].document), len(en[key].document)) >= fewest
    ]
    return {"ru": [ru[key] for key in keys], "en": [en[key] for key in keys]}


def _pages(folder: Path) -> Iterator[tuple[str, Topic]]:
    for place, path in enumerate(sorted(folder.glob("*.page"))):
        page = etree.parse(path).getroot()
        if page.get("type") != "topic":
            continue
        title = _text_of(page.find(f"{_MALLARD}title"))
        description = _text_of(page.find(f"{_MALLARD}info/{_MALLARD}desc"))
        question = description if place % 2 and description else title
        yield path.stem, Topic(path.stem, question, "\n\n".join(_blocks(page)))


def _blocks(page: etree._Element) -> Iterator[str]:
    for node in page.iter(f"{_MALLARD}p", f"{_MALLARD}title", f"{_MALLARD}code", f"{_MALLARD}screen"):
        above = {etree.QName(one).localname for one in node.iterancestors() if isinstance(one.tag, str)}
        name = etree.QName(node).localname
        if "info" in above or (name == "title" and "section" not in above) or (name == "code" and "p" in above):
            continue
        if text := _text_of(node):
            yield f"## {text}" if name == "title" else text


def _answers(folder: Path, pattern: str) -> Iterator[tuple[str, Topic]]:
    for path in sorted(folder.glob(pattern)):
        for section in html.parse(path).getroot().iter("div"):
            heading = section.find("./div[@class='titlepage']//h2")
            if section.get("class") != "section" or heading is None:
                continue
            key = f"{path.name.partition('.')[0]}-{heading.find('.//a').get('id')}"
            question = re.sub(r"^[\d.]+\s*", "", _text_of(heading))
            blocks = (_text_of(node) for node in section.iter("p", "pre", "h3", "dt"))
            yield key, Topic(key, question, "\n\n".join(text for text in blocks if text))


def _chapters(folder: Path) -> Iterator[tuple[str, Topic]]:
    for path in sorted(folder.glob("*.html")):
        root = html.parse(path, html.HTMLParser(encoding="utf-8")).getroot()
        heading = root.find(".//h1") if root.find(".//h2") is None else root.find(".//h2")
        if heading is None:
            continue
        question = re.sub(r"^[\d.\s]+", "", _text_of(heading))
        blocks = [text for node in root.iter("p", "pre", "dt") if (text := _text_of(node))]
        yield path.stem, Topic(path.stem, question, "\n\n".join(blocks)[:8_000])


def _text_of(node: etree._Element | None) -> str:
    return "" if node is None else " ".join("".join(map(str, node.itertext())).split())


def _misspelt(query: Query, chance: random.Random) -> str:
    """One edit in every second long word."""
    count = 0

    def edited(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        word, place = match[0], chance.randrange(1, len(match[0]) - 1)
        letter = chance.choice(_LETTERS[query.language])
        changes = (
            word[:place] + word[place + 1 :],
            word[:place] + letter + word[place:],
            word[:place] + letter + word[place + 1 :],
            word[:place] + word[place + 1] + word[place] + word[place + 2 :],
        )
        return chance.choice(changes) if count % 2 else word

    return _WORD.sub(edited, query.text)


_KEYS = ("qwertyuiop[]asdfghjkl;'zxcvbnm,.`", "йцукенгшщзхъфывапролджэячсмитьбюё")


def _other_keyboard(query: Query) -> str:
    """The question as it is typed without a look at the language of the keyboard."""
    typed = str.maketrans(*(_KEYS if query.language == "en" else _KEYS[::-1]))
    return query.text.lower().translate(typed)


def _follow_ups(language: str, topics: list[Topic], chance: random.Random) -> Iterator[Query]:
    """The last words of a question alone, behind a message of its first ones, as both are searched."""
    from apps.ai.rules.search_terms import searched

    opener = {"ru": "а ", "en": "and "}[language]
    for topic in topics:
        words = topic.question.split()
        if len(words) >= 4:
            rest = " ".join(words[-2:])
            yield Query(language, searched([" ".join(words[:-2])], f"{opener}{rest}?"), topic.key)


def _codes(language: str, topics: list[Topic], chance: random.Random) -> Iterator[Query]:
    """A token of each document that no other has; in Russian a Latin one, in English one with a digit or a mark."""
    tokens = {topic.key: {match.lower() for match in _CODE.findall(topic.document)} for topic in topics}
    number = Counter(token for found in tokens.values() for token in found)
    for key, found in tokens.items():
        alone = sorted(one for one in found if number[one] == 1 and (language == "ru" or not one.isalpha()))
        if alone:
            yield Query(language, chance.choice(alone), key)
