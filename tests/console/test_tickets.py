"""`POST /console/ticket`: who gets a ticket, and what it is good for: once, within 60 seconds, in a session."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from apps.accounts import two_factor
from apps.accounts.actions import change_password, change_user
from apps.accounts.models import User, Widget
from apps.agents.models import Agent
from apps.console.actions.sign_in import redeem_ticket
from apps.console.errors import INVALID_TICKET
from apps.console.models import CannedReply, SocketTicket
from apps.core.problems import Problem
from tests.accounts.test_sign_in import code_of
from tests.cast import Rival
from tests.client import assert_problem, client
from tests.console.browser import ask_for_ticket, operators_browser, post_nothing, ticket_of
from tests.factories import AgentFactory, WidgetFactory
from tests.factories.accounts import StaffFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def alices(alice: Agent) -> Client:
    return operators_browser(alice)


def is_refused(ticket: str) -> bool:
    try:
        redeem_ticket(ticket=ticket)
    except Problem as problem:
        return problem.type is INVALID_TICKET
    return False


class TestAsking:
    def test_a_ticket_is_opaque_and_kept_as_a_hash(self, alices: Client, alice: Agent) -> None:
        ticket = ticket_of(alices)
        stored = SocketTicket.objects.get()
        assert stored.agent == alice
        assert len(ticket) == 43
        assert alices.session.session_key not in ticket
        assert ticket.encode() not in bytes(stored.digest)
        left = stored.expires_at - timezone.now()
        assert timedelta(seconds=55) < left <= timedelta(seconds=61)

    def test_without_a_session_it_is_401(self, alice: Agent) -> None:
        before = snapshot()
        assert_problem(post_nothing(client(), "/console/ticket", {}), 401, "not_signed_in")
        assert snapshot() == before

    def test_without_the_token_of_the_page_it_is_403(self, alices: Client) -> None:
        before = snapshot()
        own = alices.cookies["csrftoken"].value
        for headers in ({}, {"X-CSRFToken": "x" * 32}, {"X-CSRFToken": own, "Origin": "https://evil.test"}):
            assert_problem(post_nothing(alices, "/console/ticket", headers), 403, "csrf_failed")
        assert snapshot() == before

    @pytest.mark.parametrize("kind", ["banned", "not human", "another's", "staff alone"])
    def test_who_is_no_operator_is_403(self, alice: Agent, olga: Agent, kind: str) -> None:
        browser = operators_browser(alice)
        if kind == "banned":
            Agent.objects.filter(pk=alice.pk).update(status="banned")
        elif kind == "not human":
            Agent.objects.filter(pk=alice.pk).update(type="webhook")
        elif kind == "another's":
            Agent.objects.filter(pk=alice.pk).update(user=None)
        else:
            browser.force_login(StaffFactory.create(account=alice.widget.account))
        before = snapshot()
        assert_problem(ask_for_ticket(browser), 403, "not_an_operator")
        assert snapshot() == before

    def test_past_the_budget_it_is_429(self, alices: Client, settings: Settings) -> None:
        settings.API_RATE_LIMIT = 1
        assert ask_for_ticket(alices).status_code == 200
        before = snapshot()
        response = ask_for_ticket(alices)
        assert_problem(response, 429, "rate_limited")
        assert 1 <= int(response["Retry-After"]) <= 60
        assert snapshot() == before

    def test_tickets_that_nobody_used_are_deleted(self, alices: Client, rival: Rival) -> None:
        ticket_of(operators_browser(rival.agent))
        SocketTicket.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
        ticket_of(alices)
        assert SocketTicket.objects.count() == 1

    def test_it_costs_few_statements(
        self, alices: Client, django_assert_max_num_queries: DjangoAssertNumQueries
    ) -> None:
        with django_assert_max_num_queries(8):  # session, user, operators; savepoints, two writes
            ticket_of(alices)


class TestRedeeming:
    def test_a_ticket_is_redeemed_once(self, alices: Client, alice: Agent) -> None:
        ticket = ticket_of(alices)
        let_in = redeem_ticket(ticket=ticket)
        assert let_in.agent == alice
        assert let_in.sign_in.session_key == alices.session.session_key
        assert is_refused(ticket)

    def test_an_expired_ticket_is_refused(self, alices: Client) -> None:
        ticket = ticket_of(alices)
        SocketTicket.objects.update(expires_at=timezone.now())
        assert is_refused(ticket)

    def test_a_text_that_is_no_ticket_is_refused(self, db: None) -> None:
        for text in ("", "ot_", "nonsense", "ot_" + "x" * 40, "ot_" + "я" * 40):
            assert is_refused(text)

    @pytest.mark.parametrize(
        "change",
        ["signed out", "banned", "removed", "deactivated", "another password", "a second factor", "another person's"],
    )
    def test_not_after_a_change(self, alices: Client, alice: Agent, olga: Agent, change: str) -> None:
        ticket = ticket_of(alices)
        user = User.objects.get(pk=alice.user_id)
        if change == "signed out":
            alices.logout()
        elif change == "banned":
            Agent.objects.filter(pk=alice.pk).update(status="banned")
        elif change == "removed":
            alice.delete()
        elif change == "deactivated":
            change_user(user_id=user.pk, changes={"is_active": False})
        elif change == "another password":
            change_password(user=user, password="another-long-password")
        elif change == "a second factor":
            two_factor.confirm(user=user, code=code_of(two_factor.begin(user=user)))
        else:
            Agent.objects.filter(pk=alice.pk).update(user=None)
        assert is_refused(ticket)

    def test_under_another_key_while_the_sessions_own_is_kept(self, alices: Client, settings: Settings) -> None:
        tickets = [ticket_of(alices) for _ in range(2)]
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another" * 10, [settings.SECRET_KEY]
        assert not is_refused(tickets[0])
        assert not is_refused(ticket_of(alices)), "the session goes on under the new key"
        settings.SECRET_KEY_FALLBACKS = []
        assert not is_refused(ticket_of(alices))
        assert is_refused(tickets[1])

    @pytest.mark.django_db(transaction=True)
    def test_of_many_at_once_one_is_let_in(self, alices: Client) -> None:
        ticket = ticket_of(alices)
        barrier = Barrier(8)

        def redeem() -> bool:
            barrier.wait(timeout=30)
            try:
                return not is_refused(ticket)
            finally:
                connection.close()

        with ThreadPoolExecutor(8) as threads:
            outcomes = [each.result() for each in [threads.submit(redeem) for _ in range(8)]]
        assert outcomes.count(True) == 1


def test_a_page_stays_with_the_widget_that_it_shows(alice: Agent, shop: Widget, rival: Rival) -> None:
    """Another tab picks another for the session: neither writes into the other's, nor into any where they are out."""
    there = AgentFactory.create(widget=rival.widget, user=alice.user)
    browser = operators_browser(alice)
    browser.get("/console/", {"widget": rival.widget.guid})
    own = {"X-CSRFToken": browser.cookies["csrftoken"].value, "X-Widget": shop.guid}
    assert redeem_ticket(ticket=ticket_of(browser, headers=own)).agent == alice
    shared = {"shortcut": "hi", "body": "Hello from the shop", "is_shared": True}
    assert browser.post("/console/replies", shared, "application/json", headers=own).status_code == 201
    assert [(reply.widget_id, reply.body) for reply in CannedReply.objects.all()] == [(shop.pk, shared["body"])]
    assert redeem_ticket(ticket=ticket_of(browser)).agent == there
    Agent.objects.filter(pk=alice.pk).update(status="banned")
    before = snapshot()
    for guid in (shop.guid, "nonsense", ""):
        refused = browser.post("/console/replies", shared, "application/json", headers={**own, "X-Widget": guid})
        assert_problem(refused, 403, "not_an_operator")
    assert snapshot() == before


def test_of_several_widgets_a_session_picks_one(alice: Agent, shop: Widget, rival: Rival) -> None:
    second = WidgetFactory.create(account=shop.account, name="Second shop")
    there = AgentFactory.create(widget=second, user=alice.user)
    browser = operators_browser(alice)
    assert redeem_ticket(ticket=ticket_of(browser)).agent == alice
    browser.get("/console/", {"widget": second.guid})
    assert redeem_ticket(ticket=ticket_of(browser)).agent == there
    browser.get("/console/", {"widget": rival.widget.guid})
    assert redeem_ticket(ticket=ticket_of(browser)).agent == alice
    browser.get("/console/", {"widget": second.guid})
    Agent.objects.filter(pk=there.pk).update(status="banned")
    assert redeem_ticket(ticket=ticket_of(browser)).agent == alice
