"""A GET of the cabinet's buttons changes nothing, and asks nobody."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User, Widget
from apps.agents.models import Agent, Department
from apps.cabinet.tenant_admin import TenantAdmin
from apps.chats.models import Chat
from tests.cabinet.test_roles import key_of, row_of
from tests.cast import signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.ai import AssistantFactory, CredentialFactory
from tests.factories.kb import UploadFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
# What a row without a file answers.
OF_FILES = {"original"}
PAGES = [(kind, page) for kind, page in admin.site._registry.items() if isinstance(page, TenantAdmin)]


def buttons_of_rows(page: TenantAdmin) -> list[str]:
    return list(dict.fromkeys([*(page.actions_detail or ()), *(page.actions_row or ())]))


def paths() -> Iterator[tuple[type[Any], TenantAdmin, str]]:
    """Each button of each page, of a row (detail, row) and of the list."""
    for kind, page in PAGES:
        for button in (*buttons_of_rows(page), *(page.actions_list or ())):
            yield kind, page, button


def address_of(kind: type[Any], button: str, *keys: Any) -> str:
    return reverse(f"admin:{kind._meta.app_label}_{kind._meta.model_name}_{button}", args=keys)


@pytest.mark.parametrize(
    ("kind", "page", "button"), list(paths()), ids=lambda value: getattr(value, "__name__", None) or str(value)[:60]
)
def test_a_get_of_a_button_changes_no_row_and_breaks_nothing(
    kind: type[Any], page: TenantAdmin, button: str, shop: Widget, alice: Agent, chat: Chat, sales: Department
) -> None:
    CredentialFactory.create(widget=shop)
    AssistantFactory.create(widget=shop)
    UploadFactory.create(widget=shop, state="failed")
    owner: User = StaffFactory.create(account=shop.account, role="owner")
    browser: Client = signed_in(owner if page.account_path else SuperuserFactory.create())
    browser.raise_request_exception = False
    browser.get("/admin/")
    if button in buttons_of_rows(page):
        row = row_of(kind, alice, chat, sales) if page.account_path else kind._base_manager.order_by("pk").last()
        assert row is not None, f"how is a {kind} made?"
        address = address_of(kind, button, key_of(page, row))
    else:
        address = address_of(kind, button)
    before = snapshot()
    answer = browser.get(address)
    list(getattr(answer, "streaming_content", ()))
    assert answer.status_code in (200, 302, 403, *((404,) if button in OF_FILES else ())), address
    after = snapshot()
    assert {table for table in after if after[table] != before[table]} == set()


def test_the_walk_meets_every_kind_of_button() -> None:
    met = {f"{kind._meta.app_label}_{kind._meta.model_name}_{button}" for kind, _, button in paths()}
    assert {"accounts_widget_export", "chats_contact_copy", "kb_upload_try_again"} <= met
    assert len(met) > 30
