"""Invitations under concurrency: real threads, each with its own connection, on real PostgreSQL."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from apps.accounts.models import User, Widget
from apps.agents.actions.invitations import SENT, NoInvitation, accept_invitation, revoke_invitation
from apps.agents.models import Agent, AgentEvent, Invitation
from apps.agents.views import invitations as views
from apps.core import mail
from apps.core.endpoints import outbound_writes
from apps.core.errors import NOT_FOUND
from apps.core.problems import Problem
from apps.egress.bulkhead import Bulkhead
from config.mail import SMTP
from tests.agents.test_invitations_api import invite
from tests.budgets import spent
from tests.client import ApiClient
from tests.factories import AgentFactory
from tests.factories.agents import InvitationFactory, secret_of
from tests.mail_server import MailServer

pytestmark = pytest.mark.django_db(transaction=True)

CALLERS = 8
FORM = {"name": "Nina", "password": "glühwein-und-tulpen"}


@pytest.fixture(autouse=True)
def as_in_many_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each caller finds a place to wait for the mail server in."""
    monkeypatch.setattr(outbound_writes, "outbound_waits", Bulkhead(threads=4 * CALLERS))
    monkeypatch.setattr(views, "CALLS_A_MINUTE", 1_000_000)


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """What each answers, all begun at the same moment."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            barrier.wait(20)
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as threads:
        return list(threads.map(run, calls))


def inviting(token: str, number: int, **more: Any) -> Callable[[], Any]:
    return lambda: invite(ApiClient(token), f"n{number}@mail.test", **more).status_code


def test_of_many_who_want_the_last_seat_one_is_invited(shop: Widget, token: str, mailoutbox: list[Any]) -> None:
    Widget.objects.filter(pk=shop.pk).update(seats=1)
    statuses = Counter(at_once([inviting(token, n) for n in range(CALLERS)]))
    assert statuses == {201: 1, 409: CALLERS - 1}
    assert Invitation.objects.count() == 1 <= len(mailoutbox)


def test_processes_that_sent_their_mail_at_once_store_one_invitation(
    shop: Widget, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every mail is out before anything is stored."""
    Widget.objects.filter(pk=shop.pk).update(seats=1)
    everybody_has_sent = Barrier(CALLERS)
    monkeypatch.setattr(mail, "send", lambda message: everybody_has_sent.wait(20))
    statuses = Counter(at_once([inviting(token, n) for n in range(CALLERS)]))
    assert statuses == {201: 1, 409: CALLERS - 1}
    assert Invitation.objects.count() == 1


def test_one_address_is_invited_once(shop: Widget, token: str) -> None:
    def call() -> Any:
        return invite(ApiClient(token)).status_code

    assert Counter(at_once([call] * CALLERS)) == {201: 1, 409: CALLERS - 1}
    assert Invitation.objects.count() == 1


def test_one_key_invites_once(shop: Widget, token: str) -> None:
    calls = [inviting(token, n, idempotency_key="one") for n in range(CALLERS)]
    assert Counter(at_once(calls)) == {201: 1, 409: CALLERS - 1}
    assert Invitation.objects.count() == 1


def test_an_hour_has_exactly_ten(shop: Widget, token: str) -> None:
    Widget.objects.filter(pk=shop.pk).update(seats=100)
    spent(SENT, shop.pk, *[timedelta(minutes=1)] * 6)
    statuses = Counter(at_once([inviting(token, n) for n in range(CALLERS)]))
    assert statuses == {201: 4, 429: CALLERS - 4}
    assert Invitation.objects.count() == 4


def test_a_mail_server_that_hangs_locks_nothing(shop: Widget, token: str, settings: Settings) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = SMTP, "127.0.0.1", 20
    with MailServer(silent=True) as server, ThreadPoolExecutor(1) as other:
        settings.EMAIL_PORT = server.port
        waiting = other.submit(at_once, [inviting(token, 1)])
        while not server.connections:
            assert not waiting.done()
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '1s'")
            Widget.objects.filter(pk=shop.pk).update(seats=0)
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND state LIKE 'idle in transaction%%'"
            )
            assert cursor.fetchone() == (0,)
        server._ended.set()  # it hangs up
        assert waiting.result(30) == [502]
    assert not Invitation.objects.exists()


def test_of_many_who_accept_for_the_last_seat_one_becomes_an_operator(shop: Widget) -> None:
    AgentFactory.create(widget=shop)
    Widget.objects.filter(pk=shop.pk).update(seats=2)
    pages = [f"/invitations/{secret_of(each)}" for each in InvitationFactory.create_batch(CALLERS, widget=shop)]
    calls = [lambda page=page: Client().post(page, FORM).status_code for page in pages]
    assert Counter(at_once(calls)) == {302: 1, 409: CALLERS - 1}
    assert Agent.objects.count() == 2
    assert User.objects.filter(name="Nina").count() == 1
    assert Invitation.objects.filter(status="pending").count() == CALLERS - 1


def test_a_link_is_used_once(shop: Widget) -> None:
    page = f"/invitations/{secret_of(InvitationFactory.create(widget=shop))}"
    statuses = Counter(at_once([lambda: Client().post(page, FORM).status_code] * CALLERS))
    assert statuses.pop(302) == 1
    assert set(statuses) <= {410, 422}
    assert Agent.objects.count() == User.objects.count() == AgentEvent.objects.count() == 1


def test_one_address_at_two_widgets_makes_one_account(shop: Widget, rival: Any) -> None:
    invitations = [InvitationFactory.create(widget=widget, email="nina@mail.test") for widget in (shop, rival.widget)]
    pages = [f"/invitations/{secret_of(each)}" for each in invitations]
    statuses = at_once([lambda page=page: Client().post(page, FORM) for page in pages])
    codes = sorted(response.status_code for response in statuses)
    assert codes in ([302, 302], [302, 409], [302, 422])
    assert User.objects.filter(email="nina@mail.test").count() == 1
    if codes == [302, 409]:
        refused = next(response for response in statuses if response.status_code == 409)
        assert "There is an account with your address already." in refused.content.decode()


def test_an_invitation_is_either_accepted_or_revoked(shop: Widget, token: str) -> None:
    for _ in range(5):
        invitation = InvitationFactory.create(widget=shop)
        secret = secret_of(invitation)

        def accept(secret: str = secret) -> str:
            try:
                accept_invitation(secret=secret, **FORM)
            except NoInvitation as refusal:
                return f"not accepted: {refusal.status}"
            return "accepted"

        def revoke(invitation: Invitation = invitation) -> str:
            try:
                revoke_invitation(invitation)
            except Problem as problem:
                return {NOT_FOUND.code: "not revoked"}[problem.type.code]
            return "revoked"

        outcome = at_once([accept, revoke])
        assert outcome in (["accepted", "not revoked"], ["not accepted: revoked", "revoked"])
        invitation.refresh_from_db()
        assert invitation.status == ("accepted" if outcome[0] == "accepted" else "revoked")
        assert Agent.objects.count() == (outcome[0] == "accepted")
        Agent.objects.all().delete()
        User.objects.all().delete()
