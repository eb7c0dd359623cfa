"""The installation's pages: its health, and a customer that is opened with one form."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.utils import timezone, translation
from django_celery_beat.models import IntervalSchedule, PeriodicTask
from pytest_django import Settings

from apps import egress
from apps.accounts.models import Account, BackupNote, User, Widget
from apps.billing.models import PlanSubscription, Transaction
from apps.cabinet import health as cabinet_health
from apps.cabinet.health import HealthLine, certificate_line, health
from apps.core import plugins
from apps.core.models import Mail
from apps.core.tasks import forget_old_spendings
from apps.webhooks.models import Delivery
from apps.widget.querysets.settings import settings_of
from config.mail import FOLDER, SMTP
from tests.cast import signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.billing import PlanFactory
from tests.factories.webhooks import DeliveryFactory
from tests.mail_server import MailServer

pytestmark = pytest.mark.django_db
HEALTH, CUSTOMER = "/admin/accounts/backupnote/", "/admin/accounts/account/customer/"


@pytest.fixture
def ops(db: None) -> Client:
    return signed_in(SuperuserFactory.create())


def bad() -> set[str]:
    return {line.name for group in health(timezone.now(), asks_workers=False) for line in group.lines if line.is_bad}


def test_health_is_for_who_runs_the_installation(ops: Client, shop: Widget) -> None:
    page = ops.get(HEALTH).content.decode()
    assert all(word in page for word in ("Backups", "Services", "Queues", "Jobs", "Workers", "Disk"))
    assert signed_in(StaffFactory.create(account=shop.account)).get(HEALTH).status_code == 403


def test_a_backup_that_is_told_is_good_for_two_days() -> None:
    assert "Last backup" in bad()
    call_command("note_backup", stdout=StringIO())
    assert not {"Last backup", "backup"} & bad()
    BackupNote.objects.update(at=timezone.now() - timedelta(days=2, minutes=1))
    assert "backup" in bad()


def test_the_latest_backup_of_a_name_counts() -> None:
    later, earlier = "2026-11-20T10:00:00Z", "2026-11-19T10:00:00Z"
    for at in (later, earlier):
        call_command("note_backup", "--at", at, "--name", "files", stdout=StringIO())
    assert [(row.name, row.at.isoformat()) for row in BackupNote.objects.all()] == [
        ("files", "2026-11-20T10:00:00+00:00")
    ]


@pytest.mark.parametrize("wrong", [["--at", "soon"], ["--at", "2999-01-01T00:00:00Z"], ["--name", ""]])
def test_a_backup_that_is_none_is_refused(wrong: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("note_backup", *wrong, stdout=StringIO())
    assert not BackupNote.objects.exists()


@pytest.mark.parametrize(("days", "is_bad"), [(15, False), (13, True), (-1, True)])
def test_a_certificate_is_bad_two_weeks_before_its_end(days: int, is_bad: bool) -> None:
    now = timezone.now()
    line = certificate_line(now + timedelta(days=days), now)
    assert (line.name, line.is_bad) == ("Certificate", is_bad)


def test_a_queue_whose_oldest_waits_long_is_bad() -> None:
    name = "mails to people of the house"
    assert name not in bad()
    row = Mail.objects.create(**{field.name: "x" for field in Mail._meta.fields if field.name in ("to", "subject")})
    Mail.objects.filter(pk=row.pk).update(due_at=timezone.now() - timedelta(minutes=11))
    assert name in bad()


def names() -> set[str]:
    return {line.name for group in health(timezone.now(), asks_workers=False) for line in group.lines}


def line_of(name: str, *, asks_workers: bool = False) -> HealthLine:
    groups = health(timezone.now(), asks_workers=asks_workers)
    (line,) = (line for group in groups for line in group.lines if line.name == name)
    return line


class TestDeliveriesOfWebhooks:
    NAME = "Deliveries of webhooks"

    def test_those_that_stand_still_are_bad_and_have_a_cure(self, shop: Widget) -> None:
        assert line_of(self.NAME) == HealthLine(self.NAME, "nothing waits")
        delivery = DeliveryFactory.create(subscription__widget=shop)
        Delivery.objects.unscoped("the test's").update(due_at=timezone.now() - timedelta(minutes=9))
        assert not line_of(self.NAME).is_bad
        Delivery.objects.unscoped("the test's").update(due_at=timezone.now() - timedelta(minutes=11))
        line = line_of(self.NAME)
        assert (line.is_bad, line.said[:6]) == (True, "1 wait")
        assert "workers" in line.cure
        Delivery.objects.unscoped("the test's").filter(pk=delivery.pk).update(status="failed")
        assert not line_of(self.NAME).is_bad

    def test_one_that_is_tried_again_later_waits_for_its_time(self, shop: Widget) -> None:
        DeliveryFactory.create(subscription__widget=shop, due_at=timezone.now() + timedelta(hours=1), attempts=3)
        assert line_of(self.NAME).said == "nothing waits"


class TestMailServer:
    NAME = "Mail server"

    @pytest.fixture(autouse=True)
    def unasked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(cabinet_health, "_mail_server", None)
        monkeypatch.setattr(cabinet_health, "_workers", lambda: HealthLine("Workers", "-"))

    @pytest.fixture
    def server(self, settings: Settings) -> Iterator[MailServer]:
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = SMTP, "127.0.0.1", 20
        with MailServer() as server:
            settings.EMAIL_PORT = server.port
            yield server

    def test_one_that_answers_is_good_and_is_asked_once_a_minute(self, server: MailServer) -> None:
        assert line_of(self.NAME, asks_workers=True).said == "works"
        assert line_of(self.NAME, asks_workers=True).said == "works"
        assert (server.connections, server.received) == (1, [])

    def test_the_overview_asks_nobody_and_shows_what_is_known(self, server: MailServer) -> None:
        assert self.NAME not in names()
        server.replies["EHLO"] = server.replies["HELO"] = "421 come back later"
        assert line_of(self.NAME, asks_workers=True).is_bad
        asked = server.connections
        assert self.NAME in bad()
        assert server.connections == asked

    def test_one_that_is_away_is_bad_and_its_cure_names_the_setting(self, settings: Settings) -> None:
        with MailServer() as gone:
            port = gone.port
        settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", port
        line = line_of(self.NAME, asks_workers=True)
        assert (line.is_bad, line.said) == (True, "can't be reached")
        assert "EMAIL_URL" in line.cure

    def test_a_login_that_is_refused_has_another_cure(self, server: MailServer, settings: Settings) -> None:
        settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "parley", "wrong"
        server.replies["EHLO"] = "250-mail.test\r\n250 AUTH PLAIN"
        server.replies["AUTH"] = "535 5.7.8 Wrong password"
        line = line_of(self.NAME, asks_workers=True)
        assert (line.is_bad, line.said) == (True, "refuses us: 535 5.7.8 Wrong password")
        assert "password" in line.cure

    def test_it_is_not_asked_within_a_transaction(self, server: MailServer) -> None:
        with pytest.raises(RuntimeError), transaction.atomic():
            line_of(self.NAME, asks_workers=True)
        assert server.connections == 0

    def test_where_no_place_is_free_nobody_waits(self, server: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(egress.outbound_waits, "slots", 0)
        assert line_of(self.NAME, asks_workers=True) == HealthLine(self.NAME, "can't be asked")
        assert server.connections == 0

    def test_mail_that_leaves_for_nobody_is_bad_but_in_a_trial(self, settings: Settings) -> None:
        settings.EMAIL_BACKEND, settings.MAIL_IS_TRIAL = FOLDER, False
        assert line_of(self.NAME).is_bad
        settings.MAIL_IS_TRIAL = True
        assert not line_of(self.NAME).is_bad


class TestJobs:
    NAME = "forget old spendings"

    def test_one_that_fails_each_time_is_bad_until_it_works(self, monkeypatch: pytest.MonkeyPatch) -> None:
        (job,) = (job for job in plugins.jobs() if job.task == forget_old_spendings.name)
        PeriodicTask.objects.create(
            name=job.name, task=job.task, interval=IntervalSchedule.objects.create(every=1), last_run_at=timezone.now()
        )
        assert not line_of(job.name).is_bad

        def fails() -> None:
            raise ConnectionError("nobody there")

        with monkeypatch.context() as patched:
            patched.setattr("apps.core.quotas.forget_old", fails)
            for _ in range(2):
                forget_old_spendings.apply()
        line = line_of(job.name)
        assert line.is_bad
        assert "failed 2 times in a row" in line.said
        assert "ConnectionError" in line.said
        assert "log" in line.cure
        forget_old_spendings.apply()
        assert not line_of(job.name).is_bad


def test_every_bad_line_has_a_cure_in_both_languages(ops: Client) -> None:
    cures = {}
    for language in ("en", "ru"):
        with translation.override(language):
            groups = health(timezone.now(), asks_workers=False)
            lines = [line for group in groups for line in group.lines if line.is_bad]
        assert lines
        cures[language] = [line.cure or line.said for line in lines]
        assert all(cures[language])
    assert not set(cures["en"]) & set(cures["ru"])


class TestACustomer:
    FORM = {"email": "nina@tea.test", "name": "Nina", "widget_name": "Tea", "seats": "2", "intent": "c" * 32}

    def test_is_opened_with_one_form(self, ops: Client) -> None:
        plan = PlanFactory.create()
        assert ops.post(CUSTOMER, self.FORM | {"plan": plan.code}).status_code == 302
        account = Account.objects.get(email="nina@tea.test")
        widget, owner = account.widgets.get(), account.users.get()
        assert (widget.name, widget.seats, owner.role, owner.is_staff) == ("Tea", 2, "owner", True)
        given = PlanSubscription.objects.for_widget(widget.pk).get()
        assert (given.plan, given.price_minor) == (plan.code, 0)
        assert not Transaction.objects.for_widget(widget.pk).exists(), "a payment that never was"
        assert not owner.check_password("")
        assert mail.outbox == [] or "nina@tea.test" in mail.outbox[0].to
        assert Mail.objects.count() + len(mail.outbox) == 1

    @pytest.mark.parametrize(
        ("sent", "accepted", "language"),
        [
            ({"language": "ru"}, "en", "ru"),
            ({}, "ru-RU,ru;q=0.9", "ru"),
            ({"language": "en"}, "ru", "en"),
        ],
    )
    def test_a_russian_owners_first_widget_has_russian_texts_of_its_own(
        self, ops: Client, sent: dict[str, str], accepted: str, language: str
    ) -> None:
        answer = ops.post(CUSTOMER, self.FORM | sent, headers={"accept-language": accepted})
        assert answer.status_code == 302
        account = Account.objects.get(email="nina@tea.test")
        assert account.users.get().mail_language == language
        shown = settings_of(account.widgets.get().pk).values
        assert (shown["widget_fallback_language"], shown["widget_content_source_language"]) == (language, language)
        (letter,) = Mail.objects.all()
        assert letter.subject == {"ru": "Ваш аккаунт открыт", "en": "Your account is open"}[language]

    def test_a_language_that_nobody_speaks_is_refused_and_nothing_is_made(self, ops: Client) -> None:
        answer = ops.post(CUSTOMER, self.FORM | {"language": "xx"})
        assert list(answer.context["form"].errors) == ["language"]
        assert not Account.objects.filter(email="nina@tea.test").exists()

    def test_an_address_that_is_known_is_refused_and_nothing_is_made(self, ops: Client, shop: Widget) -> None:
        known = User.objects.first()
        assert known is not None
        answer = ops.post(CUSTOMER, self.FORM | {"email": known.email.upper()})
        assert "Somebody signs in with this address already" in answer.content.decode()
        assert not Widget.objects.filter(name="Tea").exists()

    def test_staff_opens_none(self, shop: Widget) -> None:
        staff = signed_in(StaffFactory.create(account=shop.account, role="owner"))
        assert staff.get(CUSTOMER).status_code == 403
        assert staff.post(CUSTOMER, self.FORM).status_code == 403
