"""Money in words: the cabinet's pages and the audit trail in Russian, and an invoice for paper."""

import pytest
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import Widget
from apps.billing.models import LegalEntity
from tests.cast import Rival
from tests.factories.billing import LegalEntityFactory, issued_invoice, plan_bought, topped_up

pytestmark = pytest.mark.django_db
PAGES, TRAIL = "/admin/billing/", "/admin/accounts/auditentry/"
ENGLISH, RUSSIAN = {"Accept-Language": "en"}, {"Accept-Language": "ru"}


@pytest.fixture
def entity(shop: Widget) -> LegalEntity:
    return LegalEntityFactory.create(account=shop.account)


def test_lists_and_their_values_are_in_russian(cabinet: Client, shop: Widget, entity: LegalEntity) -> None:
    plan_bought(shop)
    issued_invoice(shop)
    said = {
        "transaction": ("Движения денег", "пополнение #", "покупка тарифа #", "поступление", "завершено"),
        "plansubscription": ("Подписки", "тариф", "активный"),
        "invoice": ("Счета", "выставлен", "юридическое лицо"),
        "wallet": ("Кошельки", "баланс"),
        "legalentity": ("Юридические лица", "краткое название"),
    }
    for kind, words in said.items():
        page = cabinet.get(f"{PAGES}{kind}/", headers=RUSSIAN).content.decode().lower()
        assert [word for word in words if word.lower() not in page] == [], kind


def test_the_trail_names_fields_and_values(cabinet: Client, shop: Widget, entity: LegalEntity) -> None:
    topped_up(shop)
    page = cabinet.get(TRAIL, headers=RUSSIAN).content.decode()
    for words in ("Движение денег", "направление: — → поступление", "состояние: — → завершено", "ИНН: "):
        assert words in page
    assert "checking_account" not in page
    shop.api_enabled = False
    shop.save(update_fields=["api_enabled"])
    assert "да → нет" in cabinet.get(TRAIL, headers=RUSSIAN).content.decode()
    assert "yes → no" in cabinet.get(TRAIL, headers=ENGLISH).content.decode()


def test_an_invoice_names_who_is_paid(cabinet: Client, shop: Widget, entity: LegalEntity, settings: Settings) -> None:
    settings.INVOICE_PAYEE = ["ООО «Парлей»", "ИНН 7700000000, счёт 40702810000000000001"]
    page = cabinet.get(f"{PAGES}invoice/{issued_invoice(shop).pk}/print/", headers=RUSSIAN).content.decode()
    assert "<dt>Получатель</dt>" in page
    assert "<dd>ООО «Парлей»<br>ИНН 7700000000, счёт 40702810000000000001</dd>" in page


def test_an_invoice_is_printed(cabinet: Client, shop: Widget, rival: Rival, entity: LegalEntity) -> None:
    invoice = issued_invoice(shop)
    address = f"{PAGES}invoice/{invoice.pk}/print/"
    assert address in cabinet.get(f"{PAGES}invoice/{invoice.pk}/change/").content.decode()
    russian, english = (cabinet.get(address, headers=headers).content.decode() for headers in (RUSSIAN, ENGLISH))
    for page, words in ((russian, ("Счёт", "Покупатель", "Итого")), (english, ("Invoice", "Buyer", "Total"))):
        for word in (*words, invoice.number, entity.inn, invoice.items[0]["name"]):
            assert word in page
    assert "billing/invoice.css" in russian
    LegalEntityFactory.create(account=rival.widget.account)
    foreign = issued_invoice(rival.widget)
    assert cabinet.get(f"{PAGES}invoice/{foreign.pk}/print/").status_code == 404
