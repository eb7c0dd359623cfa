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
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions, tasks
from apps.chats.actions.tallies import STEP, tally_hours
from apps.chats.models import Chat, ChatTally, Message, MessageTally, ResponseTally, StaleHour, TallyProgress
from apps.chats.querysets import statistics
from apps.chats.rules.statistics import HOUR, LATE_AFTER, SETTLED_AFTER, Portions, hour_of, portions
from apps.core.parsing.periods import Interval, Window, buckets
from config.environment import PROJECT_ROOT
from tests.chats import traffic
from tests.chats.traffic import Talk
from tests.factories import ChatFactory, DepartmentFactory, MessageFactory, WidgetFactory

NOON = datetime(2026, 10, 18, 9, tzinfo=UTC)
FOREVER = Window(datetime(1990, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC))


def tally(until: datetime) -> None:
    while not tally_hours(until=until):
        pass


def tally_stale() -> None:
    tally_hours(until=None)


def until() -> datetime | None:
    return TallyProgress.objects.values_list("until", flat=True).first()


def notes() -> set[tuple[str, datetime]]:
    return set(StaleHour.objects.values_list("kind", "hour"))


def test_every_trigger_calls_late_what_the_rules_call_late() -> None:
    source = (PROJECT_ROOT / "apps/chats/triggers.sql").read_text()
    said = set(re.findall(r"< clock_timestamp\(\) - interval '(.*?)'", source))
    assert said == {f"{LATE_AFTER // timedelta(minutes=1)} minutes"}
    assert LATE_AFTER < SETTLED_AFTER


def assert_as_the_rows_tell(widget: Widget, window: tuple[datetime, datetime]) -> None:
    """Every figure of the window that is counted from tallies."""
    start, end = window
    whole, talks = Window(start, end), traffic.told(widget)
    expected = traffic.metrics(talks, start, end)
    groups = statistics.chats_opened(widget_id=widget.pk, window=whole)
    assert sum(group.chats for group in groups) == expected["chats_total"]
    assert sum(group.chats for group in groups if group.handled_type == "ai") == expected["chats_handled_ai"]
    waits = sum((group.waited for group in groups), timedelta()).total_seconds()
    answered = sum(group.answered for group in groups)
    assert (waits / answered if answered else None) == pytest.approx(expected["avg_response_time_seconds"], abs=1e-6)
    assert statistics.messages_written(widget_id=widget.pk, window=whole) == expected["messages_total"]
    first = statistics.first_responses(widget_id=widget.pk, window=whole)
    assert first.count == len(
        [t for t in talks if start <= t.opened_at < end and traffic.first_response(t) is not None]
    )
    assert first.seconds == pytest.approx(expected["avg_first_response_seconds"], abs=1e-6)
    channels = statistics.chats_opened_by_channel(widget_id=widget.pk, window=whole)
    assert {channel: sum(group.chats for group in found) for channel, found in channels.items()} == {
        row["channel"]: row["chats_accepted"] + row["chats_missed"] for row in traffic.channels(talks, start, end)
    }
    cut = buckets(whole, Interval.DAY)
    series = traffic.series(talks, start, end, Interval.DAY)
    by_bucket = statistics.chats_opened_by_bucket(widget_id=widget.pk, buckets=cut)
    assert [sum(group.chats for group in found) for found in by_bucket] == [row["chats_total"] for row in series]
    written = statistics.messages_written_by_bucket(widget_id=widget.pk, buckets=cut)
    assert written == [row["messages_total"] for row in series]


MOMENT = object()


def _any(rows: Any, number: int) -> Any:
    found = list(rows.order_by("id"))
    return found[number % len(found)] if found else None


def _change(model: Any, **fields: Any) -> Callable[[Widget, int, datetime], None]:
    """Sets these fields of a row, and no others."""

    def change(widget: Widget, number: int, moment: datetime) -> None:
        if row := _any(model.objects.filter(widget=widget), number):
            values = {name: moment if value is MOMENT else value for name, value in fields.items()}
            model.objects.filter(pk=row.pk).update(**values)

    return change


def _answer(widget: Widget, number: int, moment: datetime) -> None:
    if chat := _any(Chat.objects.filter(widget=widget), number):
        MessageFactory.create(chat=chat, sender_kind="ai", created_at=timezone.now() if number % 2 else moment)


def _delete(model: Any) -> Callable[[Widget, int, datetime], None]:
    def delete(widget: Widget, number: int, moment: datetime) -> None:
        if row := _any(model.objects.filter(widget=widget), number):
            row.delete()

    return delete


def _give_away(widget: Widget, number: int, moment: datetime) -> None:
    if message := _any(Message.objects.filter(widget=widget), number):
        chat = _any(Chat.objects.filter(widget=widget), number // 2)
        Message.objects.filter(pk=message.pk).update(chat=chat)


CHANGES: dict[str, Callable[[Widget, int, datetime], None]] = {
    "answer": _answer,
    "delete a message": _delete(Message),
    "delete a chat": _delete(Chat),
    "hide a message": _change(Message, is_internal=True),
    "show a message": _change(Message, is_internal=False),
    "another sender": _change(Message, sender_kind="client"),
    "another time of a message": _change(Message, created_at=MOMENT),
    "another chat of a message": _give_away,
    "another time of a chat": _change(Chat, created_at=MOMENT),
    "accept": _change(Chat, handling="ai", accepted_type="ai", accepted_at=MOMENT, handled_type="ai"),
    "hand over": _change(Chat, handling="ai_to_human", handled_type="human"),
    "another channel": _change(Chat, channel="vk"),
    "no department": _change(Chat, department=None),
    "between colleagues": _change(Chat, internal=True),
    "between no colleagues": _change(Chat, internal=False),
    "tally": lambda widget, number, moment: tally(hour_of(moment)),
    "tally what is stale": lambda widget, number, moment: tally_stale(),
}

moments = st.builds(
    lambda hours, microseconds: traffic.MIDDLE + timedelta(hours=hours, microseconds=microseconds),
    st.integers(-24 * 30, 24 * 30),
    st.sampled_from([0, -1, 1_234_567_890]),
)
happenings = st.lists(
    st.tuples(st.sampled_from([*CHANGES, "tally", "tally"]), st.integers(0, 100), moments), max_size=8
)


@pytest.mark.django_db
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    talks=traffic.traffic,
    first=moments,
    more=happenings,
    late=traffic.traffic,
    even_more=happenings,
    window=traffic.windows,
)
def test_whatever_is_tallied_and_changes_when(
    talks: Sequence[Talk],
    first: datetime,
    more: list[tuple[str, int, datetime]],
    late: Sequence[Talk],
    even_more: list[tuple[str, int, datetime]],
    window: tuple[datetime, datetime],
) -> None:
    TallyProgress.objects.all().delete()
    widget = WidgetFactory.create()
    for portion, changes in ((talks, more), (late, even_more)):
        traffic.happen(portion, widget)
        tally(hour_of(first))
        for name, number, moment in changes:
            CHANGES[name](widget, number, moment)
    assert_as_the_rows_tell(widget, window)
    tally(hour_of(traffic.MIDDLE + timedelta(days=60)))
    assert notes() == set()
    assert_as_the_rows_tell(widget, window)


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
            cursor.execute("TRUNCATE chats_message")
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
