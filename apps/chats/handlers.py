"""Handlers to what happens in chats: lines of the operators' event logs, and broadcasts to sockets."""

from collections.abc import Iterator, Sequence
from typing import Any

from apps.accounts.events import AccountDeleted, UserChanged, WidgetPutIn
from apps.agents.actions import LoggedEvent, events_cte
from apps.agents.events import AgentChanged, AgentWentOffline, AgentWentOnline, DepartmentDeleted
from apps.agents.models import Agent
from apps.chats.actions.changes import record_agent_change, release_department
from apps.chats.actions.owners import follow_changed_patience, follow_owners, look_at_owner
from apps.chats.actions.ringing import release_chats, tell_of_absence, tell_of_return
from apps.chats.actions.snoozes import end_snooze, follow_snoozes
from apps.chats.broadcasts import ChatsChanged, MessagesStored
from apps.chats.events import (
    ChatAccepted,
    ChatTransferred,
    ChatUpdated,
    ConsoleSettingsChanged,
    MessagePosted,
    MessagesSeen,
    SystemMessagePosted,
    TimerDue,
)
from apps.chats.models import Chat
from apps.chats.rules.timers import TimerKind
from apps.core.bus import Cte, adds_cte, handles, handles_after_commit
from apps.core.redis import broadcasts


@handles(AccountDeleted)
def hold_chats(event: AccountDeleted) -> None:
    """Locks the chats of an account that goes: what is being written into one is there before it goes, too."""
    for widget_id in event.widget_ids:
        list(Chat.objects.for_widget(widget_id).select_for_update().order_by("pk").values_list("pk"))


@handles(DepartmentDeleted)
def detach_department(event: DepartmentDeleted) -> None:
    """Its open chats belong to no department, and sockets are told of each. The database sees to the others."""
    release_department(widget_id=event.widget_id, department_id=event.department_id)


@handles(AgentChanged)
def release_chats_of_gone_agent(event: AgentChanged) -> None:
    """The chats of an operator who is suspended or removed, or whom no person signs in as any more, are nobody's."""
    if (event.is_banned and "status" in event.changed_fields) or "user" in event.changed_fields:
        release_chats(widget_id=event.widget_id, agent_id=event.agent_id)


@handles(UserChanged)
def release_chats_of_ended_user(event: UserChanged) -> None:
    """So are those of a person whose sign-in has ended, at each widget where they are an operator."""
    operators = Agent.objects.unscoped("the person's operators, at every widget").filter(
        user_id=event.user_id, user__is_active=False
    )
    for widget_id, agent_id in operators.order_by("pk").values_list("widget_id", "pk"):
        release_chats(widget_id=widget_id, agent_id=agent_id)


@handles(AgentWentOnline)
def ring_for_returned_agent(event: AgentWentOnline) -> None:
    """The chats of an operator who is back ring for them alone again."""
    tell_of_return(widget_id=event.widget_id, agent_id=event.agent_id)


@handles(AgentWentOffline)
def be_patient_with_agent_who_went(event: AgentWentOffline) -> None:
    """The chats that wait for an operator who goes ring for all once the patience with them ends."""
    tell_of_absence(widget_id=event.widget_id, agent_id=event.agent_id)


@handles(AgentChanged)
def ring_for_agent_by_break(event: AgentChanged) -> None:
    """So it is with one who takes a break; when it is over, their chats ring for them alone again."""
    if {"status", "break_passes_on"} & set(event.changed_fields) and not event.is_banned:
        tell_of_absence(widget_id=event.widget_id, agent_id=event.agent_id)
        tell_of_return(widget_id=event.widget_id, agent_id=event.agent_id)


@handles(ConsoleSettingsChanged)
def judge_patience_anew(event: ConsoleSettingsChanged) -> None:
    """Another time of patience holds for the chats that wait already."""
    if "away_minutes" in event.changed_fields:
        follow_changed_patience(widget_id=event.widget_id)


@handles(WidgetPutIn)
def set_timers_of_what_was_put_in(event: WidgetPutIn) -> None:
    """The timers of chats that came from another installation are set here."""
    follow_snoozes(widget_id=event.widget_id)
    follow_owners(widget_id=event.widget_id)


@handles(TimerDue)
def end_snooze_or_patience(event: TimerDue) -> None:
    """The timers of this app: the end of a snooze, and of the patience with an owner who is away."""
    if event.kind == TimerKind.SNOOZE:
        end_snooze(widget_id=event.widget_id, chat_id=event.chat_id, anchor=event.anchor, as_of=event.as_of)
    elif event.kind == TimerKind.OWNER_AWAY:
        look_at_owner(widget_id=event.widget_id, chat_id=event.chat_id, as_of=event.as_of)


@handles(AgentChanged)
def touch_chats_of_renamed_agent(event: AgentChanged) -> None:
    """Marks the open chats of a renamed operator as changed, so that they are shown with the new name."""
    if {"name", "surname"} & set(event.changed_fields):
        record_agent_change(widget_id=event.widget_id, agent_id=event.agent_id)


@adds_cte(ChatAccepted, ChatTransferred)
def log_assignments(events: Sequence[Any]) -> Cte | None:
    """Logs who accepted a chat, or transferred it to whom. A chat without an owner has no transferring operator."""
    return events_cte([line for event in events for line in _lines(event)])


def _lines(event: ChatAccepted | ChatTransferred) -> Iterator[LoggedEvent]:
    if isinstance(event, ChatAccepted):
        yield LoggedEvent(event.widget_id, event.agent_id, "chat_accepted", {"chat_id": event.chat_id})
        return
    parties = {"chat_id": event.chat_id, "from_agent_id": event.from_agent_id, "to_agent_id": event.to_agent_id}
    if event.from_agent_id is not None:
        yield LoggedEvent(event.widget_id, event.from_agent_id, "chat_transferred", parties)
    yield LoggedEvent(event.widget_id, event.to_agent_id, "chat_assigned", parties)


@handles_after_commit(MessagePosted, SystemMessagePosted)
def broadcast_messages(events: Sequence[MessagePosted | SystemMessagePosted]) -> None:
    """Wakes the sockets that watch the chat: they read the messages that they have not shown yet."""
    broadcasts.send(MessagesStored(chat_ids=_chats(events), widget_ids=_widgets(events)))


@handles_after_commit(ChatUpdated, MessagesSeen)
def broadcast_chat_changes(events: Sequence[ChatUpdated | MessagesSeen]) -> None:
    """Wakes the sockets that watch the chat: they read its state again."""
    broadcasts.send(ChatsChanged(chat_ids=_chats(events), widget_ids=_widgets(events)))


def _chats(events: Sequence[Any]) -> tuple[int, ...]:
    return tuple(event.chat_id for event in events)


def _widgets(events: Sequence[Any]) -> tuple[int, ...]:
    return tuple({event.widget_id for event in events})
