"""Whether connections still hold (design, "Health"), and the renewal of Avito's tokens."""

from datetime import timedelta

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.mail import Mail
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.leases import claims
from apps.messengers.actions.health import ASKED
from apps.messengers.actions.maintenance import queue_due
from apps.messengers.actions.oauth import renewed
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.adapters import ADAPTERS
from apps.messengers.adapters.adapter import Adapter
from apps.messengers.adapters.client import ProviderCallFailed, answered
from apps.messengers.adapters.tg.adapter import WANTED
from apps.messengers.models import CheckJob, Connection
from apps.messengers.rules.providers import WebhookStatus
from apps.messengers.tasks import CHECK_QUEUE
from tests.factories.messengers import CabinetFactory
from tests.messengers.test_hooks import connected, work


def an_hour_later() -> None:
    Connection.objects.update(checked_at=timezone.now() - timedelta(hours=1, seconds=1))


def check_health() -> int:
    """The job's round, and a worker's after it; returns how many connections were due."""
    number = queue_due()
    work(CHECK_QUEUE)
    return number


def registered(shop: Widget, vendors: Vendors) -> Connection:
    """The shop's bot, whose webhook is where it should be."""
    connection = connected(shop, "tg")
    vendors.hooks["tg", connection.token] = {"url": callback_address(connection), "allowed_updates": WANTED}
    return connection


def test_what_holds_is_asked_once_an_hour(shop: Widget, vendors: Vendors) -> None:
    registered(shop, vendors)
    assert [queue_due(), queue_due()] == [1, 0]
    assert not vendors.asked, "a job of Celery's waits for no vendor"
    work(CHECK_QUEUE)
    assert len(vendors.asked_of("tg", "getMe")) == 1
    an_hour_later()
    assert check_health() == 1
    assert Connection.objects.get().problem_code == ""
    assert not vendors.asked_of("tg", "setWebhook")


def test_a_rejected_credential_is_told_once_and_not_asked_again(shop: Widget, olga: Agent, vendors: Vendors) -> None:
    connection = registered(shop, vendors)
    vendors.rejected.add(connection.token)
    check_health()
    connection.refresh_from_db()
    assert connection.problem_code == "credential_rejected"
    letter = Mail.objects.get()
    assert olga.user is not None
    assert (letter.to, "Telegram" in letter.subject) == (olga.user.email, True)
    for secret in (connection.token, connection.hook_key, connection.secret):
        assert secret not in letter.text + letter.html + connection.problem_detail
    an_hour_later()
    assert check_health() == 0
    assert Mail.objects.count() == 1


def test_a_lost_webhook_is_registered_again_once(shop: Widget, vendors: Vendors) -> None:
    connection = registered(shop, vendors)
    vendors.hooks["tg", connection.token] = {"url": "https://elsewhere.example/hook"}
    vendors.will("tg", "setWebhook", PlayedFault(503, {}))
    check_health()
    connection.refresh_from_db()
    assert (connection.problem_code, connection.webhook_status) == ("webhook_lost", WebhookStatus.FAILED)
    an_hour_later()
    assert check_health() == 0, "a registration that failed waits for somebody"
    assert len(vendors.asked_of("tg", "setWebhook")) == 1


def test_a_lost_webhook_that_is_registered_again_is_no_problem_any_more(shop: Widget, vendors: Vendors) -> None:
    connection = registered(shop, vendors)
    vendors.hooks.pop(("tg", connection.token))
    check_health()
    connection.refresh_from_db()
    assert (connection.problem_code, connection.webhook_status) == ("", WebhookStatus.REGISTERED)
    assert vendors.hooks["tg", connection.token]["url"] == callback_address(connection)


def test_an_unavailable_vendor_is_no_problem_of_the_connection(shop: Widget, vendors: Vendors) -> None:
    registered(shop, vendors)
    vendors.will("tg", "getMe", PlayedFault(503, {}))
    check_health()
    assert Connection.objects.get().problem_code == ""


def test_a_vendor_who_hangs_holds_up_two_of_its_own_at_most(shop: Widget, vendors: Vendors) -> None:
    connections = [registered(shop, vendors), connected(shop, "wa"), connected(shop, "mx"), cabinet(shop, lives_s=900)]
    connections += [CabinetFactory.create(widget=shop) for _ in range(3)]
    assert queue_due() == len(connections)
    taken = claims.claim(CHECK_QUEUE, wanted=CHECK_QUEUE.in_flight)  # and their vendors say nothing for now
    assert sorted(lease.row.connection.provider for lease in taken) == ["av", "av", "mx", "tg", "wa"]
    assert not claims.claim(CHECK_QUEUE, wanted=CHECK_QUEUE.in_flight)
    for lease in taken:
        lease.run()
    work(CHECK_QUEUE)
    asked = Connection.objects.filter(pk__in=CheckJob.objects.filter(due_at=None).values("connection"))
    assert asked.count() == len(connections)


def test_one_that_fails_on_our_side_keeps_no_other_from_being_asked(
    shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    registered(shop, vendors)
    connected(shop, "wa")

    async def breaks(*given: object) -> None:
        raise RuntimeError("ours")

    monkeypatch.setattr(type(ADAPTERS["wa"]), "health", breaks)
    check_health()
    assert len(vendors.asked_of("tg", "getMe")) == 1
    assert not CheckJob.objects.exclude(due_at=None).exists(), "it is asked again in an hour"


@pytest.mark.parametrize("provider", [code for code, one in ADAPTERS.items() if one.registration == "call"])
def test_every_messenger_that_is_registered_by_a_call_is_asked(provider: str) -> None:
    assert provider in ASKED
    assert type(ADAPTERS[provider]).health is not Adapter.health


@pytest.mark.parametrize("provider", [code for code, one in ADAPTERS.items() if one.keeps_addresses])
def test_every_messenger_that_keeps_addresses_can_be_told_to_stop(provider: str) -> None:
    assert type(ADAPTERS[provider]).unregister is not Adapter.unregister


# Avito's tokens.


def cabinet(shop: Widget, *, lives_s: float) -> Connection:
    made: Connection = CabinetFactory.create(widget=shop)
    made.token_expires_at = timezone.now() + timedelta(seconds=lives_s)
    made.save()
    return made


def test_a_token_is_renewed_a_minute_early(shop: Widget, vendors: Vendors) -> None:
    fresh, old = cabinet(shop, lives_s=90), cabinet(shop, lives_s=50)
    assert answered(renewed(fresh)).token == fresh.token
    now = answered(renewed(old))
    assert now.token != old.token
    assert (now.refresh_token or "").startswith("rt-")
    assert now.token_expires_at is not None
    assert now.token_expires_at > timezone.now() + timedelta(hours=23)
    (asked,) = vendors.asked_of("av", "/token")
    assert (asked.body["grant_type"], asked.body["refresh_token"]) == ("refresh_token", old.refresh_token)


def test_one_refresher_at_a_time(shop: Widget, vendors: Vendors) -> None:
    old = cabinet(shop, lives_s=50)
    Connection.objects.update(renewing_until=timezone.now() + timedelta(seconds=30))
    with pytest.raises(ProviderCallFailed) as refused:
        answered(renewed(old))
    assert refused.value.failure.code == "slow_down"
    assert not vendors.asked_of("av", "/token")
    Connection.objects.update(renewing_until=timezone.now() - timedelta(seconds=1))
    assert answered(renewed(old)).token != old.token
    assert answered(renewed(old)).token != old.token, "what another has renewed meanwhile"
    assert len(vendors.asked_of("av", "/token")) == 1


def test_a_refused_renewal_is_a_rejected_credential(shop: Widget, olga: Agent, vendors: Vendors) -> None:
    old = cabinet(shop, lives_s=50)
    vendors.rejected.add(old.refresh_token or "")
    with pytest.raises(ProviderCallFailed) as refused:
        answered(renewed(old))
    assert refused.value.failure.code == "credential_rejected"
    old.refresh_from_db()
    assert (old.problem_code, old.renewing_until) == ("credential_rejected", None)
    assert Mail.objects.count() == 1
