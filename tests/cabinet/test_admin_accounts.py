"""The cabinet's pages of accounts, people and widgets: what may be changed there, by whom, and what follows."""

import html
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from pytest_django import Settings

from apps.accounts.events import WidgetChanged
from apps.accounts.models import Account, ApiToken, User, Widget
from apps.agents.models import Agent
from apps.chats.models import Chat
from tests.cast import Rival, signed_in
from tests.client import ApiClient, assert_problem
from tests.factories import AgentFactory, SuperuserFactory, UserFactory
from tests.factories.accounts import PASSWORD
from tests.handlers import also


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[WidgetChanged]:
    """The ids of the widgets whose change was published."""
    heard: list[WidgetChanged] = []
    also(monkeypatch, heard.append, WidgetChanged)
    return heard


@pytest.fixture
def ops(db: None) -> Client:
    return signed_in(SuperuserFactory.create())


def save(browser: Client, widget: Widget, **fields: Any) -> Any:
    form = {"name": widget.name, "api_enabled": "on", "allowed_origins": "", "seats": widget.seats} | fields
    form = {name: value for name, value in form.items() if value is not None}
    return browser.post(f"/admin/accounts/widget/{widget.pk}/change/", form)


@pytest.mark.django_db(transaction=True)
def test_the_api_switch_counts_at_the_next_request(cabinet: Client, shop: Widget, api: ApiClient) -> None:
    assert api.get("/chats").status_code == 200
    assert save(cabinet, shop, api_enabled=None).status_code == 302
    assert_problem(api.get("/chats"), 403, "api_disabled")
    save(cabinet, shop)
    assert api.get("/chats").status_code == 200


def test_origins_are_kept_as_browsers_write_them(cabinet: Client, shop: Widget, told: list[WidgetChanged]) -> None:
    save(cabinet, shop, allowed_origins="https://Shop.Example:443/\r\nhttps://магазин.рф\r\nhttps://shop.example")
    shop.refresh_from_db()
    assert shop.allowed_origins == ["https://shop.example", "https://xn--80aairftm.xn--p1ai"]
    assert told == [WidgetChanged(widget_id=shop.pk, widget_guid=shop.guid)]


def test_a_text_that_is_no_origin_changes_nothing(cabinet: Client, shop: Widget, told: list[WidgetChanged]) -> None:
    page = save(cabinet, shop, name="Other", allowed_origins="https://shop.example/path")
    assert "Not an origin such as https://shop.example: https://shop.example/path" in page.content.decode()
    shop.refresh_from_db()
    assert (shop.name, shop.allowed_origins, told) == ("Flower shop", [], [])


def test_saving_without_a_change_tells_nobody(cabinet: Client, shop: Widget, told: list[WidgetChanged]) -> None:
    assert save(cabinet, shop).status_code == 302
    assert told == []


def test_only_the_installation_gives_seats(cabinet: Client, ops: Client, shop: Widget) -> None:
    save(cabinet, shop, seats=100)
    shop.refresh_from_db()
    assert shop.seats == 5
    save(ops, shop, seats=100)
    shop.refresh_from_db()
    assert shop.seats == 100


def test_the_installation_opens_an_account_with_its_people_and_widget(ops: Client) -> None:
    ops.post("/admin/accounts/account/add/", {"email": "hello@new.test", "name": "Nina", "phone": "+7 (900) 1-2"})
    account = Account.objects.get(email="hello@new.test")
    person = {"email": "nina@new.test", "name": "Nina", "account": account.pk, "is_staff": "on"}
    secret = {"password1": PASSWORD, "password2": PASSWORD}
    assert ops.post("/admin/accounts/user/add/", person | secret).status_code == 302
    nina = User.objects.get(email="nina@new.test")
    assert Client().login(username="nina@new.test", password=PASSWORD)
    widget_form = {"account": account.pk, "name": "New shop", "owner": nina.pk, "seats": 2}
    assert ops.post("/admin/accounts/widget/add/", widget_form).status_code == 302
    widget = Widget.objects.get(account=account)
    assert (widget.name, widget.seats, widget.api_enabled) == ("New shop", 2, False)
    owner = Agent.objects.for_widget(widget.pk).owner()
    assert (owner.user, owner.full_name, owner.type) == (nina, "Nina", "human")


def test_a_widgets_owner_is_of_its_account(ops: Client, shop: Widget, rival: Rival) -> None:
    form = {"account": shop.account_id, "name": "Second", "owner": rival.owner.user_id, "seats": 2}
    page = ops.post("/admin/accounts/widget/add/", form)
    assert "The owner is one of the account&#x27;s people." in page.content.decode()
    assert not Widget.objects.filter(name="Second").exists()


@pytest.mark.parametrize(("password", "again"), [("short", "short"), (PASSWORD, PASSWORD + "!"), ("", "")])
def test_a_poor_password_makes_nobody(ops: Client, account: Account, password: str, again: str) -> None:
    form = {"email": "nina@shop.test", "account": account.pk, "password1": password, "password2": again}
    assert ops.post("/admin/accounts/user/add/", form).status_code == 200
    assert not User.objects.filter(email="nina@shop.test").exists()


def test_somebody_deactivated_is_signed_out_at_once(ops: Client, account: Account) -> None:
    nina = UserFactory.create(account=account, is_staff=True)
    browser = signed_in(nina)
    assert browser.get("/admin/").status_code == 200
    ops.post(f"/admin/accounts/user/{nina.pk}/change/", {"name": "Nina", "is_staff": "on", "role": "viewer"})
    assert browser.get("/admin/").status_code == 302


def test_an_account_changes_its_email_and_profile(cabinet: Client, account: Account) -> None:
    form = {"email": "new@shop.test", "name": "Ольга", "surname": "Романова", "phone": "+7 (901) 123-45-67"}
    assert cabinet.post(f"/admin/accounts/account/{account.pk}/change/", form).status_code == 302
    account.refresh_from_db()
    assert {name: getattr(account, name) for name in form} == form


@pytest.mark.parametrize("fields", [{"phone": "call me"}, {"email": "nobody"}, {"email": "office@rival.test"}])
def test_a_wrong_profile_is_refused(cabinet: Client, account: Account, rival: Rival, fields: dict[str, str]) -> None:
    form = {"email": "new@shop.test", "name": "Ольга"} | fields
    assert cabinet.post(f"/admin/accounts/account/{account.pk}/change/", form).status_code == 200
    account.refresh_from_db()
    assert account.email == "office@shop.test"


def test_staff_change_their_own_password(cabinet: Client, olga: Agent) -> None:
    secret = "a-much-better-password"
    form = {"old_password": PASSWORD, "new_password1": secret, "new_password2": secret}
    assert cabinet.post("/admin/password_change/", form).status_code == 302
    assert Client().login(username="olga@shop.test", password=secret)


@pytest.mark.django_db(transaction=True)
def test_an_account_of_which_a_left_out_app_has_rows_is_not_deleted(
    cabinet: Client, shop: Widget, settings: Settings
) -> None:
    settings.WITHOUT_APPS = ["apps.absent"]
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TABLE absent_note (widget_id bigint REFERENCES accounts_widget DEFERRABLE INITIALLY DEFERRED)"
        )
        try:
            cursor.execute("INSERT INTO absent_note VALUES (%s)", [shop.pk])
            address = f"/admin/accounts/account/{shop.account_id}/delete/"
            sure = {"post": "yes", "name": shop.account.email, "password": PASSWORD}
            page = cabinet.post(address, sure, follow=True).content.decode()
        finally:
            cursor.execute("DROP TABLE absent_note")
    assert "deleted: apps.absent, which is left out here, has data of it." in page
    assert Account.objects.filter(pk=shop.account_id).exists()


@pytest.mark.django_db(transaction=True)
def test_an_account_is_deleted_with_all_that_is_its(
    cabinet: Client, account: Account, chat: Chat, api: ApiClient, rival: Rival, rival_api: ApiClient
) -> None:
    assert api.get("/chats").status_code == 200
    address = f"/admin/accounts/account/{account.pk}/delete/"
    assert "widget Flower shop, with its agents" in cabinet.get(address).content.decode()
    sure = {"post": "yes", "name": account.email, "password": PASSWORD}
    for wrong in ({"name": "", "password": ""}, {"name": "another@shop.test"}, {"password": "another"}):
        asked = cabinet.post(address, sure | wrong)
        assert (asked.status_code, "Nothing brings them back." in asked.content.decode()) == (200, True)
        assert Account.objects.filter(pk=account.pk).exists()
    assert cabinet.post(address, sure).status_code == 302
    assert_problem(api.get("/chats"), 401, "not_authenticated")
    assert list(Account.objects.all()) == [rival.account]
    assert list(Chat.objects.all()) == [rival.chat]
    assert ApiToken.objects.count() == 1
    assert rival_api.get("/chats").status_code == 200
    assert cabinet.get("/admin/").status_code == 302


def test_who_recommended_the_service_is_said_when_an_account_is_opened(ops: Client, account: Account) -> None:
    form = {"email": "new@client.test", "name": "New", "referred_by": account.pk}
    assert ops.post("/admin/accounts/account/add/", form).status_code == 302
    opened = Account.objects.get(email="new@client.test")
    assert opened.referred_by == account
    change = {"email": "new@client.test", "name": "New", "referred_by": ""}
    ops.post(f"/admin/accounts/account/{opened.pk}/change/", change)
    opened.refresh_from_db()
    assert opened.referred_by == account


def test_an_accounts_staff_sees_its_code_and_not_who_recommended_it(
    cabinet: Client, account: Account, rival: Rival
) -> None:
    Account.objects.filter(pk=account.pk).update(referred_by=rival.account)
    page = cabinet.get(f"/admin/accounts/account/{account.pk}/change/").content.decode()
    assert account.referral_code in page
    assert rival.account.email not in page


def test_a_widgets_page_has_the_script_tag_that_is_served(cabinet: Client, shop: Widget) -> None:
    page = html.unescape(cabinet.get(f"/admin/accounts/widget/{shop.pk}/change/").content.decode())
    (tag,) = re.findall(r"<script async src=\"([^\"]+)\"></script>", page)
    assert tag == f"{settings.PUBLIC_URL}/widget/{shop.guid}/embed.js"
    assert Client().get(urlsplit(tag).path).status_code == 200


def test_a_widgets_page_tells_the_free_seats(cabinet: Client, shop: Widget, alice: Agent, ada: Agent) -> None:
    AgentFactory.create(widget=shop, status="banned")
    page = cabinet.get(f"/admin/accounts/widget/{shop.pk}/change/").content.decode()
    assert "2 of 5" in page
    assert "Free: 3." in page


def test_a_new_widgets_form_tells_nothing_yet(ops: Client) -> None:
    page = ops.get("/admin/accounts/widget/add/")
    assert page.status_code == 200
    assert "Script tag" not in page.content.decode()
