"""Sends on one loop: few statements for many, kept connections, one message a person, 8 a bot; who hangs is alone."""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connections, transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Message
from apps.chats.rules.delivery import queued
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.demo.servers.vendors import PlayedFault
from apps.leases.runner import Runner
from apps.messengers.actions.conversations import Conversations
from apps.messengers.actions.provider_calls import IN_THREAD
from apps.messengers.adapters.client import answered
from apps.messengers.models import Connection, OutboundJob, OutboundMessage, Peer
from apps.messengers.tasks import OUTBOUND_QUEUE
from tests.calls import cost_of
from tests.factories.chats import ChatFactory, ContactFactory, MessageFactory
from tests.factories.files import FileFactory
from tests.factories.messengers import CommunityFactory, ConnectionFactory
from tests.messengers.test_hooks import send_all
from tests.messengers.test_outbox import delivery, wrote
from tests.messengers.test_own_messages import edit, say
from tests.uploads import png
from tests.waits import AT_MOST_S
from tests.webhooks.receivers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

EACH = 8
# Of a batch, however many it has: what is due, the lock of claims, the claim, the mark of what leaves, the messages,
# peers, connections and vendors; the locks of the messages, their states and what follows, the rows, the leases, the
# receipts that came early; and the look that finds nothing more.
STATEMENTS = 15
CALLS_EACH = 2_500


def to(row: Connection, person: int, *bodies: str) -> Peer:
    """Messages to somebody that wait, as the statement of a post leaves them."""
    contact = ContactFactory.create(widget=row.widget)
    chat = ChatFactory.create(contact=contact, channel=row.provider)
    about = {"widget": row.widget, "channel": row.provider}
    peer = Peer.objects.create(**about, account=row.account, conversation=str(person), contact=contact)
    for body in bodies:
        message = MessageFactory.create(
            chat=chat, body=body, sender_kind="agent", sender_name="Alice", delivery=dict(queued(timezone.now()))
        )
        OutboundMessage.objects.create(**about, peer=peer, message=message)
    OutboundJob.objects.create(widget=row.widget, peer=peer, connection_id=row.pk, waiting_since=timezone.now())
    return peer


@pytest.fixture
def bot(shop: Widget, vendors: Vendors) -> Connection:
    return ConnectionFactory.create(widget=shop, last_outbound_at=timezone.now())


Workers = Callable[[int], list[Runner]]


@pytest.fixture
def workers() -> Iterator[Workers]:
    """Begins so many runners, as processes have them, which look now; they end in order."""
    begun: list[Runner] = []

    def work(number: int) -> list[Runner]:
        begun.extend(Runner([OUTBOUND_QUEUE]) for _ in range(number - len(begun)))
        for runner in begun:
            runner.wake()
        return begun

    yield work
    for runner in begun:
        assert runner.stop(AT_MOST_S)


def states() -> list[str]:
    """How far each message has come."""
    return [message.delivery["state"] for message in Message.objects.order_by("id") if message.delivery]


def texts(vendors: Vendors) -> dict[str, list[str]]:
    """What a bot's vendor was asked to send, to each person in order."""
    found = defaultdict(list)
    for asked in vendors.asked_of("tg", "sendMessage"):
        found[str(asked.body["chat_id"])].append(asked.body["text"])
    return found


def test_a_batch_costs_as_many_statements_as_one(bot: Connection, vendors: Vendors) -> None:
    def send() -> None:
        send_all(Conversations(OUTBOUND_QUEUE))

    to(bot, 1, "Роза")
    send()
    asked = {}
    for number in (1, 8):
        for person in range(100 * number, 101 * number):
            to(bot, person, "Тюльпан")
        asked[number] = cost_of(send)
    assert len(asked[1].statements) == len(asked[8].statements) <= STATEMENTS
    assert (asked[8].calls - asked[1].calls) / 7 <= CALLS_EACH
    assert set(states()) == {"sent"}


def test_a_connection_is_kept_for_the_next_call(
    bot: Connection, vendors: Vendors, monkeypatch: pytest.MonkeyPatch, workers: Workers
) -> None:
    opened, accept = [], vendors._server.get_request

    def counted() -> Any:
        opened.append(accept())
        return opened[-1]

    monkeypatch.setattr(vendors._server, "get_request", counted)
    for person in range(100, 140):
        to(bot, person, "Роза")
    workers(1)
    assert wait_until_sent(40)
    assert len(texts(vendors)) == 40
    assert len(opened) <= EACH


def wait_until_sent(number: int) -> bool:
    wait_until(lambda: states().count("sent") >= number)
    return states().count("sent") == number


def test_each_person_has_their_messages_once_and_in_order_whatever_processes_there_are(
    bot: Connection, vendors: Vendors, workers: Workers
) -> None:
    bodies = [f"Ответ {number}" for number in range(5)]
    for person in range(100, 120):
        to(bot, person, *bodies)
    workers(2)
    assert wait_until_sent(100)
    assert texts(vendors) == {str(person): bodies for person in range(100, 120)}
    assert not OutboundJob.objects.exclude(due_at=None, claim_id=None).exists()


class TestAVendorThatHangs:
    @pytest.fixture
    def goes_on(self, workers: Workers, vendors: Vendors, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
        """VK answers nobody of the token `hangs` until this is set."""
        event, speaks = threading.Event(), vendors._vk

        def hang(asked: Any) -> Any:
            if asked.body.get("access_token") == "hangs":
                event.wait()
            return speaks(asked)

        monkeypatch.setattr(vendors, "_vk", hang)
        yield event
        event.set()

    def test_200_hold_up_nobody(
        self, bot: Connection, vendors: Vendors, workers: Workers, goes_on: threading.Event
    ) -> None:
        for number in range(200):
            to(CommunityFactory.create(widget=bot.widget, account=str(number), token="hangs"), number, "Роза")
        workers(1)
        wait_until(lambda: len({asked.body["peer_id"] for asked in vendors.asked_of("vk")}) == 200)
        for person in range(100, 140):
            to(bot, person, "Тюльпан")
        workers(1)
        assert wait_until_sent(40)
        assert not goes_on.is_set()
        assert OutboundMessage.objects.filter(done_at=None).count() == 200
        goes_on.set()
        assert wait_until_sent(240)

    def test_has_8_under_way_whatever_processes_there_are(
        self, bot: Connection, vendors: Vendors, workers: Workers, goes_on: threading.Event
    ) -> None:
        community = CommunityFactory.create(widget=bot.widget, token="hangs")
        for person in range(100, 120):
            to(community, person, "Роза")
        workers(3)
        wait_until(lambda: len(vendors.asked_of("vk")) == EACH)
        to(bot, 1, "Тюльпан")
        workers(3)
        assert wait_until_sent(1)
        assert OutboundJob.objects.exclude(claim_id=None).count() == len(vendors.asked_of("vk")) == EACH
        goes_on.set()
        assert wait_until_sent(21)


def test_what_asks_the_database_in_between_leaves_by_the_loop_too(
    shop: Widget, alice: Agent, vendors: Vendors, workers: Workers
) -> None:
    """A file, a change, a refusal: on threads beside the loop."""
    wrote(shop, "tg", vendors)
    file = FileFactory.create(widget=shop, content=png(), name="a.png", content_type="image/png")
    picture, text = say(alice, "Роза", type="image", file_id=file.pk), say(alice, "5 штук")
    workers(1)
    assert wait_until_sent(2)
    assert len(vendors.asked_of("tg", "sendPhoto")) == 1
    edit(text, "50 штук")
    workers(1)
    wait_until(lambda: "50 штук" in vendors.texts("tg"))
    vendors.will("tg", "sendMessage", PlayedFault(403, {"ok": False, "error_code": 403, "description": "Forbidden"}))
    refused = say(alice, "Ещё?")
    workers(1)
    wait_until(lambda: delivery(refused)["state"] == "failed")
    assert delivery(picture)["sent_as"] is None
    wait_until(lambda: not OutboundMessage.objects.filter(done_at=None).exists())


def test_what_its_writer_is_about_to_change_does_not_leave_before(bot: Connection, vendors: Vendors) -> None:
    """The writer has locked it when its conversation is claimed."""
    to(bot, 7, "Роза")
    sends, holds, goes_on = Conversations(OUTBOUND_QUEUE), threading.Event(), threading.Event()

    def change() -> None:
        try:
            with transaction.atomic():
                list(OutboundMessage.objects.unscoped("the test's own").select_for_update())
                holds.set()
                goes_on.wait(AT_MOST_S)
                Message.objects.update(body="Тюльпан")
        finally:
            connections.close_all()

    writer = threading.Thread(target=change)
    writer.start()
    assert holds.wait(AT_MOST_S)
    ((item,), _) = sends.exchange([], 8, {}, 8)
    assert item.outgoing is not None
    assert not item.outgoing.row.is_begun
    ended, _ = answered(sends.send(IN_THREAD, item))
    assert vendors.asked_of("tg") == []
    goes_on.set()
    writer.join(AT_MOST_S)
    sends.exchange([ended], 0, {}, 0)
    OutboundJob.objects.update(due_at=timezone.now())
    send_all(sends)
    assert texts(vendors) == {"7": ["Тюльпан"]}


def test_what_was_given_back_is_as_before(bot: Connection, vendors: Vendors) -> None:
    to(bot, 7, "Роза")
    before = OutboundJob.objects.get()
    sends = Conversations(OUTBOUND_QUEUE)
    ((item,), _) = sends.exchange([], 8, {}, 8)
    assert sends.exchange([sends.given_back(item)], 0, {}, 0) == ([], [])
    after = OutboundJob.objects.get()
    assert (after.due_at, after.claim_id, after.claims) == (before.due_at, None, 0)
    send_all(sends)
    assert states() == ["sent"]


def test_what_cannot_be_written_with_others_is_written_alone(bot: Connection, vendors: Vendors) -> None:
    """PostgreSQL takes no NUL: the lease of that one runs out."""
    to(bot, 7, "Роза")
    to(bot, 8, "Тюльпан")
    sends = Conversations(OUTBOUND_QUEUE)
    items, _ = sends.exchange([], 8, {}, 8)
    ended = [answered(sends.send(IN_THREAD, item))[0] for item in items]
    (given, _) = ended[0].sent or (None, None)
    assert given is not None
    given.row.external_ids = ["\0"]
    sends.exchange(ended, 0, {}, 0)
    assert sorted(states()) == ["queued", "sent"]
    assert OutboundJob.objects.exclude(claim_id=None).count() == 1
