"""Queues that are rows: who gets what, what a finish counts, and how the runner works on it (`leases`)."""

import threading
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from apps.egress.loops import WaitingLoop, result_of
from apps.leases import Lease, LeaseLost, Overtaken, Queue, claims, enqueue, finish
from apps.leases import runner as leases_runner
from apps.leases.runner import IDLE_S, Runner
from tests.leases.leased_rows import Job, Unmigrated, add, job_table, queue, take  # noqa: F401 - a fixture
from tests.webhooks.receivers import wait_until

pytestmark = [pytest.mark.usefixtures("job_table"), pytest.mark.django_db(transaction=True)]


def run_out() -> None:
    """The leases end whose workers are gone."""
    Job.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())


def due_in_s(job: Job) -> float:
    job.refresh_from_db()
    assert job.due_at is not None
    return (job.due_at - timezone.now()).total_seconds()


def at_once(number: int, call: Any) -> list[Any]:
    """What each of so many threads got that began together."""
    barrier = threading.Barrier(number)

    def one(_: int) -> Any:
        barrier.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(one, range(number)))


class TestClaims:
    def test_what_is_due_is_taken_once_oldest_first(self) -> None:
        first, second, third = add(1, 1, 1)
        Job.objects.filter(pk=third.pk).update(due_at=timezone.now() + timedelta(seconds=60))
        Job.objects.filter(pk=second.pk).update(due_at=first.due_at and timezone.now() - timedelta(seconds=60))
        every = queue(in_flight_each=9)
        assert [lease.row.pk for lease in take(every)] == [second.pk]
        assert [lease.row.pk for lease in take(every, 9)] == [first.pk]
        assert take(every, 9) == []

    def test_a_row_with_nothing_to_do_is_not_taken(self) -> None:
        add(1, due_at=None)
        assert take(queue()) == []
        assert claims.look([queue()]) == [(False, None)]

    def test_a_look_says_what_is_due_and_when_the_next_is(self) -> None:
        add(1)
        add(1, due_at=timezone.now() + timedelta(seconds=5))
        ((is_due, next_s),) = claims.look([queue()])
        assert is_due
        assert next_s is not None
        assert 3 < next_s <= 5
        take(queue())
        assert not claims.look([queue()])[0].is_due

    @pytest.mark.parametrize("fair_by", [None, "widget_id"])
    def test_no_row_is_taken_twice_however_many_ask_at_once(self, fair_by: str | None) -> None:
        add(*[1, 2, 3] * 20)
        every = queue(fair_by=fair_by, in_flight_each=99)
        taken = [lease.row.pk for found in at_once(6, lambda: take(every, 20)) for lease in found]
        assert len(taken) == len(set(taken)) == 60

    def test_widgets_are_served_in_turn(self) -> None:
        add(*[1] * 5, 2, 3)
        every = queue(in_flight_each=9)
        after, order = 0, []
        for _ in range(5):
            found = take(every, after=after)
            after = claims.last_served(found, after)
            order.append(found[0].row.widget_id)
        assert order == [1, 2, 3, 1, 1]

    def test_a_widget_holds_no_more_than_its_cap_whatever_processes_there_are(self) -> None:
        add(*[1] * 20, *[2] * 20)
        at_once(6, lambda: take(queue(in_flight_each=3), 20))
        assert [Job.objects.filter(widget_id=each, claim_id__isnull=False).count() for each in (1, 2)] == [3, 3]

    def test_a_lease_that_ran_out_is_due_again_and_counts_no_more_against_the_cap(self) -> None:
        add(1, 1)
        (lost,) = take(queue(in_flight_each=1))
        assert take(queue(in_flight_each=1)) == []
        run_out()
        (again,) = take(queue(in_flight_each=1))
        assert (again.row.pk, again.row.claims, again.row.attempts) == (lost.row.pk, 2, 0)

    def test_renewing_tells_which_leases_are_lost(self) -> None:
        add(1, 2)
        kept, lost = take(queue(), 2)
        Job.objects.filter(pk=lost.row.pk).update(claim_id=None)
        assert claims.renew(queue(lease_s=600), [kept, lost]) == [lost]
        kept.row.refresh_from_db()
        assert kept.row.lease_until > timezone.now() + timedelta(seconds=500)


class TestOutcomes:
    def test_done_leaves_nothing_to_do(self) -> None:
        (job,) = add(1, attempts=2)
        (lease,) = take(queue())
        assert lease.done()
        job.refresh_from_db()
        assert (job.due_at, job.lease_until, job.claim_id, job.attempts, job.claims) == (None, None, None, 0, 0)

    def test_a_lost_lease_counts_for_nothing_and_rolls_back_what_was_written_with_it(self) -> None:
        (job,) = add(1)
        (lost,) = take(queue())
        run_out()
        (held,) = take(queue())

        @transaction.atomic
        def finish() -> None:
            Job.objects.update(text="by the one that lost it")
            lost.done()

        for outcome in (finish, lost.failed, lost.give_back, lambda: lost.later(1)):
            with pytest.raises(LeaseLost):
                outcome()
        job.refresh_from_db()
        assert (job.text, job.claim_id) == ("", held.row.claim_id)
        assert held.done()

    def test_what_comes_meanwhile_is_worked_on_again(self) -> None:
        enqueue(Job, unique={"chat_id": 7}, values={"widget_id": 1, "text": "one"})
        every = queue(lambda lease: enqueue(Job, unique={"chat_id": 7}, values={"widget_id": 1, "text": "two"}))
        (lease,) = take(every)
        lease.run()
        job = Job.objects.get()
        assert (job.text, job.claim_id, job.claims, job.generation) == ("two", None, 0, 1)
        assert job.waiting_since is not None
        (again,) = take(every)
        assert again.row.text == "two"
        assert again.done()
        job.refresh_from_db()
        assert (job.due_at, job.waiting_since) == (None, None)

    def test_an_outcome_may_count_though_it_was_overtaken(self) -> None:
        enqueue(Job, unique={"chat_id": 7}, values={"widget_id": 1})
        (lease,) = take(queue())
        enqueue(Job, unique={"chat_id": 7}, values={"widget_id": 1})
        with pytest.raises(Overtaken):
            lease.done()
        assert lease.done(though_overtaken=True) is False
        assert due_in_s(Job.objects.get()) <= 0
        (again,) = take(queue())
        assert again.done(though_overtaken=True) is True

    def test_a_burst_is_due_after_quiet_and_after_the_longest_wait_at_the_latest(self) -> None:
        def come() -> float:
            enqueue(Job, unique={"chat_id": 7}, values={"widget_id": 1}, quiet_s=10, longest_s=30)
            return due_in_s(Job.objects.get())

        assert 9 < come() <= 10
        Job.objects.update(waiting_since=timezone.now() - timedelta(seconds=15))
        assert 9 < come() <= 10
        Job.objects.update(waiting_since=timezone.now() - timedelta(seconds=25))
        assert 4 < come() <= 5
        take(queue())
        Job.objects.update(due_at=None, waiting_since=None, lease_until=None, claim_id=None)
        assert 9 < come() <= 10

    def test_failed_attempts_wait_longer_and_longer_and_are_given_up_after_the_last(self) -> None:
        given_up: list[str] = []
        (job,) = add(1)
        every = queue(Lease.failed, waits=(10, 60), given_up=lambda lease, reason: given_up.append(reason))
        for attempts, wait_s in [(1, 10), (2, 60)]:
            take(every)[0].run()
            assert wait_s - 2 < due_in_s(job) <= wait_s
            assert (job.attempts, job.claims) == (attempts, 0)
            Job.objects.update(due_at=timezone.now())
        take(every)[0].run()
        job.refresh_from_db()
        assert (given_up, job.due_at, job.claim_id) == (["failed"], None, None)

    def test_a_wait_of_its_own_and_one_without_an_attempt(self) -> None:
        (job,) = add(1)
        every = queue(waits=(10,))
        take(every)[0].failed(300)
        assert 298 < due_in_s(job) <= 300
        assert job.attempts == 1
        Job.objects.update(due_at=timezone.now())
        take(every)[0].later(30)
        assert 28 < due_in_s(job) <= 30
        assert job.attempts == 1

    def test_giving_back_leaves_it_as_it_was(self) -> None:
        (job,) = add(1)
        take(queue())[0].give_back()
        assert due_in_s(job) <= 0
        assert (job.claim_id, job.claims, job.attempts) == (None, 0, 0)

    def test_an_error_is_a_failed_attempt(self, caplog: pytest.LogCaptureFixture) -> None:
        (job,) = add(1)

        def work(lease: Lease[Job]) -> None:
            with transaction.atomic():
                lease.done()
                raise ValueError("of the work")

        take(queue(work, waits=(10,)))[0].run()
        assert due_in_s(job) > 5
        assert (job.attempts, job.claim_id) == (1, None)
        assert "failed on our side" in caplog.text

    def test_an_error_of_the_database_is_no_attempt(self) -> None:
        (job,) = add(1)

        def work(lease: Lease[Job]) -> None:
            raise OperationalError("away")

        take(queue(work))[0].run()
        assert 0 < due_in_s(job) <= 5
        assert (job.attempts, job.claims, job.claim_id) == (0, 1, None)

    def test_what_was_lost_too_often_is_given_up_and_not_worked_on(self) -> None:
        given_up, worked = [], []
        (job,) = add(1)
        every = queue(worked.append, given_up=lambda lease, reason: given_up.append(reason))
        for _ in range(3):
            take(every)
            run_out()
        take(every)[0].run()
        job.refresh_from_db()
        assert (given_up, worked, job.due_at, job.claims) == (["crashed"], [], None, 0)


class TestManyOutcomes:
    """Ends that are written by one statement (`finish`)."""

    def test_each_is_as_a_lease_of_its_own_writes_it(self) -> None:
        jobs = add(*[1] * 6, attempts=1)
        every = queue(in_flight_each=9, waits=(10, 20))
        leases = {lease.row.pk: lease for lease in take(every, 9)}
        done, later, failed, back, overtaken, lost = (leases[job.pk] for job in jobs)
        Job.objects.filter(pk=jobs[4].pk).update(generation=7)
        Job.objects.filter(pk=jobs[5].pk).update(claim_id=None, text="another's")
        with CaptureQueriesContext(connection) as asked:
            finish(
                [
                    done.end("done", is_done=True),
                    later.end("later", wait_s=30),
                    failed.end_by(ValueError("of the work")),
                    back.end_back(),
                    overtaken.end("done", is_done=True),
                    lost.end("later", wait_s=600),
                ]
            )
        assert len(asked) == 1
        assert [due_in_s(job) > 0 if job.due_at else None for job in refreshed(jobs)] == [
            None,
            True,
            True,
            False,
            False,
            False,
        ]
        assert [job.attempts for job in jobs] == [0, 1, 2, 1, 1, 1]
        assert {(job.claim_id, job.claims) for job in jobs[:5]} == {(None, 0)}
        assert jobs[5].text == "another's"

    def test_the_last_failed_attempt_gives_up(self, caplog: pytest.LogCaptureFixture) -> None:
        (job,) = add(1, attempts=1)
        (lease,) = take(queue(waits=(10,)))
        finish([lease.end_by(ValueError("of the work"))])
        job.refresh_from_db()
        assert (job.due_at, job.attempts) == (None, 0)
        assert "was given up" in caplog.text

    def test_an_error_of_the_database_is_no_attempt(self) -> None:
        (job,) = add(1)
        (lease,) = take(queue(waits=(10,)))
        finish([lease.end_by(OperationalError("away"))])
        assert 0 < due_in_s(job) <= 5
        assert (job.attempts, job.claims) == (0, 1)

    def test_a_process_takes_of_a_value_no_more_than_it_has_room_for(self) -> None:
        add(*[1] * 5, *[2] * 5, *[3] * 5)
        taken = take(queue(in_flight_each=4), 99, room={1: 1, 2: 9}, default_room=2)
        assert Counter(lease.row.widget_id for lease in taken) == {1: 1, 2: 4, 3: 2}


def refreshed(jobs: list[Job]) -> list[Job]:
    for job in jobs:
        job.refresh_from_db()
    return jobs


class Works:
    """Work that takes until it is told to end."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.leases: list[Lease[Job]] = []
        self.may_end = threading.Event()

    def __call__(self, lease: Lease[Job]) -> None:
        self.leases.append(lease)
        self.begun.append(lease.row.pk)
        assert self.may_end.wait(30)


@pytest.fixture
def works() -> Any:
    works = Works()
    yield works
    works.may_end.set()


@pytest.fixture
def run(works: Works) -> Any:
    """Starts a runner of queues."""
    runners: list[Runner] = []

    def start(*queues: Any) -> Runner:
        runner = Runner(queues)
        runners.append(runner)
        runner.wake()
        return runner

    yield start
    works.may_end.set()
    assert [runner.stop(10) for runner in runners] == [True] * len(runners)


def is_all_done() -> bool:
    return not Job.objects.filter(due_at__isnull=False).exists()


class TestRunner:
    def test_it_works_on_all_that_is_due(self, run: Any) -> None:
        add(*[1, 2, 3] * 10)
        run(queue())
        wait_until(is_all_done)

    def test_one_question_asks_what_is_due_in_all_queues(self, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[int] = []
        look = claims.look
        monkeypatch.setattr(claims, "look", lambda queues: asked.append(len(queues)) or look(queues))
        add(1, 2)
        run(queue(fair_by=None), queue(), queue())
        wait_until(is_all_done)
        assert asked[0] == 3
        assert set(asked) <= {1, 3}, "one queue where work has ended, else always the same statement"

    def test_a_queue_whose_table_is_not_there_yet_holds_up_no_other(self, run: Any) -> None:
        add(1, 2)
        run(Queue(model=Unmigrated, work=lambda lease: None), queue())
        wait_until(is_all_done)

    def test_while_the_database_is_away_each_queue_says_so_once_and_one_question_tries(
        self, run: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        monkeypatch.setattr(leases_runner, "RETRY_DATABASE_S", 0.01)
        asked: list[int] = []
        look = claims.look

        def away(queues: Any) -> Any:
            asked.append(len(queues))
            if len(asked) > 3:
                return look(queues)
            connection.close()  # as a server that is gone leaves it
            raise OperationalError("gone")

        monkeypatch.setattr(claims, "look", away)
        add(1, 2)
        run(queue(), queue(), queue())
        wait_until(is_all_done)
        assert asked[:4] == [3, 3, 3, 3]
        assert [record.getMessage() for record in caplog.records] == [
            f"{queue().name} waits for the database: gone"
        ] * 3

    def test_it_sees_by_itself_what_comes_due(self, run: Any) -> None:
        at: list[float] = []
        runner = run(queue(lambda lease: at.append(time.time())))
        add(1, due_at=timezone.now() + timedelta(seconds=0.7))
        runner.wake()
        add(1)
        wait_until(is_all_done)
        due = Job.objects.count()
        assert (len(at), due) == (2, 2)

    def test_it_works_on_no_more_at_once_than_the_queue_allows(self, run: Any, works: Works) -> None:
        add(*range(1, 9))
        run(queue(works, in_flight=3))
        wait_until(lambda: len(works.begun) == 3)
        assert Job.objects.filter(claim_id__isnull=False).count() == 3
        works.may_end.set()
        wait_until(is_all_done)
        assert len(works.begun) == len(set(works.begun)) == 8

    def test_one_queue_that_hangs_holds_up_no_other(self, run: Any, works: Works) -> None:
        add(1)
        add(2, text="quick")
        hanging = queue(works, fair_by=None, in_flight=1)
        run(hanging, queue())
        wait_until(lambda: Job.objects.filter(due_at=None).exists())

    def test_a_lease_is_renewed_for_as_long_as_the_work_takes(self, run: Any, works: Works) -> None:
        add(1)
        run(queue(works, lease_s=2))
        wait_until(lambda: bool(works.begun))
        claimed_until = Job.objects.get().lease_until
        wait_until(lambda: timezone.now() > claimed_until)
        assert take(queue()) == []
        works.may_end.set()
        wait_until(is_all_done)

    def test_work_that_takes_too_long_is_lost(self, run: Any, works: Works) -> None:
        add(1)
        run(queue(works, lease_s=1, longest_s=0.5, in_flight=1))
        wait_until(lambda: bool(works.leases) and works.leases[0].must_stop)
        wait_until(lambda: Job.objects.get().lease_until < timezone.now())

    def test_a_thread_goes_on_with_the_next_row_and_its_connection(self, run: Any) -> None:
        seen: list[tuple[int, Any]] = []

        def work(lease: Lease[Job]) -> None:
            connection.ensure_connection()
            seen.append((threading.get_ident(), connection.connection))

        add(*[1] * 5)
        runner = run(queue(work, in_flight=1))
        wait_until(is_all_done)
        assert len(set(seen)) == 1, "one after the other, by one thread"
        assert len(seen) == 5
        (_, used), *_ = seen
        assert runner.stop(10)
        wait_until(lambda: used.closed, seconds=IDLE_S / 2)

    def test_what_a_row_leaves_in_its_thread_is_not_the_next_ones(self, run: Any) -> None:
        seen: list[tuple[str, bool]] = []

        def work(lease: Lease[Job]) -> None:
            seen.append((translation.get_language(), connection.connection is None))
            translation.activate("ru")
            connection.set_autocommit(autocommit=False)
            Job.objects.filter(pk=lease.row.pk).update(attempts=7)  # never committed

        add(1, 1)
        run(queue(work, in_flight=1))
        wait_until(lambda: len(seen) > 1)
        assert set(seen) == {("en", True)}

    def test_a_thread_without_rows_ends_and_gives_its_connection_back(
        self, run: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(leases_runner, "IDLE_S", 0.05)
        used: list[Any] = []

        def work(lease: Lease[Job]) -> None:
            connection.ensure_connection()
            used.append(connection.connection)

        runner = run(queue(work))
        for number in range(5):  # each time, the thread of the last one may just be going
            add(1)
            runner.wake()
            wait_until(lambda number=number: len(used) == number + 1 and is_all_done())
        wait_until(lambda: all(one.closed for one in used))

    def test_at_its_end_it_waits_for_work_and_gives_back_what_does_not_end(self, run: Any, works: Works) -> None:
        add(1)
        runner = run(queue(works))
        wait_until(lambda: bool(works.begun))
        assert runner.stop(0.3)
        assert works.leases[0].must_stop
        job = Job.objects.get()
        assert (job.claim_id, job.claims) == (None, 0)
        assert due_in_s(job) <= 0

    def test_work_that_ends_in_time_is_finished(self, run: Any) -> None:
        begun = threading.Event()

        def work(lease: Lease[Job]) -> None:
            begun.set()
            wait_until(lambda: lease.must_stop)

        add(1)
        runner = run(queue(work))
        assert begun.wait(30)
        assert runner.stop(10)
        assert is_all_done()


class TestLoops:
    """Rows of a queue with a loop, which wait in a few threads."""

    @pytest.fixture
    def given(self) -> Any:
        given: Future[None] = Future()
        yield given
        given.done() or given.set_result(None)

    def waiting(self, begun: list[tuple[int, Any]], given: "Future[None]") -> Any:
        """Work that asks the database, waits for somebody outside, and asks again."""

        def work(lease: Lease[Job]) -> None:
            Job.objects.filter(pk=lease.row.pk).update(text="asks")
            begun.append((threading.get_ident(), connection.connection))
            result_of(given, 30)
            Job.objects.filter(pk=lease.row.pk).update(text="answered")

        return work

    def test_many_rows_wait_in_few_threads_with_few_connections(self, run: Any, given: "Future[None]") -> None:
        begun: list[tuple[int, Any]] = []
        add(*range(64))
        run(queue(self.waiting(begun, given), in_flight=64, loop=WaitingLoop, loops=3))
        wait_until(lambda: len(begun) == 64)
        assert len({thread for thread, _ in begun}) == len(set(begun)) == 3
        assert Job.objects.filter(claim_id__isnull=False).count() == 64
        given.set_result(None)
        wait_until(is_all_done)
        assert set(Job.objects.values_list("text", flat=True)) == {"answered"}

    def test_rows_that_wait_hold_no_connection(
        self, run: Any, given: "Future[None]", monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(leases_runner, "IDLE_S", 0.05)
        begun: list[tuple[int, Any]] = []
        add(*range(9))
        run(queue(self.waiting(begun, given), in_flight=9, loop=WaitingLoop, loops=2))
        wait_until(lambda: len(begun) == 9)
        wait_until(lambda: all(used.closed for _, used in begun))
        given.set_result(None)
        wait_until(is_all_done)

    def test_a_widget_whose_work_waits_leaves_places_to_others(self, run: Any, given: "Future[None]") -> None:
        begun: list[tuple[int, Any]] = []
        waits = self.waiting(begun, given)
        add(*[1] * 9, 2)

        def work(lease: Lease[Job]) -> None:
            if lease.row.widget_id == 1:
                waits(lease)

        run(queue(work, in_flight=4, in_flight_each=2, loop=WaitingLoop, loops=1))
        wait_until(lambda: Job.objects.filter(widget_id=2, due_at=None).exists())
        assert Job.objects.filter(widget_id=1, claim_id__isnull=False).count() == len(begun) == 2

    def test_a_wait_ends_when_the_work_must_stop(self, run: Any) -> None:
        begun, stopped = threading.Event(), []

        def work(lease: Lease[Job]) -> None:
            begun.set()
            stopped.append(lease.wait(60))
            lease.give_back()

        add(1)
        runner = run(queue(work, loop=WaitingLoop))
        assert begun.wait(30)
        assert runner.stop(10)
        job = Job.objects.get()
        assert (stopped, job.claim_id, job.claims) == ([True], None, 0)

    def test_what_waits_on_at_the_end_is_given_back(self, run: Any, given: "Future[None]") -> None:
        begun: list[tuple[int, Any]] = []
        add(1, 2)
        runner = run(queue(self.waiting(begun, given), loop=WaitingLoop))
        wait_until(lambda: len(begun) == 2)
        assert runner.stop(0.3)
        assert set(Job.objects.values_list("claim_id", "claims")) == {(None, 0)}
        assert all(due_in_s(job) <= 0 for job in Job.objects.all())
