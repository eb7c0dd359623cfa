"""A queue of leased rows under kill -9: nothing is lost, and nothing is done twice but the step under way.

For every queue of `leases`: the runner, the claim and the fence are the same for all. It is put to the test with
its first use, letters; a queue needs a test of its own only for what its work writes in several transactions.
"""

from collections.abc import Iterator

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.core import mail
from apps.core.models import Mail
from apps.core.tasks import MAIL_QUEUE
from apps.leases.runner import Runner
from config.mail import SMTP
from tests.core.test_mail import letter
from tests.faults.conftest import Figures
from tests.faults.failpoints import restore, run_apart, state
from tests.mail_server import MailServer
from tests.webhooks.receivers import wait_until

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = SMTP, "127.0.0.1"
    with MailServer() as server:
        settings.EMAIL_PORT = server.port
        yield server


def work_off() -> str:
    """What a worker process does, until nothing is due; it ends in order."""
    runner = Runner([MAIL_QUEUE])
    runner.wake()
    wait_until(lambda: not Mail.objects.filter(due_at__lte=timezone.now()).exists())
    assert runner.stop(5)
    return "done"


def run_out() -> None:
    Mail.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())


def test_a_killed_worker_loses_nothing_and_repeats_only_the_step_under_way(
    server: MailServer, figures: Figures
) -> None:
    mail.queue(letter())
    before = state()
    points = run_apart(work_off).passed
    seen = set()
    for number in range(1, len(points) + 1):
        restore(before)
        server.received.clear()
        run_apart(work_off, killed_at=number)
        left = Mail.objects.first()
        assert left is not None or len(server.received) == 1
        seen.add((left is not None and left.claim_id is not None, len(server.received)))
        run_out()
        run_apart(work_off)
        assert not Mail.objects.exists()
        assert 1 <= len(server.received) <= 2
        assert len({str(received["Message-ID"]) for _, received in server.received}) == 1
        if left is None:
            assert len(server.received) == 1
    assert {(True, 0), (True, 1), (False, 1)} <= seen, "a kill before the sending, before its outcome, and after it"
    figures.add("R7", f"a leased row: {len(points)} points")


def test_a_killed_failure_is_an_attempt_or_none(server: MailServer, figures: Figures) -> None:
    server.replies = {"RCPT": "450 later"}
    mail.queue(letter())
    before = state()
    points = run_apart(work_off).passed
    for number in range(1, len(points) + 1):
        restore(before)
        run_apart(work_off, killed_at=number)
        left = Mail.objects.get()
        assert left.attempts in (0, 1)
        assert (left.claim_id is None) == (left.attempts == 1 or left.claims == 0)
        run_out()
        run_apart(work_off)
        left.refresh_from_db()
        assert (left.attempts, left.claims, left.claim_id) == (1, 0, None)
    figures.add("R7", f"a leased row that fails: {len(points)} points")


def test_workers_that_are_killed_again_and_again_send_every_letter(server: MailServer, figures: Figures) -> None:
    """Five processes are killed at other failpoints of theirs, those that come so far; the next goes on."""
    for number in range(20):
        mail.queue(letter(f"Letter {number}"))
    kills = 0
    for turn in range(1, 6):
        kills += run_apart(work_off, killed_at=5 * turn).was_killed
        run_out()
    assert kills, "the first has twenty letters to send"
    run_apart(work_off)
    sent = [received["Subject"] for _, received in server.received]
    assert len(set(sent)) == 20
    assert len(sent) - 20 <= kills * MAIL_QUEUE.in_flight
    figures.add("R7", f"20 letters, {kills} kills: {len(sent) - 20} sent twice")
