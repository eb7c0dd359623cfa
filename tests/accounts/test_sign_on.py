"""Signing in by a provider of OpenID Connect (docs/guides/single-sign-on.md; OpenID Connect Core 1.0, 3.1.3.7)."""

import base64
import hmac
import json
import logging
import re
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from joserfc import jwk, jwt
from pytest_django import Settings

from apps.accounts import sign_on
from apps.accounts.actions.sign_in_mail import send_new_password
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.core.models import Mail
from tests.accounts.attempts import forget
from tests.accounts.oidc_provider import CLIENT_ID, CLIENT_SECRET, Provider
from tests.cast import Rival, signed_in
from tests.factories import StaffFactory, SuperuserFactory, UserFactory
from tests.factories.accounts import PASSWORD
from tests.factories.agents import InvitationFactory, secret_of
from tests.rows import snapshot

VERA = {"sub": "42", "email": "vera@shop.test", "email_verified": True, "given_name": "Vera", "family_name": "Kim"}


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    forget()
    sign_on._kept.clear()
    with Provider() as provider:
        provider.claims = dict(VERA)
        settings.OIDC_ISSUER = provider.issuer
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET
        settings.EGRESS_ALLOW = ["127.0.0.1"]
        settings.AUTHENTICATION_BACKENDS = [
            "apps.accounts.sign_on.PasswordBackend",
            "apps.accounts.sign_on.ProviderBackend",
        ]
        yield provider


@pytest.fixture
def vera(olga: Agent) -> User:
    """A manager of the shop's account, with a password too."""
    return StaffFactory.create(account=olga.widget.account, email="vera@shop.test", role="manager")


def go(browser: Client, provider: Provider, then: str = "/admin/") -> Any:
    """Goes to the provider and comes back; what is answered then."""
    away = browser.get("/sign-on", {"next": then})
    assert away.status_code == 302
    assert away["Location"].startswith(f"{provider.issuer}/authorize?")
    return browser.get(provider.authorize(away["Location"]))


def is_in(browser: Client) -> bool:
    return browser.get("/admin/").status_code == 200


class TestWay:
    def test_whom_the_provider_vouches_for_is_signed_in(self, provider: Provider, vera: User) -> None:
        browser = Client()
        answer = go(browser, provider, "/admin/accounts/user/")
        assert (answer.status_code, answer["Location"]) == (302, "/admin/accounts/user/")
        assert is_in(browser)
        vera.refresh_from_db()
        assert (vera.provider_subject, vera.role) == (f"{provider.issuer} 42", "manager")

    def test_the_flow_is_by_code_with_pkce_state_and_nonce(self, provider: Provider, vera: User) -> None:
        asked = parse_qs(urlsplit(Client().get("/sign-on")["Location"]).query)
        assert asked["response_type"] == ["code"]
        assert asked["code_challenge_method"] == ["S256"]
        assert asked["scope"] == ["openid email profile"]
        assert asked["redirect_uri"] == [f"{settings.PUBLIC_URL}/signed-on"]
        assert all(len(asked[name][0]) >= 43 for name in ("state", "nonce", "code_challenge"))

    def test_both_pages_of_signing_in_offer_it(self, provider: Provider, settings: Settings, db: None) -> None:
        settings.OIDC_NAME = "Flower SSO"
        for page in ("/admin/login/?next=/admin/x/", "/console/login/"):
            assert "Sign in by Flower SSO" in Client().get(page, HTTP_ACCEPT_LANGUAGE="en").content.decode()
        assert "/sign-on?next=%2Fadmin%2Fx%2F" in Client().get("/admin/login/?next=/admin/x/").content.decode()

    def test_without_the_setting_there_is_nothing_of_it(self, settings: Settings, db: None) -> None:
        assert settings.OIDC_ISSUER == ""
        assert Client().get("/sign-on").status_code == Client().get("/signed-on").status_code == 404
        assert "sign-on" not in Client().get("/admin/login/").content.decode()

    @pytest.mark.parametrize("then", ["https://evil.example/", "//evil.example", "javascript:alert(1)", ""])
    def test_nobody_is_led_elsewhere(self, provider: Provider, vera: User, then: str) -> None:
        assert go(Client(), provider, then)["Location"] == "/admin/"

    def test_the_second_factor_is_the_providers(self, provider: Provider, vera: User, settings: Settings) -> None:
        settings.REQUIRE_TWO_FACTOR = True
        browser = Client()
        go(browser, provider)
        assert is_in(browser)

    def test_an_operator_who_is_no_staff_comes_to_the_console(self, provider: Provider, alice: Agent) -> None:
        provider.claims |= {"email": alice.user.email}
        browser = Client()
        assert go(browser, provider)["Location"] == "/console/"
        assert browser.get("/console/").status_code == 200

    def test_signing_out_ends_the_session_here_and_there(self, provider: Provider, vera: User) -> None:
        for door, back in (("/admin/logout/", "/admin/login/"), ("/console/logout/", "/console/login/")):
            browser = Client()
            go(browser, provider)
            there = urlsplit(browser.post(door)["Location"])
            said = parse_qs(there.query)
            assert f"{there.scheme}://{there.netloc}{there.path}" == f"{provider.issuer}/bye"
            assert said["post_logout_redirect_uri"] == [f"{settings.PUBLIC_URL}{back}"]
            assert jwt.decode(said["id_token_hint"][0], provider.key).claims["sub"] == "42"
            assert not is_in(browser)

    def test_who_came_by_a_password_leaves_as_before(self, provider: Provider, vera: User) -> None:
        browser = Client()
        browser.post("/admin/login/", {"username": vera.email, "password": PASSWORD})
        assert browser.post("/admin/logout/").status_code == 200


class TestStart:
    """A start is kept by the browser that made it, in a signed cookie; nothing of it is stored here."""

    def test_a_start_of_sign_on_stores_no_session(self, provider: Provider, vera: User) -> None:
        browser = Client()
        before = snapshot()
        back = provider.authorize(browser.get("/sign-on")["Location"])
        assert (Session.objects.count(), snapshot()) == (0, before)
        assert settings.SESSION_COOKIE_NAME not in browser.cookies
        assert browser.get(back).status_code == 302
        assert is_in(browser)

    def test_a_refused_return_stores_no_session(self, provider: Provider, vera: User) -> None:
        assert Client().get("/signed-on?code=guessed&state=guessed").status_code == 403
        assert Session.objects.count() == 0

    def test_the_cookie_is_of_the_return_alone(self, provider: Provider, vera: User, settings: Settings) -> None:
        settings.SESSION_COOKIE_SECURE = True
        cookie = Client().get("/sign-on").cookies["sign-on"]
        assert (cookie["httponly"], cookie["samesite"], cookie["secure"]) == (True, "Lax", True)
        assert (cookie["path"], cookie["max-age"]) == ("/signed-on", 600)

    @pytest.mark.parametrize(("age_s", "may"), [(590, True), (601, False)])
    def test_a_start_counts_for_ten_minutes(
        self, provider: Provider, vera: User, monkeypatch: pytest.MonkeyPatch, age_s: int, may: bool
    ) -> None:
        browser, now = Client(), time.time()
        with monkeypatch.context() as before:
            before.setattr(time, "time", lambda: now - age_s)
            away = browser.get("/sign-on")["Location"]
        assert (browser.get(provider.authorize(away)).status_code == 302) is is_in(browser) is may

    @pytest.mark.parametrize("change", [lambda value: value[:-1], lambda value: "x" + value, lambda value: ""])
    def test_a_cookie_that_is_not_ours_is_refused(self, provider: Provider, vera: User, change: Any) -> None:
        browser = Client()
        away = browser.get("/sign-on")["Location"]
        browser.cookies["sign-on"] = change(browser.cookies["sign-on"].value)
        assert browser.get(provider.authorize(away)).status_code == 403
        assert not is_in(browser)

    def test_a_cookie_of_another_start_is_refused(self, provider: Provider, vera: User) -> None:
        browser, other = Client(), Client()
        away = browser.get("/sign-on")["Location"]
        other.get("/sign-on")
        browser.cookies["sign-on"] = other.cookies["sign-on"].value
        assert browser.get(provider.authorize(away)).status_code == 403
        assert not is_in(browser)

    def test_a_cookie_that_is_put_back_is_refused(self, provider: Provider, vera: User) -> None:
        browser = Client()
        back = provider.authorize(browser.get("/sign-on")["Location"])
        kept = browser.cookies["sign-on"].value
        browser.get(back)
        assert browser.cookies["sign-on"].value == ""
        browser.post("/admin/logout/")
        browser.cookies["sign-on"] = kept
        assert browser.get(back).status_code == 403
        assert not is_in(browser)


class TestTokens:
    """What is no word of the provider for this browser is a 403, signs nobody in, and changes nothing."""

    @pytest.mark.parametrize(
        "claims",
        [
            {"aud": "another"},
            {"aud": None},
            {"iss": "https://another.example"},
            {"exp": 1},
            {"exp": None},
            {"iat": 99999999999},
            {"nonce": "replayed"},
            {"nonce": None},
            {"sub": None},
            {"azp": "another"},
            {"email": None},
            {"email": ["vera@shop.test"]},
            {"email_verified": False},
            {"email_verified": None},
        ],
        ids=str,
    )
    def test_an_identity_with_wrong_claims_is_refused(
        self, provider: Provider, vera: User, claims: dict[str, Any]
    ) -> None:
        provider.change = lambda said: {
            name: value for name, value in (said | claims).items() if value is not None or name not in claims
        }
        self.refused(provider)

    def refused(self, provider: Provider, browser: Client | None = None, address: str = "") -> None:
        before, browser = snapshot(), browser or Client()
        answer = browser.get(address) if address else go(browser, provider)
        assert answer.status_code == 403
        assert (is_in(browser), snapshot()) == (False, before)

    def test_an_identity_signed_with_another_key_is_refused(self, provider: Provider, vera: User) -> None:
        stranger = jwk.RSAKey.generate_key(2048, {"kid": "one"})
        provider.sign = lambda claims: jwt.encode({"alg": "RS256", "kid": "one"}, claims, stranger)
        self.refused(provider)

    def test_an_unsigned_identity_is_refused(self, provider: Provider, vera: User) -> None:
        signed = provider.sign
        provider.sign = lambda claims: "eyJhbGciOiJub25lIn0." + signed(claims).split(".")[1] + "."
        self.refused(provider)

    def test_a_signature_by_what_everybody_knows(self, provider: Provider, vera: User) -> None:
        def sign(claims: dict[str, Any]) -> str:
            parts = [json.dumps({"alg": "HS256", "kid": "one"}).encode(), json.dumps(claims).encode()]
            signed = b".".join(map(base64.urlsafe_b64encode, parts)).replace(b"=", b"")
            by = hmac.digest(provider.key.as_pem(private=False), signed, "sha256")
            return (signed + b"." + base64.urlsafe_b64encode(by).rstrip(b"=")).decode()

        provider.sign = sign
        self.refused(provider)

    def test_no_token_at_all(self, provider: Provider, vera: User) -> None:
        provider.sign = lambda claims: "x.y.z"
        self.refused(provider)

    def test_keys_that_have_changed_are_asked_for_anew(self, provider: Provider, vera: User) -> None:
        go(Client(), provider)
        provider.key = jwk.RSAKey.generate_key(2048, {"kid": "two"})
        browser = Client()
        go(browser, provider)
        assert is_in(browser)

    @pytest.mark.parametrize("kid", ["one", "another"])
    def test_the_only_key_needs_no_id(self, provider: Provider, vera: User, kid: str) -> None:
        """Core 1.0, 10.1: a key's id is needed where there are several."""
        provider.has_kid = False
        provider.sign = lambda claims: jwt.encode({"alg": "RS256", "kid": kid}, claims, provider.key)
        browser = Client()
        go(browser, provider)
        assert is_in(browser)
        stranger = jwk.RSAKey.generate_key(2048)
        provider.sign = lambda claims: jwt.encode({"alg": "RS256", "kid": kid}, claims, stranger)
        self.refused(provider)

    @pytest.mark.parametrize("ways", [["client_secret_post"], ["client_secret_basic", "client_secret_post"]])
    def test_the_client_proves_itself_in_a_way_that_the_provider_takes(
        self, provider: Provider, vera: User, ways: list[str]
    ) -> None:
        provider.ways = ways
        browser = Client()
        go(browser, provider)
        assert is_in(browser)

    def test_another_browser_comes_back(self, provider: Provider, vera: User) -> None:
        back = provider.authorize(Client().get("/sign-on")["Location"])
        self.refused(provider, Client(), back)
        other = Client()
        other.get("/sign-on")
        self.refused(provider, other, back)

    def test_who_came_back_comes_back_again(self, provider: Provider, vera: User) -> None:
        browser = Client()
        back = provider.authorize(browser.get("/sign-on")["Location"])
        browser.get(back)
        browser.post("/admin/logout/")
        self.refused(provider, browser, back)

    def test_a_refusal_of_the_provider_signs_nobody_in(self, provider: Provider, vera: User) -> None:
        browser = Client()
        state = parse_qs(urlsplit(browser.get("/sign-on")["Location"]).query)["state"][0]
        self.refused(provider, browser, f"/signed-on?error=access_denied&state={state}")

    def test_the_code_is_not_the_providers(self, provider: Provider, vera: User) -> None:
        browser = Client()
        state = parse_qs(urlsplit(browser.get("/sign-on")["Location"]).query)["state"][0]
        self.refused(provider, browser, f"/signed-on?code=guessed&state={state}")


class TestProviderAway:
    def test_it_is_said_and_a_password_still_opens(self, provider: Provider, vera: User) -> None:
        provider.is_down = True
        browser = Client()
        assert browser.get("/sign-on").status_code == 503
        browser.post("/admin/login/", {"username": vera.email, "password": PASSWORD})
        assert is_in(browser)

    def test_another_issuers_document_counts_for_nothing(self, provider: Provider, vera: User) -> None:
        provider.issuer_in_document = "https://another.example"
        assert Client().get("/sign-on").status_code == 503

    def test_signing_out_needs_no_provider(self, provider: Provider, vera: User) -> None:
        browser = Client()
        go(browser, provider)
        sign_on._kept.clear()
        provider.is_down = True
        assert browser.post("/admin/logout/").status_code == 200
        assert not is_in(browser)

    def test_passwords_of_owners_alone(self, provider: Provider, vera: User, settings: Settings) -> None:
        settings.OIDC_PASSWORDS = "owners"
        owner = StaffFactory.create(account=vera.account, email="own@shop.test", role="owner")
        superuser = SuperuserFactory.create(email="root@parley.test")
        for user, may in ((vera, False), (owner, True), (superuser, True)):
            browser = Client()
            browser.post("/admin/login/", {"username": user.email, "password": PASSWORD})
            assert is_in(browser) is may

    def test_no_secret_is_logged(self, provider: Provider, vera: User, caplog: pytest.LogCaptureFixture) -> None:
        caplog.set_level(logging.DEBUG)
        provider.change = lambda said: said | {"aud": "another"}
        go(Client(), provider)
        assert "aud" in caplog.text
        assert CLIENT_SECRET not in caplog.text


class TestPeople:
    def test_a_stranger_is_not_let_in(self, provider: Provider, olga: Agent) -> None:
        assert go(Client(), provider).status_code == 403
        assert not User.objects.filter(email="vera@shop.test").exists()

    def test_who_is_suspended_is_not_let_in(self, provider: Provider, vera: User) -> None:
        User.objects.filter(pk=vera.pk).update(is_active=False)
        assert go(Client(), provider).status_code == 403

    @pytest.mark.parametrize("email", [{"email": None}, {"email_verified": False}])
    def test_a_known_number_needs_no_address(self, provider: Provider, vera: User, email: dict[str, Any]) -> None:
        go(Client(), provider)
        provider.claims |= email
        browser = Client()
        go(browser, provider)
        assert is_in(browser)

    def test_who_came_by_the_provider_gets_no_password_letter(self, provider: Provider, vera: User) -> None:
        def asked() -> int:
            send_new_password(email=vera.email, path_of=lambda user: "/new/", language="en")
            return Mail.objects.filter(to=vera.email).count()

        assert asked() == 1
        go(Client(), provider)
        assert asked() == 1

    def test_who_they_are_is_by_the_providers_number_from_then_on(self, provider: Provider, vera: User) -> None:
        go(Client(), provider)
        provider.claims |= {"email": "new.name@shop.test"}
        browser = Client()
        go(browser, provider)
        assert is_in(browser)
        provider.claims |= {"sub": "43", "email": "vera@shop.test"}
        assert go(Client(), provider).status_code == 403

    def test_a_session_ends_with_the_setting_and_with_suspension(
        self, provider: Provider, vera: User, settings: Settings
    ) -> None:
        browser = Client()
        go(browser, provider)
        User.objects.filter(pk=vera.pk).update(is_active=False)
        assert not is_in(browser)
        User.objects.filter(pk=vera.pk).update(is_active=True)
        assert is_in(browser)
        settings.OIDC_ISSUER = ""
        assert not is_in(browser)


class TestInvited:
    """Who has no password here accepts an invitation to another widget by the provider's word."""

    @pytest.fixture
    def page(self, rival: Rival, vera: User) -> str:
        invitation = InvitationFactory.create(widget=rival.widget, email="vera@shop.test")
        return f"/invitations/{secret_of(invitation)}"

    def come_back(self, browser: Client, provider: Provider, page: str) -> Any:
        assert b'href="?by=provider"' in browser.get(page).content
        away = browser.get(page, {"by": "provider"})
        assert away["Location"].startswith(f"{provider.issuer}/authorize?")
        assert page.rpartition("/")[2] not in away["Location"]
        back = browser.get(provider.authorize(away["Location"]))
        assert (back.status_code, back["Location"]) == (302, page)
        return browser.get(page)

    def test_no_password_is_asked_for(self, provider: Provider, page: str, vera: User, rival: Rival) -> None:
        browser = Client()
        answer = self.come_back(browser, provider, page)
        assert b'type="password"' not in answer.content
        assert browser.post(page).status_code == 302
        assert Agent.objects.get(widget=rival.widget, user=vera).status == "active"

    def test_somebody_else_of_the_provider_is_asked_for_the_password(
        self, provider: Provider, page: str, rival: Rival
    ) -> None:
        StaffFactory.create(email="paul@shop.test")
        browser = Client()
        provider.claims = VERA | {"email": "paul@shop.test", "sub": "43"}
        answer = self.come_back(browser, provider, page)
        assert b'type="password"' in answer.content
        assert browser.post(page).status_code == 422
        assert not Agent.objects.filter(widget=rival.widget, email="vera@shop.test").exists()

    def test_a_session_of_a_password_is_asked_for_it(self, provider: Provider, page: str, vera: User) -> None:
        browser = signed_in(vera)
        assert b'type="password"' in browser.get(page).content
        assert browser.post(page).status_code == 422

    def test_an_owners_invitation_to_the_cabinet(self, provider: Provider, olga: Agent, cabinet: Client) -> None:
        vera = UserFactory.create(email="vera@shop.test", account=olga.widget.account)
        cabinet.post("/admin/accounts/user/add/", {"email": "vera@shop.test", "role": "manager"})
        link = re.findall(r"(/colleagues/\S+)", Mail.objects.get().text)[0]
        browser = Client()
        assert b'type="password"' not in self.come_back(browser, provider, link).content
        assert browser.post(link).headers["Location"] == "/admin/"
        vera.refresh_from_db()
        assert (vera.is_staff, vera.role, vera.account_id) == (True, "manager", olga.widget.account_id)


class TestGroups:
    @pytest.fixture(autouse=True)
    def ruled(self, provider: Provider, olga: Agent, settings: Settings) -> None:
        settings.OIDC_ACCOUNT = olga.widget.account_id
        settings.OIDC_ROLES = {"bosses": "owner", "team": "viewer", "leads": "manager"}

    def test_somebody_new_is_made_with_the_strongest_role(self, provider: Provider, olga: Agent) -> None:
        provider.claims |= {"groups": ["team", "leads", "golf"]}
        browser = Client()
        go(browser, provider)
        assert is_in(browser)
        vera = User.objects.get(email="vera@shop.test")
        assert (vera.account_id, vera.role, vera.name, vera.surname) == (
            olga.widget.account_id,
            "manager",
            "Vera",
            "Kim",
        )
        assert not vera.has_usable_password()

    @pytest.mark.parametrize("groups", [None, [], ["golf"], "golf", {"bosses": True}])
    def test_who_is_in_no_group_of_ours_is_not_made(self, provider: Provider, groups: Any) -> None:
        provider.claims |= {"groups": groups}
        assert go(Client(), provider).status_code == 403

    @pytest.mark.parametrize("groups", [None, {"team": True}, 7, False])
    def test_groups_that_are_no_list_change_no_role(self, provider: Provider, vera: User, groups: Any) -> None:
        provider.claims |= {"groups": groups}
        assert go(Client(), provider).status_code == 302
        vera.refresh_from_db()
        assert (vera.role, vera.is_staff) == ("manager", True)

    def test_a_group_as_a_text_is_a_list_of_one(self, provider: Provider, vera: User) -> None:
        provider.claims |= {"groups": "bosses"}
        assert go(Client(), provider).status_code == 302
        vera.refresh_from_db()
        assert (vera.role, vera.is_staff) == ("owner", True)

    def test_the_role_follows_the_groups_each_time(self, provider: Provider, vera: User) -> None:
        for groups, role, is_staff in ((["bosses"], "owner", True), (["team"], "viewer", True), ([], "viewer", False)):
            provider.claims |= {"groups": groups}
            go(Client(), provider)
            vera.refresh_from_db()
            assert (vera.role, vera.is_staff) == (role, is_staff)

    def test_the_last_owner_stays_one(self, provider: Provider, olga: Agent) -> None:
        User.objects.filter(account=olga.widget.account).delete()
        owner = StaffFactory.create(account=olga.widget.account, email="vera@shop.test", role="owner")
        provider.claims |= {"groups": ["team"]}
        browser = Client()
        go(browser, provider)
        owner.refresh_from_db()
        assert (owner.role, is_in(browser)) == ("owner", True)

    def test_another_accounts_people_and_superusers_keep_their_rights(self, provider: Provider, rival: Any) -> None:
        for user in (
            StaffFactory.create(account=rival.account, email="vera@shop.test", role="viewer"),
            SuperuserFactory.create(email="root@parley.test"),
        ):
            before = (user.account_id, user.role, user.is_staff, user.is_superuser)
            provider.claims |= {"groups": ["bosses"], "email": user.email, "sub": user.email}
            go(Client(), provider)
            user.refresh_from_db()
            assert (user.account_id, user.role, user.is_staff, user.is_superuser) == before


class TestUserInfo:
    """Core 1.0, 5.3: what the ID token lacks of the address, the name and the groups."""

    @pytest.fixture(autouse=True)
    def thin(self, provider: Provider, olga: Agent, settings: Settings) -> None:
        settings.OIDC_ACCOUNT = olga.widget.account_id
        settings.OIDC_ROLES = {"bosses": "owner", "team": "viewer", "leads": "manager"}
        provider.claims = {"sub": "42"}
        provider.userinfo = VERA | {"groups": ["leads"]}

    def test_a_thin_token_makes_a_person_by_userinfo(self, provider: Provider, olga: Agent) -> None:
        browser = Client()
        go(browser, provider)
        assert (is_in(browser), provider.userinfo_calls) == (True, 1)
        vera = User.objects.get(email="vera@shop.test")
        assert (vera.account_id, vera.role, vera.name, vera.surname, vera.provider_subject) == (
            olga.widget.account_id,
            "manager",
            "Vera",
            "Kim",
            f"{provider.issuer} 42",
        )

    @pytest.mark.parametrize("lacking", ["email", "given_name", "groups"])
    def test_it_is_asked_where_one_of_them_is_lacking(self, provider: Provider, vera: User, lacking: str) -> None:
        provider.claims = {**VERA, "groups": ["leads"]}
        del provider.claims[lacking]
        provider.claims.pop("family_name")
        browser = Client()
        go(browser, provider)
        assert (is_in(browser), provider.userinfo_calls) == (True, 1)

    def test_a_whole_token_asks_nothing(self, provider: Provider, vera: User) -> None:
        provider.claims = {**VERA, "groups": ["leads"]}
        go(Client(), provider)
        assert provider.userinfo_calls == 0

    def test_what_the_token_says_goes_before(self, provider: Provider, vera: User) -> None:
        provider.claims = {**VERA, "groups": ["team"]}
        del provider.claims["given_name"], provider.claims["family_name"]
        provider.userinfo = VERA | {"email": "other@shop.test", "groups": ["bosses"]}
        go(Client(), provider)
        vera.refresh_from_db()
        assert (vera.role, vera.provider_subject) == ("viewer", f"{provider.issuer} 42")

    @pytest.mark.parametrize(
        ("said", "may"),
        [
            ({}, True),
            ({"email_verified": False}, False),
            ({"email_verified": None}, False),
            ({"email": "other@shop.test"}, False),
        ],
    )
    def test_an_address_counts_by_the_word_of_its_own(
        self, provider: Provider, vera: User, said: dict[str, Any], may: bool
    ) -> None:
        provider.claims = {"sub": "42", "email": "vera@shop.test", "groups": ["leads"]}
        provider.userinfo = VERA | said
        browser = Client()
        go(browser, provider)
        assert is_in(browser) is may

    def test_the_word_of_the_token_is_not_for_userinfos_address(self, provider: Provider, vera: User) -> None:
        provider.claims = {"sub": "42", "email_verified": True}
        provider.userinfo = {"sub": "42", "email": "vera@shop.test"}
        assert go(Client(), provider).status_code == 403

    @pytest.mark.parametrize(
        "answer",
        [
            (200, json.dumps(VERA | {"sub": "43", "groups": ["bosses"]}).encode()),
            (200, json.dumps({"email": "vera@shop.test", "email_verified": True, "groups": ["bosses"]}).encode()),
            (200, b"<html>Sign in</html>"),
            (200, b"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2ln"),
            (200, b"[" * 100_000),
            (200, b"[]"),
            (200, b"\xff\xfe"),
            (200, b" " * 600_000),
            (403, json.dumps({"error": "insufficient_scope"}).encode()),
            (503, b"{}"),
        ],
        ids=["another", "nobody", "page", "signed", "deep", "list", "bytes", "large", "refused", "away"],
    )
    def test_a_known_number_comes_in_without_userinfo_and_a_stranger_is_refused(
        self, provider: Provider, vera: User, answer: tuple[int, bytes], caplog: pytest.LogCaptureFixture
    ) -> None:
        go(Client(), provider)
        provider.userinfo_answer = lambda: answer
        browser = Client()
        go(browser, provider)
        vera.refresh_from_db()
        assert (is_in(browser), vera.role) == (True, "manager")
        assert "signing in by the ID token alone" in caplog.text
        assert not [token for token in provider.access_tokens if token in caplog.text]
        provider.claims = {"sub": "44"}
        before, stranger = snapshot(), Client()
        assert go(stranger, provider).status_code == 403
        assert (is_in(stranger), snapshot()) == (False, before)
        assert "neither the ID token nor UserInfo has an e-mail address" in caplog.text

    def test_a_userinfo_that_hangs_keeps_nobody_out(
        self, provider: Provider, vera: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        go(Client(), provider)
        monkeypatch.setattr(sign_on, "USERINFO_S", 0.2)
        over = threading.Event()

        def hang() -> tuple[int, bytes]:
            over.wait(30)
            return 200, b"{}"

        provider.userinfo_answer = hang
        browser = Client()
        try:
            go(browser, provider)
        finally:
            over.set()
        assert (is_in(browser), provider.userinfo_calls) == (True, 2)

    @pytest.mark.parametrize("text", ["Ve\0ra", "Ve\ud800ra", ["Vera"], 7])
    def test_a_name_that_cannot_be_stored_is_left_out(self, provider: Provider, olga: Agent, text: Any) -> None:
        provider.userinfo = VERA | {"given_name": text, "groups": ["leads"]}
        go(Client(), provider)
        vera = User.objects.get(email="vera@shop.test")
        assert (vera.name, vera.surname) == ("", "Kim")

    @pytest.mark.parametrize("email", ["ve\0ra@shop.test", "ve\ud800ra@shop.test", ["vera@shop.test"]])
    def test_an_address_that_cannot_be_stored_is_none(self, provider: Provider, vera: User, email: Any) -> None:
        provider.userinfo = VERA | {"email": email}
        assert go(Client(), provider).status_code == 403

    def test_a_provider_without_userinfo_is_not_asked(self, provider: Provider, vera: User) -> None:
        provider.userinfo = None
        assert go(Client(), provider).status_code == 403
        assert provider.userinfo_calls == 0
