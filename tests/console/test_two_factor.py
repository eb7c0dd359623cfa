"""The second factor of operators: required, set up in the console, and the end of what a reset one had let in."""

import pytest
from django.test import Client
from pytest_django import Settings

from apps.accounts import two_factor
from apps.accounts.models import Authenticator, User
from apps.agents.models import Agent
from apps.console import querysets
from apps.console.actions.sign_in import redeem_ticket
from tests.accounts.test_sign_in import code_of
from tests.client import assert_problem
from tests.console.browser import ask_for_ticket, operators_browser, ticket_of
from tests.rows import snapshot

pytestmark = pytest.mark.django_db
PAGE = "/console/two-factor/"


def send(browser: Client, **form: str) -> str:
    answer = browser.post(PAGE, {**form, "csrfmiddlewaretoken": browser.cookies["csrftoken"].value})
    assert answer.status_code == 200, answer
    return str(answer.content.decode())


def user_of(agent: Agent) -> User:
    return User.objects.get(pk=agent.user_id)


def with_factor(agent: Agent) -> Client:
    """A browser that has set the factor up on the page."""
    browser = operators_browser(agent)
    browser.get(PAGE)
    assert "backup-codes" in send(browser, code=code_of(Authenticator.objects.get(user=agent.user_id)))
    return browser


class TestRequired:
    @pytest.fixture(autouse=True)
    def required(self, settings: Settings) -> None:
        settings.REQUIRE_TWO_FACTOR = True

    def test_who_has_none_does_nothing_before(self, alice: Agent) -> None:
        browser, before = operators_browser(alice), snapshot()
        for page in ("/console/", "/console/password/"):
            assert browser.get(page)["Location"] == PAGE
        assert_problem(browser.get("/console/inbox"), 401, "not_signed_in")
        assert_problem(ask_for_ticket(browser), 401, "not_signed_in")
        assert snapshot() == before

    def test_an_operator_without_the_cabinet_sets_it_up_here(self, alice: Agent) -> None:
        assert not user_of(alice).is_staff
        browser = with_factor(alice)
        assert browser.get("/console/").status_code == 200
        redeem_ticket(ticket=ticket_of(browser))

    def test_sockets_that_were_open_before_end(self, alice: Agent, settings: Settings) -> None:
        settings.REQUIRE_TWO_FACTOR = False
        sign_in = redeem_ticket(ticket=ticket_of(operators_browser(alice))).sign_in
        assert querysets.ended_among([sign_in]) == set()
        settings.REQUIRE_TWO_FACTOR = True
        assert querysets.ended_among([sign_in]) == {sign_in}


def test_the_page_is_for_operators_alone(client: Client, olga: Agent) -> None:
    assert client.get(PAGE)["Location"] == f"/console/login/?next={PAGE}"


def test_a_wrong_code_turns_nothing_on(alice: Agent) -> None:
    browser = operators_browser(alice)
    browser.get(PAGE)
    assert "This code is wrong" in send(browser, code="000000")
    assert not two_factor.is_set_up(user_of(alice))


def test_who_owes_a_code_gives_it_first(alice: Agent) -> None:
    browser = operators_browser(alice)
    with_factor(alice)
    assert browser.get(PAGE)["Location"] == f"/admin/login/code/?next={PAGE}"


def test_a_socket_ends_when_its_factor_is_reset(alice: Agent) -> None:
    browser = with_factor(alice)
    sign_in = redeem_ticket(ticket=ticket_of(browser)).sign_in
    assert querysets.ended_among([sign_in]) == set()
    two_factor.reset(users=[user_of(alice)])
    assert querysets.ended_among([sign_in]) == {sign_in}


def test_and_stays_ended_when_another_is_set_up(alice: Agent) -> None:
    """The thief of a session that a lost phone had let in is out, whatever its owner does next."""
    sign_in = redeem_ticket(ticket=ticket_of(with_factor(alice))).sign_in
    two_factor.reset(users=[user_of(alice)])
    again = redeem_ticket(ticket=ticket_of(with_factor(alice))).sign_in
    assert querysets.ended_among([sign_in, again]) == {sign_in}
