"""A text of a known writer is stored in its chat where it comes in; a worker has all else. Both ways in turns: each
message once, and in order.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import DatabaseError, OperationalError, transaction
from django.db import connection as database

from apps.accounts.models import Widget
from apps.chats.actions import block_contact
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.models import Chat, Contact, Message
from apps.core.database import lock
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.messengers.actions import inbound, provider_calls
from apps.messengers.actions.connections import remove
from apps.messengers.models import Connection, Inbound, InboundJob, Peer
from tests.calls import cost_of
from tests.client import assert_problem
from tests.messengers.payloads.tg import _ADDED, _tg
from tests.messengers.payloads.wa import USER
from tests.messengers.test_any_order import edited
from tests.messengers.test_hooks import connected, post, work
from tests.messengers.test_whatsapp import says
from tests.uploads import png
from tests.waits import wait_until_somebody_waits

PHOTO = [{"file_id": "big", "file_unique_id": "u1", "width": 1, "height": 1}]


@pytest.fixture
def bot(shop: Widget, vendors: Vendors, monkeypatch: pytest.MonkeyPatch) -> Connection:
    """A bot to which one person has written, who is known by now."""
    monkeypatch.setattr(provider_calls, "TRAFFIC_EVERY", timedelta(hours=1))
    vendors.files["photos/big"] = png()
    row = connected(shop, "tg")
    say(row, 1, "Hello")
    work()
    return row


def say(bot: Connection, number: int, text: str = "Roses?", **more: Any) -> None:
    assert post(bot, _tg(message_id=number, **({"text": text} if text else {}), **more)).status_code == 200


def bodies() -> list[str]:
    return [message.body for message in Message.objects.order_by("id")]


def waiting() -> int:
    return Inbound.objects.filter(handled_at=None).count()


def is_queued() -> bool:
    return InboundJob.objects.filter(due_at__isnull=False).exists()


def test_a_known_writers_text_is_stored_where_it_comes_in(bot: Connection) -> None:
    say(bot, 2)
    assert bodies() == ["Hello", "Roses?"]
    assert (waiting(), is_queued()) == (0, False)
    row = Inbound.objects.get(external_id="4711:2")
    assert "Roses?" in row.part
    work()
    assert Contact.objects.count() == Chat.objects.count() == 1
    assert len(bodies()) == 2


def test_its_cost(bot: Connection) -> None:
    """The whole of an update: the call, and what is left to a worker."""
    numbers = iter(range(2, 9))
    for _ in range(3):
        say(bot, next(numbers))
    document = _tg(message_id=9, text="Roses?")
    cost = cost_of(lambda: post(bot, document))
    assert len(cost.statements) <= 6, cost.statements
    assert cost.calls <= 4_500
    assert not is_queued()
    assert len(bodies()) == 5


def test_one_that_comes_again_is_one(bot: Connection) -> None:
    for _ in range(3):
        say(bot, 2)
    work()
    say(bot, 2)
    Inbound.objects.all().delete()  # weeks later
    say(bot, 2)
    work()
    assert bodies() == ["Hello", "Roses?"]


OTHERS = {
    "a stranger's": {"text": "Roses?", "chat": {"id": 43, "type": "private"}, "from": {"id": 43, "first_name": "B"}},
    "a picture": {"photo": PHOTO},
    "a part of an album": {"photo": PHOTO, "media_group_id": "g1"},
    "a place": {"location": {"latitude": 55.75, "longitude": 37.61}},
    "a sticker": {"sticker": {"file_id": "s", "file_unique_id": "s", "emoji": "🌹"}},
    "of an unknown kind": {"hologram": {}},
}


@pytest.mark.parametrize("content", OTHERS.values(), ids=OTHERS)
def test_a_worker_has_what_is(
    bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch, content: dict[str, Any]
) -> None:
    monkeypatch.setattr(inbound, "ALBUM_QUIET_S", 0)
    asked = len(vendors.asked)
    say(bot, 2, **{"text": "", **content})
    assert (bodies(), waiting(), is_queued()) == (["Hello"], 1, True)
    assert len(vendors.asked) == asked, "nothing is called in the request"
    work()
    assert (len(bodies()), waiting()) == (2, 0)


@pytest.mark.parametrize(
    "document",
    [_tg(message_id=2, text="/start"), edited(1_790_000_100, text="7 roses"), {"my_chat_member": _ADDED}],
    ids=["a beginning", "an edit", "a group"],
)
def test_a_worker_has_what_is_done_besides_writing(bot: Connection, document: dict[str, Any]) -> None:
    assert post(bot, document).status_code == 200
    assert (waiting(), is_queued()) == (1, True)
    work()
    assert (bodies(), waiting()) == (["Hello"], 0)


def test_a_worker_has_several_of_one_update(shop: Widget, vendors: Vendors) -> None:
    row = connected(shop, "wa")
    post(row, says("1", 1))
    work()
    document = says("2", 2)
    messages = document["entry"][0]["changes"][0]["value"]["messages"]
    messages.append({**messages[0], "id": "wamid.3"})
    post(row, document)
    assert (Message.objects.count(), waiting()) == (1, 2)
    work()
    assert Message.objects.count() == 3


def test_a_worker_drops_what_a_blocked_writer_says(bot: Connection, shop: Widget) -> None:
    block_contact(widget_id=shop.pk, contact=Contact.objects.get(), reason="", hours=1)
    say(bot, 2)
    assert (bodies(), waiting(), is_queued()) == (["Hello"], 1, True)
    work()
    assert (bodies(), waiting()) == (["Hello"], 0)


def test_a_worker_has_what_comes_while_something_waits(bot: Connection) -> None:
    say(bot, 2, "", photo=PHOTO, caption="Two")
    say(bot, 3, "Three")
    assert (bodies(), waiting()) == (["Hello"], 2)
    work()
    say(bot, 4, "Four")
    assert bodies() == ["Hello", "Two", "Three", "Four"]


def test_others_do_not_wait_with_them(bot: Connection) -> None:
    other = {"chat": {"id": 43, "type": "private"}, "from": {"id": 43, "first_name": "Boris"}}
    say(bot, 2, "Boris", **other)
    work()
    say(bot, 3, "", photo=PHOTO)
    say(bot, 4, "Boris again", **other)
    assert bodies() == ["Hello", "Boris", "Boris again"]


def test_both_ways_in_turns_for_one_person(bot: Connection) -> None:
    said = ["Hello"]
    for number in range(2, 20):
        is_picture, body = number % 5 == 0, f"{number}"
        for _ in range(2):  # the vendor repeats it
            say(bot, number, "" if is_picture else body, **({"photo": PHOTO, "caption": body} if is_picture else {}))
        if number % 4 == 0:
            work()
        said.append(body)
    work()
    assert bodies() == said
    assert (waiting(), Contact.objects.count(), Peer.objects.count(), Chat.objects.count()) == (0, 1, 1, 1)


def test_an_edit_that_came_before_its_message_is_applied_with_it(bot: Connection) -> None:
    post(bot, edited(1_790_000_100, text="7 roses"))
    work()
    say(bot, 5, "5 roses")
    assert (bodies(), waiting()) == (["Hello", "7 roses"], 0)


def test_a_message_waits_with_its_edit(bot: Connection) -> None:
    post(bot, edited(1_790_000_100, text="7 roses"))
    say(bot, 5, "5 roses")
    assert waiting() == 2
    work()
    assert bodies() == ["Hello", "7 roses"]


def test_a_writer_who_has_another_name_by_now_is_the_same(shop: Widget, vendors: Vendors) -> None:
    """WhatsApp's numbers become user ids: a worker has the first message of the new name."""
    row = connected(shop, "wa")
    post(row, says("1", 1))
    work()
    post(row, says("2", 2, user=USER))
    assert (bodies(), waiting()) == (["1"], 1)
    work()
    post(row, says("3", 3, user=USER))
    assert (bodies(), waiting()) == (["1", "2", "3"], 0)
    assert (Contact.objects.count(), Peer.objects.get().conversation) == (1, USER)


@pytest.mark.parametrize("error", [CHAT_IS_SPAM(), DatabaseError("no"), OperationalError("no"), RuntimeError("no")])
def test_a_worker_has_what_fails(bot: Connection, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fail(**_: Any) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(inbound, "note_traffic", lambda *_: fail())
        say(bot, 2)
    assert (bodies(), waiting(), is_queued()) == (["Hello"], 1, True)
    work()
    assert bodies() == ["Hello", "Roses?"]


# --- At once ----------------------------------------------------------------------------------------------------------


@contextmanager
def held(hold: Callable[[], object]) -> Iterator[None]:
    """A transaction of another connection is under way, which has done that."""
    holds, may_end = Event(), Event()

    def run() -> None:
        try:
            with transaction.atomic():
                hold()
                holds.set()
                may_end.wait()
        finally:
            database.close()

    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(run)
        try:
            holds.wait()
            yield
        finally:
            may_end.set()
            running.result()


def in_thread(act: Callable[..., Any], *given: Any) -> Any:
    try:
        return act(*given)
    finally:
        database.close()


@pytest.mark.django_db(transaction=True)
def test_a_worker_has_what_comes_while_one_is_at_the_conversation(bot: Connection) -> None:
    with held(lambda: lock(f"messenger_peer:{bot.pk}:42")):
        say(bot, 2)
        assert (bodies(), waiting(), is_queued()) == (["Hello"], 1, True)
    work()
    assert bodies() == ["Hello", "Roses?"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_has_what_is_for_a_chat_that_others_hold(bot: Connection) -> None:
    with held(lambda: Chat.objects.select_for_update().get()):
        say(bot, 2)
        assert (bodies(), waiting(), is_queued()) == (["Hello"], 1, True)
    work()
    assert bodies() == ["Hello", "Roses?"]


@pytest.mark.django_db(transaction=True)
def test_an_edit_waits_for_the_message_that_is_being_stored(bot: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else neither would see the other."""
    note, running = inbound.note_traffic, []

    def edit_and_work() -> None:
        post(bot, edited(1_790_000_100, text="7 roses"))
        work()

    with ThreadPoolExecutor(1) as threads:

        def edit_meanwhile(*given: Any) -> None:
            monkeypatch.setattr(inbound, "note_traffic", note)
            running.append(
                threads.submit(in_thread, lambda: (post(bot, edited(1_790_000_100, text="7 roses")), work()))
            )
            wait_until_somebody_waits()
            note(*given)

        monkeypatch.setattr(inbound, "note_traffic", edit_meanwhile)
        say(bot, 5, "5 roses")
        running[0].result()
    assert (bodies(), waiting()) == (["Hello", "7 roses"], 0)


@pytest.mark.django_db(transaction=True)
def test_calls_and_workers_at_once_store_each_once_and_in_order(bot: Connection) -> None:
    """Two senders of one person's messages, each of which waits for its answers; the vendor repeats some at once."""
    stopped = Event()

    def send(first: int) -> None:
        for number in range(first, first + 20):
            is_picture = number % 7 == 0
            more = {"photo": PHOTO, "caption": str(number)} if is_picture else {}
            for _ in range(1 + number % 2):
                say(bot, number, "" if is_picture else str(number), **more)

    def do_all_work() -> None:
        while not stopped.is_set():
            work()

    with ThreadPoolExecutor(6) as threads:
        workers = [threads.submit(in_thread, do_all_work) for _ in range(2)]
        senders = [threads.submit(in_thread, send, first) for first in (100, 100, 200, 200)]
        try:
            for each in senders:
                each.result()
        finally:
            stopped.set()
        for each in workers:
            each.result()
    work()
    numbers = [int(body) for body in bodies()[1:]]
    assert sorted(numbers) == [*range(100, 120), *range(200, 220)]
    assert (waiting(), Contact.objects.count(), Peer.objects.count(), Chat.objects.count()) == (0, 1, 1, 1)
    for first in (100, 200):
        assert [number for number in numbers if number // 100 == first // 100] == [*range(first, first + 20)]


@pytest.mark.django_db(transaction=True)
def test_of_one_whose_connection_goes_meanwhile_nothing_is_stored(
    bot: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = inbound.note_traffic

    def gone_meanwhile(*given: Any) -> None:
        note(*given)
        with ThreadPoolExecutor(1) as threads:
            threads.submit(in_thread, lambda: transaction.atomic(remove)(bot)).result()

    monkeypatch.setattr(inbound, "note_traffic", gone_meanwhile)
    assert_problem(post(bot, _tg(message_id=2, text="Roses?")), 404, "not_found")
    assert bodies() == ["Hello"]
    assert not Inbound.objects.exists()
