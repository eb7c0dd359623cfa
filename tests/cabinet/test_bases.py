"""The bases of the cabinet's pages: logs that change nothing, addresses that are looked up for who may send them."""

from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Widget
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.outbound_address_admin import OutboundAddressAdmin
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.cabinet.widget_pages import WidgetPageAdmin
from tests.cast import signed_in
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db
PAGES = [page for page in admin.site._registry.values() if isinstance(page, TenantAdmin)]
LOGS = [page for page in PAGES if isinstance(page, LogAdmin)]
ADDRESSES = [page for page in PAGES if isinstance(page, OutboundAddressAdmin)]


def name_of(page: TenantAdmin) -> str:
    return str(page.opts.label_lower)


def page_of(page: TenantAdmin, act: str) -> str:
    return reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_{act}")


@pytest.mark.parametrize("page", LOGS, ids=name_of)
def test_a_log_is_read_by_an_owner_who_can_add_nothing(cabinet: Client, page: LogAdmin, rf: Any) -> None:
    assert {page.may_add, page.may_change, page.may_delete} == {AccessLevel.NOBODY}
    assert page.get_readonly_fields(rf.get("/")) == page.fields
    assert cabinet.get(page_of(page, "changelist")).status_code == 200
    assert cabinet.get(page_of(page, "add")).status_code == 403


def test_a_page_of_the_shape_of_a_log_is_one() -> None:
    shape = [
        page
        for page in PAGES
        if (page.may_add, page.may_change, page.may_delete) == (AccessLevel.NOBODY,) * 3
        and page.account_path == "widget__account_id"
        and not isinstance(page, WidgetPageAdmin)
        and page.fields
        and page.readonly_fields == page.fields
    ]
    assert {name_of(page) for page in shape if not isinstance(page, LogAdmin)} == set()


@pytest.mark.parametrize("page", ADDRESSES, ids=name_of)
@pytest.mark.parametrize("role", ["owner", "viewer"])
def test_an_address_is_looked_up_for_who_may_send_it(
    shop: Widget, monkeypatch: pytest.MonkeyPatch, page: OutboundAddressAdmin, role: str
) -> None:
    asked: list[tuple[str, Any, str]] = []
    monkeypatch.setattr(page, "look_up", lambda *asks: asked.append(asks))
    browser = signed_in(StaffFactory.create(account=shop.account, role=role))
    sent = {page.address_field: " https://shop.example/hook ", "widget": str(shop.pk)}
    answer = browser.post(page_of(page, "add"), sent)
    may = role == "owner" and page.may_add is not AccessLevel.NOBODY
    assert asked == ([("https://shop.example/hook", None, str(shop.pk))] if may else [])
    assert answer.status_code == (200 if may else 403)
