"""Letters that are queued: sent by a worker once the transaction commits, and again until the mail server has them."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import Settings

from apps.core import mail
from apps.core.models import Mail
from apps.core.tasks import MAIL_QUEUE
from apps.leases import claims
from apps.leases.runner import Runner
from config.mail import SMTP
from tests.mail_server import MailServer
from tests.webhooks.receivers import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = SMTP, "127.0.0.1", 20
    settings.DEFAULT_FROM_EMAIL = "Parley <parley@shop.test>"
    with MailServer() as server:
        settings.EMAIL_PORT = server.port
        yield server


@pytest.fixture
def runner() -> Iterator[Runner]:
    runner = Runner([MAIL_QUEUE])
    yield runner
    assert runner.stop(10)


def letter(subject: str = "News") -> EmailMultiAlternatives:
    made = EmailMultiAlternatives(subject, "A secret text", to=["nina@mail.test"])
    made.attach_alternative("<p>A secret text</p>", "text/html")
    return made


def work() -> None:
    """What a worker does with the one letter that is due."""
    (lease,) = claims.claim(MAIL_QUEUE, wanted=9)
    lease.run()


def make_due() -> None:
    Mail.objects.update(due_at=timezone.now())


def test_a_worker_sends_it_and_nothing_is_left(server: MailServer, runner: Runner) -> None:
    mail.queue(letter("Привет"))
    guid = Mail.objects.get().guid
    runner.wake()
    wait_until(lambda: not Mail.objects.exists())
    ((recipient, received),) = server.received
    assert recipient == received["To"] == "nina@mail.test"
    assert received["From"] == "Parley <parley@shop.test>"
    assert received["Subject"].strip() == "Привет"
    assert received["Message-ID"] == f"<{guid}@shop.test>"
    assert received.get_body(("plain",)).get_content().strip() == "A secret text"
    assert received.get_body(("html",)).get_content().strip() == "<p>A secret text</p>"


def test_it_is_sent_with_the_headers_of_its_own(server: MailServer) -> None:
    made = letter()
    made.extra_headers["List-Unsubscribe"] = "<https://chat.test/stop>"
    mail.queue(made)
    work()
    ((_, received),) = server.received
    assert received["List-Unsubscribe"] == "<https://chat.test/stop>"
    assert received["Auto-Submitted"] == "auto-generated"


def test_what_is_rolled_back_tells_nobody(server: MailServer) -> None:
    with transaction.atomic():
        mail.queue(letter())
        transaction.set_rollback(True)
    assert not Mail.objects.exists()


def test_it_is_encrypted_while_it_waits() -> None:
    mail.queue(letter())
    with connection.cursor() as cursor:
        cursor.execute("SELECT m::text FROM core_mail m")
        assert "secret" not in cursor.fetchone()[0]


@pytest.mark.parametrize("replies", [{"RCPT": "550 5.7.1 no"}, {"MAIL": "451 later"}, {"DATA": "452 full"}])
def test_a_mail_server_that_refuses_it_is_asked_again(server: MailServer, replies: dict[str, str]) -> None:
    server.replies = replies
    mail.queue(letter())
    for attempts, wait_s in enumerate(MAIL_QUEUE.waits, start=1):
        work()
        row = Mail.objects.get()
        assert row.due_at is not None
        due_in = row.due_at - timezone.now()
        assert (row.attempts, row.claim_id) == (attempts, None)
        assert timedelta(seconds=wait_s - 5) < due_in <= timedelta(seconds=wait_s)
        make_due()
    server.replies = {}
    work()
    assert len(server.received) == 1
    assert not Mail.objects.exists()


def test_after_a_day_it_is_given_up_and_told_of_without_address_or_text(
    settings: Settings, server: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    assert 18 < sum(MAIL_QUEUE.waits) / 3600 < 24
    server.replies = {"RCPT": "450 no"}
    mail.queue(letter())
    for _ in range(len(MAIL_QUEUE.waits) + 1):
        make_due()
        work()
    assert not Mail.objects.exists()
    assert "was given up" in caplog.text
    assert "nina@" not in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.parametrize("replies", [{"RCPT": "550 5.1.1 no such user"}, {"DATA": "554 no"}])
def test_a_refusal_for_good_ends_it_at_once(server: MailServer, replies: dict[str, str]) -> None:
    server.replies = replies
    mail.queue(letter())
    work()
    assert not Mail.objects.exists()
    assert server.connections == 1


def test_it_says_that_it_is_automatic(server: MailServer) -> None:
    mail.queue(letter())
    work()
    received = server.received[0][1]
    assert (received["Auto-Submitted"], received["X-Auto-Response-Suppress"]) == ("auto-generated", "All")


def test_one_that_hangs_is_waited_for_no_longer_than_said(settings: Settings, server: MailServer) -> None:
    settings.EMAIL_TIMEOUT = 0.2
    server.silent = True
    mail.queue(letter())
    work()
    assert Mail.objects.get().attempts == 1


def test_a_folder_that_cannot_be_written_to_is_asked_again(settings: Settings, tmp_path: Any) -> None:
    (tmp_path / "mail").write_text("no folder")
    settings.EMAIL_BACKEND, settings.EMAIL_FOLDER = "apps.core.mail.FolderBackend", tmp_path / "mail"
    mail.queue(letter())
    work()
    assert Mail.objects.get().attempts == 1
