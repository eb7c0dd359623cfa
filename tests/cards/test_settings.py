"""The settings of cards: the cabinet's page and `manage.py set_cards`, with the same refusals."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from apps.accounts.actions.widget_export import ExportTable
from apps.accounts.models import AuditEntry, Widget
from apps.agents.models import Agent
from apps.cards.export import EXPORT
from apps.cards.models import CardSettings
from apps.cards.rules.settings import imported_cards_refusal
from tests.cards.shop import ShopProgram
from tests.cast import Rival, signed_in

pytestmark = pytest.mark.django_db


def run(widget: Widget, *given: str) -> dict[str, Any]:
    out = StringIO()
    call_command("set_cards", "--widget", widget.guid, "--json", *given, stdout=out)
    said: dict[str, Any] = json.loads(out.getvalue())
    return said


def kept(widget: Widget) -> CardSettings:
    return CardSettings.objects.for_widget(widget.pk).get()


class TestCommand:
    def test_it_tells_the_secret_at_first_and_when_it_is_replaced(self, shop: Widget, program: ShopProgram) -> None:
        first = run(shop, "--url", program.url, "--card", "order:Last order:60", "--card", "bonus:Points")
        assert first["cards"] == [
            {"key": "order", "title": "Last order", "ttl_seconds": 60},
            {"key": "bonus", "title": "Points", "ttl_seconds": 300},
        ]
        assert kept(shop).secret == first["secret"]
        again = run(shop, "--card", "order:Order")
        assert (again["url"], again["secret"]) == (program.url, None)
        rotated = run(shop, "--rotate")
        assert rotated["secret"] not in (None, first["secret"])
        assert kept(shop).secret == rotated["secret"]
        assert kept(shop).cards == [{"key": "order", "title": "Order", "ttl_seconds": 300}]

    def test_removed_is_gone(self, shop: Widget, secret: str) -> None:
        assert run(shop, "--remove") == {"url": None, "secret": None, "cards": []}
        assert not CardSettings.objects.for_widget(shop.pk).exists()

    @pytest.mark.parametrize(
        ("given", "named"),
        [
            (("--card", "order:Order"), "--url"),
            (("--url", "http://10.0.0.1/", "--card", "order:Order"), "--url"),
            (("--url", "URL"), "--card"),
            (("--url", "URL", "--card", "Order:Order"), "--card"),
        ],
    )
    def test_refusals_write_nothing(
        self, shop: Widget, program: ShopProgram, given: tuple[str, ...], named: str
    ) -> None:
        with pytest.raises(CommandError, match=named):
            run(shop, *(program.url if each == "URL" else each for each in given))
        assert not CardSettings.objects.for_widget(shop.pk).exists()


@pytest.fixture
def cabinet(olga: Agent) -> Client:
    assert olga.user is not None
    return signed_in(olga.user)


def page_of(widget: Widget) -> str:
    return f"/admin/cards/widgetcards/{widget.pk}/change/"


class TestCabinet:
    def test_a_new_secret_is_shown_once_and_what_was_done_stands_in_the_trail(
        self, cabinet: Client, shop: Widget, program: ShopProgram
    ) -> None:
        form = {"url": program.url, "cards": "order:Last order:60\n\nbonus:Points"}
        shown = cabinet.post(page_of(shop), form, follow=True)
        assert kept(shop).secret in shown.content.decode()
        assert [card["key"] for card in kept(shop).cards] == ["order", "bonus"]
        assert "secret" in {name for entry in AuditEntry.objects.all() for name in entry.changes or {}}
        page = cabinet.get(page_of(shop)).content.decode()
        assert "order:Last order:60" in page
        assert kept(shop).secret not in page
        before = kept(shop).secret
        unchanged = cabinet.post(page_of(shop), {**form, "cards": "order:Order:60"}, follow=True)
        assert before not in unchanged.content.decode()
        rotated = cabinet.post(page_of(shop), {**form, "rotate": "on"}, follow=True)
        assert kept(shop).secret != before
        assert kept(shop).secret in rotated.content.decode()

    def test_an_empty_address_ends_it(self, cabinet: Client, shop: Widget, secret: str) -> None:
        cabinet.post(page_of(shop), {"url": "", "cards": "order:Order"}, follow=True)
        assert not CardSettings.objects.for_widget(shop.pk).exists()

    @pytest.mark.parametrize(("url", "cards"), [("http://10.0.0.1/", "order:Order"), ("URL", ""), ("URL", "O:Order")])
    def test_refusals_write_nothing(
        self, cabinet: Client, shop: Widget, program: ShopProgram, url: str, cards: str
    ) -> None:
        form = {"url": program.url if url == "URL" else url, "cards": cards}
        assert cabinet.post(page_of(shop), form).status_code == 200
        assert not CardSettings.objects.for_widget(shop.pk).exists()

    def test_another_accounts_page_is_not_found(self, cabinet: Client, rival: Rival, program: ShopProgram) -> None:
        form = {"url": program.url, "cards": "order:Order"}
        assert cabinet.post(page_of(rival.widget), form).status_code == 404
        assert not CardSettings.objects.unscoped("a test").exists()


class TestExport:
    """The settings go with the widget, the secret stays."""

    def test_the_import_makes_a_secret_of_its_own(self, secret: str, shop: Widget) -> None:
        (table,) = (each for each in EXPORT.tables(shop.pk) if isinstance(each, ExportTable))
        assert table.columns.keys() >= {"url", "cards"}
        assert not table.columns.keys() & {"secret", "target"}
        before = CardSettings.objects.get()
        made = CardSettings(url=before.url, cards=before.cards)
        assert table.made is not None
        table.made([(made, {})], 0)
        assert made.target == before.target
        assert made.secret not in ("", secret)

    @pytest.mark.parametrize("url", ["", "ftp://shop.example/", "https://me:x@shop.example/", "javascript:alert(1)"])
    def test_an_address_that_is_none_is_refused(self, url: str) -> None:
        (table,) = EXPORT.tables(0)
        assert isinstance(table, ExportTable)
        assert table.checks["url"](url) is not None

    @pytest.mark.parametrize(
        "cards",
        [
            {},
            [],
            [{"key": "a", "title": "A"}],
            [{"key": "A!", "title": "A", "ttl_seconds": 1}],
            [{"key": "a", "title": "A", "ttl_seconds": "1"}],
            [{"key": "a", "title": "A", "ttl_seconds": True}],
            [{"key": "a", "title": "A", "ttl_seconds": 86_401}],
            [{"key": 5, "title": "A", "ttl_seconds": 1}],
        ],
    )
    def test_cards_that_can_not_be_are_refused(self, cards: Any) -> None:
        assert imported_cards_refusal(cards) is not None
