"""Beat's scheduler: a database that is away ends nothing, and what is due is sent once it is back."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from celery import Celery
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_celery_beat.models import PeriodicTask

from config.beat import Scheduler
from config.broker import Amqp
from launcher.processes import wait_until
from launcher.servers import free_port
from tests.core.test_database_connections import no_failure_yet  # noqa: F401 - a fixture
from tests.faults.odd_valkey import odd_valkey
from tests.waits import AT_MOST_S

pytestmark = pytest.mark.django_db(transaction=True)

TASK = "apps.core.tasks.sweep_storage"


class Listening(Scheduler):
    """Takes down what it would send."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sent: list[str] = []
        super().__init__(*args, **kwargs)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        self.sent.append(entry.task)

    @property
    def producer(self) -> None:
        return None


@pytest.fixture
def scheduler() -> Listening:
    app = Celery("test", set_as_current=False)
    app.conf.beat_schedule = {"sweep": {"task": TASK, "schedule": 0.1}}
    return without_finalizer(Listening(app=app))


def without_finalizer(scheduler: Any) -> Any:
    """It would write when the tests are over, and their database gone."""
    scheduler._finalize.cancel()
    return scheduler


def sends_more(scheduler: Listening) -> bool:
    so_far = len(scheduler.sent)

    def has_sent() -> bool:
        scheduler.tick()
        return len(scheduler.sent) > so_far

    return wait_until(has_sent, seconds=AT_MOST_S)


def test_it_waits_for_a_database_at_its_start_and_later(scheduler: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        with monkeypatch.context() as away:
            connection.close()
            away.setitem(connection.settings_dict, "PORT", free_port())
            sent = len(scheduler.sent)
            assert [scheduler.tick() for _ in range(3)] == [1.0, 1.0, 1.0]
            scheduler.sync()
            assert len(scheduler.sent) == sent
        assert sends_more(scheduler)
    assert set(scheduler.sent) == {TASK}
    assert PeriodicTask.objects.filter(task=TASK, name="sweep").count() == 1


def test_its_first_look_waits_for_a_database_that_can_be_written(scheduler: Listening) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    assert scheduler.tick() == 1.0
    assert not scheduler.sent
    connection.close()
    assert sends_more(scheduler)


def test_a_database_that_may_only_be_read_is_enough_later(scheduler: Listening) -> None:
    assert sends_more(scheduler)
    with connection.cursor() as cursor:
        cursor.execute("SET default_transaction_read_only = on")
    assert sends_more(scheduler)


def beat(*names: str, every: timedelta = timedelta(days=1)) -> Listening:
    app = Celery("test", set_as_current=False)
    app.conf.beat_schedule = {name: {"task": name, "schedule": every} for name in names}
    return without_finalizer(Listening(app=app))


def all_sent(scheduler: Listening) -> list[str]:
    """What is due by now, once nothing is any more."""
    while scheduler.tick() == 0:
        pass
    return scheduler.sent


def test_a_job_that_has_never_run_is_due_and_then_it_is_not() -> None:
    first = beat("daily")
    assert all_sent(first) == ["daily"]
    assert all_sent(first) == ["daily"], "once"
    first.sync()
    assert all_sent(beat("daily")) == [], "a beat that is started again knows"


@pytest.mark.parametrize("ahead", [timedelta(minutes=1), timedelta(days=400)])
def test_a_job_that_has_run_in_the_future_is_due(ahead: timedelta) -> None:
    all_sent(beat("daily"))
    PeriodicTask.objects.update(last_run_at=timezone.now() + ahead)
    again = beat("daily")
    assert all_sent(again) == ["daily"]
    again.sync()
    assert PeriodicTask.objects.filter(last_run_at__lte=timezone.now()).exists(), "which is over then"


def test_a_clock_that_is_set_back_while_it_runs_stops_no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = beat("often", every=timedelta(seconds=0.1))
    with monkeypatch.context() as tomorrow:
        tomorrow.setattr(timezone, "now", lambda: datetime.now(UTC) + timedelta(days=1))
        assert sends_more(scheduler)
    assert sends_more(scheduler)


def test_a_run_is_written_down_without_the_rest_of_the_job(scheduler: Listening) -> None:
    """Staff may be changing the rest in the same moment."""
    sends_more(scheduler)
    entry = scheduler.schedule["sweep"]
    with CaptureQueriesContext(connection) as captured:
        entry.save()
    (update,) = [query["sql"] for query in captured]
    assert re.findall(r'"(\w+)" = ', update.partition("WHERE")[0]) == ["last_run_at", "total_run_count"]
    assert PeriodicTask.objects.get(name="sweep").total_run_count > 0


def test_jobs_of_apps_that_are_left_out_are_not_sent() -> None:
    all_sent(beat("sweep", "deliver"))
    PeriodicTask.objects.update(last_run_at=timezone.now() - timedelta(days=2))
    assert all_sent(beat("sweep")) == ["sweep"]
    assert "deliver" in all_sent(beat("sweep", "deliver")), "until the app is there again"


def daily(url: str) -> Scheduler:
    """A beat with one job of once a day, at a Redis."""
    app = Celery("test", broker=url, amqp=Amqp, set_as_current=False)
    app.conf.broker_transport_options = {"socket_connect_timeout": 1, "socket_timeout": 1, "max_retries": 1}
    app.conf.beat_schedule = {"daily": {"task": TASK, "schedule": timedelta(days=1)}}
    return without_finalizer(Scheduler(app=app))


@pytest.mark.parametrize("state", ["killed", "frozen", "full", "permitting no writes"])
def test_a_daily_job_that_is_due_while_redis_is_away_runs_when_it_is_back(state: str) -> None:
    with odd_valkey() as valkey:
        scheduler = daily(valkey.url)
        scheduler.tick()
        scheduler.sync()
        valkey.operator.delete("celery")
        yesterday = timezone.now() - timedelta(days=1, minutes=1)
        PeriodicTask.objects.filter(name="daily").update(last_run_at=yesterday, total_run_count=0)
        scheduler = daily(valkey.url)
        assert scheduler.producer is not None  # it is connected
        with valkey.in_state(state):
            for _ in range(2):
                assert wait_until(lambda: scheduler.tick() == 1.0, seconds=AT_MOST_S)
            scheduler.sync()
            assert PeriodicTask.objects.values_list("last_run_at", "total_run_count").get(name="daily") == (
                yesterday,
                0,
            ), "a beat that starts now knows that it is due"
        assert wait_until(lambda: scheduler.tick() and valkey.operator.llen("celery") > 0, seconds=AT_MOST_S)
        scheduler.sync()
        ran = PeriodicTask.objects.get(name="daily")
        assert (ran.last_run_at or yesterday) > yesterday + timedelta(days=1)
        assert ran.total_run_count == 1
        assert scheduler.tick() > 1.0, "tomorrow"
