"""Who is online: `agent.online` and `agent.offline` exactly on the first and the last socket over all processes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from uuid import UUID, uuid4

import orjson
import pytest
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import Widget
from apps.agents import presence, rules
from apps.agents.actions import begin_presence, end_presence, expire_presences, renew_presences
from apps.agents.models import Agent, AgentEvent, AgentPresence
from apps.core.redis import connection as redis
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Event
from tests.cast import Rival
from tests.factories.webhooks import SubscriptionFactory

pytestmark = pytest.mark.django_db
HERE, THERE = uuid4(), uuid4()


def told(agent: Agent) -> list[str]:
    """The operator's log: who came and went."""
    names = {code: name for name, code in rules.EVENT_CODES.items()}
    lines = AgentEvent.objects.filter(agent=agent).order_by("id")
    return [names[line.type_code] for line in lines]


def is_online(agent: Agent) -> bool:
    agent.refresh_from_db()
    return agent.online_since is not None


def crash(process: UUID) -> None:
    """A process that died renews nothing; its presences run out."""
    AgentPresence.objects.of_process(process).update(until=timezone.now() - timedelta(seconds=1))


def test_the_first_process_brings_an_operator_online_and_the_last_one_takes_it_away(alice: Agent) -> None:
    begin_presence(agent_id=alice.pk, process=HERE)
    begin_presence(agent_id=alice.pk, process=THERE)
    end_presence(agent_id=alice.pk, process=HERE)
    assert is_online(alice)
    assert told(alice) == ["online"]
    end_presence(agent_id=alice.pk, process=THERE)
    assert not is_online(alice)
    assert told(alice) == ["online", "offline"]


def test_beginning_and_ending_twice_is_told_once(alice: Agent) -> None:
    for _ in range(2):
        begin_presence(agent_id=alice.pk, process=HERE)
    for _ in range(2):
        end_presence(agent_id=alice.pk, process=HERE)
    assert told(alice) == ["online", "offline"]


def test_an_operator_who_is_gone_changes_nothing(alice: Agent) -> None:
    gone = alice.pk
    alice.delete()
    begin_presence(agent_id=gone, process=HERE)
    end_presence(agent_id=gone, process=HERE)
    assert AgentPresence.objects.count() == 0


def test_receivers_hear_of_it_with_the_operators_id_alone(alice: Agent, shop: Widget) -> None:
    for name in ("agent.online", "agent.offline"):
        set_event_enabled(name=name, enabled=True)
    SubscriptionFactory.create(widget=shop, events=["agent.online", "agent.offline"])
    begin_presence(agent_id=alice.pk, process=HERE)
    end_presence(agent_id=alice.pk, process=HERE)
    bodies = [orjson.loads(event.body) for event in Event.objects.order_by("id")]
    data = {"operator_id": alice.pk, "button_guid": shop.guid}
    assert [(body["type"], body["data"]) for body in bodies] == [("agent.online", data), ("agent.offline", data)]


class TestACrash:
    def test_what_is_not_renewed_runs_out_and_is_told_once(self, alice: Agent) -> None:
        begin_presence(agent_id=alice.pk, process=HERE)
        crash(HERE)
        for _ in range(2):
            expire_presences()
        assert not is_online(alice)
        assert told(alice) == ["online", "offline"]
        assert AgentPresence.objects.count() == 0

    def test_who_is_online_elsewhere_stays(self, alice: Agent) -> None:
        begin_presence(agent_id=alice.pk, process=HERE)
        begin_presence(agent_id=alice.pk, process=THERE)
        crash(HERE)
        expire_presences()
        assert is_online(alice)
        assert told(alice) == ["online"]
        assert [each.process for each in AgentPresence.objects.all()] == [THERE]

    def test_the_last_socket_elsewhere_ends_what_a_crash_left(self, alice: Agent) -> None:
        begin_presence(agent_id=alice.pk, process=HERE)
        begin_presence(agent_id=alice.pk, process=THERE)
        crash(HERE)
        end_presence(agent_id=alice.pk, process=THERE)
        assert told(alice) == ["online", "offline"]
        expire_presences()
        assert told(alice) == ["online", "offline"]

    def test_what_still_runs_is_left_alone(self, alice: Agent) -> None:
        begin_presence(agent_id=alice.pk, process=HERE)
        expire_presences()
        assert told(alice) == ["online"]

    def test_a_process_that_was_only_frozen_hears_whom_to_begin_anew(self, alice: Agent, boris: Agent) -> None:
        for agent in (alice, boris):
            begin_presence(agent_id=agent.pk, process=HERE)
        AgentPresence.objects.filter(agent=alice).update(until=timezone.now() - timedelta(seconds=1))
        expire_presences()
        assert renew_presences(agent_ids={alice.pk, boris.pk}, process=HERE) == {alice.pk}
        begin_presence(agent_id=alice.pk, process=HERE)
        assert told(alice) == ["online", "offline", "online"]
        assert told(boris) == ["online"]


def test_renewing_is_one_statement_however_many_are_online(
    alice: Agent, boris: Agent, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for agent in (alice, boris):
        begin_presence(agent_id=agent.pk, process=HERE)
    soon = timezone.now() + timedelta(seconds=1)
    AgentPresence.objects.update(until=soon)
    with django_assert_num_queries(1):
        assert renew_presences(agent_ids={alice.pk, boris.pk}, process=HERE) == set()
    assert all(each.until > soon + timedelta(seconds=40) for each in AgentPresence.objects.all())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("round_", range(5))
def test_many_processes_at_once_make_one_online_and_one_offline(alice: Agent, round_: int) -> None:
    processes = [uuid4() for _ in range(8)]
    at_once(*(lambda process=process: begin_presence(agent_id=alice.pk, process=process) for process in processes))
    assert told(alice) == ["online"]
    at_once(*(lambda process=process: end_presence(agent_id=alice.pk, process=process) for process in processes))
    assert told(alice) == ["online", "offline"]


@pytest.mark.django_db(transaction=True)
def test_opening_closing_and_expiring_at_once_leave_what_is_true(alice: Agent) -> None:
    for _ in range(10):
        ending, beginning, dead = uuid4(), uuid4(), uuid4()
        for process in (ending, dead):
            begin_presence(agent_id=alice.pk, process=process)
        crash(dead)
        at_once(
            lambda: end_presence(agent_id=alice.pk, process=ending),  # noqa: B023 - run in this round
            lambda: begin_presence(agent_id=alice.pk, process=beginning),  # noqa: B023
            expire_presences,
            expire_presences,
        )
        assert is_online(alice)
        end_presence(agent_id=alice.pk, process=beginning)
        assert not is_online(alice)
    lines = told(alice)
    assert lines == ["online", "offline"] * (len(lines) // 2)


def at_once(*jobs: Callable[[], None]) -> None:
    """Runs each in a thread with a connection of its own, all let go at the same moment."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], None]) -> None:
        barrier.wait()
        try:
            job()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as threads:
        for done in [threads.submit(run, job) for job in jobs]:
            done.result()


class TestTheCopyInRedis:
    def test_has_who_is_online(self, alice: Agent, shop: Widget, django_capture_on_commit_callbacks: object) -> None:
        assert presence.online_agents(shop.pk) == frozenset()
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
            begin_presence(agent_id=alice.pk, process=HERE)
        assert presence.online_agents(shop.pk) == {alice.pk}
        with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
            end_presence(agent_id=alice.pk, process=HERE)
        assert presence.online_agents(shop.pk) == frozenset()

    def test_is_whole_again_after_redis_lost_it(self, alice: Agent, boris: Agent, shop: Widget) -> None:
        presence.mark_online(widget_id=shop.pk, agent_id=alice.pk)
        redis.client().delete(f"presence:{shop.pk}")
        presence.write_anew({shop.pk: [alice.pk, boris.pk]})
        assert presence.online_agents(shop.pk) == {alice.pk, boris.pk}

    def test_forgets_whom_it_had_wrongly(self, alice: Agent, boris: Agent, shop: Widget, rival: Rival) -> None:
        presence.mark_online(widget_id=shop.pk, agent_id=alice.pk)
        presence.mark_online(widget_id=rival.widget.pk, agent_id=rival.agent.pk)
        presence.write_anew({shop.pk: {boris.pk}})
        assert presence.online_agents(shop.pk) == {boris.pk}
        presence.write_anew({shop.pk: set()})
        assert presence.online_agents(shop.pk) == frozenset()
        assert presence.online_agents(rival.widget.pk) == {rival.agent.pk}

    def test_without_redis_nobody_is_online_there_and_nothing_fails(
        self, alice: Agent, shop: Widget, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begin_presence(agent_id=alice.pk, process=HERE)
        presence.mark_online(widget_id=shop.pk, agent_id=alice.pk)
        monkeypatch.setattr(redis, "_away_until", float("inf"))
        presence.write_anew({shop.pk: [alice.pk]})
        assert presence.online_agents(shop.pk) == frozenset()
        assert Agent.objects.for_widget(shop.pk).available().exists(), "visitors are told what PostgreSQL knows"


class TestWhoCountsForVisitors:
    @pytest.mark.parametrize(
        ("status", "counts"),
        [(Agent.Status.ACTIVE, True), (Agent.Status.RELAXATION, False), (Agent.Status.BANNED, False)],
    )
    def test_only_who_is_at_work(self, alice: Agent, shop: Widget, status: str, counts: bool) -> None:
        begin_presence(agent_id=alice.pk, process=HERE)
        Agent.objects.filter(pk=alice.pk).update(status=status)
        assert Agent.objects.for_widget(shop.pk).available().exists() is counts
        assert Agent.objects.for_widget(shop.pk).online().exists()

    def test_nobody_who_is_offline(self, alice: Agent, shop: Widget) -> None:
        assert not Agent.objects.for_widget(shop.pk).available().exists()
