"""An invoice that can be paid: the legal entities of both sides, the code for banks, VAT, the PDF, what is undone.

Source of the code: ГОСТ Р 56042-2014.
"""

from datetime import timedelta
from typing import Any

import pypdfium2
import pytest
import zxingcpp
from django.test import Client
from django.utils import timezone

from apps.accounts.models import Account, Widget
from apps.billing.models import Invoice, LegalEntity, Payee, Transaction, Wallet
from apps.billing.rules.entities import FIELDS
from apps.billing.rules.payments import vat_of
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.billing import LegalEntityFactory, entity_fields, issued_invoice
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
PAGES = "/admin/billing/"
PAYEE = {
    "name": "ООО «Парлей | Чат»",
    "inn": "7707083893",
    "kpp": "770701001",
    "address": "117312, г. Москва, ул. Вавилова, д. 19",
    "bank_name": "ПАО Сбербанк",
    "bik": "044525225",
    "checking_account": "40702810838000000017",
    "correspondent_account": "30101810400000000225",
    "director": "Соколов П. А.",
    "accountant": "Белова М. И.",
    "vat_rate": "20",
}


@pytest.fixture
def ops(db: None) -> Client:
    return signed_in(SuperuserFactory.create())


@pytest.fixture
def owner(shop: Widget) -> Client:
    return signed_in(StaffFactory.create(account=shop.account, role="owner"))


@pytest.fixture
def entity(account: Account) -> LegalEntity:
    return LegalEntityFactory.create(account=account)


@pytest.fixture
def payee(ops: Client) -> Payee:
    assert ops.post(f"{PAGES}payee/add/", PAYEE).status_code == 302
    return Payee.objects.get()


class TestLegalEntities:
    def test_an_owner_adds_changes_and_deletes_one(self, owner: Client, shop: Widget) -> None:
        fields = entity_fields()
        assert owner.post(f"{PAGES}legalentity/add/", {"account": shop.account_id, **fields}).status_code == 302
        row = LegalEntity.objects.get()
        assert {name: getattr(row, name) for name in FIELDS} == fields
        address = f"{PAGES}legalentity/{row.pk}/"
        assert owner.post(f"{address}change/", fields | {"contact_person": "Белова"}).status_code == 302
        row.refresh_from_db()
        assert row.contact_person == "Белова"
        owner.post(f"{address}delete/", {"post": "yes"})
        assert not LegalEntity.objects.exists()

    @pytest.mark.parametrize(
        ("field", "value", "said"),
        [
            ("inn", "7707083894", "The check digits do not fit"),
            ("inn", "77070838", "Digits alone, 10 / 12 of them."),
            ("ogrn", "1027700132196", "The check digits do not fit"),
            ("kpp", "77", "Digits alone, 9 of them."),
            ("checking_account", "40702810938000000017", "The account does not belong to the bank"),
            ("correspondent_account", "30101810500000000225", "The account does not belong to the bank"),
            ("contact_phone", "call me", "Not a phone number"),
        ],
    )
    def test_a_wrong_number_is_told_beside_its_field(
        self, owner: Client, shop: Widget, field: str, value: str, said: str
    ) -> None:
        wanted = {"account": shop.account_id, **entity_fields(**{field: value})}
        answer = owner.post(f"{PAGES}legalentity/add/", wanted)
        assert said in " ".join(answer.context["adminform"].form.errors[field])
        assert not LegalEntity.objects.exists()

    def test_an_entrepreneurs_check_digit_may_be_that_of_a_remainder_of_ten(self, owner: Client, shop: Widget) -> None:
        """The last digit of the remainder counts: 10 is 0."""
        base = next(n for n in range(30450011600000, 30450011600100) if n % 13 == 10)
        fields = entity_fields(ogrn=f"{base}0", inn="500100732259", kpp="000000000")
        assert owner.post(f"{PAGES}legalentity/add/", {"account": shop.account_id, **fields}).status_code == 302

    def test_managers_and_other_accounts_do_not_write_it(self, entity: LegalEntity, rival: Rival, shop: Widget) -> None:
        before = snapshot()["billing.LegalEntity"]
        fields = {"account": shop.account_id, **entity_fields()}
        manager = signed_in(StaffFactory.create(account=shop.account, role="manager"))
        stranger = signed_in(StaffFactory.create(account=rival.account, role="owner"))
        assert manager.post(f"{PAGES}legalentity/add/", fields).status_code == 403
        assert manager.post(f"{PAGES}legalentity/{entity.pk}/change/", fields).status_code == 403
        assert stranger.post(f"{PAGES}legalentity/{entity.pk}/change/", fields).status_code == 404
        assert stranger.post(f"{PAGES}legalentity/add/", fields).status_code == 200, "not one of its accounts"
        assert snapshot()["billing.LegalEntity"] == before

    def test_one_that_an_invoice_names_is_not_deleted_and_it_is_said_why(
        self, owner: Client, shop: Widget, entity: LegalEntity
    ) -> None:
        issued_invoice(shop, entity)
        answer = owner.post(f"{PAGES}legalentity/{entity.pk}/delete/", {"post": "yes"}, follow=True)
        assert LegalEntity.objects.exists()
        assert answer.status_code in (200, 403)


class TestThePayee:
    def test_is_one_page_of_who_runs_the_installation(self, ops: Client, owner: Client) -> None:
        assert ops.get(f"{PAGES}payee/").headers["Location"] == f"{PAGES}payee/add/"
        ops.post(f"{PAGES}payee/add/", PAYEE)
        row = Payee.objects.get()
        assert ops.get(f"{PAGES}payee/").headers["Location"] == f"{PAGES}payee/{row.pk}/change/"
        assert ops.get(f"{PAGES}payee/add/").status_code == 403, "there is one"
        assert owner.get(f"{PAGES}payee/").status_code == 403

    def test_its_numbers_are_checked(self, ops: Client) -> None:
        answer = ops.post(f"{PAGES}payee/add/", PAYEE | {"bik": "044525226"})
        assert {"checking_account", "correspondent_account"} & answer.context["adminform"].form.errors.keys()
        assert not Payee.objects.exists()

    def test_an_invoice_keeps_the_payee_that_it_was_issued_with(
        self, ops: Client, shop: Widget, entity: LegalEntity, payee: Payee
    ) -> None:
        invoice = issued_invoice(shop, entity)
        ops.post(f"{PAGES}payee/{payee.pk}/change/", PAYEE | {"name": "АО «Другое»"})
        page = ops.get(f"{PAGES}invoice/{invoice.pk}/print/").content.decode()
        assert "Парлей | Чат" in page
        assert "Другое" not in page


def code_of(pdf: bytes) -> str:
    """The text of the code on the first page, as another library reads it."""
    image = pypdfium2.PdfDocument(pdf)[0].render(scale=4).to_pil()
    (code,) = zxingcpp.read_barcodes(image)
    return code.text


def text_of(pdf: bytes) -> str:
    return " ".join(pypdfium2.PdfDocument(pdf)[0].get_textpage().get_text_bounded().split())


class TestPaper:
    def test_the_code_of_the_pdf_is_the_invoice(
        self, owner: Client, shop: Widget, entity: LegalEntity, payee: Payee
    ) -> None:
        invoice = issued_invoice(shop, entity)
        answer = owner.get(f"{PAGES}invoice/{invoice.pk}/pdf/", headers={"Accept-Language": "ru"})
        assert answer.headers["Content-Type"] == "application/pdf"
        head, *pairs = code_of(answer.content).split("|")
        date = timezone.localtime(invoice.created_at).strftime("%d.%m.%Y")
        assert head == "ST00012"
        assert dict(pair.split("=", 1) for pair in pairs) == {
            "Name": "ООО «Парлей / Чат»",
            "PersonalAcc": payee.checking_account,
            "BankName": payee.bank_name,
            "BIC": payee.bik,
            "CorrespAcc": payee.correspondent_account,
            "Sum": str(invoice.amount_minor),
            "Purpose": f"Оплата счёта {invoice.number} от {date}. В том числе НДС 20 %: 166,67 ₽",
            "PayeeINN": payee.inn,
            "KPP": payee.kpp,
        }

    def test_page_and_pdf_say_all_that_a_bank_and_a_bookkeeper_ask_for(
        self, owner: Client, shop: Widget, entity: LegalEntity, payee: Payee
    ) -> None:
        invoice = issued_invoice(shop, entity)
        address, russian = f"{PAGES}invoice/{invoice.pk}/", {"Accept-Language": "ru"}
        page = owner.get(f"{address}print/", headers=russian).content.decode()
        pdf = text_of(owner.get(f"{address}pdf/", headers=russian).content)
        said = (
            *("Поставщик", "Покупатель", "Назначение платежа", "БИК", "Наименование", "Итого", "Руководитель"),
            *(PAYEE["inn"], PAYEE["kpp"], PAYEE["checking_account"], PAYEE["correspondent_account"], PAYEE["bik"]),
            *(entity.inn, entity.kpp, invoice.number, "Соколов П. А.", "Белова М. И."),
        )
        assert [word for word in said if word not in page] == []
        assert [word for word in said if word not in pdf] == []
        assert "1\u00a0000,00\u00a0₽" in page
        assert "1 000,00 ₽" in pdf
        assert "В том числе НДС 20 %: 166,67" in page

    def test_another_accounts_is_404(self, owner: Client, rival: Rival) -> None:
        foreign = issued_invoice(rival.widget, LegalEntityFactory.create(account=rival.account))
        for page in ("print", "pdf", "paid", "cancel", "reopen"):
            assert owner.get(f"{PAGES}invoice/{foreign.pk}/{page}/").status_code in (403, 404)

    @pytest.mark.parametrize(
        ("amount", "rate", "vat"), [(12_000, 20, 2_000), (100, 20, 17), (12_200, 22, 2_200), (1, 5, 0), (500, None, 0)]
    )
    def test_the_vat_is_within_the_amount(self, amount: int, rate: int | None, vat: int) -> None:
        assert vat_of(amount, rate) == vat


class TestUndoing:
    def test_paid_is_undone_and_paid_again(self, ops: Client, shop: Widget, entity: LegalEntity) -> None:
        invoice = issued_invoice(shop, entity)
        for step, balance, status in (("paid", 100_000, "paid"), ("reopen", 0, "issued"), ("paid", 100_000, "paid")):
            ops.post(f"{PAGES}invoice/{invoice.pk}/{step}/")
            invoice.refresh_from_db()
            assert (Wallet.objects.get().sums.balance, invoice.status) == (balance, status)
        states = list(Transaction.objects.order_by("pk").values_list("state", flat=True))
        assert states == ["cancelled", "completed"]

    def test_cancelled_is_undone(self, ops: Client, shop: Widget, entity: LegalEntity) -> None:
        invoice = issued_invoice(shop, entity)
        for step, status in (("cancel", "cancelled"), ("reopen", "issued")):
            ops.post(f"{PAGES}invoice/{invoice.pk}/{step}/")
            invoice.refresh_from_db()
            assert invoice.status == status

    def test_not_after_a_day(self, ops: Client, shop: Widget, entity: LegalEntity) -> None:
        invoice = issued_invoice(shop, entity)
        ops.post(f"{PAGES}invoice/{invoice.pk}/paid/")
        Invoice.objects.unscoped("a test's own row").update(paid_at=timezone.now() - timedelta(hours=25))
        assert ops.post(f"{PAGES}invoice/{invoice.pk}/reopen/").status_code == 403
        assert Wallet.objects.get().sums.balance == 100_000

    def test_not_when_the_money_is_spent(self, ops: Client, shop: Widget, entity: LegalEntity) -> None:
        from tests.factories.billing import PlanFactory, buy_plan

        invoice = issued_invoice(shop, entity)
        ops.post(f"{PAGES}invoice/{invoice.pk}/paid/")
        buy_plan(widget=shop, plan=PlanFactory.create(), reference="a" * 32)
        answer = ops.post(f"{PAGES}invoice/{invoice.pk}/reopen/", follow=True)
        assert "There is not enough money available." in answer.content.decode()
        invoice.refresh_from_db()
        assert invoice.status == "paid"


class TestTheForm:
    def wanted(self, shop: Widget, entity: LegalEntity, **fields: Any) -> dict[str, Any]:
        form = {"widget": shop.pk, "entity": entity.pk, "lines": "Pro; 1; 1 990,50", "intent": "b" * 32, "due_at": ""}
        return form | fields

    def test_a_comma_and_spaces_are_taken(self, ops: Client, shop: Widget, entity: LegalEntity) -> None:
        ops.post(f"{PAGES}invoice/add/", self.wanted(shop, entity))
        assert Invoice.objects.get().amount_minor == 199_050

    def test_a_time_to_pay_by_in_the_past_is_refused(self, ops: Client, shop: Widget, entity: LegalEntity) -> None:
        answer = ops.post(f"{PAGES}invoice/add/", self.wanted(shop, entity, due_at="2020-01-01T00:00"))
        assert "The time to pay by lies in the past." in answer.content.decode()
        assert not Invoice.objects.exists()

    def test_the_time_to_pay_by_is_called_that(self, ops: Client, shop: Widget, entity: LegalEntity) -> None:
        """It was called "next attempt" once: a text that webhooks use too."""
        invoice = issued_invoice(shop, entity)
        page = ops.get(f"{PAGES}invoice/{invoice.pk}/change/", headers={"Accept-Language": "ru"}).content.decode()
        assert "Оплатить до" in page
        assert "чередная попытка" not in page


def test_a_plan_says_what_it_includes_and_how_long_it_lasts(owner: Client, shop: Widget) -> None:
    from tests.factories.billing import plan_bought

    plan = plan_bought(shop)
    page = owner.get(f"{PAGES}plansubscription/{plan.pk}/change/").content.decode()
    assert "messengers and all paid features, 2 ad cabinets" in page
    assert "29 days" in page


def test_an_owner_is_told_how_to_top_up(owner: Client, shop: Widget, entity: LegalEntity, payee: Payee) -> None:
    issued_invoice(shop, entity)
    wallet = Wallet.objects.get()
    assert "Ask ООО «Парлей | Чат» for an invoice" in owner.get(f"{PAGES}wallet/{wallet.pk}/change/").content.decode()
