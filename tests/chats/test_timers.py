"""What is due in a chat is told once, in time, under the chat's lock; moved and dropped timers are not told of."""

import json
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.db.models.sql.compiler import SQLCompiler
from django.utils import timezone

from apps.accounts.actions.imports import ImportOptions, import_widget
from apps.agents.models import Agent
from apps.chats.actions.snoozes import snooze_chat
from apps.chats.actions.timers import drop_timers, run_due, set_timer
from apps.chats.events import ChatUpdated, TimerDue
from apps.chats.models import Chat, Timer
from apps.chats.rules.timers import TimerKind, moment_anchor
from apps.chats.tasks import TIMERS_QUEUE
from apps.core import bus
from apps.core.bus import DomainEvent, handlers
from apps.core.observability.metrics import TIMER_LATE
from apps.leases import Lease, claims
from tests.factories import ChatFactory, MessageFactory
from tests.faults.failpoints import restore, run_apart, state
from tests.leases.test_queues import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def ago(seconds: float = 1) -> Any:
    return timezone.now() - timedelta(seconds=seconds)


def put(chat: Chat, due_at: Any = None, *, kind: TimerKind = TimerKind.OFFER, anchor: str = "1", key: str = "") -> None:
    due_at = due_at or ago()
    with transaction.atomic():
        set_timer(widget_id=chat.widget_id, chat_id=chat.pk, kind=kind, due_at=due_at, anchor=anchor, key=key)


def take(wanted: int = 9) -> list[Lease[Timer]]:
    return claims.claim(TIMERS_QUEUE, wanted=wanted)


def run_out() -> None:
    Timer.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())


def told(happened: list[DomainEvent]) -> list[tuple[str, str, str]]:
    return [(event.kind, event.key, event.anchor) for event in happened if isinstance(event, TimerDue)]


@pytest.fixture
def failing() -> Iterator[list[Exception]]:
    """While it has one, whatever is told of raises it."""
    errors: list[Exception] = []

    def fail(event: TimerDue) -> None:
        if errors:
            raise errors[0]

    bus.handles(TimerDue)(fail)
    registered = bus._by_type[TimerDue]
    yield errors
    registered[:] = [each for each in registered if each.handler is not fail]


def test_one_a_chat_kind_and_key_which_is_moved_and_dropped(chat: Chat, happened: list[DomainEvent]) -> None:
    later = timezone.now() + timedelta(hours=1)
    put(chat, later, anchor="1")
    put(chat, ago(), anchor="2")
    put(chat, ago(2), key="x")
    put(chat, ago(2), key="y")
    put(chat, ago(3), kind=TimerKind.OVERFLOW, anchor="3")
    assert Timer.objects.count() == 4
    drop_timers(chat_id=chat.pk, kinds=[TimerKind.OFFER], key="y")
    assert run_due() == {"overflow": 1, "offer": 2}
    assert told(happened) == [("overflow", "", "3"), ("offer", "x", "1"), ("offer", "", "2")]
    assert not Timer.objects.exists()
    put(chat, key="x")
    put(chat, kind=TimerKind.OVERFLOW)
    drop_timers(chat_id=chat.pk, kinds=[TimerKind.OFFER, TimerKind.OVERFLOW])
    assert run_due() == {}


def test_a_worker_tells_in_a_transaction_with_the_databases_time_and_counts_how_late(
    chat: Chat, happened: list[DomainEvent]
) -> None:
    due_at = ago(3)
    put(chat, due_at)
    put(chat, timezone.now() + timedelta(hours=1), key="later")
    before = TIMER_LATE._sum.get()
    (lease,) = take()
    lease.run()
    (event,) = [each for each in happened if isinstance(each, TimerDue)]
    assert 3 <= (event.as_of - due_at).total_seconds() < 30
    assert TIMER_LATE._sum.get() - before == pytest.approx((event.as_of - due_at).total_seconds())
    assert list(Timer.objects.values_list("key", flat=True)) == ["later"]


def test_one_that_is_moved_or_dropped_while_it_is_taken_is_not_told_of(chat: Chat, happened: list[DomainEvent]) -> None:
    put(chat, key="moved")
    put(chat, key="dropped")
    leases = take()
    put(chat, timezone.now() + timedelta(hours=1), key="moved", anchor="2")
    drop_timers(chat_id=chat.pk, kinds=[TimerKind.OFFER], key="dropped")
    for lease in leases:
        lease.run()
    assert (told(happened), list(Timer.objects.values_list("key", "anchor"))) == ([], [("moved", "2")])
    assert take() == [], "it is due later"


def test_two_workers_and_a_pass_by_hand_tell_of_it_once(chat: Chat, happened: list[DomainEvent]) -> None:
    for number in range(12):
        put(chat, key=str(number))

    def work() -> None:
        for lease in take(20):
            lease.run()

    at_once(2, work)
    run_due()
    put(chat, key="again")
    (lease,) = take()
    at_once(2, lambda: (lease.run(), run_due()))
    assert sorted(key for _, key, _ in told(happened)) == sorted([*map(str, range(12)), "again"])


def test_an_error_of_a_handler_undoes_it_and_it_is_told_of_again_and_never_lost(
    chat: Chat, happened: list[DomainEvent], failing: list[Exception]
) -> None:
    failing.append(RuntimeError("ours"))
    put(chat)
    for _ in range(len(TIMERS_QUEUE.waits) + 1):
        (lease,) = take()
        lease.run()
        timer = Timer.objects.get()
        assert timer.due_at is not None
        assert timer.due_at > timezone.now()
        Timer.objects.update(due_at=ago())
    failing.clear()
    happened.clear()
    (lease,) = take()
    lease.run()
    assert (len(told(happened)), Timer.objects.count()) == (1, 0)


def test_those_of_a_chat_that_is_gone_are_gone(chat: Chat, happened: list[DomainEvent]) -> None:
    put(chat)
    (lease,) = take()
    chat.delete()
    lease.run()
    assert (told(happened), Timer.objects.count()) == ([], 0)


@pytest.mark.faults
def test_a_worker_that_is_killed_at_any_point_has_it_told_of_once(chat: Chat, boris: Agent) -> None:
    MessageFactory.create(chat=chat, created_at=ago(3600))
    Agent.objects.filter(pk=boris.pk).update(away_since=ago(3600))
    Chat.objects.update(agent=boris, waiting_since=ago(3600))
    put(chat, kind=TimerKind.OWNER_AWAY)
    before = state()

    def work() -> str:
        for lease in take():
            lease.run()
        return "done"

    points = run_apart(work).passed
    assert len(points) >= 3
    for number, point in enumerate(points, start=1):
        restore(before)
        version = Chat.objects.get(pk=chat.pk).version
        assert run_apart(work, killed_at=number).was_killed
        run_out()
        run_apart(work)
        chat.refresh_from_db()
        assert chat.owner_away_at is not None, point
        assert (chat.version, Timer.objects.count()) == (version + 1, 0), point


def test_an_export_brings_its_snoozes_and_absent_owners_which_are_due_here(
    chat: Chat, alice: Agent, boris: Agent, tmp_path: Path
) -> None:
    until = timezone.now() + timedelta(hours=1)
    MessageFactory.create(chat=chat, created_at=ago(60))
    other = ChatFactory.create(contact__widget=chat.widget)
    MessageFactory.create(chat=other, created_at=ago(60))
    Chat.objects.filter(pk=other.pk).update(agent=boris, waiting_since=ago(60), has_client_messages=True)
    snooze_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, until=until)
    call_command("export_widget", chat.widget.guid, str(tmp_path / "export"))
    Timer.objects.all().delete()
    options = ImportOptions(with_seats=True, with_switches=True)
    made = import_widget(account=chat.widget.account, directory=tmp_path / "export", options=options)
    timers = Timer.objects.filter(widget=made.widget)
    assert sorted(timers.values_list("kind", flat=True)) == ["owner_away", "snooze"]
    run_due(as_of=until)
    chats = Chat.objects.for_widget(made.widget.pk)
    assert chats.filter(woken_at=until).count() == chats.filter(owner_away_at=until).count() == 1


class TestCommand:
    def run(self, *arguments: str) -> Any:
        out = StringIO()
        call_command("run_timers", *arguments, "--json", stdout=out)
        return json.loads(out.getvalue())

    def test_it_makes_one_pass_as_of_a_moment_which_is_the_handlers_now(
        self, chat: Chat, happened: list[DomainEvent]
    ) -> None:
        moment = timezone.now() + timedelta(days=2)
        put(chat, moment)
        assert self.run() == {"fired": {}}
        assert self.run("--as-of", moment.isoformat(), "--chat", str(chat.pk + 1)) == {"fired": {}}
        assert self.run("--as-of", moment.isoformat(), "--chat", str(chat.pk)) == {"fired": {"offer": 1}}
        assert [each.as_of for each in happened if isinstance(each, TimerDue)] == [moment]

    def test_what_is_no_moment_is_refused_and_nothing_told(self, chat: Chat, happened: list[DomainEvent]) -> None:
        put(chat)
        with pytest.raises(CommandError, match="no date-time"):
            self.run("--as-of", "soon")
        assert (told(happened), Timer.objects.count()) == ([], 1)


def test_no_statement_looks_through_chats_or_timers(chat: Chat, django_assert_num_queries: Any) -> None:
    put(chat, kind=TimerKind.AUTOMATION, key="1")
    (lease,) = take()
    # The transaction, the chat's lock, the row that goes, and that of automations, which are to judge it.
    with django_assert_num_queries(5):
        lease.run()


def test_a_patience_that_is_over_is_one_statement_more_which_is_put_together_once(
    chat: Chat, boris: Agent, django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Composing the rule of who waits took five times the CPU of all the rest: 145 timers a second."""
    Chat.objects.update(agent=boris)
    for key in "abc":
        put(chat, kind=TimerKind.OWNER_AWAY, key=key)
    first, *others = take()
    first.run()
    composed: list[type] = []
    as_sql = SQLCompiler.as_sql
    monkeypatch.setattr(
        SQLCompiler, "as_sql", lambda self, *args, **options: composed.append(self) or as_sql(self, *args, **options)
    )
    for lease in others:
        with django_assert_num_queries(5):
            lease.run()
    assert composed == []
    assert Timer.objects.count() == 0


def test_a_timer_is_told_of_by_name_of_its_kind_alone(chat: Chat, happened: list[DomainEvent]) -> None:
    """An anchor that is no more the chat's changes nothing: neither of a snooze, nor of an owner who is here."""
    put(chat, kind=TimerKind.SNOOZE, anchor=moment_anchor(ago()))
    put(chat, kind=TimerKind.OWNER_AWAY)
    put(chat, kind=TimerKind.AUTOMATION, key="1")
    before = Chat.objects.get(pk=chat.pk).version
    happened.clear()
    assert run_due() == {"snooze": 1, "owner_away": 1, "automation": 1}
    assert Chat.objects.get(pk=chat.pk).version == before
    assert not [event for event in happened if isinstance(event, ChatUpdated)]
    assert TimerDue in handlers()
