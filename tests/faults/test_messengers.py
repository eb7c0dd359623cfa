"""Messengers under kill -9, and beside a vendor that hangs: every message once and in order, and nobody else waits."""

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, Message
from apps.demo.servers.dialects.all_vendors import Vendors
from apps.leases.runner import Runner
from apps.messengers.actions import outgoing
from apps.messengers.models import Connection, Inbound, InboundJob, OutboundJob, OutboundMessage, Peer
from apps.messengers.tasks import INBOUND_QUEUE, OUTBOUND_QUEUE
from launcher.processes import wait_until
from tests.client import ApiClient
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state
from tests.faults.scale import SCALE
from tests.messengers.conftest import vendors  # noqa: F401 - a fixture
from tests.messengers.payloads import TEXTS
from tests.messengers.test_hooks import connected, post, work
from tests.waits import AT_MOST_S

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

# The short form kills at every third point, and at the last.
STEP = 1 if SCALE.is_long else 3


def update(number: int, body: str, *, person: int = 42) -> dict[str, Any]:
    """What Telegram posts of a person's message."""
    document: dict[str, Any] = TEXTS["tg"][0]
    message: dict[str, Any] = document["message"]
    who = {"chat": {**message["chat"], "id": person}, "from": {**message["from"], "id": person}}
    return {**document, "update_id": number, "message": {**message, **who, "message_id": number, "text": body}}


def killed_at(work_: Callable[[], str]) -> list[int]:
    """The points at which the work is killed, by their number. It is done once."""
    points = len(run_apart(work_).passed)
    return sorted({*range(1, points + 1, STEP), points})


def test_what_comes_in_is_stored_once_and_in_order_whenever_a_process_is_killed(
    shop: Widget,
    vendors: Vendors,  # noqa: F811
    figures: Figures,
) -> None:
    """The vendor repeats what was not acknowledged, and what was: some of it at once."""
    connection = connected(shop, "tg")
    said = [update(7, "Привет"), update(8, "Есть розы?")]

    def come_in() -> str:
        for each in (*said, said[0]):
            post(connection, each)
        work(INBOUND_QUEUE)
        return "done"

    numbers = stored_once_whenever_killed(connection, said, come_in, ["Привет", "Есть розы?"])
    figures.add("messengers", f"two updates, killed at {len(numbers)} points: each stored once")


def test_what_is_stored_in_the_call_is_stored_once_and_in_order_whenever_a_process_is_killed(
    shop: Widget,
    vendors: Vendors,  # noqa: F811
    figures: Figures,
) -> None:
    """Texts of somebody who is known are stored by the call, but for the one that comes behind a place, which waits."""
    connection = connected(shop, "tg")
    post(connection, update(6, "Привет"))
    work(INBOUND_QUEUE)
    place = update(8, "")
    place["message"]["location"] = {"latitude": 55.75, "longitude": 37.61}
    said = [update(7, "Есть розы?"), place, update(9, "Сюда."), update(10, "Спасибо!")]

    def come_in() -> str:
        for each in (*said[:3], said[0]):
            post(connection, each)
        work(INBOUND_QUEUE)
        post(connection, said[3])
        return "done"

    bodies = ["Привет", "Есть розы?", "", "Сюда.", "Спасибо!"]
    numbers = stored_once_whenever_killed(connection, said, come_in, bodies)
    figures.add("messengers", f"four updates of a known writer, killed at {len(numbers)} points: each stored once")


def stored_once_whenever_killed(
    connection: Connection, said: list[dict[str, Any]], come_in: Callable[[], str], bodies: list[str]
) -> list[int]:
    """Kills the work at its points, and has the vendor repeat what was said, all of it twice: each time the bodies are
    those. Returns the points.
    """
    before = state()
    numbers = killed_at(come_in)
    for number in numbers:
        restore(before)
        assert run_apart(come_in, killed_at=number).was_killed
        InboundJob.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        for each in (*said, *said):
            assert post(connection, each).status_code == 200
        work(INBOUND_QUEUE)
        assert [message.body for message in Message.objects.order_by("id")] == bodies, number
        assert (Contact.objects.count(), Chat.objects.count(), Peer.objects.count()) == (1, 1, 1), number
        assert not Inbound.objects.filter(handled_at=None).exists(), number
    return numbers


def test_what_goes_out_is_sent_whenever_a_worker_is_killed(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,  # noqa: F811
    figures: Figures,
) -> None:
    """At most the message under way is sent once more."""
    chat = written_by(shop, "tg", update(7, "Привет"))
    answers = ["Здравствуйте!", "Розы есть."]
    for body in answers:
        answer(api, chat, alice, body)

    def go_out() -> str:
        work(OUTBOUND_QUEUE)
        return "done"

    before = state()
    numbers, doubled = killed_at(go_out), 0
    for number in numbers:
        restore(before)
        vendors.asked.clear()
        assert run_apart(go_out, killed_at=number).was_killed
        OutboundJob.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        work(OUTBOUND_QUEUE)
        sent = [one.body["text"] for one in vendors.asked_of("tg", "sendMessage")]
        assert list(dict.fromkeys(sent)) == answers, number
        assert len(sent) - len(answers) <= 1, number
        assert states() == ["sent"] * len(answers), number
        doubled += len(sent) - len(answers)
    figures.add("messengers", f"two answers, killed at {len(numbers)} points: {doubled} sent twice")


def test_what_leaves_on_the_loop_is_sent_whenever_its_process_is_killed(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,  # noqa: F811
    figures: Figures,
) -> None:
    """Of each person at most the message under way is sent once more; their order holds."""
    people, answers = range(100, 106), ["Здравствуйте!", "Розы есть."]
    for person in people:
        chat = written_by(shop, "tg", update(person, "Привет", person=person))
        for body in answers:
            answer(api, chat, alice, body)

    def go_out() -> str:
        runner = Runner([OUTBOUND_QUEUE])
        runner.wake()
        assert wait_until(lambda: set(states()) == {"sent"}, seconds=AT_MOST_S)
        assert runner.stop(AT_MOST_S)
        return "done"

    before = state()
    numbers, doubled = killed_at(go_out), 0
    for number in numbers:
        restore(before)
        vendors.asked.clear()
        run_apart(go_out, killed_at=number)
        OutboundJob.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        work(OUTBOUND_QUEUE)
        for person in people:
            asked = [one.body for one in vendors.asked_of("tg", "sendMessage") if one.body["chat_id"] == str(person)]
            sent = [body["text"] for body in asked]
            assert list(dict.fromkeys(sent)) == answers, number
            assert len(sent) - len(answers) <= 1, number
            doubled += len(sent) - len(answers)
        assert states() == ["sent"] * len(answers) * len(people), number
    figures.add("messengers", f"12 answers on the loop, killed at {len(numbers)} points: {doubled} sent twice")


def test_a_vendor_that_hangs_holds_up_nobody_elses_messages(
    api: ApiClient,
    shop: Widget,
    alice: Agent,
    vendors: Vendors,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """More of its conversations wait than leave at once; another messenger's answer leaves meanwhile."""
    waiting = 2 * OUTBOUND_QUEUE.in_flight_each + 2
    chats = [written_by(shop, "tg", update(number, "Привет", person=number)) for number in range(100, 100 + waiting)]
    goes_on = threading.Event()
    speaks = vendors._tg

    def hang(asked: Any) -> Any:
        goes_on.wait()
        return speaks(asked)

    monkeypatch.setattr(vendors, "_tg", hang)
    monkeypatch.setattr(outgoing, "SEND_S", 600.0)  # however slow this machine is, the vendor is slower
    for chat in chats:
        answer(api, chat, alice, "Здравствуйте!")
    other = answer(api, written_by(shop, "vk", TEXTS["vk"][0]), alice, "Розы есть.")
    runner = Runner([OUTBOUND_QUEUE])
    try:
        runner.wake()
        assert wait_until(lambda: state_of(other) == "sent", seconds=AT_MOST_S)
        assert states().count("sent") == 1
        assert OutboundMessage.objects.filter(done_at=None).count() == waiting
        assert len(vendors.asked_of("tg", "sendMessage")) <= OUTBOUND_QUEUE.in_flight_each
        goes_on.set()
        assert wait_until(lambda: set(states()) == {"sent"}, seconds=2 * AT_MOST_S)
    finally:
        goes_on.set()
        assert runner.stop(AT_MOST_S)


def written_by(shop: Widget, provider: str, document: dict[str, Any]) -> Chat:
    """The chat of somebody who has written by a messenger, which is connected if it was not."""
    connection = shop.connections.filter(provider=provider).first() or connected(shop, provider)
    assert post(connection, document).status_code == 200
    work(INBOUND_QUEUE)
    return Chat.objects.latest("id")


def answer(api: ApiClient, chat: Chat, agent: Agent, body: str) -> int:
    """The id of an operator's message."""
    sent = api.post(f"/chats/{chat.pk}/messages", json={"type": "text", "body": body, "agent_id": agent.pk})
    assert sent.status_code == 202, sent.content
    message_id: int = sent.json()["data"]["message_id"]
    return message_id


def state_of(message_id: int) -> str:
    delivery = Message.objects.get(pk=message_id).delivery
    assert delivery is not None
    return str(delivery["state"])


def states() -> list[str]:
    """How far each operator's message has come, in their order."""
    return [str(message.delivery["state"]) for message in Message.objects.order_by("id") if message.delivery]
