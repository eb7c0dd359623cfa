"""Telegram's long poll, and the commands by which vendors are set up (design, "Inbound", "Providers")."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db.models.functions import Now

from apps.accounts.actions import moves
from apps.accounts.models import Widget
from apps.chats.models import Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.leases import claims
from apps.messengers.actions import polling
from apps.messengers.models import Connection, Inbound, PollJob, VendorSettings
from apps.messengers.tasks import POLL_QUEUE
from tests.client import ApiClient
from tests.factories.messengers import CommunityFactory, ConnectionFactory
from tests.messengers.test_hooks import work

TOKEN = f"4711:{'A' * 35}"


@pytest.fixture
def bot(api: ApiClient, paid: Widget, vendors: Vendors, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Connection:
    """A bot that is connected where Telegram cannot call."""
    settings.PUBLIC_URL = "http://localhost:8000"
    monkeypatch.setattr(polling, "WAIT_S", 0)
    assert api.put("/messengers/tg", json={"url": None, "token": TOKEN}).status_code == 200
    return Connection.objects.get()


def poll_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A turn of the worker that ends at once."""
    monkeypatch.setattr(polling, "TURN_S", 0.01)
    for lease in claims.claim(POLL_QUEUE, wanted=5):
        lease.run()


def test_what_people_write_is_fetched_once(bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("Привет", "Есть розы?"):
        vendors.write(TOKEN, text)
    poll_once(monkeypatch)
    work()
    assert list(Message.objects.order_by("id").values_list("body", flat=True)) == ["Привет", "Есть розы?"]
    poll_once(monkeypatch)
    work()
    assert Message.objects.count() == 2
    assert vendors.updates[TOKEN] == []
    assert PollJob.objects.get().due_at is not None


def test_an_update_that_is_nested_without_end_holds_up_nothing(
    bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    for text in ("Привет", "Есть розы?"):
        vendors.write(TOKEN, text)
    deep: list[Any] = []
    for _ in range(400):
        deep = [deep]
    vendors.updates[TOKEN][0]["message"]["odd"] = deep
    poll_once(monkeypatch)
    work()
    assert list(Message.objects.order_by("id").values_list("body", flat=True)) == ["Привет", "Есть розы?"]


def test_nothing_is_fetched_while_the_account_moves(
    bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What people write waits at Telegram, for the installation that the account goes to or, if it stays, for this."""
    moves.close(account=bot.widget.account)
    vendors.write(TOKEN, "Привет")
    poll_once(monkeypatch)
    work()
    assert not Message.objects.exists()
    moves.cancel_move(account=bot.widget.account)
    PollJob.objects.update(due_at=Now())
    poll_once(monkeypatch)
    work()
    assert Message.objects.get().body == "Привет"


def test_what_is_fetched_just_then_stays_at_telegram(
    bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account is closed while a call waits for updates."""
    vendors.write(TOKEN, "Привет")
    moves.close(account=bot.widget.account)
    assert polling.fetch(bot) == 0
    work()
    assert not Inbound.objects.exists()
    moves.cancel_move(account=bot.widget.account)
    assert polling.fetch(bot) == 1


def test_another_getupdates_is_a_conflict_until_it_ends(
    bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendors.hooks["tg", TOKEN] = {"url": "https://elsewhere.example"}
    poll_once(monkeypatch)
    bot.refresh_from_db()
    assert bot.problem_code == "conflict"
    vendors.hooks.clear()
    polling.fetch(bot)
    bot.refresh_from_db()
    assert bot.problem_code == ""


def test_a_dead_token_rests_until_it_is_repaired(
    bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    vendors.rejected.add(TOKEN)
    poll_once(monkeypatch)
    bot.refresh_from_db()
    assert bot.problem_code == "credential_rejected"
    asked = len(vendors.asked)
    poll_once(monkeypatch)
    assert len(vendors.asked) == asked


class TestCommands:
    def test_a_vendor_is_shown_changed_and_reset(self, vendors: Vendors) -> None:
        said = run("messenger_vendor", "wa", "--base", vendors.base("wa"), "--app-secret", "s3cret", "--json")
        row = VendorSettings.objects.get(pk="wa")
        assert said == {
            "provider": "wa",
            "base": vendors.base("wa"),
            "updates": "auto",
            "has_app_secret": True,
            "client_id": None,
            "has_client_secret": False,
            "callback_url": f"https://chat.example.com/hooks/wa/{row.app_key}",
            "verify_token": row.app_verify_token,
        }
        assert row.app_secret == "s3cret"
        for_people = said_by("messenger_vendor", "wa").splitlines()
        assert [line.partition(":")[0] for line in for_people] == list(said)
        said = run("messenger_vendor", "wa", "--reset", "--json")
        assert (said["base"], said["has_app_secret"]) == ("https://graph.facebook.com/v23.0", False)

    @pytest.mark.parametrize("base", ["http://10.0.0.1/", "https://127.0.0.1:1/", "x"])
    def test_a_base_that_may_not_be_called_is_refused(self, db: Any, settings: Any, base: str) -> None:
        settings.EGRESS_ALLOW = []
        with pytest.raises(CommandError, match="--base"):
            run("messenger_vendor", "tg", "--base", base, "--json")
        assert not VendorSettings.objects.exists()

    def test_addresses_are_printed(self, shop: Widget, settings: Any) -> None:
        settings.PUBLIC_URL = "https://chat.example.com"
        wa = ConnectionFactory.create(widget=shop, provider="wa")
        vk = CommunityFactory.create(widget=shop)
        address = {"provider": "wa", "id": None, "callback_url": f"https://chat.example.com/hooks/wa/{wa.hook_key}"}
        (said,) = run("messenger_address", "wa", "--widget", shop.guid, "--json")
        app = VendorSettings.objects.get(pk="wa")
        assert said == {
            **address,
            "verify_token": wa.verify_token,
            "app_callback_url": f"https://chat.example.com/hooks/wa/{app.app_key}",
            "app_verify_token": app.app_verify_token,
        }
        (said,) = run("messenger_address", "vk", "--widget", shop.guid, "--json")
        assert (said["id"], said["verify_token"], said["app_callback_url"]) == (vk.pk, None, None)


def said_by(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def run(*arguments: str) -> Any:
    return json.loads(said_by(*arguments))
