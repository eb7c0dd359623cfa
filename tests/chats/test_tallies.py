"""Hours counted beforehand (docs/adr/0015): statistics are the same whenever what was tallied."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions, tasks
from apps.chats.actions.tallies import STEP, tally_hours
from apps.chats.models import Chat, ChatTally, MessageTally, ResponseTally, StaleHour
from apps.chats.querysets import statistics
from apps.chats.rules.statistics import HOUR, LATE_AFTER, SETTLED_AFTER, Portions, hour_of, portions
from apps.core.parsing.periods import Window
from config.environment import PROJECT_ROOT
from tests.chats.tallies import CHANGES, assert_as_the_rows_tell, notes, tally, tally_stale, until
from tests.factories import ChatFactory, DepartmentFactory, MessageFactory

NOON = datetime(2026, 10, 18, 9, tzinfo=UTC)
FOREVER = Window(datetime(1990, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC))


def test_every_trigger_calls_late_what_the_rules_call_late() -> None:
    source = (PROJECT_ROOT / "apps/chats/triggers.sql").read_text()
    said = set(re.findall(r"< clock_timestamp\(\) - interval '(.*?)'", source))
    assert said == {f"{LATE_AFTER // timedelta(minutes=1)} minutes"}
    assert LATE_AFTER < SETTLED_AFTER


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("name", CHANGES)
def test_each_change_of_what_is_tallied(shop: Widget, name: str, number: int) -> None:
    for opened_at in (NOON, NOON + HOUR):
        chat = ChatFactory.create(
            contact__widget=shop, created_at=opened_at, department=DepartmentFactory.create(widget=shop, internal=True)
        )
        for minute, kind in enumerate(("agent", "client", "ai", "ai")):
            at = opened_at + timedelta(minutes=minute)
            MessageFactory.create(chat=chat, sender_kind=kind, created_at=at)
    tally(NOON + 5 * HOUR)
    assert notes() == set()
    CHANGES[name](shop, number, NOON + 2 * HOUR)
    for window in ((NOON, NOON + HOUR), (NOON + HOUR, NOON + 2 * HOUR), (NOON, NOON + 4 * HOUR)):
        assert_as_the_rows_tell(shop, window)
    tally_stale()
    assert notes() == set()
    assert_as_the_rows_tell(shop, (NOON, NOON + 4 * HOUR))


class TestPortions:
    """What of a window is read from tallies."""

    def of(self, start: datetime, end: datetime, *, until: datetime | None, stale: Sequence[datetime] = ()) -> Portions:
        return portions([Window(start, end)], until=until, stale=stale)

    def test_whole_hours_that_are_tallied_and_fresh(self) -> None:
        start, end = NOON + timedelta(minutes=1), NOON + timedelta(hours=9, minutes=59)
        found = self.of(start, end, until=NOON + 8 * HOUR, stale=[NOON, NOON + 3 * HOUR, NOON + 8 * HOUR])
        assert (found.first, found.last, found.stale) == (NOON + HOUR, NOON + 8 * HOUR, [NOON + 3 * HOUR])
        assert found.by_rows == [
            Window(start, NOON + HOUR),
            Window(NOON + 3 * HOUR, NOON + 4 * HOUR),
            Window(NOON + 8 * HOUR, end),
        ]

    def test_a_window_of_whole_hours_has_no_edges(self) -> None:
        found = self.of(NOON, NOON + 2 * HOUR, until=NOON + 5 * HOUR)
        assert found == Portions(NOON, NOON + 2 * HOUR, [], [])

    @pytest.mark.parametrize("until", [None, NOON, NOON - HOUR])
    def test_all_by_rows_where_nothing_is_tallied(self, until: datetime | None) -> None:
        found = self.of(NOON, NOON + HOUR, until=until, stale=[NOON])
        assert (found.first, found.stale, found.by_rows) == (found.last, [], [Window(NOON, NOON + HOUR)])

    def test_all_by_rows_within_an_hour(self) -> None:
        start, end = NOON + timedelta(minutes=1), NOON + timedelta(minutes=119)
        assert self.of(start, end, until=NOON + 5 * HOUR).by_rows == [Window(start, end)]

    def test_all_by_rows_where_buckets_change_within_an_hour(self) -> None:
        edges = [NOON, NOON + timedelta(minutes=150), NOON + 5 * HOUR]
        cut = [Window(edges[0], edges[1]), Window(edges[1], edges[2])]
        assert portions(cut, until=NOON + 9 * HOUR, stale=[]).by_rows == [Window(edges[0], edges[2])]

    def test_the_last_moments_there_are(self) -> None:
        late = datetime.max.replace(tzinfo=UTC)
        assert self.of(late, late, until=NOON).by_rows == []


class TestWhatIsNoted:
    def test_nothing_of_what_is_stored_as_it_happens(self, chat: Chat, alice: Agent) -> None:
        content = {"type": "text", "body": "Hello"}
        actions.post_client_message(contact=chat.contact, content=content)
        actions.post_agent_message(widget_id=chat.widget_id, chat_id=chat.pk, content=content, agent_id=alice.pk)
        chat.refresh_from_db()
        assert chat.accepted_type == "human"
        assert notes() == set()

    def test_the_hour_of_an_old_chat_that_is_accepted_now(self, shop: Widget, alice: Agent) -> None:
        chat = ChatFactory.create(contact__widget=shop, created_at=NOON)
        StaleHour.objects.all().delete()
        content = {"type": "text", "body": "Hello"}
        actions.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, content=content, agent_id=alice.pk)
        assert notes() == {("chats", NOON)}
        StaleHour.objects.all().delete()
        actions.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, content=content, agent_id=alice.pk)
        actions.close_chat(widget_id=shop.pk, chat_id=chat.pk)
        assert notes() == set()

    def test_an_answer_to_an_old_chat_counts_at_once_and_when_its_hour_is_over(self, shop: Widget) -> None:
        chat = ChatFactory.create(contact__widget=shop, created_at=NOON)
        MessageFactory.create(chat=chat, created_at=NOON)
        tally(hour_of(timezone.now()) - HOUR)
        MessageFactory.create(chat=chat, sender_kind="ai")
        assert notes() == set()
        for _ in range(2):
            assert_as_the_rows_tell(shop, (NOON, NOON + HOUR))
            tally(hour_of(timezone.now()) + HOUR)
        assert ResponseTally.objects.get().answered == 1

    def test_nothing_is_left_of_a_widget_that_is_deleted(self, db: None) -> None:
        widget = MessageFactory.create(created_at=NOON, chat__created_at=NOON).widget
        tally(NOON + HOUR)
        assert (ChatTally.objects.count(), MessageTally.objects.count()) == (1, 1)
        Chat.objects.all().delete()
        widget.delete()
        tally_hours(until=None)
        assert (ChatTally.objects.count(), MessageTally.objects.count(), notes()) == (0, 0, set())

    def test_years_without_rows_cost_no_steps(self, shop: Widget) -> None:
        for years in (0, 10, 20):
            MessageFactory.create(chat__contact__widget=shop, created_at=NOON - timedelta(days=365 * years))
        steps = 1
        while not tally_hours(until=NOON + HOUR):
            steps += 1
        assert steps <= 4
        assert MessageTally.objects.count() == 3
        assert timedelta(days=365) > STEP

    def test_truncated_tables_are_counted_anew(self, shop: Widget) -> None:
        MessageFactory.create(chat__contact__widget=shop, created_at=NOON)
        tally(NOON + HOUR)
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("TRUNCATE chats_message CASCADE")
        assert until() is None
        assert statistics.messages_written(widget_id=shop.pk, window=FOREVER) == 0
        tally(NOON + HOUR)
        assert MessageTally.objects.count() == 0


def apart(what: Callable[[], Any]) -> None:
    """Does something in a connection of its own, and waits for it."""

    def do() -> None:
        try:
            what()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        other.submit(do).result(timeout=30)


@pytest.mark.django_db(transaction=True)
class TestTransactions:
    def test_hours_wait_for_transactions_that_wrote_in_them(self) -> None:
        with transaction.atomic():
            ChatFactory.create()
            for _ in range(3):
                apart(tasks.keep_tallies)
                assert until() is None
        before = timezone.now()
        tasks.keep_tallies()
        assert until() is not None
        for _ in range(2):
            tasks.keep_tallies()
        assert hour_of(before - SETTLED_AFTER) <= (until() or before) <= hour_of(timezone.now() - SETTLED_AFTER)

    @pytest.mark.parametrize("tallied_before", [True, False])
    def test_a_change_under_way_is_counted_once(self, tallied_before: bool) -> None:
        talk = MessageFactory.create(created_at=NOON, chat__created_at=NOON)
        window = (NOON, NOON + HOUR)
        if tallied_before:
            tally(NOON + HOUR)
        with transaction.atomic():
            MessageFactory.create(chat=talk.chat, created_at=NOON, sender_kind="ai")
            Chat.objects.filter(pk=talk.chat_id).update(handling="ai", handled_type="ai")
            ChatFactory.create(contact__widget=talk.widget, created_at=NOON)
            apart(lambda: tally(NOON + HOUR))
            apart(lambda: assert_as_the_rows_tell(talk.widget, window))
            assert_as_the_rows_tell(talk.widget, window)
        assert notes() == {("chats", NOON), ("messages", NOON), ("responses", NOON)}
        assert_as_the_rows_tell(talk.widget, window)
        tally_hours(until=None)
        assert notes() == set()
        assert_as_the_rows_tell(talk.widget, window)

    def test_two_jobs_at_once_count_once(self) -> None:
        talk = MessageFactory.create(created_at=NOON, chat__created_at=NOON)
        tasks.keep_tallies()

        def keep(_: int) -> None:
            try:
                tasks.keep_tallies()
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as jobs:
            list(jobs.map(keep, range(4)))
        assert (until() or NOON) > NOON
        assert MessageTally.objects.get().messages == 1
        assert_as_the_rows_tell(talk.widget, (NOON, NOON + HOUR))
