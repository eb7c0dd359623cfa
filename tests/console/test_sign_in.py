"""`/console/login/`, `/console/logout/` and the page that an operator comes to: who may sign in, and how often."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts import two_factor
from apps.accounts.models import User, Widget
from apps.agents import rules as agents
from apps.agents.models import Agent, AgentEvent
from tests.accounts.test_sign_in import code_of
from tests.cast import Rival
from tests.client import client
from tests.console.browser import operators_browser
from tests.factories import AgentFactory, WidgetFactory
from tests.factories.accounts import PASSWORD, StaffFactory, UserFactory

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


class TestWhoMaySignIn:
    def test_an_operator(self, browser: Client, sign_in: Callable[..., Any], alice: Agent) -> None:
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
    def test_nobody_else(
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
        for _ in range(10):
            assert sign_in("alice@shop.test", "wrong", here).status_code == 200
        response = sign_in("ALICE@shop.test", PASSWORD, here)
        assert response.status_code == 429
        assert 1 <= int(response["Retry-After"]) <= 60
        assert "Too many attempts" in response.content.decode()
        assert "_auth_user_id" not in browser.session
        assert sign_in("boris@shop.test", PASSWORD, here).status_code == 302
        assert sign_in("alice@shop.test", PASSWORD, there).status_code == 302

    def test_thirty_from_one_address(self, sign_in: Callable[..., Any], alice: Agent) -> None:
        address = f"192.0.2.{alice.pk % 250}"
        statuses = [sign_in(f"{n}-{alice.pk}@shop.test", "wrong", address).status_code for n in range(31)]
        assert statuses == [200] * 30 + [429]


class TestSigningOut:
    def test_ends_the_session_and_is_logged(self, alice: Agent) -> None:
        browser = operators_browser(alice)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', browser.get("/console/").content.decode())
        assert token is not None
        response = browser.post("/console/logout/", {"csrfmiddlewaretoken": token[1]})
        assert (response.status_code, response["Location"]) == (302, LOGIN)
        assert browser.get("/console/")["Location"] == LOGIN
        assert lines_of(alice) == ["login", "logout"]

    def test_is_a_post(self, alice: Agent) -> None:
        browser = operators_browser(alice)
        assert browser.get("/console/logout/").status_code == 405
        assert browser.get("/console/").status_code == 200

    def test_of_nobody_changes_nothing(self, browser: Client) -> None:
        assert browser.post("/console/logout/").status_code == 302
        assert AgentEvent.objects.count() == 0


class TestABreak:
    def test_is_taken_and_ended_at_the_widget_of_the_session(self, alice: Agent, boris: Agent) -> None:
        browser = operators_browser(alice)
        for on_break, status in (("1", "relaxation"), ("1", "relaxation"), ("0", "active")):
            headers = {"X-CSRFToken": browser.cookies["csrftoken"].value}
            assert browser.post("/console/break/", {"on_break": on_break}, headers=headers).status_code == 302
            alice.refresh_from_db()
            assert alice.status == status
        assert lines_of(alice) == ["status_changed", "status_changed"]
        assert [line.details for line in AgentEvent.objects.order_by("id")] == [
            {"status": "relaxation"},
            {"status": "active"},
        ]
        boris.refresh_from_db()
        assert boris.status == "active"

    @pytest.mark.parametrize("sent", [{}, {"on_break": "2"}, {"on_break": ""}])
    def test_nothing_else_is_understood(self, alice: Agent, sent: dict[str, str]) -> None:
        browser = operators_browser(alice)
        browser.post("/console/break/", sent, headers={"X-CSRFToken": browser.cookies["csrftoken"].value})
        alice.refresh_from_db()
        assert alice.status == "active"
        assert lines_of(alice) == []

    def test_ends_no_suspension(self, alice: Agent) -> None:
        browser = operators_browser(alice)
        Agent.objects.filter(pk=alice.pk).update(status="banned")
        browser.post("/console/break/", {"on_break": "0"}, headers={"X-CSRFToken": browser.cookies["csrftoken"].value})
        alice.refresh_from_db()
        assert alice.status == "banned"

    def test_is_not_taken_by_another_page_or_without_a_session(self, alice: Agent) -> None:
        assert operators_browser(alice).post("/console/break/", {"on_break": "1"}).status_code == 403
        assert client().post("/console/break/", {"on_break": "1"}).status_code == 302
        alice.refresh_from_db()
        assert alice.status == "active"


class TestThePage:
    def test_says_who_works_where_and_that_the_inbox_follows(self, alice: Agent) -> None:
        response = operators_browser(alice).get("/console/")
        page = response.content.decode()
        assert "Flower shop" in page
        assert "You work here as Alice Weber." in page
        assert "The inbox is not built yet." in page
        assert "Your widgets" not in page
        assert "default-src 'none'" in response["Content-Security-Policy"]
        assert "unsafe" not in response["Content-Security-Policy"]
        assert "no-store" in response["Cache-Control"]

    def test_lists_a_persons_widgets_and_no_others(self, alice: Agent, shop: Widget, rival: Rival) -> None:
        second = WidgetFactory.create(account=shop.account, name="Second shop")
        AgentFactory.create(widget=second, user=alice.user)
        third = WidgetFactory.create(account=shop.account, name="Third shop")
        AgentFactory.create(widget=third, user=alice.user, status="banned")
        browser = operators_browser(alice)
        page = browser.get("/console/").content.decode()
        assert f"?widget={second.guid}" in page
        assert "Third shop" not in page
        assert "Rival" not in page
        assert browser.get("/console/", {"widget": second.guid})["Location"] == "/console/"
        assert "<h1>Second shop</h1>" in browser.get("/console/").content.decode()
        for unknown in (rival.widget.guid, third.guid, "nonsense"):
            browser.get("/console/", {"widget": unknown})
            assert "<h1>Flower shop</h1>" in browser.get("/console/").content.decode()

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
        assert (
            "Вы работаете здесь как Alice Weber."
            in operators_browser(alice).get("/console/", headers=russian).content.decode()
        )


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
