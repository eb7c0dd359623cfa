"""Bots in the cabinet: an account registers its widgets' own, moves, disables and deletes them."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Widget
from apps.compat import actions
from apps.compat.models import LegacyBot
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db
PAGES = "/admin/compat/legacybot/"
URL = "https://93.184.216.34/parley?token=secret"


@pytest.fixture
def registered(shop: Widget) -> LegacyBot:
    return actions.register_bot(widget_id=shop.pk, url=URL, target=URL)


@pytest.fixture
def foreign(rival: Rival) -> LegacyBot:
    return actions.register_bot(widget_id=rival.widget.pk, url=f"{URL}&rival", target=f"{URL}&rival")


def test_a_bot_is_registered(cabinet: Client, shop: Widget) -> None:
    assert list(cabinet.get(f"{PAGES}add/").context["adminform"].fields) == ["widget", "url"]
    form = {"widget": shop.pk, "url": "HTTPS://93.184.216.34:443/parley"}
    assert cabinet.post(f"{PAGES}add/", form).status_code == 302
    bot = LegacyBot.objects.get()
    assert (bot.widget, bot.url, bot.is_active) == (shop, form["url"], True)
    assert bot.target == "https://93.184.216.34/parley"
    assert bot.secret.startswith("cs_")


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://93.184.216.34/",
        "https://127.0.0.1/",
        "https://user:word@93.184.216.34/",
        "https://nowhere.invalid/",
        "bot",
        "https://93.184.216.34/" + 2048 * "a",
    ],
)
def test_an_address_that_cannot_be_called_is_refused(cabinet: Client, shop: Widget, url: str) -> None:
    page = cabinet.post(f"{PAGES}add/", {"widget": shop.pk, "url": url})
    assert page.status_code == 200
    assert list(page.context["adminform"].form.errors) == ["url"]
    assert not LegacyBot.objects.exists()


def test_a_widget_has_one_bot(cabinet: Client, registered: LegacyBot) -> None:
    page = cabinet.post(f"{PAGES}add/", {"widget": registered.widget_id, "url": URL})
    assert list(page.context["adminform"].form.errors) == ["widget"]
    assert LegacyBot.objects.get() == registered


def test_another_accounts_widget_is_no_choice(cabinet: Client, rival: Rival) -> None:
    page = cabinet.post(f"{PAGES}add/", {"widget": rival.widget.pk, "url": URL})
    assert list(page.context["adminform"].form.errors) == ["widget"]
    assert not LegacyBot.objects.exists()


@pytest.mark.parametrize("more", [{}, {"is_active": "on"}])
def test_a_bot_moves_and_is_disabled(cabinet: Client, registered: LegacyBot, more: Any) -> None:
    before = registered.secret
    form = {"url": "https://93.184.216.35/new", **more}
    assert cabinet.post(f"{PAGES}{registered.pk}/change/", form).status_code == 302
    registered.refresh_from_db()
    assert (registered.url, registered.target) == (form["url"], form["url"])
    assert (registered.is_active, registered.secret) == (bool(more), before)


def test_an_address_that_cannot_be_called_changes_nothing(cabinet: Client, registered: LegacyBot) -> None:
    assert cabinet.post(f"{PAGES}{registered.pk}/change/", {"url": "https://10.0.0.1/"}).status_code == 200
    registered.refresh_from_db()
    assert (registered.url, registered.target, registered.is_active) == (URL, URL, True)


def test_a_bot_whose_host_is_gone_is_disabled(cabinet: Client, registered: LegacyBot) -> None:
    gone = "https://bot.gone.invalid/parley"
    LegacyBot.objects.filter(pk=registered.pk).update(url=gone, target=gone)
    assert cabinet.post(f"{PAGES}{registered.pk}/change/", {"url": gone}).status_code == 302
    registered.refresh_from_db()
    assert (registered.url, registered.target, registered.is_active) == (gone, gone, False)


def test_a_secret_is_replaced_and_shown_once(cabinet: Client, registered: LegacyBot) -> None:
    old = registered.secret
    page = cabinet.post(f"{PAGES}{registered.pk}/secret/", follow=True)
    registered.refresh_from_db()
    assert registered.secret != old
    assert registered.secret in page.content.decode()
    for path in ("", f"{registered.pk}/change/", f"{registered.pk}/secret/"):
        shown = cabinet.get(PAGES + path)
        assert shown.status_code == 200, path
        assert registered.secret not in shown.content.decode()


def test_a_bot_is_deleted(cabinet: Client, registered: LegacyBot) -> None:
    assert cabinet.post(f"{PAGES}{registered.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not LegacyBot.objects.exists()


@pytest.mark.parametrize("path", ["change/", "secret/", "delete/"])
def test_another_accounts_bot_is_not_there(cabinet: Client, foreign: LegacyBot, path: str) -> None:
    before = foreign.secret
    assert foreign.url not in cabinet.get(PAGES).content.decode()
    assert cabinet.post(f"{PAGES}{foreign.pk}/{path}", {"post": "yes", "url": URL}).status_code == 404
    foreign.refresh_from_db()
    assert (foreign.secret, foreign.url) == (before, f"{URL}&rival")


def test_a_viewer_changes_nothing(shop: Widget, registered: LegacyBot) -> None:
    browser = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    before = registered.secret
    for path, form in (("change/", {"url": URL}), ("secret/", {}), ("delete/", {"post": "yes"})):
        assert browser.post(f"{PAGES}{registered.pk}/{path}", form).status_code == 403
    assert browser.post(f"{PAGES}add/", {"widget": shop.pk, "url": URL}).status_code == 403
    registered.refresh_from_db()
    assert (registered.secret, registered.is_active) == (before, True)
    assert browser.get(PAGES).status_code == 200
