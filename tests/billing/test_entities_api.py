"""`/v1/billing/entities`: fourteen fields that fit together, shared by the account's widgets, 10 writes an hour."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Account, Widget
from apps.billing.actions.ledger import cancel_withdrawal, pay_withdrawal
from apps.billing.models import LegalEntity
from apps.core.models import QuotaUse
from tests.client import ApiClient, assert_problem
from tests.factories import ApiTokenFactory, WidgetFactory, plain_text
from tests.factories.billing import FIELDS, LegalEntityFactory, entity_fields, issued_invoice, unpaid_withdrawal
from tests.waits import wait_until_somebody_waits

PATH = "/billing/entities"


@pytest.fixture
def entity(account: Account, shop: Widget) -> LegalEntity:
    return LegalEntityFactory.create(account=account)


@pytest.fixture
def sibling_api(account: Account) -> ApiClient:
    """Another widget of the shop's account."""
    return ApiClient(plain_text(ApiTokenFactory.create(widget=WidgetFactory.create(account=account))))


def stored(entity: LegalEntity) -> dict[str, str]:
    return LegalEntity.objects.filter(pk=entity.pk).values(*FIELDS).get()


def test_a_created_entity_is_shown_with_its_fourteen_fields(api: ApiClient, account: Account) -> None:
    answer = api.post(PATH, json=entity_fields())
    assert answer.status_code == 201
    data = answer.json()["data"]
    row = LegalEntity.objects.get()
    assert row.account == account
    assert data.keys() == {"id", *FIELDS, "created_at", "updated_at"}
    assert data.items() >= {"id": row.pk, **FIELDS}.items()
    assert api.get(f"{PATH}/{row.pk}").json()["data"] == data
    assert api.get(PATH).json() == {"data": [data], "next_cursor": None}


def test_an_entrepreneur_has_longer_numbers(api: ApiClient) -> None:
    body = entity_fields(inn="500100732259", ogrn="304500116000157", kpp="000000000")
    assert api.post(PATH, json=body).json()["data"].items() >= body.items()


@pytest.mark.parametrize("missing", FIELDS)
def test_each_of_the_fourteen_fields_is_required(api: ApiClient, missing: str) -> None:
    body = entity_fields()
    del body[missing]
    assert_problem(api.post(PATH, json=body), 422, "invalid_input", errors=[missing])
    assert not LegalEntity.objects.exists()


LENGTHS = {"inn": "10 or 12", "kpp": "9", "ogrn": "13 or 15", "bik": "9"} | dict.fromkeys(
    ["checking_account", "correspondent_account"], "20"
)


@pytest.mark.parametrize("change", [lambda n: n + "0", lambda n: n[1:], lambda n: n[:-1] + "x", lambda n: " " + n[1:]])
@pytest.mark.parametrize("name", LENGTHS)
def test_a_number_has_exactly_so_many_digits(api: ApiClient, name: str, change: Callable[[str], str]) -> None:
    answer = api.post(PATH, json=entity_fields(**{name: change(FIELDS[name])}))
    text = f"Exactly {LENGTHS[name]} digits, and nothing else."
    assert_problem(answer, 422, "invalid_input", errors={name: text})
    assert not LegalEntity.objects.exists()


@pytest.mark.parametrize("digits", ["７７０７０８３８９３", "٧٧٠٧٠٨٣٨٩٣"])
def test_digits_are_those_of_ascii(api: ApiClient, digits: str) -> None:
    assert_problem(api.post(PATH, json=entity_fields(inn=digits)), 422, "invalid_input", errors=["inn"])


@pytest.mark.parametrize("name", LENGTHS)
@pytest.mark.parametrize("convert", [int, lambda _: None, lambda n: [n]])
def test_a_number_is_a_json_string(api: ApiClient, name: str, convert: Callable[[str], Any]) -> None:
    answer = api.post(PATH, json=entity_fields(**{name: convert(FIELDS[name])}))
    assert_problem(answer, 422, "invalid_input", errors=[name])
    assert not LegalEntity.objects.exists()


SUM = "The check digits are wrong: by the sum of the others modulo 11, the last"
DIGIT = "The check digit is wrong: by the others modulo"
BANK = (
    "The account does not belong to the bank with the BIK 044525225: by the others modulo 10, its ninth digit, the key"
)


@pytest.mark.parametrize(
    ("name", "number", "text"),
    [
        ("inn", "7707083894", f"{SUM} digit would be 3."),
        ("inn", "500100732258", f"{SUM} two digits would be 59."),
        ("ogrn", "1027700132196", f"{DIGIT} 11, the last digit would be 5."),
        ("ogrn", "304500116000158", f"{DIGIT} 13, the last digit would be 7."),
        ("checking_account", "40702810938000000017", f"{BANK}, would be 8."),
        ("correspondent_account", "30101810500000000225", f"{BANK}, would be 4."),
    ],
)
def test_a_wrong_check_digit_is_explained(api: ApiClient, name: str, number: str, text: str) -> None:
    answer = api.post(PATH, json=entity_fields(**{name: number}))
    assert_problem(answer, 422, "invalid_input", errors={name: text})
    assert not LegalEntity.objects.exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("short_name", ""),
        ("short_name", "  "),
        ("short_name", "n" * 256),
        ("full_name", "a\x00b"),
        ("legal_address", "line\nline"),
        ("contact_phone", "call me"),
        ("bank_name", 1),
        ("nonsense", "x"),
        ("id", 1),
    ],
)
def test_bad_texts_are_refused_by_name(api: ApiClient, name: str, value: Any) -> None:
    assert_problem(api.post(PATH, json=entity_fields(**{name: value})), 422, "invalid_input", errors=[name])
    assert not LegalEntity.objects.exists()


def test_every_refused_field_is_named(api: ApiClient) -> None:
    answer = api.post(PATH, json=entity_fields(inn="1", bik="2", short_name=""))
    assert_problem(answer, 422, "invalid_input", errors=["inn", "bik", "short_name"])


def test_what_is_sent_changes_and_nothing_else(api: ApiClient, entity: LegalEntity) -> None:
    answer = api.patch(f"{PATH}/{entity.pk}", json={"contact_person": "Иван", "inn": "500100732259"})
    assert answer.status_code == 200
    assert stored(entity) == FIELDS | {"contact_person": "Иван", "inn": "500100732259"}
    data = answer.json()["data"]
    assert data == api.get(f"{PATH}/{entity.pk}").json()["data"]
    assert data["updated_at"] > data["created_at"]


def test_accounts_and_bank_are_checked_with_what_is_stored(api: ApiClient, entity: LegalEntity) -> None:
    address = f"{PATH}/{entity.pk}"
    wrong = api.patch(address, json={"checking_account": "40702810138000000017"})
    assert_problem(wrong, 422, "invalid_input", errors=["checking_account"])
    assert_problem(api.patch(address, json={"bik": "044525974"}), 422, "invalid_input", errors=["bik"])
    assert stored(entity) == FIELDS
    assert api.patch(address, json={"bik": "044525225", "kpp": "770701002"}).status_code == 200


@pytest.mark.parametrize("body", [{"inn": None}, {"inn": 7707083893}, {"short_name": ""}, {"account": 1}])
def test_a_bad_change_is_refused_by_name(api: ApiClient, entity: LegalEntity, body: dict[str, Any]) -> None:
    assert_problem(api.patch(f"{PATH}/{entity.pk}", json=body), 422, "invalid_input", errors=list(body))
    assert stored(entity) == FIELDS


def test_a_deleted_entity_is_gone(api: ApiClient, entity: LegalEntity) -> None:
    answer = api.delete(f"{PATH}/{entity.pk}", idempotency_key=None)
    assert (answer.status_code, answer.content) == (204, b"")
    assert_problem(api.delete(f"{PATH}/{entity.pk}"), 404, "not_found")


class TestWhoseTheyAre:
    def test_sibling_widgets_share_them(self, sibling_api: ApiClient, entity: LegalEntity) -> None:
        assert [row["id"] for row in sibling_api.get(PATH).json()["data"]] == [entity.pk]
        assert sibling_api.patch(f"{PATH}/{entity.pk}", json={"kpp": "770701002"}).status_code == 200
        assert sibling_api.delete(f"{PATH}/{entity.pk}").status_code == 204

    @pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
    def test_another_accounts_is_404(self, rival_api: ApiClient, entity: LegalEntity, method: str) -> None:
        body = {"kpp": "770701002"} if method == "PATCH" else None
        assert_problem(rival_api.request(method, f"{PATH}/{entity.pk}", json=body), 404, "not_found")
        assert stored(entity) == FIELDS
        assert rival_api.get(PATH).json()["data"] == []

    def test_the_list_costs_the_same_whatever_its_length(self, api: ApiClient, entity: LegalEntity) -> None:
        api.get(PATH)
        with CaptureQueriesContext(connection) as few:
            api.get(PATH)
        LegalEntityFactory.create_batch(30, account=entity.account)
        with CaptureQueriesContext(connection) as many:
            assert len(api.get(PATH, query={"limit": 100}).json()["data"]) == 31
        assert len(many) == len(few) <= 3


class TestLocks:
    def test_an_unpaid_withdrawal_locks_it(self, api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
        withdrawal = unpaid_withdrawal(shop, entity)
        address = f"{PATH}/{entity.pk}"
        locked = "entity_locked_by_pending_withdrawal"
        assert_problem(api.patch(address, json={"kpp": "770701002"}), 409, locked)
        assert_problem(api.delete(address), 409, locked)
        assert stored(entity) == FIELDS
        pay_withdrawal(withdrawal=withdrawal)
        assert api.patch(address, json={"kpp": "770701002"}).status_code == 200
        assert_problem(api.delete(address), 409, "entity_referenced_by_financial_record")

    def test_a_cancelled_withdrawal_still_names_it(self, api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
        cancel_withdrawal(withdrawal=unpaid_withdrawal(shop, entity))
        assert api.patch(f"{PATH}/{entity.pk}", json={"kpp": "770701002"}).status_code == 200
        assert_problem(api.delete(f"{PATH}/{entity.pk}"), 409, "entity_referenced_by_financial_record")

    def test_what_an_invoice_names_can_be_changed_and_not_deleted(
        self, api: ApiClient, shop: Widget, entity: LegalEntity
    ) -> None:
        issued_invoice(shop, entity)
        assert_problem(api.delete(f"{PATH}/{entity.pk}"), 409, "entity_referenced_by_financial_record")
        assert api.patch(f"{PATH}/{entity.pk}", json={"kpp": "770701002"}).status_code == 200

    def test_a_sibling_widgets_withdrawal_locks_it(self, api: ApiClient, account: Account, entity: LegalEntity) -> None:
        unpaid_withdrawal(WidgetFactory.create(account=account), entity)
        assert_problem(api.delete(f"{PATH}/{entity.pk}"), 409, "entity_locked_by_pending_withdrawal")

    def test_invalid_input_is_refused_before_the_lock(self, api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
        unpaid_withdrawal(shop, entity)
        answer = api.patch(f"{PATH}/{entity.pk}", json={"checking_account": "40702810138000000017"})
        assert_problem(answer, 422, "invalid_input", errors=["checking_account"])


class TestBudget:
    def spend(self, api: ApiClient, times: int) -> None:
        for _ in range(times):
            assert api.post(PATH, json=entity_fields()).status_code == 201

    def test_ten_writes_an_hour_of_the_whole_account(self, api: ApiClient, sibling_api: ApiClient) -> None:
        self.spend(api, 4)
        first, second, *_ = LegalEntity.objects.order_by("pk")
        for kpp in ("770701002", "770701003", "770701004", "770701005"):
            assert sibling_api.patch(f"{PATH}/{first.pk}", json={"kpp": kpp}).status_code == 200
        assert api.delete(f"{PATH}/{second.pk}").status_code == 204
        self.spend(sibling_api, 1)
        for method, address, body in (
            ("POST", PATH, entity_fields()),
            ("PATCH", f"{PATH}/{first.pk}", {"kpp": "770701009"}),
            ("DELETE", f"{PATH}/{first.pk}", None),
        ):
            answer = api.request(method, address, json=body)
            assert_problem(answer, 429, "entity_writes_limited")
            assert 3590 <= int(answer.headers["Retry-After"]) <= 3600
        assert LegalEntity.objects.count() == 4
        assert stored(first)["kpp"] == "770701005"

    def test_a_refused_write_uses_nothing(self, api: ApiClient, shop: Widget, entity: LegalEntity) -> None:
        unpaid_withdrawal(shop, entity)
        free = LegalEntityFactory.create(account=entity.account)
        for _ in range(6):
            assert api.patch(f"{PATH}/{free.pk}", json={}).status_code == 200
            api.post(PATH, json=entity_fields(inn="1"))
            api.patch(f"{PATH}/{entity.pk}", json={"kpp": "770701009"})
            api.delete(f"{PATH}/{entity.pk}")
            api.delete(f"{PATH}/999999999")
        assert not QuotaUse.objects.exists()
        self.spend(api, 10)
        assert_problem(api.post(PATH, json=entity_fields()), 429, "entity_writes_limited")

    def test_a_limited_write_leaves_its_idempotency_key_free(self, api: ApiClient) -> None:
        self.spend(api, 10)
        assert_problem(api.post(PATH, json=entity_fields(), idempotency_key="once"), 429, "entity_writes_limited")
        QuotaUse.objects.update(at=timezone.now() - timedelta(hours=1, seconds=1))
        assert api.post(PATH, json=entity_fields(), idempotency_key="once").status_code == 201

    def test_the_budget_comes_back_write_by_write(self, api: ApiClient) -> None:
        self.spend(api, 10)
        oldest = QuotaUse.objects.order_by("pk").first()
        assert oldest is not None
        QuotaUse.objects.filter(pk=oldest.pk).update(at=timezone.now() - timedelta(minutes=59))
        answer = api.post(PATH, json=entity_fields())
        assert_problem(answer, 429, "entity_writes_limited")
        assert 50 <= int(answer.headers["Retry-After"]) <= 60
        QuotaUse.objects.filter(pk=oldest.pk).update(at=timezone.now() - timedelta(minutes=61))
        self.spend(api, 1)
        assert_problem(api.post(PATH, json=entity_fields()), 429, "entity_writes_limited")

    def test_another_account_has_a_budget_of_its_own(self, api: ApiClient, rival_api: ApiClient) -> None:
        self.spend(api, 10)
        self.spend(rival_api, 1)


@pytest.mark.django_db(transaction=True)
def test_writes_at_once_do_not_exceed_the_budget(token: str, account: Account) -> None:
    def create(_: int) -> int:
        try:
            return int(ApiClient(token).post(PATH, json=entity_fields()).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        answers = Counter(pool.map(create, range(18)))
    assert answers == {201: 10, 429: 8}
    assert LegalEntity.objects.count() == 10


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_write_waits_for_a_withdrawal_that_is_being_requested(
    token: str, shop: Widget, entity: LegalEntity, method: str
) -> None:
    def write() -> Any:
        try:
            body = {"kpp": "770701002"} if method == "PATCH" else None
            return ApiClient(token).request(method, f"{PATH}/{entity.pk}", json=body)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            unpaid_withdrawal(shop, entity)
            answer = other.submit(write)
            wait_until_somebody_waits()
        assert_problem(answer.result(timeout=30), 409, "entity_locked_by_pending_withdrawal")
    assert stored(entity) == FIELDS
