"""An owner's own app at Meta: its secret is kept with the connection, proves its updates, and is shown nowhere."""

from typing import Any

import pytest
from django.db import connection as database
from django.test import Client

from apps.accounts.models import Widget
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.models import Connection, VendorSettings
from tests.client import ApiClient, assert_problem
from tests.messengers.payloads.fb import event
from tests.messengers.payloads.wa import message
from tests.messengers.test_hooks import work
from tests.messengers.test_meta_app import app_path, deliver, learn, of
from tests.messengers.test_providers_api import put

OWN = "secret-of-ones-own-app"
FIELDS: dict[str, Any] = {"wa": {"token": "t-1", "sid": "100200300"}, "fb": {"token": "t-1"}}


def path_of(connection: Connection) -> str:
    return callback_address(connection).removeprefix("https://chat.example.com")


def update(provider: str, body: str = "Розы есть?") -> dict[str, Any]:
    return (
        message(type="text", text={"body": body}) if provider == "wa" else event(message={"mid": "m-1", "text": body})
    )


@pytest.fixture(params=["wa", "fb"])
def provider(request: pytest.FixtureRequest, vendors: Vendors) -> str:
    VendorSettings.objects.filter(pk=request.param).update(app_secret="the-installations")
    return str(request.param)


def test_its_secret_proves_its_updates_and_no_others(api: ApiClient, shop: Widget, provider: str) -> None:
    answer = put(api, provider, **FIELDS[provider], app_secret=OWN)
    assert (answer.status_code, answer.json()["data"]["has_app_secret"]) == (200, True)
    connection = Connection.objects.get()
    assert_problem(deliver(path_of(connection), update(provider), "the-installations"), 403, "hook_not_proven")
    assert of(shop) == []
    assert deliver(path_of(connection), update(provider), OWN).status_code == 200
    work()
    assert of(shop) == ["Розы есть?"]


def test_it_is_stored_encrypted_and_shown_nowhere(api: ApiClient, shop: Widget, provider: str) -> None:
    answer = put(api, provider, **FIELDS[provider], app_secret=OWN)
    assert OWN not in answer.content.decode()
    with database.cursor() as cursor:
        cursor.execute("SELECT app_secret FROM messengers_connection")
        assert OWN not in str(cursor.fetchone()[0])
    assert Connection.objects.get().app_secret == OWN


def test_left_out_it_stays_and_null_takes_it_away(api: ApiClient, shop: Widget, provider: str) -> None:
    put(api, provider, **FIELDS[provider], app_secret=OWN)
    put(api, provider, **FIELDS[provider])
    assert Connection.objects.get().app_secret == OWN
    put(api, provider, **FIELDS[provider], app_secret=None)
    connection = Connection.objects.get()
    assert connection.app_secret is None
    assert deliver(path_of(connection), update(provider), "the-installations").status_code == 200


@pytest.mark.parametrize("secret", ["", "пароль", "a b", 7])
def test_a_bad_secret_is_refused_and_changes_nothing(api: ApiClient, shop: Widget, provider: str, secret: Any) -> None:
    answer = put(api, provider, **FIELDS[provider], app_secret=secret)
    assert_problem(answer, 422, "invalid_input", errors=["app_secret"])
    assert not Connection.objects.exists()


def test_others_have_none(api: ApiClient, shop: Widget, vendors: Vendors) -> None:
    answer = put(api, "vb", url=None, token="t", app_secret=OWN)
    assert_problem(answer, 422, "invalid_input", errors=["app_secret"])
    assert "has_app_secret" not in api.get("/messengers/vb").json()["data"]


def test_what_was_not_proved_is_told_until_something_is(
    api: ApiClient, cabinet: Client, shop: Widget, provider: str
) -> None:
    put(api, provider, **FIELDS[provider])
    connection = Connection.objects.get()
    page = f"/admin/messengers/connection/{connection.pk}/change/"
    assert "was not proved" not in cabinet.get(page).content.decode()
    for _ in range(2):
        deliver(path_of(connection), update(provider), OWN)
    shown = api.get(f"/messengers/{provider}").json()["data"]
    assert shown["unproved_at"] is not None
    assert "give the secret of the app that sends it" in cabinet.get(page).content.decode()
    put(api, provider, **FIELDS[provider], app_secret=OWN)
    assert api.get(f"/messengers/{provider}").json()["data"]["unproved_at"] is None
    deliver(path_of(connection), update(provider), OWN)
    work()
    assert "was not proved" not in cabinet.get(page).content.decode()


def test_an_update_of_another_app_at_the_installations_address_is_told_too(
    api: ApiClient, shop: Widget, provider: str, vendors: Vendors
) -> None:
    put(api, provider, **FIELDS[provider])
    learn()
    assert_problem(deliver(app_path(provider), update(provider), OWN), 403, "hook_not_proven")
    assert api.get(f"/messengers/{provider}").json()["data"]["unproved_at"] is not None
    assert_problem(deliver(app_path(provider), [1], OWN), 400, "invalid_json")


def test_the_page_asks_for_it_keeps_it_where_it_is_blank_and_shows_the_own_address(
    cabinet: Client, shop: Widget, provider: str
) -> None:
    form = f"/admin/messengers/connection/add/?provider={provider}"
    assert 'name="app_secret"' in cabinet.get(form).content.decode()
    given = {**FIELDS[provider], "widget": shop.pk, "app_secret": OWN}
    page = cabinet.post(form, given, follow=True).content.decode()
    connection = Connection.objects.get()
    assert connection.app_secret == OWN
    assert callback_address(connection) in page
    assert "once for all" not in page
    assert OWN not in page
    cabinet.post(form, {**given, "app_secret": ""})
    assert Connection.objects.get().app_secret == OWN


def test_the_link_may_be_left_out_as_the_page_says(api: ApiClient, shop: Widget, provider: str) -> None:
    assert put(api, provider, **FIELDS[provider]).json()["data"]["has_url"] is False
