"""The installation's pages: its health, and a customer that is opened with one form."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.health import certificate_line, health
from apps.accounts.models import Account, BackupNote, User, Widget
from apps.billing.models import PlanSubscription
from apps.core.models import Mail
from tests.cast import signed_in
from tests.factories import StaffFactory, SuperuserFactory
from tests.factories.billing import PlanFactory

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


class TestACustomer:
    FORM = {"email": "nina@tea.test", "name": "Nina", "widget_name": "Tea", "seats": "2", "intent": "c" * 32}

    def test_is_opened_with_one_form(self, ops: Client) -> None:
        plan = PlanFactory.create()
        assert ops.post(CUSTOMER, self.FORM | {"plan": plan.code}).status_code == 302
        account = Account.objects.get(email="nina@tea.test")
        widget, owner = account.widgets.get(), account.users.get()
        assert (widget.name, widget.seats, owner.role, owner.is_staff) == ("Tea", 2, "owner", True)
        assert PlanSubscription.objects.for_widget(widget.pk).get().plan == plan.code
        assert not owner.check_password("")
        assert mail.outbox == [] or "nina@tea.test" in mail.outbox[0].to
        assert Mail.objects.count() + len(mail.outbox) == 1

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
