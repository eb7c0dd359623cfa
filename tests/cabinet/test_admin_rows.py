"""Every page of the cabinet shows the rows of the account of who is signed in, and no others."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.sites import all_sites
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Account, ApiToken, User, Widget
from apps.agents.models import Agent, Department
from apps.cabinet.admin import AccountAdmin, UserAdmin, WidgetAdmin
from apps.cabinet.tenant_admin import TenantAdmin
from apps.chats.models import Chat, Contact
from tests.cast import Rival, signed_in
from tests.factories import ApiTokenFactory, MessageFactory, SuperuserFactory

KINDS = [Account, User, Widget, ApiToken, Agent, Department, Contact, Chat]


def address(kind: type[Any], page: str, *args: Any) -> str:
    return reverse(f"admin:{kind._meta.app_label}_{kind._meta.model_name}_{page}", args=args)


@pytest.fixture
def theirs(rival: Rival) -> dict[type[Any], Any]:
    """A row of each kind, all of the rival account."""
    rows = [rival.account, rival.agent.user, rival.widget, ApiTokenFactory.create(widget=rival.widget)]
    return {type(row): row for row in [*rows, rival.agent, rival.department, rival.contact, rival.chat]}


@pytest.fixture
def ours(cabinet: Client, olga: Agent, sales: Department, chat: Chat) -> dict[type[Any], Any]:
    """A row of each kind, all of the shop's account."""
    token = ApiTokenFactory.create(widget=olga.widget)
    rows = [olga.widget.account, olga.user, olga.widget, token, olga, sales, chat.contact, chat]
    return {type(row): row for row in rows}


def test_every_admin_of_ours_starts_from_own_rows() -> None:
    for site in all_sites:
        for kind, model_admin in site._registry.items():
            if kind.__module__.startswith("apps."):
                assert isinstance(model_admin, TenantAdmin), kind


@pytest.mark.parametrize("kind", KINDS)
def test_own_rows_are_listed_and_open(cabinet: Client, ours: dict[type[Any], Any], kind: type[Any]) -> None:
    row = ours[kind]
    page = cabinet.get(address(kind, "changelist"))
    assert page.status_code == 200
    assert address(kind, "change", row.pk) in page.content.decode()
    assert cabinet.get(address(kind, "change", row.pk)).status_code == 200
    assert cabinet.get(address(kind, "history", row.pk), follow=True).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_others_are_neither_listed_nor_there(
    cabinet: Client, ours: dict[type[Any], Any], theirs: dict[type[Any], Any], kind: type[Any]
) -> None:
    row = theirs[kind]
    assert address(kind, "change", row.pk) not in cabinet.get(address(kind, "changelist")).content.decode()
    for page in ("change", "history", "delete"):
        assert cabinet.get(address(kind, page, row.pk)).status_code == 404
    assert cabinet.post(address(kind, "change", row.pk), {"name": "Mine"}).status_code == 404
    assert cabinet.post(address(kind, "delete", row.pk), {"post": "yes"}).status_code == 404
    assert kind._default_manager.filter(pk=row.pk).exists()


@pytest.mark.parametrize("kind", KINDS)
def test_searching_finds_own_rows_alone(
    cabinet: Client, ours: dict[type[Any], Any], theirs: dict[type[Any], Any], kind: type[Any]
) -> None:
    row = theirs[kind]
    for term in (str(row.pk), str(row), getattr(row, "email", "")):
        page = cabinet.get(address(kind, "changelist"), {"q": term})
        assert address(kind, "change", row.pk) not in page.content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_superusers_see_every_accounts_rows(
    ours: dict[type[Any], Any], theirs: dict[type[Any], Any], kind: type[Any]
) -> None:
    browser = signed_in(SuperuserFactory.create())
    page = browser.get(address(kind, "changelist")).content.decode()
    for row in (ours[kind], theirs[kind]):
        assert address(kind, "change", row.pk) in page
        assert browser.get(address(kind, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("kind", [Contact, Chat])
def test_what_is_only_read_refuses_writes(cabinet: Client, ours: dict[type[Any], Any], kind: type[Any]) -> None:
    row = ours[kind]
    assert cabinet.get(address(kind, "add")).status_code == 403
    assert cabinet.post(address(kind, "change", row.pk), {"name": "Other"}).status_code == 403
    assert cabinet.post(address(kind, "delete", row.pk), {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("kind", [Account])
def test_an_accounts_staff_opens_no_account(cabinet: Client, ours: dict[type[Any], Any], kind: type[Any]) -> None:
    before = kind._default_manager.count()
    assert cabinet.post(address(kind, "add"), {"name": "New", "email": "new@shop.test"}).status_code == 403
    assert kind._default_manager.count() == before


def test_the_front_page_names_the_sections(cabinet: Client, ours: dict[type[Any], Any]) -> None:
    page = cabinet.get("/admin/").content.decode()
    for section in ("API tokens", "Widgets", "Operators", "Chats"):
        assert section in page
    assert "Groups" not in page
    assert "Periodic tasks" not in page


def test_a_users_page_shows_no_password(cabinet: Client, olga: Agent) -> None:
    assert olga.user is not None
    page = cabinet.get(address(User, "change", olga.user.pk)).content.decode()
    assert "olga@shop.test" in page
    assert olga.user.password not in page


def test_a_chats_page_shows_the_conversation(cabinet: Client, chat: Chat, alice: Agent) -> None:
    MessageFactory.create(chat=chat, body="<b>Сколько стоит?</b>")
    MessageFactory.create(chat=chat, agent=alice, body="От 4 500 ₽")
    MessageFactory.create(chat=chat, agent=alice, body="Постоянный покупатель", is_internal=True)
    page = cabinet.get(address(Chat, "change", chat.pk)).content.decode()
    assert "&lt;b&gt;Сколько стоит?&lt;/b&gt;" in page
    assert page.index("Сколько") < page.index("От 4 500 ₽") < page.index("Постоянный покупатель")
    assert "(note)" in page


@pytest.mark.parametrize("model_admin", [AccountAdmin, UserAdmin, WidgetAdmin])
def test_nothing_is_deleted_from_a_list(model_admin: type[TenantAdmin], rf: Any, cabinet: Client, olga: Agent) -> None:
    request = rf.get("/")
    request.user = olga.user
    kind = next(kind for kind, registered in admin.site._registry.items() if type(registered) is model_admin)
    assert "delete_selected" not in admin.site._registry[kind].get_actions(request)
