"""What people read is in their language, Russian or English; what programs read is English always."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.core import plugins
from tests.client import ApiClient, assert_problem

RUSSIAN = {"Accept-Language": "ru,en;q=0.5", "Accept": "text/html"}
ADD_TOKEN = "/admin/accounts/apitoken/add/"


def text_of(response: Any) -> str:
    return str(response.content.decode())


@pytest.fixture
def copied_locale(tmp_path: Path, settings: Settings) -> Path:
    """A copy of the catalogues, which stands in their place."""
    (locale,) = settings.LOCALE_PATHS
    settings.LOCALE_PATHS = [shutil.copytree(locale, tmp_path / "locale")]
    return tmp_path / "locale"


def test_the_catalogues_hold_every_text_and_its_translation() -> None:
    call_command("makemessages", check=True)


def test_a_text_without_translation_is_named_and_nothing_is_written(copied_locale: Path) -> None:
    catalogue = copied_locale / "ru" / "LC_MESSAGES" / "django.po"
    lacking = catalogue.read_text().replace('msgstr "Не найдено"', 'msgstr ""')
    catalogue.write_text(lacking)
    with pytest.raises(CommandError) as refusal:
        call_command("makemessages", check=True)
    assert str(refusal.value).splitlines() == [
        "locale/ru/LC_MESSAGES/django.mo is not up to date: manage.py makemessages",
        "ru: not translated: 'Not found'",
    ]
    assert catalogue.read_text() == lacking


@pytest.mark.slow
def test_a_new_text_is_added_to_be_translated_and_a_text_that_is_gone_leaves(
    copied_locale: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    catalogue = copied_locale / "ru" / "LC_MESSAGES" / "django.po"
    before = catalogue.read_text()
    catalogue.write_text(before.replace('msgid "Not found"', 'msgid "Gone"'))
    call_command("makemessages")
    assert capsys.readouterr().out == "ru: not translated: 'Not found'\n"
    assert catalogue.read_text() == before.replace('msgstr "Не найдено"', 'msgstr ""')


@pytest.mark.slow
def test_a_translation_that_loses_a_value_is_named(copied_locale: Path) -> None:
    catalogue = copied_locale / "ru" / "LC_MESSAGES" / "django.po"
    catalogue.write_text(catalogue.read_text().replace("Токен %(token)s отозван.", "Токен %(wrong)s отозван."))
    with pytest.raises(CommandError, match=re.escape("'%(token)s is revoked.'")):
        call_command("makemessages", check=True)


def test_the_form_for_tokens_is_russian_for_who_reads_russian(cabinet: Client) -> None:
    page = text_of(cabinet.get(ADD_TOKEN, headers=RUSSIAN))
    assert '<html lang="ru"' in page
    assert "Создание: токен API" in page
    assert "Что разрешено токену." in page
    groups = re.findall(r"<legend>([^<]+)</legend>", page)
    grants = re.findall(r'class="scope-grants"[^>]*>([^<]+)<', page)
    assert len(grants) == len(plugins.scopes())
    for text in (*groups, *grants):
        assert re.search(r"[а-яё]", text, re.IGNORECASE), text
    for preset in ("Настройка ИИ", "Агенты поддержки", "Все, кроме поддержки", "Ничего"):
        assert f">{preset}</button>" in page


def test_an_issued_token_is_shown_in_russian(cabinet: Client, shop: Widget) -> None:
    form = {"name": "CRM", "widget": shop.pk, "scopes": ["chats:read"], "expires": ""}
    page = text_of(cabinet.post(ADD_TOKEN, form, headers=RUSSIAN, follow=True))
    assert "Токен API выпущен" in page
    assert f"токен для виджета <strong>{shop.name}</strong>" in page


@pytest.mark.parametrize(
    ("language", "its", "text"),
    [
        ("ru", "ru", "По этому адресу ничего нет."),
        ("en", "en", "There is nothing at this address."),
        ("de", "en", "There is nothing at this address."),  # we have no German texts, and say so
    ],
)
def test_the_page_of_no_address(language: str, its: str, text: str) -> None:
    response = Client().get("/nowhere", headers={"Accept-Language": language, "Accept": "text/html"})
    assert response.status_code == 404
    assert f'<html lang="{its}">' in text_of(response)
    assert text in text_of(response)


@pytest.mark.usefixtures("shop")
def test_the_demo_page_is_russian_for_who_reads_russian() -> None:
    page = text_of(Client().get("/demo/", headers=RUSSIAN))
    assert '<html lang="ru">' in page
    assert "Магазин выдуман, чат настоящий." in page
    assert "Try the chat" not in page


def test_the_pages_of_problems_and_the_api_stay_english(db: None) -> None:
    page = text_of(Client().get("/problems/not_found", headers=RUSSIAN))
    assert '<html lang="en">' in page
    refusal = Client().get("/api/v1/chats", headers=RUSSIAN)
    assert_problem(refusal, 401, "not_authenticated")
    assert refusal.json() == Client().get("/api/v1/chats").json()


def test_an_answer_is_english_after_a_page_that_was_not(api: ApiClient) -> None:
    """One thread draws both."""
    assert "Войти" in Client().get("/console/login/", headers=RUSSIAN).content.decode()
    refusal = api.post("/departments", json={})
    assert refusal.json()["errors"] == {"name": ["This field is required."]}
