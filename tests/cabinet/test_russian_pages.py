"""Every page of the cabinet in Russian, as an owner, a reader and the installation's clerk: no word of another
alphabet, but names, codes that people type, and what people wrote.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.cabinet import refusals
from apps.cabinet.coded_values import display_value, worded_columns
from apps.core.errors import INVALID_INPUT
from apps.core.problems import problem_types
from apps.demo import seeding
from apps.widget.rules import icons, skins
from tests.cast import signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.parameters import slow_unless

pytestmark = pytest.mark.django_db

SKINS = {word for name in (*(skin.name for skin in skins.SKINS), *icons.NAMES.values()) for word in str(name).split()}
# Names of products, formats and standards, which have no other spelling.
KNOWN = frozenset(
    re.findall(
        r"\w+",
        """
        Parley Telegram WhatsApp Viber Facebook Messenger Instagram MAX VK Vk Avito Av Cian AliExpress
        Google Apple Android Windows Python PHP JavaScript JS JSON JSONL CSV PDF DOCX XLSX TXT HTML CSS XML
        ZIP PNG JPEG JPG GIF WEBP WebP SVG API REST URL URI HTTP HTTPS Https SMS QR IP IPv IPv4 IPv6 UTC GMT
        ID id guid GUID AI OpenAI Openai Anthropic GigaChat YandexGPT DeepSeek Gemini Word Excel PowerPoint
        Chrome Firefox Safari SSO OIDC SHA HMAC SMTP DNS TLS SSL CIDR UTF MCP Webhook px ms GB MB KB Ctrl Alt
        esc Markdown robots txt sitemap xml English Deutsch Espa ol UTM App Store Play Package WordPress Tilda Bitrix
        Shopify Tag Manager GTM CMS React Vue Angular Content Security Policy CSP Chatwoot Bearer
        Authorization Ollama vLLM OpenRouter Upload slots ad chat finished client updated WIN BIG NOW ch db
        SSRF EGRESS Redis PostgreSQL Celery S3 Valkey USD RUB EUR pdf docx xlsx md html csv ods odt index tg
        vk ru en de es manage py note backup worker beat MAIL REPLY ADDRESS seen move Authentication Results
        DKIM INBOX
        """,
    )
)
# What other pages have still to say in Russian. May only shrink.
LEFT = frozenset(
    {
        "Odnoklassniki",
        "User",
        "Messages",
        "base",
        "expire",
        "notice",
        "presences",
        "knowledge",
        "other",
        "models",
    }
)
# Skins and icons have names of their own, and the first sentence of the AI stands in its visitors' languages.
OF_THE_LOOK = re.compile(r"/(widget/widgetlook|ai/aisettings)/")
WORD = re.compile(r"[A-Za-z][A-Za-z'’]*(?:[_.:/@-][A-Za-z0-9_.:/@-]*)?")
# What people type as it is: scopes and events, addresses, numbers in hexadecimal.
TYPED = re.compile(
    r"pt_\w+|\b\w*\d\w*\b|"
    r"https?://\S+|\S+@\S+|\b[a-z_]+(?:[:.][a-z_]+)+\b|[\w-]+\.(?:ru|com|example|app|db)\b|\b[0-9a-f-]{8,}\b|/[\w/<>.{}-]+"
)


class Texts(HTMLParser):
    """The texts of a page that are the product's own: without code, values that people wrote, and attributes."""

    SKIPPED = ("script", "style", "code", "pre", "textarea", "option", "svg")

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._skips: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        is_skipped = tag in self.SKIPPED or "material-symbols" in (values.get("class") or "") or "data-theirs" in values
        if tag in ("input", "br", "hr", "img", "link", "meta", "path"):
            self.texts += [values.get(name) or "" for name in ("title", "aria-label")]
            if values.get("type") in ("submit", "button"):
                self.texts.append(values.get("value") or "")
            return
        if is_skipped or self._skips:
            self._skips.append(tag)
        else:
            self.texts += [values.get(name) or "" for name in ("title", "aria-label")]

    def handle_endtag(self, tag: str) -> None:
        if self._skips and tag in self._skips:
            while self._skips.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._skips:
            self.texts.append(data)


def foreign_words(page: str, theirs: set[str]) -> set[str]:
    """The product's words in Latin letters: without those that stand in what people wrote (`theirs`)."""
    reader = Texts()
    reader.feed(page)
    words = {word for text in reader.texts for word in WORD.findall(TYPED.sub(" ", text))}
    return {word for word in words if not _is_known(word, theirs)}


def _is_known(word: str, theirs: set[str]) -> bool:
    parts = re.findall(r"[A-Za-z0-9]+", word)
    return word.casefold() in theirs or all(
        len(part) == 1 or part in KNOWN or part in LEFT or part.casefold() in theirs for part in parts
    )


@pytest.fixture
def theirs(settings: Settings, tmp_path: Path) -> set[str]:
    """The demo data, and all words that people wrote in it."""
    settings.PARLEY_HOME = tmp_path / "home"
    seeding.seed()
    kinds = (models.TextField, models.CharField, models.JSONField, ArrayField)
    texts: list[str] = []
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if model.__module__.startswith("apps.") and isinstance(field, kinds) and not field.choices:
                texts += map(str, model._base_manager.order_by().values_list(field.name, flat=True)[:500])
    return {
        word.casefold()
        for text in texts
        for each in (r"[A-Za-z0-9]+", r"[A-Za-z0-9_.:-]+")
        for word in re.findall(each, text)
    }


def pages_of(browser: Client, *, with_forms: bool) -> Iterator[tuple[str, str]]:
    """Every page that a person may open, by its address: of each list its first row's too, and refused forms."""
    addresses = ["/admin/", "/admin/password_change/", "/admin/two-factor/", "/admin/no-such-page/"]
    names = [f"admin:{model._meta.app_label}_{model._meta.model_name}" for model in admin.site._registry]
    for address in [*addresses, *(reverse(f"{name}_changelist") for name in names)]:
        page = browser.get(address).content.decode()
        yield address, page
        for row in re.findall(rf'href="({re.escape(address)}[^"/?]+/change/)', page)[:1]:
            yield row, browser.get(row).content.decode()
    for address in (reverse(f"{name}_add") for name in names):
        answer = browser.get(address)
        yield address, answer.content.decode()
        if with_forms and answer.status_code == 200:
            yield f"{address} (refused)", browser.post(address, {"name": ""}).content.decode()


@pytest.mark.parametrize("role", slow_unless("owner".__eq__, ["owner", "viewer", "clerk"]))
def test_no_page_has_a_word_of_another_language(role: str, theirs: set[str]) -> None:
    account = Widget.objects.earliest("pk").account
    person = (
        SuperuserFactory.create(language="ru", email="clerk@parley.test")
        if role == "clerk"
        else StaffFactory.create(account=account, role=role, language="ru", email="person@parley.test")
    )
    browser = Client(headers={"accept-language": "ru", "accept": "text/html"})
    browser.force_login(person)
    found: dict[str, list[str]] = defaultdict(list)
    for address, page in pages_of(browser, with_forms=role == "owner"):
        if not OF_THE_LOOK.search(address):
            for word in foreign_words(page, theirs):
                found[word].append(address)
    assert {word: addresses[:3] for word, addresses in found.items()} == {}


@pytest.mark.parametrize("path", ["widget/widgetlook", "ai/aisettings"])
def test_labels_of_the_look_are_russian(path: str, theirs: set[str]) -> None:
    """Of the two pages that have foreign words of their own, the labels."""
    browser = signed_in(StaffFactory.create(account=Widget.objects.earliest("pk").account, role="owner", language="ru"))
    page = browser.get(f"/admin/{path}/{Widget.objects.earliest('pk').pk}/change/").content.decode()
    labels = "".join(re.findall(r"<label\b.*?</label>", page, re.DOTALL))
    assert {
        word
        for word in foreign_words(labels, theirs)
        if not {word, *re.findall(r"\w+", word)} & {*SKINS, "Espa", "ol", "custom"}
    } == set()


def test_every_code_that_is_shown_has_a_russian_name() -> None:
    nameless = set()
    with translation.override("ru"):
        for model, page in admin.site._registry.items():
            shown = {*page.list_display, *(page.fields or ()), *page.readonly_fields}
            for name in worded_columns(model).keys() & shown:
                labels = [label for value, label in model._meta.get_field(name).flatchoices if value]
                nameless |= {f"{model.__name__}.{name}: {label}" for label in labels if display_value(label) == label}
    assert {each for each in nameless if not each.startswith(("User.language", "AiSettings."))} == set()


def test_refusals_are_russian() -> None:
    with translation.override("ru"):
        for code, problem in problem_types().items():
            assert not problem.for_people or re.search("[А-я]", gettext(problem.for_people)), code
        assert refusals.in_readers_words("Must have at most 2048 characters.") == "Не больше 2048 символов."
        assert refusals.in_readers_words("This is not what it may be.") == "Такое значение не подходит."
        assert refusals.words_of(INVALID_INPUT(errors={"url": ["Must be an absolute URL."]})) == (
            "Нужен полный адрес, с https:// в начале."
        )


def test_what_django_says_of_a_row_fits_any_gender(cabinet: Client, shop: Widget) -> None:
    form = {"name": "Розы", "api_enabled": "on", "seats": shop.seats}
    page = f"/admin/accounts/widget/{shop.pk}/change/"
    answer = cabinet.post(page, form, follow=True, headers={"accept-language": "ru"})
    assert "Сохранено: " in answer.content.decode()
