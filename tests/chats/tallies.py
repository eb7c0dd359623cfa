"""Tallying hours, what may change of what is tallied, and the figures beside what the rows tell."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.chats.actions.tallies import tally_hours
from apps.chats.models import Chat, Message, StaleHour, TallyProgress
from apps.chats.querysets import statistics
from apps.chats.rules.statistics import hour_of
from apps.core.parsing.periods import Interval, Window, buckets
from tests.chats import traffic
from tests.factories import MessageFactory


def tally(until: datetime) -> None:
    while not tally_hours(until=until):
        pass


def tally_stale() -> None:
    tally_hours(until=None)


def until() -> datetime | None:
    return TallyProgress.objects.values_list("until", flat=True).first()


def notes() -> set[tuple[str, datetime]]:
    return set(StaleHour.objects.values_list("kind", "hour"))


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
