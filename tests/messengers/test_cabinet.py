"""The cabinet's pages of messengers: an owner connects, sees what to paste and what is wrong, repairs and removes."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core import signing
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from apps.accounts.models import Account, Widget
from apps.agents.models import Agent
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions.overview import state_of
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.adapters import ADAPTERS
from apps.messengers.cabinet import DETAILS, MARKS, detail_in_words
from apps.messengers.models import AdCabinet, Community, Connection, VendorSettings
from apps.messengers.rules.providers import ConnectionState, WebhookStatus, connection_state
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.billing import PlanFactory
from tests.factories.messengers import CabinetFactory, CommunityFactory, ConnectionFactory
from tests.messengers.test_hooks import connected

TOKEN = f"4711:{'A' * 35}"
CONNECTED = "/admin/messengers/connection"


@pytest.fixture
def cabinet(account: Account, olga: Agent) -> Client:
    """The browser of an owner of the shop's account."""
    return signed_in(StaffFactory.create(account=account, role="owner"))


def connect(cabinet: Client, provider: str, **fields: Any) -> Any:
    return cabinet.post(f"{CONNECTED}/add/?provider={provider}", fields)


def page_of(browser: Client, connection: Connection, kind: str = "connection") -> str:
    answer = browser.get(f"/admin/messengers/{kind}/{connection.pk}/change/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_bot_is_connected_by_its_token(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    for path in (f"{CONNECTED}/add/", f"{CONNECTED}/add/?provider=tg"):
        assert cabinet.get(path).status_code == 200
    answer = connect(cabinet, "tg", widget=shop.pk, token=TOKEN)
    row = Connection.objects.get()
    assert answer["Location"] == f"{CONNECTED}/{row.pk}/change/"
    assert (row.widget, row.token, row.webhook_status) == (shop, TOKEN, "registered")
    page = page_of(cabinet, row)
    assert "The messenger delivers to us." in page
    assert callback_address(row) not in page, "nothing is to be pasted"
    assert "Nothing has come in yet" in page
    for secret in (row.token, row.secret):
        assert secret not in page


@pytest.mark.parametrize("token", ["x", "999999:" + "R" * 35])
def test_what_is_refused_is_said_and_never_shown(cabinet: Client, shop: Widget, vendors: Vendors, token: str) -> None:
    vendors.rejected.add(token)
    answer = connect(cabinet, "tg", widget=shop.pk, token=token)
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "form-error" in page
    assert f'value="{token}"' not in page
    assert not Connection.objects.exists()


def test_whatsapp_shows_what_to_paste_to_those_who_repair(
    cabinet: Client, account: Account, shop: Widget, vendors: Vendors
) -> None:
    fields = {"token": "EAAB-token", "sid": "100200300", "url": "https://wa.me/7999"}
    assert connect(cabinet, "wa", widget=shop.pk, **fields).status_code == 302
    row = Connection.objects.get()
    page = page_of(cabinet, row)
    assert callback_address(row) in page
    assert row.verify_token
    assert row.verify_token in page
    app = VendorSettings.objects.get(pk="wa")
    assert f"https://chat.example.com/hooks/wa/{app.app_key}" in page
    settings_ = signed_in(SuperuserFactory.create()).get("/admin/messengers/vendorsettings/").content.decode()
    assert str(app.app_key) in settings_
    assert str(app.app_verify_token) in settings_
    viewers = page_of(signed_in(StaffFactory.create(account=account, role="viewer")), row)
    assert row.hook_key not in viewers
    assert row.verify_token not in viewers


def test_a_subscription_that_meta_refuses_is_told(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    error = {"error": {"code": 200, "message": "(#200) Requires pages_manage_metadata"}}
    vendors.will("fb", "/subscribed_apps", PlayedFault(400, error))
    assert connect(cabinet, "fb", widget=shop.pk, token="EAAB-token").status_code == 302
    assert "It did not subscribe the account to the app: (#200) Requires pages_manage_metadata" in page_of(
        cabinet, Connection.objects.get()
    )


def test_a_widget_of_another_account_is_none(cabinet: Client, rival: Rival, vendors: Vendors) -> None:
    assert connect(cabinet, "tg", widget=rival.widget.pk, token=TOKEN).status_code == 200
    assert not Connection.objects.exists()
    for provider in ("vk", "custom", "av", "x"):
        assert cabinet.get(f"{CONNECTED}/add/?provider={provider}").status_code == 404


def test_a_problem_is_shown_until_it_is_repaired(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    row = connected(shop, "tg")
    about = {"problem_code": "credential_rejected", "problem_detail": "Unauthorized", "problem_at": timezone.now()}
    Connection.objects.update(**about)
    assert "no longer takes the key" in page_of(cabinet, row)
    verify = f"{CONNECTED}/{row.pk}/verify/"
    assert cabinet.get(verify).status_code == 200
    assert cabinet.post(verify)["Location"] == f"{CONNECTED}/{row.pk}/change/"
    row.refresh_from_db()
    assert (row.problem_code, row.webhook_status) == ("", "registered")
    assert cabinet.get(f"{CONNECTED}/{row.pk}/replace/")["Location"].startswith(f"{CONNECTED}/add/?provider=tg")


@pytest.mark.parametrize(
    ("provider", "is_down", "said"),
    [
        ("tg", False, "The messenger is connected."),
        ("tg", True, "The key is saved, but nothing comes in"),
        ("wa", False, "The key is saved. Nothing comes in yet: enter the address below"),
        ("ali", False, "The key is saved, and the messenger was told our address; it never confirms it"),
    ],
)
def test_a_saved_key_is_no_connected_messenger(
    cabinet: Client, shop: Widget, vendors: Vendors, provider: str, is_down: bool, said: str
) -> None:
    if is_down:
        for method in ("getMe", "setWebhook"):
            vendors.will("tg", method, PlayedFault(502, {"ok": False}))
    fields = {"token": TOKEN} if provider == "tg" else {"token": "t-1", "url": "https://shop.example/chat"}
    answer = connect(cabinet, provider, widget=shop.pk, **fields, **({"sid": "100200300"} if provider == "wa" else {}))
    page = cabinet.get(answer["Location"]).content.decode()
    assert said in page.replace("&#x27;", "'")
    listed = cabinet.get(f"{CONNECTED}/").content.decode()
    row = Connection.objects.get()
    assert str(MARKS[state_of(row)]).lower() in listed.lower()
    assert (state_of(row) is ConnectionState.CONNECTED) == (said == "The messenger is connected.")


def test_registering_again_says_what_came_of_it(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    row = connected(shop, "tg")
    vendors.will("tg", "setWebhook", PlayedFault(502, {"ok": False}))
    answer = cabinet.post(f"{CONNECTED}/{row.pk}/verify/")
    assert "nothing comes in" in cabinet.get(answer["Location"]).content.decode()


def test_a_key_that_could_not_be_tried_takes_no_others_place(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    row = connected(shop, "tg")
    vendors.will("tg", "getMe", PlayedFault(502, {"ok": False}))
    answer = connect(cabinet, "tg", widget=shop.pk, token=f"999999:{'B' * 35}")
    assert answer.status_code == 200
    assert "the one that works stays" in answer.content.decode()
    assert Connection.objects.get().token == row.token


@pytest.mark.parametrize(
    ("status", "problem", "has_heard", "state"),
    [
        ("registered", "", False, "connected"),
        ("long_poll", "", False, "connected"),
        ("manual", "", False, "to_paste"),
        ("manual", "", True, "connected"),
        ("unconfirmed_provider_api", "", False, "told"),
        ("unconfirmed_provider_api", "", True, "connected"),
        ("pending", "", True, "pending"),
        ("failed", "", True, "silent"),
        ("registered", "webhook_lost", True, "silent"),
        ("registered", "conflict", True, "silent"),
        ("registered", "credential_rejected", True, "rejected"),
        ("failed", "credential_rejected", False, "rejected"),
    ],
)
def test_what_a_saved_key_is_worth(status: str, problem: str, has_heard: bool, state: str) -> None:
    assert connection_state(WebhookStatus(status), problem, has_heard=has_heard) == state


def test_a_messenger_is_disconnected(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    row = connected(shop, "tg")
    path = f"{CONNECTED}/{row.pk}/disconnect/"
    assert cabinet.get(path).status_code == 200
    assert Connection.objects.exists()
    assert cabinet.post(path)["Location"] == f"{CONNECTED}/"
    assert not Connection.objects.exists()
    assert vendors.asked_of("tg", "deleteWebhook")


def test_a_community_is_connected_chosen_and_removed(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    first = CommunityFactory.create(widget=shop, account="1", is_primary=True)
    fields = {"widget": shop.pk, "community": "https://vk.com/club99", "token": "vk1.a.key"}
    answer = cabinet.post("/admin/messengers/community/add/", fields)
    assert answer.status_code == 302, answer.content
    row = Community.objects.exclude(pk=first.pk).get()
    assert "delivers to us" in page_of(cabinet, row, "community")
    cabinet.post(f"/admin/messengers/community/{row.pk}/primary/")
    row.refresh_from_db()
    assert row.is_primary
    cabinet.post(f"/admin/messengers/community/{row.pk}/remove/")
    assert list(Community.objects.all()) == [first]


# Avito.

AVITO = "/admin/messengers/adcabinet"


@pytest.fixture
def client_id(vendors: Vendors) -> str:
    VendorSettings.objects.filter(pk="av").update(client_id="client-1", client_secret="client-secret")
    return "client-1"


def begin(cabinet: Client, widget: Widget) -> dict[str, str]:
    """Presses the button; what the person's browser takes to Avito."""
    answer = cabinet.post(f"{AVITO}/connect/?widget={widget.pk}")
    assert answer.status_code == 302, answer.content
    return {name: values[0] for name, values in parse_qs(urlsplit(answer["Location"]).query).items()}


def come_back(cabinet: Client, **query: str) -> Any:
    return cabinet.get(f"{AVITO}/callback/", query)


def test_a_cabinet_is_connected_at_avito(cabinet: Client, shop: Widget, vendors: Vendors, client_id: str) -> None:
    page, origin = cabinet.get(f"{AVITO}/connect/?widget={shop.pk}"), vendors.base("av").rpartition("/")[0]
    assert (page.status_code, f"form-action 'self' {origin}" in page["Content-Security-Policy"]) == (200, True)
    taken = begin(cabinet, shop)
    assert (taken["client_id"], taken["response_type"]) == (client_id, "code")
    assert taken["scope"] == "messenger:read,messenger:write,user:read"
    assert taken["redirect_uri"] == f"https://chat.example.com{AVITO}/callback/"
    answer = come_back(cabinet, code="c0de", state=taken["state"])
    assert (answer.status_code, answer["Location"]) == (302, f"{AVITO}/")
    row = AdCabinet.objects.get()
    assert (row.widget, row.account, row.account_name, row.status) == (shop, "555", "Мебель", "enabled")
    assert row.webhook_status == "registered"
    (asked,) = vendors.asked_of("av", "/token")
    form = {"grant_type": "authorization_code", "client_id": client_id, "client_secret": "client-secret"}
    assert asked.body == {**form, "code": "c0de"}
    assert vendors.hooks["av", row.token]["url"] == callback_address(row)


def test_the_same_account_again_renews_its_credential(
    cabinet: Client, shop: Widget, vendors: Vendors, client_id: str
) -> None:
    row = CabinetFactory.create(widget=shop, account="555", status="disabled", problem_code="credential_rejected")
    come_back(cabinet, code="c0de", state=begin(cabinet, shop)["state"])
    now = AdCabinet.objects.get()
    assert (now.pk, now.status, now.problem_code) == (row.pk, "disabled", "")
    assert now.token != row.token


def test_without_a_plan_it_is_disabled(cabinet: Client, unpaid: Widget, vendors: Vendors, client_id: str) -> None:
    come_back(cabinet, code="c0de", state=begin(cabinet, unpaid)["state"])
    assert AdCabinet.objects.get().status == "disabled"


def test_a_state_is_good_once_for_who_has_begun(
    cabinet: Client, account: Account, shop: Widget, vendors: Vendors, client_id: str
) -> None:
    state, other = (begin(cabinet, shop)["state"] for _ in range(2))
    colleague = signed_in(StaffFactory.create(account=account, role="owner"))
    assert come_back(colleague, code="c0de", state=state).status_code == 400
    assert come_back(cabinet, code="c0de", state=state[:-1]).status_code == 400
    assert come_back(cabinet, code="c0de").status_code == 400
    assert not vendors.asked_of("av")
    assert come_back(cabinet, code="c0de", state=state).status_code == 302
    assert come_back(cabinet, code="c0de", state=state).status_code == 400
    assert len(vendors.asked_of("av", "/token")) == 1
    assert come_back(cabinet, error="access_denied", state=other).status_code == 302
    assert AdCabinet.objects.count() == 1


def test_a_state_is_good_for_ten_minutes(
    cabinet: Client, shop: Widget, vendors: Vendors, client_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = signing.time.time()
    state = begin(cabinet, shop)["state"]
    monkeypatch.setattr(signing.time, "time", lambda: now + 601)
    assert come_back(cabinet, code="c0de", state=state).status_code == 400
    assert not vendors.asked_of("av")


def test_a_code_that_avito_refuses_connects_nothing(
    cabinet: Client, shop: Widget, vendors: Vendors, client_id: str
) -> None:
    vendors.rejected.add("bad")
    assert come_back(cabinet, code="bad", state=begin(cabinet, shop)["state"]).status_code == 302
    assert not AdCabinet.objects.exists()


def test_without_a_client_id_the_page_says_what_to_set(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    for answer in (cabinet.get(f"{AVITO}/connect/"), cabinet.post(f"{AVITO}/connect/?widget={shop.pk}")):
        assert answer.status_code == 200
        assert "messenger_vendor av --client-id" in answer.content.decode()


def test_others_widgets_and_viewers_connect_nothing(
    cabinet: Client, account: Account, rival: Rival, vendors: Vendors, client_id: str
) -> None:
    assert cabinet.post(f"{AVITO}/connect/?widget={rival.widget.pk}").status_code == 404
    viewer = signed_in(StaffFactory.create(account=account, role="viewer"))
    assert viewer.get(f"{AVITO}/connect/").status_code == 403
    assert come_back(viewer, code="c0de", state="x").status_code == 403


def test_cabinets_are_switched_as_the_plan_allows(cabinet: Client, paid: Widget, vendors: Vendors) -> None:
    rows = [CabinetFactory.create(widget=paid, status="disabled") for _ in range(3)]
    for row in rows:
        cabinet.post(f"{AVITO}/{row.pk}/enable/")
    assert list(AdCabinet.objects.order_by("pk").values_list("status", flat=True)) == ["enabled", "enabled", "disabled"]
    cabinet.post(f"{AVITO}/{rows[0].pk}/disable/")
    cabinet.post(f"{AVITO}/{rows[1].pk}/remove/")
    assert list(AdCabinet.objects.order_by("pk").values_list("status", flat=True)) == ["disabled", "disabled"]


# Vendors' settings.


def test_who_runs_the_installation_sets_vendors(vendors: Vendors, account: Account) -> None:
    ours, page = signed_in(SuperuserFactory.create()), "/admin/messengers/vendorsettings"
    VendorSettings.objects.all().delete()
    assert ours.get(f"{page}/add/").status_code == 200
    for provider in ("tg", "wa", "av"):
        assert ours.get(f"{page}/add/?provider={provider}").status_code == 200
    for provider in ("apple", "custom", "x"):
        assert ours.get(f"{page}/add/?provider={provider}").status_code == 404
    fields = {"base": vendors.base("wa"), "app_secret": "app-secret-1"}
    assert ours.post(f"{page}/add/?provider=wa", fields).status_code == 302
    row = VendorSettings.objects.get()
    assert (row.provider, row.base, row.app_secret) == ("wa", vendors.base("wa"), "app-secret-1")
    shown = ours.get(f"{page}/wa/change/").content.decode()
    assert vendors.base("wa") in shown
    assert "app-secret-1" not in shown
    assert ours.post(f"{page}/wa/change/", {"base": "", "app_secret": ""}).status_code == 302
    row.refresh_from_db()
    assert (row.base, row.app_secret) == ("", "app-secret-1"), "a secret that is left blank stays"
    refused = ours.post(f"{page}/wa/change/", {"base": "https://10.0.0.1/"})
    assert refused.status_code == 200
    owner = signed_in(StaffFactory.create(account=account, role="owner"))
    assert owner.get(f"{page}/").status_code == 403
    assert owner.get(f"{page}/wa/change/").status_code in (403, 404)


def test_no_page_shows_a_secret(cabinet: Client, shop: Widget, vendors: Vendors) -> None:
    rows = {"connection": ConnectionFactory.create(widget=shop), "community": CommunityFactory.create(widget=shop)}
    rows["adcabinet"] = CabinetFactory.create(widget=shop, token="at-secret", refresh_token="rt-secret")
    for kind, row in rows.items():
        for page in (page_of(cabinet, row, kind), cabinet.get(f"/admin/messengers/{kind}/").content.decode()):
            for secret in (row.token, row.secret, row.refresh_token or row.token):
                assert secret not in page


def test_what_a_shop_uses_first_stands_first_with_its_picture(cabinet: Client, shop: Widget) -> None:
    page = cabinet.get(f"{CONNECTED}/add/").content.decode()
    places = [page.index(f">{name}<") for name in ("Telegram", "WhatsApp", "VK", "MAX", "Avito")]
    assert places == sorted(places)
    assert [code for code, one in ADAPTERS.items() if one.about.picture not in page] == []


def test_each_messenger_says_its_steps(cabinet: Client, shop: Widget) -> None:
    page = cabinet.get(f"{CONNECTED}/add/?provider=wa").content.decode()
    assert page.count("<li>") >= 5
    assert "phone number id" in page
    assert [code for code, one in ADAPTERS.items() if not one.about.steps] == ["av"]


def test_the_plan_is_asked_for_before_the_token(cabinet: Client, shop: Widget) -> None:
    PlanFactory.create()
    for path in (f"{CONNECTED}/add/", f"{CONNECTED}/add/?provider=tg"):
        page = cabinet.get(path).content.decode()
        assert "Messengers need a paid plan" in page
    assert 'name="token"' not in page


@pytest.mark.parametrize("detail", [*DETAILS, "The provider answered 502."])
def test_our_words_of_a_providers_failure_are_in_the_readers_language(detail: str) -> None:
    assert detail_in_words(detail) == detail
    with override("ru"):
        told = detail_in_words(detail)
    assert any("а" <= letter <= "я" for letter in told)


def test_a_providers_own_words_stay_behind_ours() -> None:
    with override("ru"):
        assert detail_in_words("Bad Gateway (42)") == "Bad Gateway (42)"
        assert detail_in_words("It did not subscribe the account to the app: no rights").endswith(": no rights")
        assert "502" in detail_in_words("The provider answered 502.")
