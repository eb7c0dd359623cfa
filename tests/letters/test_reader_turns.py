"""Mailboxes are read in turn: one widget's servers never hold what the others' letters need."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.core.problems import Problem
from apps.leases import LeaseLost, claims
from apps.letters.actions import mailboxes
from apps.letters.actions.mailboxes import save_mailbox
from apps.letters.actions.receiving import reading
from apps.letters.models import Mailbox, ReadJob
from apps.letters.tasks import READING
from tests.cast import Rival
from tests.egress.hostile_mail import HostileServer

FORTY = 40


def mailboxes_of(widget: Widget, count: int, url: str = "imaps://a:b@203.0.113.7/INBOX") -> list[Mailbox]:
    """As many mailboxes of a widget, whatever the limit is, each due to be read."""
    made = [
        Mailbox(
            widget=widget, address=f"box{n}@w{widget.pk}.test", imap=url, hook_key="x", digest=b"%d-%d" % (widget.pk, n)
        )
        for n in range(count)
    ]
    rows = Mailbox.objects.bulk_create(made)
    ReadJob.objects.bulk_create(ReadJob(widget=widget, turn_of=widget.pk, mailbox=row) for row in rows)
    return rows


def test_forty_mailboxes_of_a_widget_leave_the_others_their_turn(shop: Widget, rival: Rival, settings: Any) -> None:
    mailboxes_of(shop, FORTY)
    (theirs,) = mailboxes_of(rival.widget, 1)
    settings.MAIL_INBOX = "imaps://a:b@203.0.113.7/INBOX"
    reading.queue_installation()
    first = [lease.row for lease in claims.claim(READING, wanted=READING.in_flight)]
    again = [lease.row for lease in claims.claim(READING, wanted=READING.in_flight)]
    assert {row.mailbox_id for row in first} >= {theirs.pk, None}
    assert [row.widget_id for row in first].count(shop.pk) == reading.TURNS_EACH
    assert again == []


def test_a_saved_mailbox_is_read_in_its_widgets_turn(shop: Widget, settings: Any) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    save_mailbox(widget_id=shop.pk, address="support@flowers.test", changes={"imap": "imap://a:b@127.0.0.1/INBOX"})
    assert ReadJob.objects.get().turn_of == shop.pk


def test_a_reader_that_waits_makes_room_for_those_that_wait_for_a_turn(shop: Widget, rival: Rival) -> None:
    mailboxes_of(shop, reading.TURNS_EACH + 1)
    claims.claim(READING, wanted=READING.in_flight)
    ReadJob.objects.filter(claim_id=None).update(due_at=timezone.now() - timedelta(minutes=1))
    assert not reading._others_wait()  # its widget has its turns
    mailboxes_of(rival.widget, 1)
    assert not reading._others_wait()  # since now
    ReadJob.objects.filter(widget=rival.widget).update(due_at=timezone.now() - timedelta(minutes=1))
    assert reading._others_wait()


def test_a_talk_ends_before_its_lease() -> None:
    assert reading.TURN_S < reading.TALK_S < READING.longest_s
    assert READING.lease_s > reading.IDLE_S
    assert READING.lease_s > reading.CALL_S


@pytest.mark.django_db(transaction=True)
def test_a_server_that_drips_is_a_problem_and_no_open_connection(
    shop: Widget, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EGRESS_ALLOW = ["127.0.0.1"]
    monkeypatch.setattr(reading, "CALL_S", 0.3)
    hostile = HostileServer(lambda: hostile.drip(b"* OK "))
    with hostile:
        mailboxes_of(shop, 1, f"imap://a:b@127.0.0.1:{hostile.port}/INBOX")
        (lease,) = claims.claim(READING, wanted=1)
        lease.run()
        assert hostile.left.wait(10)
    row = ReadJob.objects.get()
    assert (row.problem_code, row.attempts, row.claim_id) == ("too_slow", 1, None)


def test_a_widget_has_twenty_mailboxes(shop: Widget, rival: Rival, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailboxes, "MOST_MAILBOXES", 2)
    mailboxes_of(shop, 2)
    with pytest.raises(Problem) as refused:
        save_mailbox(widget_id=shop.pk, address="third@flowers.test", changes={})
    assert refused.value.errors == {"address": ["A widget has at most 2 mailboxes."]}
    assert Mailbox.objects.for_widget(shop.pk).count() == 2
    save_mailbox(widget_id=shop.pk, address=f"box1@w{shop.pk}.test", changes={"name": "Flowers"})
    save_mailbox(widget_id=rival.widget.pk, address="first@rival.test", changes={})


def test_a_reader_whose_lease_is_lost_keeps_no_letter(shop: Widget) -> None:
    mailboxes_of(shop, 1)
    (lease,) = claims.claim(READING, wanted=1)
    ReadJob.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    claims.claim(READING, wanted=1)
    with pytest.raises(LeaseLost):
        reading._keep(lease.row, 1, 7)
    assert ReadJob.objects.get().last_uid == 0
