"""Custom channels in the cabinet: an account's own are switched, deleted and given another secret."""

import pytest
from cryptography.fernet import Fernet
from django.test import Client
from pytest_django import Settings

from apps.accounts.actions import delete_account
from apps.accounts.models import Widget
from apps.messengers.models import Channel
from tests.cast import Rival, signed_in
from tests.client import ApiClient
from tests.factories import StaffFactory
from tests.factories.messengers import ChannelFactory

pytestmark = pytest.mark.django_db
PAGES = "/admin/messengers/channel/"


@pytest.fixture
def channel(shop: Widget) -> Channel:
    return ChannelFactory.create(widget=shop, name="Our app")


@pytest.fixture
def foreign(rival: Rival) -> Channel:
    return ChannelFactory.create(widget=rival.widget, name="Rival's app")


def test_staff_see_the_channels_of_their_account_alone(cabinet: Client, channel: Channel, foreign: Channel) -> None:
    page = cabinet.get(PAGES).content.decode()
    assert "Our app" in page
    assert channel.code in page
    assert foreign.code not in page
    assert cabinet.get(f"{PAGES}{foreign.pk}/change/").status_code == 404


def test_no_page_shows_a_secret(cabinet: Client, channel: Channel) -> None:
    for path in ("", f"{channel.pk}/change/", f"{channel.pk}/secret/"):
        page = cabinet.get(PAGES + path)
        assert page.status_code == 200, path
        assert channel.secret not in page.content.decode()


def test_a_channel_is_disabled_and_enabled_and_nothing_else_changes(cabinet: Client, channel: Channel) -> None:
    before = (channel.name, channel.outbound_url, channel.target, channel.secret)
    for form, is_active in (({"name": "x", "outbound_url": "https://evil.test/"}, False), ({"is_active": "on"}, True)):
        assert cabinet.post(f"{PAGES}{channel.pk}/change/", form).status_code == 302
        channel.refresh_from_db()
        assert channel.is_active is is_active
    assert (channel.name, channel.outbound_url, channel.target, channel.secret) == before


def test_a_secret_is_replaced_and_shown_once(cabinet: Client, channel: Channel) -> None:
    old = channel.secret
    page = cabinet.post(f"{PAGES}{channel.pk}/secret/", follow=True)
    channel.refresh_from_db()
    assert channel.secret != old
    assert channel.secret in page.content.decode()
    assert Channel.objects.with_secret(old) is None
    assert Channel.objects.with_secret(channel.secret) == channel


def test_a_channel_is_deleted(cabinet: Client, channel: Channel) -> None:
    assert cabinet.post(f"{PAGES}{channel.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Channel.objects.exists()


@pytest.mark.parametrize("path", ["change/", "secret/", "delete/"])
def test_another_accounts_channel_is_not_there(cabinet: Client, foreign: Channel, path: str) -> None:
    before = foreign.secret
    assert cabinet.post(f"{PAGES}{foreign.pk}/{path}", {"post": "yes"}).status_code == 404
    foreign.refresh_from_db()
    assert (foreign.secret, foreign.is_active) == (before, True)


def test_a_viewer_changes_nothing(shop: Widget, channel: Channel) -> None:
    browser = signed_in(StaffFactory.create(account=shop.account, role="viewer"))
    before = channel.secret
    for path, form in (("change/", {}), ("secret/", {}), ("delete/", {"post": "yes"})):
        assert browser.post(f"{PAGES}{channel.pk}/{path}", form).status_code == 403
    channel.refresh_from_db()
    assert (channel.secret, channel.is_active) == (before, True)
    assert browser.get(PAGES).status_code == 200


def test_without_the_key_of_its_secret_all_else_of_a_channel_can_be_done(
    api: ApiClient, cabinet: Client, shop: Widget, channel: Channel, settings: Settings
) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert api.get(f"/channels/{channel.pk}/status").status_code == 200
    assert [cabinet.get(PAGES + path).status_code for path in ("", f"{channel.pk}/change/")] == [200, 200]
    assert cabinet.post(f"{PAGES}{channel.pk}/change/", {}).status_code == 302
    assert Channel.objects.get().is_active is False
    page = cabinet.post(f"{PAGES}{channel.pk}/secret/", follow=True).content.decode()
    assert Channel.objects.get().secret in page
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    assert cabinet.post(f"{PAGES}{channel.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not Channel.objects.exists()


def test_an_account_is_deleted_without_the_keys_of_its_secrets(
    shop: Widget, channel: Channel, settings: Settings
) -> None:
    settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    delete_account(account=shop.account)
    assert not Channel.objects.exists()


def test_a_new_channels_secret_is_shown_once_and_a_reload_makes_no_second(
    cabinet: Client, shop: Widget, settings: Settings
) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    form = {"widget": shop.pk, "name": "Forum", "url": "http://127.0.0.1:9/hook"}
    answer = cabinet.post(f"{PAGES}register/", form)
    assert (answer.status_code, answer["Location"]) == (302, "/admin/shown-once/")
    channel = Channel.objects.get()
    assert channel.secret in cabinet.get("/admin/shown-once/").content.decode()
    assert channel.secret not in cabinet.get("/admin/shown-once/").content.decode()
    assert Channel.objects.count() == 1
