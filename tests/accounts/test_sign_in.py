"""Signing in to the cabinet: by a password, then by a code if a second factor is set up; how often it may be tried."""

import re
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import timezone
from django_otp.oath import totp
from pytest_django import Settings

from apps.accounts import sign_in_limits, two_factor
from apps.accounts.models import AuditEntry, Authenticator, BackupCodes, User
from apps.accounts.tasks import forget_old_sessions
from apps.agents.models import Agent
from apps.core import plugins
from apps.core.redis import connection as redis
from tests.accounts.attempts import forget
from tests.cast import signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.accounts import PASSWORD
from tests.rows import snapshot

LOGIN, CODE, PAGE = "/admin/login/", "/admin/login/code/", "/admin/two-factor/"


@pytest.fixture(autouse=True)
def unspent() -> None:
    """No attempt was made yet."""
    forget()


@pytest.fixture
def nina(olga: Agent) -> User:
    """An owner with the second factor set up; the code of this half minute is used."""
    user = StaffFactory.create(account=olga.widget.account, email="nina@shop.test")
    authenticator = two_factor.begin(user=user)
    assert two_factor.confirm(user=user, code=code_of(authenticator)) is not None
    return user


def code_of(authenticator: Authenticator, steps: int = 0) -> str:
    """What the app shows, so many half minutes from now."""
    return f"{totp(authenticator.secret, t0=-30 * steps):06d}"


def sign_in(browser: Client, email: str, password: str = PASSWORD, **kwargs: Any) -> Any:
    return browser.post(LOGIN, {"username": email, "password": password}, **kwargs)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def is_in(browser: Client) -> bool:
    return browser.get("/admin/").status_code == 200


def wait_no_more(user: User) -> None:
    """As if the last wrong code had been long ago."""
    for kind in (Authenticator, BackupCodes):
        kind.objects.filter(user=user).update(throttling_failure_timestamp=None, throttling_failure_count=0)


class TestByPassword:
    def test_staff_come_in(self, olga: Agent) -> None:
        browser = Client()
        assert sign_in(browser, "OLGA@shop.test").headers["Location"] == "/admin/"
        assert is_in(browser)

    def test_and_to_the_page_they_asked_for_but_to_no_other_site(self, olga: Agent) -> None:
        wanted = Client().get("/admin/accounts/widget/").headers["Location"]
        assert wanted == "/admin/login/?next=/admin/accounts/widget/"
        form = {"username": "olga@shop.test", "password": PASSWORD}
        assert Client().post(wanted, form).headers["Location"] == "/admin/accounts/widget/"
        assert Client().post("/admin/login/?next=https://evil.test/", form).headers["Location"] == "/admin/"

    def test_one_refusal_for_nobody_and_a_wrong_password(self, olga: Agent, alice: Agent) -> None:
        refusals = {
            re.sub(r' value="[^"]*"', "", text_of(sign_in(Client(), email, password)))
            for email, password in [
                ("olga@shop.test", "wrong-password"),
                ("nobody@shop.test", "wrong-password"),
                ("alice@shop.test", "wrong-password"),
            ]
        }
        assert len(refusals) == 1
        assert "The e-mail address or the password is wrong." in refusals.pop()

    def test_an_operator_with_the_right_password_is_told_of_the_console(self, alice: Agent) -> None:
        browser = Client()
        text = text_of(sign_in(browser, "alice@shop.test"))
        assert "operators work in the console, at http" in text
        assert "wrong" not in text
        assert not is_in(browser)


class TestByCode:
    def test_the_password_alone_lets_nobody_in(self, nina: User) -> None:
        browser = Client()
        assert sign_in(browser, nina.email).headers["Location"] == CODE
        assert "_auth_user_id" not in browser.session
        assert browser.get("/admin/").headers["Location"].startswith(LOGIN)
        assert browser.get(PAGE).headers["Location"].startswith(LOGIN)

    def test_the_code_lets_in_to_the_page_that_was_asked_for(self, nina: User) -> None:
        browser = Client()
        form = {"username": nina.email, "password": PASSWORD}
        browser.post("/admin/login/?next=/admin/accounts/widget/", form)
        came = browser.post(CODE, {"code": code_of(nina.authenticator, 1)})
        assert came.headers["Location"] == "/admin/accounts/widget/"
        assert is_in(browser)

    def test_a_key_that_was_planted_in_the_browser_leads_neither_to_the_code_nor_in(self, nina: User) -> None:
        browser, attacker = Client(), Client()
        browser.session.save()
        planted = browser.session.session_key
        attacker.cookies[settings.SESSION_COOKIE_NAME] = planted
        sign_in(browser, nina.email)
        assert browser.session.session_key != planted
        assert attacker.get(CODE).headers["Location"].startswith(LOGIN)
        owing = browser.session.session_key
        browser.post(CODE, {"code": code_of(nina.authenticator, 1)})
        assert browser.session.session_key not in (planted, owing)
        assert is_in(browser)
        assert not is_in(attacker)

    def test_a_used_code_is_refused(self, nina: User) -> None:
        code = code_of(nina.authenticator, 1)
        first, second = Client(), Client()
        for browser in (first, second):
            sign_in(browser, nina.email)
            answer = browser.post(CODE, {"code": code})
        assert "This code is wrong, or was used before." in text_of(answer)
        assert (is_in(first), is_in(second)) == (True, False)

    @pytest.mark.parametrize("code", ["000000", "", "12345", "abcdef", "١٢٣٤٥٦", "-12345", "9" * 40, "x" * 41, "😀"])
    def test_a_wrong_code_lets_nobody_in(self, nina: User, code: str) -> None:
        browser = Client()
        sign_in(browser, nina.email)
        assert browser.post(CODE, {"code": code}).status_code == 200
        assert not is_in(browser)

    def test_after_a_wrong_code_the_next_waits(self, nina: User) -> None:
        browser = Client()
        sign_in(browser, nina.email)
        browser.post(CODE, {"code": "000000"})
        refusal = browser.post(CODE, {"code": code_of(nina.authenticator, 1)})
        assert (refusal.status_code, refusal.headers["Retry-After"]) == (429, "1")
        assert not is_in(browser)
        wait_no_more(nina)
        browser.post(CODE, {"code": code_of(nina.authenticator, 1)})
        assert is_in(browser)

    def test_wrong_codes_make_nobody_wait_for_more_than_about_a_minute(self, nina: User) -> None:
        authenticator = nina.authenticator
        for _ in range(50):
            authenticator.throttle_increment()
        assert two_factor.seconds_until_next_code(user=nina, code="000000") == 64

    def test_a_backup_code_lets_in_once(self, nina: User) -> None:
        codes = two_factor.renew_codes(user=nina)
        assert (len(codes), two_factor.codes_left(nina)) == (10, 10)
        for expected in (True, False):
            browser = Client()
            sign_in(browser, nina.email)
            browser.post(CODE, {"code": codes[3].upper().replace("-", " ")})
            assert is_in(browser) is expected
        assert two_factor.codes_left(nina) == 9

    def test_a_code_of_somebody_else_is_none(self, nina: User, olga: Agent) -> None:
        other = StaffFactory.create(account=nina.account)
        theirs = two_factor.begin(user=other)
        two_factor.confirm(user=other, code=code_of(theirs))
        browser = Client()
        sign_in(browser, nina.email)
        browser.post(CODE, {"code": code_of(theirs, 1)})
        assert not is_in(browser)

    @pytest.mark.parametrize("fields", [{"is_active": False}, {"is_staff": False}, {"password": "changed"}])
    def test_who_may_no_more_meanwhile_is_not_let_in(self, nina: User, fields: dict[str, Any]) -> None:
        browser = Client()
        sign_in(browser, nina.email)
        User.objects.filter(pk=nina.pk).update(**fields)
        answer = browser.post(CODE, {"code": code_of(nina.authenticator, 1)})
        assert answer.headers["Location"] == LOGIN
        assert not is_in(browser)

    def test_the_code_comes_within_five_minutes(self, nina: User, monkeypatch: pytest.MonkeyPatch) -> None:
        browser = Client()
        sign_in(browser, nina.email)
        now = time.time()
        monkeypatch.setattr("apps.cabinet.views.time.time", lambda: now + 301)
        assert browser.get(CODE).headers["Location"] == LOGIN

    def test_without_a_password_there_is_no_page_of_the_code(self, db: None) -> None:
        assert Client().get(CODE).headers["Location"] == LOGIN
        assert Client().post(CODE, {"code": "000000"}).headers["Location"] == LOGIN

    def test_a_session_of_a_password_alone_is_asked_for_the_code(self, nina: User) -> None:
        browser = signed_in(nina)  # as another page of the installation may have signed them in
        asked = browser.get("/admin/accounts/widget/")
        assert asked.headers["Location"] == f"{CODE}?next=/admin/accounts/widget/"
        assert browser.post("/admin/accounts/user/add/", {}).status_code == 302
        assert browser.post(PAGE, {"code": "000000"}).headers["Location"].startswith(CODE)
        came = browser.post(asked.headers["Location"], {"code": code_of(nina.authenticator, 1)})
        assert came.headers["Location"] == "/admin/accounts/widget/"
        assert is_in(browser)

    def test_without_the_key_of_the_authenticator_a_backup_code_leads_in_and_it_is_reset(
        self, nina: User, settings: Settings
    ) -> None:
        code, backup = code_of(nina.authenticator, 1), two_factor.renew_codes(user=nina)[0]
        settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
        browser = Client()
        sign_in(browser, nina.email)
        assert browser.post(CODE, {"code": code}).status_code == 200
        assert not is_in(browser)
        browser.post(CODE, {"code": backup})
        assert is_in(browser)
        assert two_factor.reset(users=[nina]) == 1


class TestSettingUp:
    def test_one_that_was_begun_before_the_encryption_key_was_lost_begins_anew(
        self, cabinet: Client, olga: Agent, settings: Settings
    ) -> None:
        assert olga.user is not None
        code = code_of(two_factor.begin(user=olga.user))
        settings.FIELD_ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
        assert cabinet.post(PAGE, {"code": code}).status_code == 200
        assert not two_factor.is_set_up(olga.user)
        authenticator = Authenticator.objects.get(user=olga.user)
        assert two_factor.secret_text(authenticator) in text_of(cabinet.get(PAGE))
        cabinet.post(PAGE, {"code": code_of(authenticator)})
        assert two_factor.is_set_up(olga.user)

    def test_it_is_on_from_its_first_code_and_the_backup_codes_are_shown_once(
        self, cabinet: Client, olga: Agent
    ) -> None:
        assert olga.user is not None
        page = text_of(cabinet.get(PAGE))
        authenticator = Authenticator.objects.get(user=olga.user)
        assert two_factor.secret_text(authenticator) in page
        assert "<svg" in page
        assert not two_factor.is_set_up(olga.user)
        shown = text_of(cabinet.post(PAGE, {"code": code_of(authenticator)}))
        assert shown.count("<li><code>") == 10
        assert two_factor.is_set_up(olga.user)
        entry = AuditEntry.objects.latest("pk")
        assert (entry.actor, entry.object_id, entry.account_id) == (olga.user, olga.user.pk, olga.user.account_id)
        assert is_in(cabinet)
        again = text_of(cabinet.get(PAGE))
        assert "10 backup codes are left." in again
        assert two_factor.secret_text(authenticator) not in again
        assert "<li><code>" not in again

    def test_the_same_key_is_shown_until_then(self, cabinet: Client, olga: Agent) -> None:
        keys = {text_of(cabinet.get(PAGE)).partition('id="secret">')[2][:32] for _ in range(2)}
        assert len(keys) == 1

    def test_a_wrong_code_turns_nothing_on(self, cabinet: Client, olga: Agent) -> None:
        assert olga.user is not None
        cabinet.get(PAGE)
        assert "This code is wrong" in text_of(cabinet.post(PAGE, {"code": "000000"}))
        assert not two_factor.is_set_up(olga.user)
        assert two_factor.codes_left(olga.user) == 0

    def test_other_sessions_are_asked_for_a_code_then(self, cabinet: Client, olga: Agent) -> None:
        assert olga.user is not None
        other = signed_in(olga.user)
        assert is_in(other)
        cabinet.get(PAGE)
        cabinet.post(PAGE, {"code": code_of(Authenticator.objects.get(user=olga.user))})
        assert other.get("/admin/").headers["Location"].startswith(CODE)

    def test_turning_off_takes_a_code(self, nina: User) -> None:
        browser = self.verified(nina)
        browser.post(PAGE, {"code": "000000", "turn_off": ""})
        assert two_factor.is_set_up(nina)
        wait_no_more(nina)
        (code, *_) = two_factor.renew_codes(user=nina)
        browser.post(PAGE, {"code": code, "turn_off": ""})
        assert not two_factor.is_set_up(nina)
        assert two_factor.codes_left(nina) == 0
        assert is_in(browser)

    def test_new_backup_codes_take_the_place_of_the_old(self, nina: User) -> None:
        browser = self.verified(nina)
        code, old, *_ = two_factor.renew_codes(user=nina)
        shown = text_of(browser.post(PAGE, {"code": code, "renew": ""}))
        assert shown.count("<li><code>") == 10
        assert old not in shown
        assert two_factor.match(user=nina, code=old) is None

    def test_it_stands_in_the_audit_trail_without_any_secret(self, nina: User) -> None:
        (entry,) = AuditEntry.objects.filter(object_id=nina.pk, changes__has_key="second_factor")
        assert (entry.changes, entry.account_id) == ({"second_factor": ["off", "on"]}, nina.account_id)

    def test_neither_key_nor_codes_are_in_the_database(self, nina: User) -> None:
        code = two_factor.renew_codes(user=nina)[0]
        with connection.cursor() as cursor:
            cursor.execute("SELECT key FROM accounts_authenticator")
            ((key,),) = cursor.fetchall()
        assert nina.authenticator.key not in key
        assert key.startswith("gAAAA")
        assert code not in str(snapshot())

    def test_a_superuser_resets_it(self, nina: User) -> None:
        ada = SuperuserFactory.create()
        form = {"action": "reset_second_factor", "_selected_action": [nina.pk]}
        signed_in(ada).post("/admin/accounts/user/", form)
        assert not two_factor.is_set_up(nina)
        entry = AuditEntry.objects.latest("pk")
        assert (entry.actor, entry.object_id, entry.changes) == (ada, nina.pk, {"second_factor": ["on", "off"]})
        assert sign_in(Client(), nina.email).headers["Location"] == "/admin/"

    def test_an_owner_can_not_reset_it(self, cabinet: Client, nina: User) -> None:
        cabinet.post("/admin/accounts/user/", {"action": "reset_second_factor", "_selected_action": [nina.pk]})
        assert two_factor.is_set_up(nina)

    @staticmethod
    def verified(user: User) -> Client:
        """A browser in which the user is signed in by a code."""
        browser = Client()
        sign_in(browser, user.email)
        browser.post(CODE, {"code": code_of(user.authenticator, 1)})
        assert is_in(browser)
        return browser


class TestRequired:
    @pytest.fixture(autouse=True)
    def required(self, settings: Settings) -> None:
        settings.REQUIRE_TWO_FACTOR = True

    def test_who_has_none_is_led_to_set_it_up_before_anything_else(self, cabinet: Client, olga: Agent) -> None:
        before = snapshot()
        for path in ("/admin/", "/admin/accounts/widget/", "/admin/password_change/", "/admin/nowhere/"):
            assert cabinet.get(path).headers["Location"] == PAGE
            assert cabinet.post(path, {"name": "Other"}).headers["Location"] == PAGE
        assert snapshot() == before
        assert olga.user is not None
        cabinet.get(PAGE)
        cabinet.post(PAGE, {"code": code_of(Authenticator.objects.get(user=olga.user))})
        assert is_in(cabinet)

    def test_superusers_are_asked_for_a_second_factor_too(self, db: None) -> None:
        assert signed_in(SuperuserFactory.create()).get("/admin/").headers["Location"] == PAGE

    def test_they_may_sign_out(self, cabinet: Client) -> None:
        assert cabinet.post("/admin/logout/").status_code == 200
        assert cabinet.get("/admin/").headers["Location"].startswith(LOGIN)


ADDRESS = "127.0.0.1"


def spend(attempt: Callable[[], int]) -> int:
    """Makes attempts until one has to wait; how many were free."""
    for number in range(1000):
        if attempt():
            return number
    raise AssertionError("there is no limit")


def asked_from(address: str) -> HttpRequest:
    return RequestFactory().post(LOGIN, REMOTE_ADDR=address)


class TestLimits:
    def test_one_address_tries_one_person_ten_times_a_minute(self, olga: Agent) -> None:
        assert spend(lambda: sign_in_limits.seconds_until_next_attempt(asked_from(ADDRESS), "Olga@shop.test ")) == 10
        browser = Client()
        refusal = sign_in(browser, "olga@shop.test")
        assert refusal.status_code == 429
        assert 1 <= int(refusal.headers["Retry-After"]) <= 6
        assert "Try again in" in text_of(refusal)
        assert not is_in(browser)

    @pytest.mark.parametrize("page", ["/admin/login/", "/console/login/"])
    def test_however_their_address_is_written(self, olga: Agent, page: str) -> None:
        """Full-width letters are the same address to who looks it up."""
        spellings = [
            "".join(chr(ord(c) + 0xFEE0) if c == some else c for c in "olga@shop.test") for some in "olgashpte"
        ]
        browser = Client()
        tries = [browser.post(page, {"username": text, "password": "wrong"}) for text in [*spellings, "OLGA@shop.test"]]
        assert [answer.status_code for answer in tries] == [200] * 10
        assert browser.post(page, {"username": spellings[0], "password": PASSWORD}).status_code == 429

    def test_guessing_ones_own_old_password_is_limited_as_well(self, cabinet: Client, olga: Agent) -> None:
        form = {"old_password": "wrong", "new_password1": "a-much-better-one", "new_password2": "a-much-better-one"}
        tries = [cabinet.post("/admin/password_change/", form).status_code for _ in range(10)]
        assert tries == [200] * 10
        refusal = cabinet.post("/admin/password_change/", {**form, "old_password": PASSWORD})
        assert (refusal.status_code, int(refusal.headers["Retry-After"]) <= 6) == (429, True)
        assert User.objects.get(pk=olga.user_id).check_password(PASSWORD)

    def test_each_try_on_the_page_is_counted(self, olga: Agent) -> None:
        tried = [sign_in(Client(), email, "wrong-password") for email in ("olga@shop.test", "nobody@shop.test")]
        assert [answer.status_code for answer in tried] == [200, 200]
        assert redis.ask(lambda client: len(list(client.scan_iter("limit:sign-in:127.0.0.1:*")))) == 2

    def test_whether_anybody_is_there_does_not_show(self, db: None) -> None:
        assert spend(lambda: sign_in_limits.seconds_until_next_attempt(asked_from(ADDRESS), "nobody@shop.test")) == 10
        assert sign_in(Client(), "nobody@shop.test").status_code == 429

    def test_one_address_tries_thirty_times_a_minute_in_all(self, olga: Agent) -> None:
        names = (f"user-{number}@shop.test" for number in count())
        assert spend(lambda: sign_in_limits.seconds_until_next_attempt(asked_from(ADDRESS), next(names))) == 30
        assert sign_in(Client(), "olga@shop.test").status_code == 429
        assert sign_in(Client(REMOTE_ADDR="198.51.100.7"), "olga@shop.test").status_code == 302

    def test_who_spends_a_persons_attempts_keeps_them_out_for_a_second(self, db: None) -> None:
        """From many addresses: sixty a minute, and one is back each second."""
        addresses = (f"198.51.{number // 250}.{number % 250}" for number in count())
        assert (
            spend(lambda: sign_in_limits.seconds_until_next_attempt(asked_from(next(addresses)), "olga@shop.test"))
            >= 60
        )
        assert sign_in_limits.seconds_until_next_attempt(asked_from("192.0.2.1"), "olga@shop.test") <= 1
        assert sign_in_limits.seconds_until_next_attempt(asked_from("192.0.2.1"), "boris@shop.test") == 0

    def test_codes_are_limited_as_well(self, nina: User) -> None:
        browser = Client()
        sign_in(browser, nina.email)
        assert spend(lambda: sign_in_limits.seconds_until_next_code(asked_from("192.0.2.1"), nina.pk)) == 10
        assert browser.post(CODE, {"code": code_of(nina.authenticator, 1)}).status_code == 429
        assert not is_in(browser)

    def test_without_redis_everybody_may_try(self, olga: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
        def away(_: Any) -> Any:
            raise redis.RedisAway

        monkeypatch.setattr("apps.core.redis.rate_limits.redis.ask", away)
        assert [
            sign_in_limits.seconds_until_next_attempt(asked_from(ADDRESS), "olga@shop.test") for _ in range(70)
        ] == [0] * 70


def test_sessions_that_are_over_are_forgotten_and_others_last(olga: Agent, nina: User) -> None:
    over, lasting = signed_in(olga.user), signed_in(nina)
    Session.objects.filter(pk=over.session.session_key).update(expire_date=timezone.now())
    forget_old_sessions()
    forget_old_sessions()
    assert [session.pk for session in Session.objects.all()] == [lasting.session.session_key]
    assert "apps.accounts.tasks.forget_old_sessions" in {job.task for job in plugins.jobs()}
