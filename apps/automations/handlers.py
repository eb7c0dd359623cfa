"""Automations are asked about the events of chats, and tell of the rows they name that are gone."""

from collections.abc import Iterator, Sequence
from typing import Any

from apps.agents.events import AgentChanged, DepartmentChanged, DepartmentDeleted
from apps.automations.actions.automations import follow_rows
from apps.automations.actions.capture import (
    Captured,
    captured_cte,
    look_again,
    posted_cte,
    tagged_cte,
)
from apps.automations.actions.waits import ask_when_due
from apps.automations.rules.captured import LOOK, SNOOZE_ENDED, events_of, may_begin_wait, previous_of
from apps.chats.events import (
    ChatCreated,
    ChatUpdated,
    ContactTagged,
    MessagePosted,
    RatingChanged,
    RatingCreated,
    TimerDue,
)
from apps.chats.rules import Via
from apps.chats.rules.messages import BY_PERSON, MACHINES
from apps.chats.rules.timers import TimerKind
from apps.core.bus import Cte, adds_cte, handles
from apps.routing.events import AnswerTimeMissed, AnswerTimeWarned

# The events that come before the word of the same statement.
_FIRST = ("chat.reopened", SNOOZE_ENDED)


@adds_cte(ChatCreated, MessagePosted, ChatUpdated, RatingCreated, RatingChanged, AnswerTimeWarned, AnswerTimeMissed)
def note_events(events: Sequence[Any]) -> Cte | None:
    """A word's events are put by its own statement, and cost nothing where no automation is on."""
    word = next((event for event in events if isinstance(event, MessagePosted)), None)
    if word is None:
        return captured_cte([row for event in events for row in _captured(event)])
    asked = word.read_for.get("automations")
    return posted_cte(_of_word(word, events, asked)) if asked else None


@adds_cte(ContactTagged)
def note_tags(events: Sequence[Any]) -> Cte | None:
    """A new tag is an event in each open chat of its contact."""
    return tagged_cte(events[-1].contact_id, events[-1].names)


@handles(TimerDue)
def judge_wait(event: TimerDue) -> None:
    """A wait has lasted for as long as an automation says."""
    if event.kind == TimerKind.AUTOMATION:
        ask_when_due(event)


@handles(DepartmentChanged)
def count_by_new_hours(event: DepartmentChanged) -> None:
    """The waits of a widget are due anew once hours are others."""
    look_again(event.widget_id)


@handles(AgentChanged)
def follow_operators(event: AgentChanged) -> None:
    """An operator is suspended, removed or back: the automations that name them say so."""
    if "status" in event.changed_fields:
        follow_rows(widget_id=event.widget_id)


@handles(DepartmentDeleted)
def follow_departments(event: DepartmentDeleted) -> None:
    """A department goes: the automations that name it say so."""
    follow_rows(widget_id=event.widget_id, without_department=event.department_id)


def _captured(event: Any) -> Iterator[Captured]:
    if isinstance(event, ChatUpdated):
        data = {"previous": previous_of(event.changed)}
        yield from (Captured(event.chat_id, name, data) for name in events_of(event.changed))
        if may_begin_wait(event.changed):
            yield Captured(event.chat_id, LOOK)
    elif isinstance(event, RatingCreated | RatingChanged):
        yield Captured(event.chat_id, "chat.rated")
    elif isinstance(event, AnswerTimeWarned):
        yield Captured(event.chat_id, "sla.warning", {"metric": event.metric})
    elif isinstance(event, AnswerTimeMissed):
        yield Captured(event.chat_id, "sla.breached", {"metric": event.metric})


def _of_word(posted: MessagePosted, events: Sequence[Any], asked: dict[str, Any]) -> list[Captured]:
    """The events of the statement that stores a word, in their order: a visitor who comes back, comes before it."""
    name = _name_of(posted)
    if name is None:
        return []
    others = [row for event in events for row in _captured(event) if row.event != LOOK]
    rows = [Captured(posted.chat_id, "chat.started") for event in events if isinstance(event, ChatCreated)]
    rows += [row for row in others if row.event in _FIRST]
    if asked["is_aside"] and posted.author_type == "USER":
        rows.append(Captured(posted.chat_id, SNOOZE_ENDED))
    rows.append(Captured(posted.chat_id, name))
    rows += [row for row in others if row.event not in _FIRST]
    told = {"message_id": posted.message_id}
    wanted = [row._replace(data={**row.data, **told}) for row in rows if row.event in asked["asked"]]
    return wanted or ([Captured(posted.chat_id, LOOK)] if LOOK in asked["asked"] else [])


def _name_of(posted: MessagePosted) -> str | None:
    if posted.is_internal or posted.said is None:
        return None
    if posted.author_type == "USER":
        return "visitor.wrote"
    said = posted.said
    by_machine = said.sender_kind in MACHINES and not (said.details or {}).get(BY_PERSON)
    return "ai.answered" if by_machine or said.via == Via.LEGACY_BOT else "person.wrote"
