"""An assistant's replies under kill -9, frozen workers and vendors that fail: no burst is lost, none is answered twice,
and nothing is said into a chat that a person has.
"""

import os
import random
import signal
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from tempfile import TemporaryFile
from typing import Any

import pytest
from django.db import connection, connections
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.actions.settings import change_settings
from apps.ai.models import Exchange, ReplyJob, Usage
from apps.ai.tasks import QUEUE
from apps.chats import actions
from apps.chats.models import Chat, Contact, Message
from apps.core.problems import Problem
from apps.demo.servers.language_models import Vendor, chat, last_words, spoken
from apps.demo.servers.played import PlayedRequest, Says
from apps.leases.runner import Runner
from tests.ai.conftest import vendor  # noqa: F401 - a fixture
from tests.ai.desk import Desk, desk_of
from tests.factories import AgentFactory, AiAgentFactory, ChatFactory, ContactFactory
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state
from tests.faults.odd_valkey import odd_valkey
from tests.faults.processes import kill_group, running, written
from tests.faults.scale import SCALE
from tests.webhooks.receivers import wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]
ANSWER = "По 90 рублей."
# Of a killed worker a widget's places are free again when its leases run out.
PATIENCE_S = 600 if SCALE.is_long else 60


@pytest.fixture
def desk(vendor: Vendor) -> Desk:  # noqa: F811 - a fixture
    vendor.will_say(chat(ANSWER))
    answered = ChatFactory.create()
    desk = desk_of(chat=answered, operator=AiAgentFactory.create(widget=answered.widget, name="Ada"), vendor=vendor)
    desk.answers("Разогрев")  # what a child forks from has the vendor's library
    vendor.asked.clear()
    return desk


def work_off() -> str:
    """What a worker process does, until nothing is due or under way; it ends in order."""
    runner = Runner([QUEUE])
    runner.wake()
    wait_until(lambda: not ReplyJob.objects.filter(due_at__lte=timezone.now()).exists(), 20)
    assert runner.stop(5)
    return "done"


def run_out() -> None:
    """The leases end whose workers are gone."""
    ReplyJob.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())


def answers(desk: Desk, after: int) -> list[str]:
    return [said.body for said in desk.said(after=after) if said.sender_kind == "ai"]


def test_a_worker_killed_anywhere_leaves_one_answer(desk: Desk, figures: Figures) -> None:
    """At each point: claimed, prompt built, call out, answer in, before and after the finishing commit."""
    question = desk.writes()
    desk.quiet()
    before = state()
    points = run_apart(work_off).passed
    asked_in_all = 0
    seen = set()
    for number in range(1, len(points) + 1):
        restore(before)
        desk.vendor.asked.clear()
        run_apart(work_off, killed_at=number)
        said = len(answers(desk, question))
        seen.add((said, len(desk.vendor.asked)))
        assert said == Exchange.objects.filter(outcome="shown", first_message_id=question).count()
        run_out()
        run_apart(work_off)
        assert answers(desk, question) == [ANSWER], f"killed {points[number - 1]}"
        asked = len(desk.vendor.asked)
        assert asked <= 2
        recorded = Usage.objects.filter(pk__gt=max(row["id"] for row in before["ai_usage"])).count()
        assert recorded - asked in (0, 1), "a call is written down before it goes out; this one perhaps never did"
        asked_in_all += asked
    assert {(0, 0), (0, 1), (1, 1)} <= seen, "a kill before the call, between call and commit, and after it"
    figures.add("AI, kills", f"{len(points)} points: {asked_in_all} calls, each written down, 0 answers doubled")


@pytest.mark.slow
def test_a_killed_handover_is_whole_or_none(desk: Desk, figures: Figures) -> None:
    question = desk.writes("Позовите оператора")
    desk.quiet()
    before = state()
    points = run_apart(work_off).passed
    for number in range(1, len(points) + 1):
        restore(before)
        run_apart(work_off, killed_at=number)
        handed_over = desk.now.handed_over_at is not None
        assert len(answers(desk, question)) == handed_over, "the phrase and the handover are one"
        run_out()
        run_apart(work_off)
        assert len(answers(desk, question)) == 1
        assert desk.now.handover_reason == "human_request"
    figures.add("AI, kills", f"a handover: {len(points)} points")


def fork(work: Any) -> int:
    """A process of the work's own; its id."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        with suppress(BaseException):
            work()
        os._exit(0)
    return child


def test_a_worker_frozen_past_its_lease_says_nothing_when_it_wakes(desk: Desk, figures: Figures) -> None:
    question = desk.writes()
    desk.quiet()
    slow = threading.Event()
    desk.vendor.will_say(Says(chat("Из прошлого"), wait=slow), chat(ANSWER))
    frozen = fork(work_off)
    wait_until(lambda: len(desk.vendor.asked) == 1, 20)
    os.kill(frozen, signal.SIGSTOP)
    run_out()
    run_apart(work_off)
    assert answers(desk, question) == [ANSWER]
    slow.set()
    os.kill(frozen, signal.SIGCONT)
    os.waitpid(frozen, 0)
    assert answers(desk, question) == [ANSWER]
    assert (len(desk.vendor.asked), Exchange.objects.filter(first_message_id=question).count()) == (2, 1)
    figures.add("AI, frozen", "a worker frozen past its lease: 2 calls, 1 answer")


def test_two_workers_on_one_lease_show_one_answer(desk: Desk, figures: Figures) -> None:
    question = desk.writes()
    desk.quiet()
    slow = threading.Event()
    desk.vendor.will_say(Says(chat(ANSWER), wait=slow))
    first = fork(work_off)
    wait_until(lambda: len(desk.vendor.asked) == 1, 20)
    run_out()
    second = fork(work_off)
    wait_until(lambda: len(desk.vendor.asked) == 2, 20)
    slow.set()
    for worker in (first, second):
        os.waitpid(worker, 0)
    wait_until(lambda: not ReplyJob.objects.filter(due_at__isnull=False).exists(), 20)
    assert answers(desk, question) == [ANSWER]
    figures.add("AI, two workers", "on one lease: 2 calls, 1 answer")


# --- Many visitors, people who come at random, vendors with every fault, workers that are killed ----------------------

FAULTS: list[Says] = [
    Says({"error": {"message": "no"}}, status=500),
    Says({"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "1"}),
    Says(b'{"choices": [{"mess'),
    Says({"choices": []}),
    Says(b"", status=204),
]


def unsteady(request: PlayedRequest) -> Says | dict[str, Any]:
    """A vendor that fails every sixth time, and echoes otherwise."""
    if random.random() < 1 / 6:
        return random.choice(FAULTS)
    return spoken(request, f"Ответ: {last_words(request)}")


class Crowd:
    """Visitors who write bursts, and people who accept chats, answer in them, or leave them alone."""

    def __init__(self, widget: Widget) -> None:
        self.widget = widget
        self.people = AgentFactory.create_batch(2, widget=widget)
        self.pause = threading.Event()

    def visit(self, bursts: int) -> int:
        """Writes bursts of one to three messages, and waits for what is said to each; how many it wrote.

        Where a person has the chat, another visitor goes on.
        """
        try:
            contact = ContactFactory.create(widget=self.widget)
            for number in range(bursts):
                last = 0
                for part in range(random.randint(1, 3)):
                    content = {"type": "text", "body": f"Вопрос {number}.{part}"}
                    last = actions.post_client_message(contact=contact, content=content).id
                    self.pause.wait(random.uniform(0, 0.3))
                comes = random.random() < 0.2
                if comes:
                    self.come(contact, number)
                if comes or not self._hears(contact, last):
                    contact = ContactFactory.create(widget=self.widget)
            return bursts
        finally:
            connection.close()

    def _hears(self, contact: Contact, last: int) -> bool:
        """Waits until something was said; whether AI has the word still."""
        chat = Chat.objects.get(contact=contact)
        deadline = time.monotonic() + PATIENCE_S
        while not Message.objects.filter(chat=chat, id__gt=last).exists():
            assert time.monotonic() < deadline, f"nothing was said after message {last}"
            self.pause.wait(0.3)
        chat.refresh_from_db()
        return chat.handed_over_at is None

    def come(self, contact: Contact, number: int) -> None:
        """A person takes the chat, by a word or by a click."""
        chat, person = Chat.objects.get(contact=contact), random.choice(self.people)
        with suppress(Problem):
            if number % 2:
                actions.accept_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=person.pk, only_if_free=True)
            actions.post_agent_message(
                widget_id=chat.widget_id,
                chat_id=chat.pk,
                agent_id=person.pk,
                content={"type": "text", "body": "Я человек"},
            )


def wrongs(widget: Widget) -> Counter[str]:
    """What must never be, of all that was said at the widget."""
    found: Counter[str] = Counter()
    for chat_row in Chat.objects.filter(widget=widget):
        said = list(Message.objects.filter(chat=chat_row, is_internal=False).order_by("id"))
        person = next((one.pk for one in said if one.sender_kind == "agent"), None)
        machine = [one.pk for one in said if one.sender_kind == "ai"]
        found["after a person's word"] += sum(person is not None and pk > person for pk in machine)
        shown = Exchange.objects.filter(chat=chat_row, outcome="shown")
        found["doubled"] += len(machine) - shown.values("first_message_id").distinct().count()
        found["doubled"] += shown.count() - len(machine)
        is_peoples = person is not None or chat_row.agent_id is not None or chat_row.handed_over_at is not None
        found["without an answer"] += bool(said and said[-1].sender_kind == "client" and not is_peoples)
    return +found


@pytest.fixture
def widget(vendor: Vendor) -> Widget:  # noqa: F811 - a fixture
    vendor.answer = unsteady
    answered = ChatFactory.create()
    desk_of(chat=answered, operator=AiAgentFactory.create(widget=answered.widget, name="Ada"), vendor=vendor)
    change_settings(widget_id=answered.widget_id, changes={"takeover_timeout_sec": 0})
    Agent.objects.filter(widget=answered.widget, type="human").delete()
    return answered.widget


@pytest.mark.slow
def test_a_crowd_is_answered_while_workers_are_killed(
    widget: Widget,
    vendor: Vendor,  # noqa: F811 - a fixture
    figures: Figures,
) -> None:
    visitors, bursts, kills = (50, 40, 10) if SCALE.is_long else (8, 3, 2)
    crowd = Crowd(widget)
    with odd_valkey() as valkey, TemporaryFile() as output:
        environ = {"REDIS_URL": valkey.url, "EGRESS_ALLOW": vendor.host, "WORKER_CONCURRENCY": "1"}
        environ["AI_REPLY_LIMIT"] = "1000000"
        with ThreadPoolExecutor(visitors) as pool:
            visits = [pool.submit(crowd.visit, bursts) for _ in range(visitors)]
            for _ in range(kills):
                with running("worker", output, **environ) as worker:
                    heard = len(vendor.asked)
                    wait_until(lambda heard=heard: len(vendor.asked) > heard + 2 or _are_done(visits), PATIENCE_S)  # type: ignore[misc]
                    kill_group(worker.pid)
                if not SCALE.is_long:
                    run_out()
            with running("worker", output, **environ):
                written_bursts = sum(visit.result() for visit in visits)
                wait_until(lambda: not ReplyJob.objects.filter(due_at__isnull=False).exists(), PATIENCE_S)
        assert b"Traceback" not in written(output).replace(b"DeadlineExceeded", b""), written(output)[-3000:]
    assert wrongs(widget) == Counter()
    asked, restarts = len(vendor.asked), Exchange.objects.filter(outcome="dropped").count()
    recorded = Usage.objects.filter(widget=widget).count()
    assert 0 <= recorded - asked <= kills * QUEUE.in_flight_each, "each call is written down before it goes out"
    figures.add(
        "AI, a crowd",
        f"{written_bursts} bursts of {visitors} visitors, {kills} kills: 0 lost, 0 doubled, 0 after a person's word; "
        f"{asked} calls, each written down, {restarts} dropped",
    )


def _are_done(visits: list[Any]) -> bool:
    return all(visit.done() for visit in visits)


@pytest.mark.slow
def test_visitors_are_answered_while_redis_is_away(desk: Desk, figures: Figures) -> None:
    with odd_valkey() as valkey, TemporaryFile() as output:
        environ = {"REDIS_URL": valkey.url, "EGRESS_ALLOW": desk.vendor.host, "WORKER_CONCURRENCY": "1"}
        with running("worker", output, **environ):
            first = desk.writes("Раз")
            wait_until(lambda: answers(desk, first) == [ANSWER], 60)
            valkey.kill()
            began = time.monotonic()
            second = desk.writes("Два")
            wait_until(lambda: answers(desk, second) == [ANSWER], 60)
            took = time.monotonic() - began
    figures.add("AI, Redis away", f"an answer in {took:.1f} s: presence is unknown, the worker looks by itself")
