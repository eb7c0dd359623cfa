"""Writes of one connection at the same moment: what is stored here and what the vendor was told are the same after."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import cycle, islice
from typing import Any

import pytest
from django.db import connection as database
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.core.mail import Mail
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.messengers.actions.connections import remove
from apps.messengers.actions.maintenance import queue_left
from apps.messengers.actions.provider_calls import callback_address
from apps.messengers.adapters import ADAPTERS
from apps.messengers.models import Connection, Inbound, Peer
from apps.messengers.tasks import CHECK_QUEUE, OUTBOUND_QUEUE
from tests.client import ApiClient, assert_problem
from tests.factories.messengers import ConnectionFactory
from tests.messengers.payloads import TEXTS
from tests.messengers.test_hooks import post, work
from tests.messengers.test_outbox import delivery, say, talk  # noqa: F401 - a fixture

TOKEN, NEW_TOKEN = f"4711:{'A' * 35}", f"4711:{'B' * 35}"
TELEGRAM = type(ADAPTERS["tg"])


def put(api: ApiClient, token: str = TOKEN) -> Any:
    return api.put("/messengers/tg", json={"url": None, "token": token})


def told_as_stored(vendors: Vendors, token: str = TOKEN) -> bool:
    """Whether the vendor delivers where the connection says, with its secret; nowhere without a connection."""
    request, row = vendors.hooks.get(("tg", token)), Connection.objects.filter(provider="tg").first()
    if row is None or request is None:
        return row is None and request is None
    return (request["url"], request["secret_token"]) == (callback_address(row), row.secret)


def meanwhile(monkeypatch: pytest.MonkeyPatch, method: str, happens: Callable[[], object]) -> None:
    """Something happens while the first call by that method of Telegram's adapter is on its way."""
    original, left = getattr(TELEGRAM, method), [happens]

    def call(*given: Any) -> Any:
        if left:
            left.pop()()
        return original(*given)

    monkeypatch.setattr(TELEGRAM, method, call)


@pytest.mark.parametrize("other", ["put", "verify"])
def test_a_registration_that_comes_behind_a_newer_one_is_put_right(
    api: ApiClient, shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    meanwhile(monkeypatch, "register", lambda: put(api) if other == "put" else api.post("/messengers/tg/verify"))
    data = put(api).json()["data"]
    assert (data["connected"], data["webhook"]["status"]) == (True, "registered")
    assert told_as_stored(vendors)


def test_of_one_that_is_removed_meanwhile_the_vendor_calls_nobody(
    api: ApiClient, shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, "register", lambda: api.delete("/messengers/tg"))
    answer = put(api)
    assert (answer.status_code, answer.json()["data"]["connected"]) == (200, False)
    assert told_as_stored(vendors)


def test_one_that_is_registered_again_while_it_goes_is_gone_whole(
    api: ApiClient, shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(api)

    async def told_then_registered(*given: Any) -> None:
        monkeypatch.undo()
        await TELEGRAM().unregister(given[1])
        put(api)

    monkeypatch.setattr(TELEGRAM, "unregister", told_then_registered)
    assert api.delete("/messengers/tg").status_code == 204
    assert not Connection.objects.exists()
    assert told_as_stored(vendors)


def test_writes_that_never_end_are_left_to_the_keeper(
    api: ApiClient, shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.messengers.rules.providers import new_key

    original = TELEGRAM.register

    def overtaken(*given: Any) -> Any:
        row = Connection.objects.get()
        row.secret = new_key()
        row.save()
        return original(*given)

    with monkeypatch.context() as patched:
        patched.setattr(TELEGRAM, "register", overtaken)
        assert put(api).json()["data"]["webhook"]["status"] == "pending"
    Connection.objects.update(pending_since=timezone.now() - timedelta(seconds=61))
    assert queue_left() == 1
    work(CHECK_QUEUE)
    assert Connection.objects.get().webhook_status == "registered"
    assert told_as_stored(vendors)


@pytest.mark.django_db(transaction=True)
def test_put_delete_and_verify_at_once(api: ApiClient, shop: Widget, vendors: Vendors, settings: Any) -> None:
    settings.MESSENGER_CALL_LIMIT = 1_000
    writes = {
        "put": lambda: put(api),
        "verify": lambda: api.post("/messengers/tg/verify"),
        "delete": lambda: api.delete("/messengers/tg"),
    }
    # What each may say: a connection that is gone, or not there yet; a place to wait that is taken.
    expected = {"put": {200, 429}, "verify": {200, 404, 409, 429}, "delete": {204, 404, 429}}

    def write(name: str) -> tuple[str, int]:
        try:
            return name, writes[name]().status_code
        finally:
            database.close()

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(write, islice(cycle(["put", "verify", "put", "delete"]), 16)))
    assert not [answer for answer in answers if answer[1] not in expected[answer[0]]]
    Connection.objects.filter(pending_since__isnull=False).update(pending_since=timezone.now() - timedelta(seconds=61))
    queue_left()
    work(CHECK_QUEUE)
    assert told_as_stored(vendors)
    for row in Connection.objects.all():
        assert row.webhook_status == "registered"
        assert post(row, TEXTS["tg"][0]).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_what_comes_in_while_a_connection_goes_is_404_and_the_removal_succeeds(
    shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.messengers.actions import inbound

    row, original = ConnectionFactory.create(widget=shop), inbound.keep

    def gone_meanwhile(connection: Connection, arrivals: Any) -> None:
        original(connection, arrivals)
        with ThreadPoolExecutor(1) as threads:
            threads.submit(removed, connection).result()

    monkeypatch.setattr(inbound, "keep", gone_meanwhile)
    assert_problem(post(row, TEXTS["tg"][0]), 404, "not_found")
    assert not Connection.objects.exists()
    assert not Inbound.objects.exists()


def removed(connection: Connection) -> None:
    from django.db import transaction

    try:
        with transaction.atomic():
            remove(connection)
    finally:
        database.close()


@pytest.mark.parametrize("refusal", [401, 429])
def test_a_new_credential_has_nothing_of_what_the_old_one_is_told_in_a_send(
    api: ApiClient,
    alice: Agent,
    talk: Peer,  # noqa: F811
    vendors: Vendors,
    monkeypatch: pytest.MonkeyPatch,
    refusal: int,
) -> None:
    more = {"parameters": {"retry_after": 900}} if refusal == 429 else {}
    vendors.will("tg", "sendMessage", PlayedFault(refusal, {"ok": False, "error_code": refusal, **more}))
    meanwhile(monkeypatch, "send", lambda: put(api, NEW_TOKEN))
    message = say(api, alice)
    work(OUTBOUND_QUEUE)
    assert delivery(message) == {"state": "sent", "code": None, "detail": None, "attempts": 1, "sent_as": None}
    assert [one.path.split("/")[1] for one in vendors.asked_of("tg", "sendMessage")] == [
        f"bot{TOKEN}",
        f"bot{NEW_TOKEN}",
    ]
    row = Connection.objects.get()
    assert (row.token, row.problem_code, row.rests_until) == (NEW_TOKEN, "", None)
    assert not Mail.objects.exists()


def test_a_send_that_is_under_way_with_the_old_credential_counts(
    api: ApiClient,
    alice: Agent,
    talk: Peer,  # noqa: F811
    vendors: Vendors,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    meanwhile(monkeypatch, "send", lambda: put(api, NEW_TOKEN))
    message = say(api, alice)
    work(OUTBOUND_QUEUE)
    assert delivery(message)["state"] == "sent"
    assert len(vendors.asked_of("tg", "sendMessage")) == 1
    assert Connection.objects.get().token == NEW_TOKEN
