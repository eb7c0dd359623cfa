"""`/console/login/`, `/console/logout/` and the page that an operator comes to: who may sign in, and how often."""

import json
import re
from collections.abc import Callable
from itertools import count
from time import monotonic
from typing import Any

import pytest
from django.test import Client

from apps.accounts import two_factor
from apps.accounts.models import User, Widget
from apps.agents import rules as agents
from apps.agents.models import Agent, AgentEvent
from apps.chats.rules.aliases import alias_words
from tests.accounts.test_sign_in import code_of
from tests.cast import Rival
from tests.client import assert_problem, client
from tests.console.browser import ask_for_ticket, operators_browser, ticket_of
from tests.factories import AgentFactory, ChatFactory, WidgetFactory
from tests.factories.accounts import PASSWORD, StaffFactory, UserFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
LOGIN = "/console/login/"


@pytest.fixture
def browser() -> Client:
    return client()


@pytest.fixture(autouse=True)
def _addresses(settings: Any) -> None:
    """Each test calls from addresses of its own: budgets are kept by address, and outlive a test."""
    settings.TRUSTED_PROXIES = 1


@pytest.fixture
def sign_in(browser: Client, shop: Widget) -> Callable[..., Any]:
    def submit(
        email: str, password: str = PASSWORD, address: str = f"2001:db8::{id(browser):x}"[:19], **more: str
    ) -> Any:
        headers = {"X-Forwarded-For": address}
        return browser.post(LOGIN, {"username": email, "password": password, **more}, headers=headers)

    return submit


def lines_of(agent: Agent) -> list[str]:
    names = {code: name for name, code in agents.EVENT_CODES.items()}
    return [names[line.type_code] for line in AgentEvent.objects.filter(agent=agent).order_by("id")]


def config_of(response: Any) -> dict[str, Any]:
    """What the page is told."""
    found = re.search(r'<script id="config" type="application/json">(.*?)</script>', response.content.decode())
    assert found is not None
    config: dict[str, Any] = json.loads(found[1])
    return config


def refused_after(limit: int, attempt: Callable[[int], Any]) -> Any:
    """The answer that refuses, after `limit` attempts at once and those that came back meanwhile, one each 60/limit s:
    a loaded machine may take longer than that for them.
    """
    begun = monotonic()
    for made in count():
        if (answer := attempt(made)).status_code != 200:
            break
        assert made + 1 <= limit + (monotonic() - begun) * limit / 60, "more than the budget holds"
    assert answer.status_code == 429
    assert made >= limit
    return answer


class TestWhoMaySignIn:
    def test_an_operator_signs_in(self, browser: Client, sign_in: Callable[..., Any], alice: Agent) -> None:
        response = sign_in("alice@shop.test")
        assert (response.status_code, response["Location"]) == (302, "/console/")
        assert browser.session["_auth_user_id"] == str(alice.user_id)
        assert lines_of(alice) == ["login"]

    def test_an_owner_and_whatever_the_case_of_the_address(self, sign_in: Callable[..., Any], olga: Agent) -> None:
        assert sign_in("Olga@Shop.TEST")["Location"] == "/console/"

    def test_staff_who_are_no_operator_are_led_to_the_cabinet_and_sign_in_there(
        self, browser: Client, sign_in: Callable[..., Any], shop: Widget
    ) -> None:
        StaffFactory.create(account=shop.account, email="staff@shop.test")
        response = sign_in("staff@shop.test")
        assert (response.status_code, response["Location"]) == (302, "/admin/")
        assert "_auth_user_id" not in browser.session

    @pytest.mark.parametrize(
        ("kind", "says"),
        [
            ("unknown", "The e-mail address or the password is wrong."),
            ("wrong password", "The e-mail address or the password is wrong."),
            ("deactivated", "The e-mail address or the password is wrong."),
            ("banned", "You are not an operator of any widget."),
            ("no operator", "You are not an operator of any widget."),
        ],
    )
    def test_other_people_cannot_sign_in(
        self, browser: Client, sign_in: Callable[..., Any], alice: Agent, kind: str, says: str
    ) -> None:
        email, password = "alice@shop.test", PASSWORD
        if kind == "unknown":
            email = "nobody@shop.test"
        elif kind == "wrong password":
            password = "wrong"
        elif kind == "deactivated":
            User.objects.filter(pk=alice.user_id).update(is_active=False)
        elif kind == "banned":
            Agent.objects.filter(pk=alice.pk).update(status="banned")
        else:
            UserFactory.create(email="visitor@shop.test")
            email = "visitor@shop.test"
        response = sign_in(email, password)
        assert response.status_code == 200
        assert says in response.content.decode()
        assert "_auth_user_id" not in browser.session
        assert lines_of(alice) == []

    def test_who_is_signed_in_already_goes_on(self, alice: Agent) -> None:
        response = operators_browser(alice).get(LOGIN)
        assert (response.status_code, response["Location"]) == (302, "/console/")

    def test_the_next_page_is_one_of_ours(self, sign_in: Callable[..., Any], alice: Agent) -> None:
        assert sign_in("alice@shop.test", next="/console/?widget=1")["Location"] == "/console/?widget=1"
        for address in ("https://evil.test/", "//evil.test/", "javascript:alert(1)"):
            assert sign_in("alice@shop.test", next=address)["Location"] == "/console/"

    def test_another_page_cannot_sign_somebody_in(self, alice: Agent) -> None:
        response = client(enforce_csrf_checks=True).post(LOGIN, {"username": "alice@shop.test", "password": PASSWORD})
        assert response.status_code == 403


class TestHowOften:
    def test_ten_attempts_a_minute_for_one_person_from_one_address(
        self, browser: Client, sign_in: Callable[..., Any], alice: Agent, boris: Agent
    ) -> None:
        here, there = f"203.0.113.{alice.pk % 250}", f"198.51.100.{alice.pk % 250}"
        response = refused_after(10, lambda n: sign_in(("alice@shop.test", "ALICE@shop.test")[n % 2], "wrong", here))
        assert sign_in("ALICE@shop.test", PASSWORD, here).status_code == 429
        assert 1 <= int(response["Retry-After"]) <= 60
        assert "Too many attempts" in response.content.decode()
        assert "_auth_user_id" not in browser.session
        assert sign_in("boris@shop.test", PASSWORD, here).status_code == 302
        assert sign_in("alice@shop.test", PASSWORD, there).status_code == 302

    def test_thirty_from_one_address(self, sign_in: Callable[..., Any], alice: Agent) -> None:
        address = f"192.0.2.{alice.pk % 250}"
        refused_after(30, lambda n: sign_in(f"{n}-{alice.pk}@shop.test", "wrong", address))


class TestSigningOut:
    def test_ends_the_session_and_is_logged(self, alice: Agent) -> None:
        browser = operators_browser(alice)
        assert browser.get("/console/").status_code == 200
        token = browser.cookies["csrftoken"].value
        response = browser.post("/console/logout/", headers={"X-CSRFToken": token})
        assert (response.status_code, response["Location"]) == (302, LOGIN)
        assert browser.get("/console/")["Location"] == LOGIN
        assert lines_of(alice) == ["login", "logout"]

    def test_by_the_cabinets_door_ends_it_too(self, olga: Agent) -> None:
        browser = operators_browser(olga)
        assert browser.get("/console/").status_code == 200
        assert browser.post("/admin/logout/", headers={"X-CSRFToken": browser.cookies["csrftoken"].value}).status_code
        assert browser.get("/console/")["Location"] == LOGIN
        assert lines_of(olga) == ["login", "logout"]

    def test_of_the_cabinet_alone_is_none_of_the_console(self, olga: Agent) -> None:
        browser = operators_browser(olga)
        assert browser.post("/admin/logout/", headers={"X-CSRFToken": browser.cookies["csrftoken"].value}).status_code
        assert lines_of(olga) == []

    def test_a_get_does_not_sign_out(self, alice: Agent) -> None:
        browser = operators_browser(alice)
        assert browser.get("/console/logout/").status_code == 405
        assert browser.get("/console/").status_code == 200

    def test_of_nobody_changes_nothing(self, browser: Client) -> None:
        assert browser.post("/console/logout/").status_code == 302
        assert AgentEvent.objects.count() == 0


class TestThePage:
    def test_is_told_who_works_where_and_nothing_of_the_inbox(self, alice: Agent, shop: Widget) -> None:
        response = operators_browser(alice).get("/console/")
        config = config_of(response)
        assert config["person"] == {"name": "Alice Weber", "email": "alice@shop.test", "is_manager": False}
        assert config["widgets"] == [{"guid": shop.guid, "name": "Flower shop", "is_current": True}]
        assert config["socket_url"].endswith("/ws/operator")
        assert config["cabinet_url"] is None
        assert "no-store" in response["Cache-Control"]

    def test_lets_nothing_inline_run_and_nothing_from_elsewhere(self, alice: Agent, settings: Any) -> None:
        response = operators_browser(alice).get("/console/")
        policy = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == "'self'"
        assert policy["connect-src"] == f"'self' {settings.REALTIME_URL}"
        assert policy["img-src"] == f"'self' blob: {settings.PUBLIC_URL}"
        assert policy["require-trusted-types-for"] == "'script'"
        page = response.content.decode()
        assert re.findall(r"<script(?! id=\"config\" type=\"application/json\")(?! type=\"module\" src=)", page) == []
        assert " style=" not in page

    def test_pictures_come_from_the_storage_too_where_that_is_another_host(
        self, alice: Agent, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("apps.core.files.storage.direct_origin", lambda: "https://bucket.example")
        assert "https://bucket.example;" in operators_browser(alice).get("/console/")["Content-Security-Policy"]

    def test_a_hostile_name_ends_no_script(self, alice: Agent, shop: Widget) -> None:
        name = "</script><script>alert(1)</script>"
        Widget.objects.filter(pk=shop.pk).update(name=name)
        response = operators_browser(alice).get("/console/")
        assert config_of(response)["widgets"][0]["name"] == name
        assert "alert(1)</script>" not in response.content.decode()

    def test_shows_how_to_begin_until_somebody_has_written(self, alice: Agent, shop: Widget) -> None:
        config = config_of(operators_browser(alice).get("/console/"))
        assert (config["has_chats"], config["demo_url"]) == (False, "/demo/")
        assert f"/widget/{shop.guid}/embed.js" in config["embed_code"]
        ChatFactory.create(contact__widget=shop)
        config = config_of(operators_browser(alice).get("/console/"))
        assert (config["has_chats"], config["embed_code"]) == (True, "")

    def test_lists_a_persons_widgets_and_no_others(self, alice: Agent, shop: Widget, rival: Rival) -> None:
        second = WidgetFactory.create(account=shop.account, name="Second shop")
        AgentFactory.create(widget=second, user=alice.user)
        third = WidgetFactory.create(account=shop.account, name="Third shop")
        AgentFactory.create(widget=third, user=alice.user, status="banned")
        browser = operators_browser(alice)

        def widgets() -> list[tuple[str, bool]]:
            listed = config_of(browser.get("/console/"))["widgets"]
            return [(widget["name"], widget["is_current"]) for widget in listed]

        assert widgets() == [("Flower shop", True), ("Second shop", False)]
        assert browser.get("/console/", {"widget": second.guid})["Location"] == "/console/"
        assert widgets() == [("Flower shop", False), ("Second shop", True)]
        assert config_of(browser.get("/console/"))["demo_url"] is None
        for unknown in (rival.widget.guid, third.guid, "nonsense"):
            browser.get("/console/", {"widget": unknown})
            assert widgets() == [("Flower shop", True), ("Second shop", False)]

    def test_without_a_session_leads_to_the_sign_in(self, browser: Client) -> None:
        assert browser.get("/console/")["Location"] == LOGIN

    def test_staff_who_are_no_operator_are_led_to_the_cabinet(self, browser: Client, shop: Widget) -> None:
        browser.force_login(StaffFactory.create(account=shop.account))
        assert browser.get("/console/")["Location"] == "/admin/"

    def test_who_was_suspended_is_told(self, alice: Agent) -> None:
        browser = operators_browser(alice)
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        response = browser.get("/console/")
        assert response.status_code == 403
        assert "You are not an operator of any widget." in response.content.decode()

    def test_is_russian_for_a_russian_browser(self, alice: Agent) -> None:
        russian = {"Accept-Language": "ru"}
        assert "Войти в консоль" in client().get(LOGIN, headers=russian).content.decode()
        response = operators_browser(alice).get("/console/", headers=russian)
        assert '<html lang="ru">' in response.content.decode()
        assert config_of(response)["language"] == "ru"

    def test_calls_visitors_by_words_of_the_widgets_language_whoever_reads(self, alice: Agent) -> None:
        of_page = {
            language: config_of(operators_browser(alice).get("/console/", headers={"Accept-Language": language}))
            for language in ("ru", "en")
        }
        assert of_page["ru"]["alias_words"] == of_page["en"]["alias_words"] == [*map(list, alias_words("en"))]

    def test_is_english_where_it_has_no_texts(self, alice: Agent) -> None:
        response = operators_browser(alice).get("/console/", headers={"Accept-Language": "de"})
        assert '<html lang="en">' in response.content.decode()


class TestTheSecondFactor:
    def test_is_asked_for_before_anybody_is_signed_in(
        self, browser: Client, olga: Agent, sign_in: Callable[..., Any]
    ) -> None:
        """The code is given where the cabinet asks for it, which leads back to the console."""
        assert olga.user is not None
        authenticator = two_factor.begin(user=olga.user)
        assert two_factor.confirm(user=olga.user, code=code_of(authenticator)) is not None
        response = sign_in("olga@shop.test")
        assert (response.status_code, response["Location"]) == (302, "/admin/login/code/")
        assert browser.get("/console/")["Location"] == LOGIN
        assert lines_of(olga) == []
        entered = browser.post("/admin/login/code/", {"code": code_of(authenticator, steps=1)})
        assert entered["Location"] == "/console/"
        assert browser.get("/console/").status_code == 200
        assert lines_of(olga) == ["login"]

    def test_is_asked_of_sessions_that_began_before_it_was_set_up(self, olga: Agent) -> None:
        """Whoever has stolen the password alone is out, and can't take the account over by changing it."""
        browser = operators_browser(olga)
        ticket = ticket_of(browser)
        assert olga.user is not None
        authenticator = two_factor.begin(user=olga.user)
        assert two_factor.confirm(user=olga.user, code=code_of(authenticator)) is not None
        before = snapshot()
        assert_problem(browser.get("/console/inbox"), 401, "not_signed_in")
        assert_problem(ask_for_ticket(browser), 401, "not_signed_in")
        for page in ("/console/", "/console/password/"):
            assert browser.get(page)["Location"] == f"/admin/login/code/?next={page}"
        assert browser.post("/console/password/", {"csrfmiddlewaretoken": browser.cookies["csrftoken"].value})[
            "Location"
        ].startswith("/admin/login/code/")
        assert snapshot() == before
        entered = browser.post(
            "/admin/login/code/?next=/console/",
            {"code": code_of(authenticator, steps=1), "csrfmiddlewaretoken": browser.cookies["csrftoken"].value},
        )
        assert entered["Location"] == "/console/"
        assert browser.get("/console/inbox").status_code == 200
        assert ticket_of(browser) != ticket

    def test_lets_operators_in_who_are_no_staff(
        self, browser: Client, olga: Agent, sign_in: Callable[..., Any]
    ) -> None:
        assert olga.user is not None
        authenticator = two_factor.begin(user=olga.user)
        assert two_factor.confirm(user=olga.user, code=code_of(authenticator)) is not None
        User.objects.filter(pk=olga.user.pk).update(is_staff=False)
        assert sign_in("olga@shop.test")["Location"] == "/admin/login/code/"
        assert browser.get("/admin/login/code/").status_code == 200
        entered = browser.post("/admin/login/code/", {"code": code_of(authenticator, steps=1)})
        assert entered["Location"] == "/console/"
        assert browser.get("/console/").status_code == 200
