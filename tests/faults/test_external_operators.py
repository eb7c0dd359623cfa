"""External operators under kill -9, at once and with bots that misbehave: of all that ends a turn one thing wins, its
result is seen once, and the losers' refusals name it.
"""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from apps.agents.models import Agent
from apps.ai.actions.external import force_drain, move_operator
from apps.ai.actions.external_turns import advance_turn
from apps.ai.models import ReplyJob, Turn
from apps.ai.rules.actors import SYSTEM
from apps.ai.rules.lifecycle import Action
from apps.ai.tasks import QUEUE
from apps.chats.actions import close_chat
from apps.chats.models import Message
from apps.demo.servers.language_models import Vendor, chat
from apps.leases.runner import Runner
from tests.ai.bot import Bot
from tests.ai.conftest import bot, vendor  # noqa: F401 - fixtures
from tests.ai.desk import desk_of
from tests.ai.external_desk import ExternalDesk, external_desk_of
from tests.factories import AgentFactory, AiAgentFactory, ChatFactory
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state
from tests.faults.scale import SCALE
from tests.webhooks.receivers import wait_until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.django_db(transaction=True),
    pytest.mark.timeout(3600 if SCALE.is_long else 300),
]
ROUNDS = 200 if SCALE.is_long else 6


@pytest.fixture
def robin(vendor: Vendor, bot: Bot, settings: Any) -> ExternalDesk:  # noqa: F811 - fixtures
    settings.API_RATE_LIMIT = 1_000_000
    vendor.will_say(chat("По 90 рублей."))
    answered = ChatFactory.create()
    operator = AiAgentFactory.create(widget=answered.widget, name="Ada")
    return external_desk_of(desk_of(chat=answered, operator=operator, vendor=vendor), bot)


def work_off() -> str:
    """What a worker process does, until nothing is due or under way."""
    runner = Runner([QUEUE])
    runner.wake()
    wait_until(lambda: not ReplyJob.objects.filter(due_at__lte=timezone.now()).exists(), 20)
    assert runner.stop(5)
    return "done"


def visible(robin: ExternalDesk, turn: Turn) -> list[str]:
    return robin.said(after=turn.last_message_id)


def test_a_reply_killed_anywhere_is_whole_or_none(robin: ExternalDesk, figures: Figures) -> None:
    """A web process killed between any two steps: the same reply, sent again, is shown once."""
    turn = robin.asks()

    def reply() -> Any:
        return robin.answers(turn).status_code

    before = state()
    points = run_apart(reply).passed
    for number in range(1, len(points) + 1):
        restore(before)
        run_apart(reply, killed_at=number)
        said = visible(robin, turn)
        assert len(said) == (robin.turn.state == "answered"), f"killed {points[number - 1]}"
        again = robin.answers(turn)
        assert again.status_code == (409 if said else 202)
        if said:
            assert again.json()["previous"]["message_id"] == Message.objects.get(body="По 80.").pk
        assert visible(robin, turn) == ["По 80."]
    figures.add("external operators", f"a reply killed at {len(points)} points: shown once")


@pytest.mark.slow
def test_a_deadline_killed_anywhere_is_acted_on(robin: ExternalDesk, figures: Figures) -> None:
    """A worker killed between any two steps of a deadline: people are called, once."""
    turn = robin.asks()
    Turn.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    ReplyJob.objects.update(due_at=timezone.now())
    before = state()
    points = run_apart(work_off).passed
    for number in range(1, len(points) + 1):
        restore(before)
        run_apart(work_off, killed_at=number)
        ReplyJob.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        run_apart(work_off)
        assert robin.turn.state == "expired"
        assert len(visible(robin, turn)) == 1, f"killed {points[number - 1]}"
        assert robin.desk.now.handover_reason == "provider_failure"
    figures.add("external operators", f"a deadline killed at {len(points)} points: people called once")


def test_an_attempt_whose_outcome_was_lost_comes_again_with_the_same_bytes(robin: ExternalDesk) -> None:
    """A deliverer that dies between the POST and its outcome."""
    from apps.webhooks.actions import deliveries
    from apps.webhooks.models import Delivery

    turn = robin.asks()
    claimed = deliveries.addressed(deliveries.claim(wanted=9, room={}, default_room=9))
    assert len(claimed) == 1
    Delivery.objects.update(lease_until=timezone.now())
    robin.delivers()
    assert robin.answers(turn).status_code == 202
    first = robin.bot.heard[0]
    assert first.json["data"]["causation_id"] == turn.causation_id
    assert len({heard.body for heard in robin.bot.heard}) == 1


def at_once(*works: Callable[[], Any]) -> list[Any]:
    """What each of the works came to, all begun at the same moment; a Problem is its code."""
    barrier = Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        try:
            barrier.wait(30)
            return work()
        except Exception as error:
            return getattr(getattr(error, "type", None), "code", repr(error))
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as threads:
        return [done.result() for done in [threads.submit(run, work) for work in works]]


def person_writes(robin: ExternalDesk, alice: Agent) -> str:
    robin.desk.person_writes(alice)
    return "human_took_over"


def time_is_up(robin: ExternalDesk, alice: Agent) -> str:
    Turn.objects.filter(pk=robin.turn.pk).update(deadline_at=timezone.now())
    advance_turn(widget_id=robin.desk.widget.pk, chat_id=robin.desk.chat.pk)
    return "expired"


def is_killed(robin: ExternalDesk, alice: Agent) -> str:
    widget_id, public_id = robin.desk.widget.pk, robin.operator.public_id
    move_operator(widget_id=widget_id, public_id=public_id, action=Action.KILL, actor=SYSTEM)
    return "operator_stopped"


def is_drained(robin: ExternalDesk, alice: Agent) -> str:
    force_drain(widget_id=robin.desk.widget.pk, public_id=robin.operator.public_id, actor=SYSTEM)
    return "abandoned"


def is_closed(robin: ExternalDesk, alice: Agent) -> str:
    close_chat(widget_id=robin.desk.widget.pk, chat_id=robin.desk.chat.pk)
    return "chat_closed"


ENDS = {"a person": person_writes, "deadline": time_is_up, "kill": is_killed, "drain": is_drained, "close": is_closed}


@pytest.mark.parametrize("name", ENDS)
def test_of_a_reply_and_what_ends_the_turn_one_wins(robin: ExternalDesk, figures: Figures, name: str) -> None:
    alice = AgentFactory.create(widget=robin.desk.widget)
    winners: Counter[str] = Counter()
    for number in range(ROUNDS):
        turn = robin.asks(f"Вопрос {number}?")
        if name == "drain":
            robin.moves("rotate")
        replied, ending = at_once(partial(robin.answers, turn, f"Ответ {number}."), partial(ENDS[name], robin, alice))
        assert replied.status_code in (202, 409), replied.json()
        turn.refresh_from_db()
        if replied.status_code == 202:
            assert turn.state == "answered"
            assert visible(robin, turn).count(f"Ответ {number}.") == 1
            winners["reply"] += 1
        else:
            assert replied.json()["reason"] == turn.ending == ending
            assert f"Ответ {number}." not in visible(robin, turn)
            winners[name] += 1
        _start_anew(robin, name)
    figures.add("external operators", f"a reply against {name}, {ROUNDS} rounds: {dict(winners)}")


def _start_anew(robin: ExternalDesk, name: str) -> None:
    """The chat is closed and the operator active, as for a new visitor."""
    robin.desk.works()
    robin.operator.refresh_from_db()
    if name == "kill":
        robin.moves("activate")
    if robin.operator.rotation_started_at is not None:
        at_once(lambda: is_drained(robin, robin.desk.operator))
    close_chat(widget_id=robin.desk.widget.pk, chat_id=robin.desk.chat.pk)
    robin.desk.now.__class__.objects.filter(pk=robin.desk.chat.pk).update(
        agent=None, handling="missed", handled_agent=None, handled_type=None, handled_at=None
    )
    robin.operator.health.__class__.objects.update(consecutive_failures=0, degraded_until=None)


def test_of_forty_equal_replies_one_is_shown(robin: ExternalDesk, figures: Figures) -> None:
    callers = 40
    for number in range(max(1, ROUNDS // 3)):
        turn = robin.asks(f"Вопрос {number}?")
        answers = at_once(*[partial(robin.answers, turn, f"Ответ {number}.")] * callers)
        assert Counter(answer.status_code for answer in answers) == {202: 1, 409: callers - 1}
        (first,) = (answer.json()["data"] for answer in answers if answer.status_code == 202)
        assert all(answer.json()["previous"] == first for answer in answers if answer.status_code == 409)
        assert visible(robin, turn) == [f"Ответ {number}."]
        robin.desk.works()
    figures.add("external operators", f"{callers} equal replies at once: 1 shown")
