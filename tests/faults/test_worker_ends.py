"""A worker that is asked to end does, in the time that the guide gives it, whatever Redis does.

By Celery's warm way: its main loop ends itself. The cold way does its work in the signal's handler, wherever the loop
was: amidst writing a task to a child, the child waits for the rest of it and the worker for the child, for ever.
"""

from contextlib import ExitStack

import pytest
from celery import Celery

from tests.faults.odd_valkey import OddValkey, odd_valkey
from tests.faults.parts import Part, launch, surroundings
from tests.faults.scale import SCALE

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]


@pytest.mark.slow
@pytest.mark.parametrize("state", ["there", "frozen", "gone"])
def test_a_worker_ends_when_it_is_asked_to(state: str) -> None:
    with surroundings() as environ, odd_valkey() as valkey, ExitStack() as stack:
        worker = Part("worker", {**environ, "REDIS_URL": valkey.url})
        stack.callback(worker.close)
        launch([worker])
        leave(valkey, state)
        worker.ask_to_end()
        worker.until_ended()
        assert "Warm shutdown" in worker.output
        assert "Traceback" not in worker.output


@pytest.mark.slow
@pytest.mark.parametrize("turn", range(6 if SCALE.is_long else 1))
def test_a_worker_ends_soon_amidst_its_work(turn: int) -> None:
    """Its children have just given results, which it reads no more: one time in three they waited half a minute."""
    with surroundings() as environ, ExitStack() as stack:
        worker = Part("worker", environ)
        stack.callback(worker.close)
        launch([worker])
        celery = Celery(broker=environ["REDIS_URL"], set_as_current=False)
        with celery.producer_or_acquire() as producer:
            for number in range(4_000):
                celery.send_task("apps.webhooks.tasks.deliver", producer=producer, ignore_result=True)
                if number == 2_000:
                    worker.ask_to_end()
        worker.until_ended(seconds=15)
        assert "Warm shutdown" in worker.output


def leave(valkey: OddValkey, state: str) -> None:
    if state == "frozen":
        valkey.freeze()
    elif state == "gone":
        valkey.kill()
