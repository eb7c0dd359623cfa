"""A kill at any failpoint leaves the state before or after, never between (goal R7)."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.agents.actions import begin_presence, expire_presences
from apps.agents.models import AgentPresence
from apps.chats import actions as chats
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Delivery, EventSwitch
from apps.webhooks.rules import NATIVE_NAMES
from tests.chats.gathering import post_together
from tests.contract.requests import to
from tests.contract.routes import ROUTES, Route, of_console
from tests.contract.samples import World
from tests.factories import ChatFactory, ContactFactory, FileFactory, MessageFactory
from tests.factories.webhooks import DeliveryFactory, SubscriptionFactory
from tests.faults.conftest import Figures
from tests.faults.failpoints import Outcome, State, Work, difference, restore, run_apart, state
from tests.faults.scale import SCALE
from tests.webhooks.receivers import HookReceiver, wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]

# Those that the short form kills: with outbox rows, files, mail, rows of several tables.
CHOSEN = (
    "POST /api/v1/chats/{id}/messages",
    "POST /api/v1/chats/{id}/close",
    "PATCH /api/v1/contacts/{id}",
    "POST /api/v1/agents/invitations",
    "POST /api/v1/agents/{id}/avatar",
    "POST /widget/{guid}/messages",
)
WRITES = [route for route in ROUTES if route.method != "GET" and not of_console(route)]
KILLED = [route for route in WRITES if SCALE.kills_every_write or route.name in CHOSEN]


def test_what_the_short_form_kills_is_routed() -> None:
    assert {route.name for route in WRITES} >= set(CHOSEN)


@pytest.fixture
def told(world: World) -> World:
    """Somebody is told of everything that happens: work writes its events, too."""
    EventSwitch.objects.update(enabled=True)
    SubscriptionFactory.create(widget=world.widget, events=list(NATIVE_NAMES))
    return world


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What work comes to and leaves that nobody kills, and its failpoints."""

    result: Any
    outcome: Outcome
    points: list[str]


def undisturbed(work: Work, before: State) -> Undisturbed:
    run_apart(work)
    one = state()
    restore(before)
    ending = run_apart(work)
    other = state()
    restore(before)
    return Undisturbed(ending.result, Outcome.of(other, one), ending.passed)


def kill_everywhere(work: Work, usual: Undisturbed, before: State) -> Iterator[State]:
    """Kills the work at each of its failpoints; gives each state that is not the one before, which is left as it is.

    From the state before, the work's repeat is the undisturbed run over again.
    """
    for number, point in enumerate(usual.points, start=1):
        assert run_apart(work, killed_at=number).was_killed
        if (left := state()) != before:
            assert usual.outcome.is_like(left), f"killed {point}: {difference(left, before)}"
            yield left
            restore(before)


@pytest.mark.parametrize("route", KILLED, ids=lambda route: route.name)
def test_a_killed_call_has_done_all_or_nothing_and_its_repeat_says_which(
    told: World, token: str, route: Route, figures: Figures
) -> None:
    request = to(route, told, token)
    if route.operation.idempotent:
        request = request.but(key=uuid4().hex)

    def call() -> int:
        return int(request.send().status_code)

    before = state()
    usual = undisturbed(call, before)
    assert usual.result in route.successes
    kept = 0
    for left in kill_everywhere(call, usual, before):
        kept += 1
        if route.operation.idempotent:
            assert run_apart(call).result == 409
            assert state() == left
    assert kept or not route.operation.idempotent, "a kill behind the commit keeps what was done"
    figures.add("R7", f"{route.name}: {len(usual.points)} points")


def test_posts_that_are_stored_together_are_all_there_or_none(told: World, figures: Figures) -> None:
    chats_ = ChatFactory.create_batch(3, contact__widget=told.widget)

    def work() -> int:
        posts = [
            partial(chats.post_client_message, contact=chat.contact, content={"type": "text", "body": "Hello"})
            for chat in chats_
        ]
        return len({posted.id for posted in post_together(posts, are_read_together=True)})

    before = state()
    usual = undisturbed(work, before)
    assert usual.result == len(chats_)
    kept = [
        {row["chat_id"] for row in left["chats_message"]} & {chat.pk for chat in chats_}
        for left in kill_everywhere(work, usual, before)
    ]
    assert kept == [{chat.pk for chat in chats_}], (
        "the statement that stores them is the one point that leaves anything"
    )
    figures.add("R7", f"posts together: {len(usual.points)} points")


def jobs(world: World) -> dict[str, Work]:
    """Jobs with something to do."""
    idle_since = timezone.now() - timedelta(minutes=8)
    for _ in range(3):
        chat = ChatFactory.create(contact__widget=world.widget)
        MessageFactory.create(chat=chat, created_at=idle_since)
    begin_presence(agent_id=world.agent.pk, process=uuid4())
    AgentPresence.objects.update(until=idle_since)
    visitor = ContactFactory.create(widget=world.widget)
    FileFactory.create(widget=world.widget, contact=visitor, created_at=idle_since - timedelta(days=1))
    return {
        "the sweep": lambda: chats.sweep_chats(as_of=idle_since + timedelta(minutes=8)),
        "presences that ran out": expire_presences,
        "unsent uploads": lambda: chats.sweep_unsent_files(as_of=idle_since),
    }


@pytest.mark.parametrize("name", ["the sweep", "presences that ran out", "unsent uploads"])
def test_a_killed_job_has_done_all_or_nothing_and_its_next_run_does_the_rest(
    told: World, name: str, figures: Figures
) -> None:
    job = jobs(told)[name]

    def work() -> str:
        job()
        return "done"

    before = state()
    usual = undisturbed(work, before)
    assert not usual.outcome.is_like(before)
    for left in kill_everywhere(work, usual, before):
        run_apart(work)
        assert state() == left, "there was nothing left to do"
    figures.add("R7", f"{name}: {len(usual.points)} points")


@pytest.fixture
def hook(settings: Any) -> Iterator[HookReceiver]:
    with HookReceiver() as receiver:
        settings.EGRESS_ALLOW = [f"127.0.0.1:{receiver.port}"]
        yield receiver


def test_a_killed_delivery_is_made_again_unless_its_outcome_was_written(hook: HookReceiver, figures: Figures) -> None:
    """The one piece of work with a state between: claimed. It ends with the lease."""
    delivery = DeliveryFactory.create(subscription=SubscriptionFactory.create(url=hook.url))
    before = state()

    def deliver() -> str:
        deliverer = Deliverer()
        deliverer.wake()
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists())
        assert deliverer.stop(5)
        return "done"

    points = run_apart(deliver).passed
    seen = set()
    for number in range(1, len(points) + 1):
        restore(before)
        hook.heard.clear()
        run_apart(deliver, killed_at=number)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.attempts) in {("pending", 0), ("delivered", 1)}
        seen.add((delivery.status, delivery.claim_id is not None, len(hook.heard)))
        Delivery.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        run_apart(deliver)
        delivery.refresh_from_db()
        assert (delivery.status, delivery.attempts, delivery.claim_id) == ("delivered", 1, None)
        assert 1 <= len(hook.heard) <= 2
        assert len({(one.headers["x-service-idempotency-key"], one.body) for one in hook.heard}) == 1
    assert ("pending", True, 0) in seen
    figures.add("R7", f"a delivery: {len(points)} points")
