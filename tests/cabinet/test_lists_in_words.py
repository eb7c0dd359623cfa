"""Every list of the cabinet: values are words, moments one line, titles nouns, no column that says one thing of all."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.cabinet.moments import spoken
from apps.demo import seeding
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db

# Of a program, not of a person: two words joined, a thing in brackets, a kind before a number, marks, names of Python.
RAW = re.compile(r"[a-z]+_[a-z_]+|\[\w+\].*|(?:upload|manual|crawl):\w+|[✓✗×]|True|False|None|-|active|ready|expired")
# Addresses, names and lists of events that people chose or type so.
TYPED = {"events", "event_list", "scopes", "receivers", "hint"}
VERBS = re.compile(r"(?:Select|Choose|Change|View|Выберите|Изменить|Просмотреть)\b")


class Listed(HTMLParser):
    """The heads and rows of a list, without what the page hides."""

    def __init__(self, page: str) -> None:
        super().__init__()
        hidden = re.search(r"<style>(#result_list [^{]+)\{ display: none", page)
        self.hidden = set(re.findall(r"\.field-([\w-]+)", hidden[1])) if hidden else set()
        self.cells: list[tuple[str, str, str]] = []  # the column, its label, the text
        self._at: tuple[str, str] | None = None
        self._text = ""
        self.feed(page.partition('id="result_list"')[2].partition("</table>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        name = re.search(r"field-([\w-]+)", values.get("class") or "")
        if tag in ("td", "th") and name and name[1] not in self.hidden:
            self._at, self._text = (name[1], values.get("data-label") or ""), ""

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._at:
            self.cells.append((*self._at, " ".join(self._text.split())))
            self._at = None


@pytest.fixture
def shop_of_the_demo(settings: Settings, tmp_path: Path) -> Widget:
    settings.PARLEY_HOME = tmp_path / "home"
    seeding.seed()
    return Widget.objects.earliest("pk")


def lists(widget: Widget, language: str) -> Iterator[tuple[str, str]]:
    browser = Client(headers={"accept-language": language})
    browser.force_login(StaffFactory.create(account=widget.account, role="owner", language=language))
    for model in admin.site._registry:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        answer = browser.get(address, follow=True)
        if answer.status_code == 200:
            yield address, answer.content.decode()


@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_list_says_words_and_every_title_is_a_noun(shop_of_the_demo: Widget, language: str) -> None:
    raw, titles, twice, alike, seen = [], [], [], [], 0
    for address, page in lists(shop_of_the_demo, language):
        title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
        head = re.search(r"<h1.*?</h1>", page, re.DOTALL)
        assert title is not None
        assert head is not None, f"{address} has no head"
        crumbs = re.findall(r"header-words[^>]*>([^<]+)<", head[0])
        if VERBS.match(title[1].strip()) or len(set(crumbs)) < len(crumbs) or not crumbs:
            titles.append((address, title[1].strip(), crumbs))
        listed = Listed(page)
        if not listed.cells:
            continue
        seen += 1
        first = next(iter(listed.cells))[0]
        labels = {name: label for name, label, _text in listed.cells}
        twice += [(address, label) for label, count in Counter(labels.values()).items() if count > 1]
        for name, label in labels.items():
            texts = [text for column, _label, text in listed.cells if column == name]
            raw += [(address, label, text) for text in texts if name not in TYPED and RAW.fullmatch(text)]
            raw += [(address, label, text) for text in texts if re.search(r"\d{4} г\. \d|\d{4}, \d", text)]
            raw += [(address, label, "a small letter") for _ in [0] if label[:1].islower()]
            if name != first and len(texts) > 1 and len(set(texts)) == 1:
                alike.append((address, label, texts[0]))
    assert seen > 20
    assert (raw, titles, twice, alike) == ([], [], [], [])


@pytest.mark.parametrize(
    ("ago", "en", "ru"),
    [
        (timedelta(seconds=20), "now", "сейчас"),
        (timedelta(minutes=5, seconds=10), "5 min", "5 мин"),
        (timedelta(hours=3), "2:30 p.m.", "14:30"),
        (timedelta(hours=20), "Yesterday", "Вчера"),
        (timedelta(days=5), "23 Nov", "23 ноя"),
        (timedelta(days=365), "28 Nov 2025", "28 ноя 2025"),
        (timedelta(hours=-2), "7:30 p.m.", "19:30"),
        (timedelta(days=-3), "1 Dec", "1 дек"),
    ],
)
def test_a_moment_is_one_short_line(ago: timedelta, en: str, ru: str) -> None:
    now = datetime(2026, 11, 28, 17, 30, tzinfo=UTC)
    with timezone.override(UTC):
        for language, told in (("en", en), ("ru", ru)):
            with translation.override(language):
                assert spoken(now - ago, now) == told
