"""Operators' sockets are told who may be connected no longer, who came and who went."""

from collections.abc import Sequence

from apps.accounts.events import UserChanged
from apps.agents.events import (
    AgentChanged,
    AgentWentOffline,
    AgentWentOnline,
    DepartmentChanged,
    DepartmentDeleted,
)
from apps.automations.events import NoticeGiven
from apps.cards.events import CardsUpdated
from apps.console.broadcasts import CardsChanged, NoticeShown, RightsChanged, StaffChanged
from apps.console.events import OperatorSignedOut
from apps.core.bus import handles_after_commit
from apps.core.redis import broadcasts


@handles_after_commit(AgentChanged)
def close_sockets_of_suspended(events: Sequence[AgentChanged]) -> None:
    """Closes the sockets of a suspended operator at once."""
    for event in events:
        broadcasts.send(RightsChanged(widget_id=event.widget_id, agent_id=event.agent_id))


@handles_after_commit(OperatorSignedOut, UserChanged)
def close_sockets_of_signed_out(events: Sequence[OperatorSignedOut | UserChanged]) -> None:
    """Closes the sockets of an ended session, and of a person who may not sign in any more, at once."""
    for event in events:
        broadcasts.send(RightsChanged(user_id=event.user_id))


@handles_after_commit(AgentWentOnline, AgentWentOffline, DepartmentChanged, DepartmentDeleted)
def broadcast_team_changes(
    events: Sequence[AgentWentOnline | AgentWentOffline | DepartmentChanged | DepartmentDeleted],
) -> None:
    """The operators of a widget see each other come and go, and which departments there are."""
    for widget_id in {event.widget_id for event in events}:
        broadcasts.send(StaffChanged(widget_id=widget_id))


@handles_after_commit(CardsUpdated)
def broadcast_cards(events: Sequence[CardsUpdated]) -> None:
    """Sockets that have the chat open are shown its cards."""
    for event in events:
        broadcasts.send(CardsChanged(widget_id=event.widget_id, chat_id=event.chat_id))


@handles_after_commit(NoticeGiven)
def broadcast_notices(events: Sequence[NoticeGiven]) -> None:
    """The tabs of the operators whom an automation tells something show it at once."""
    for event in events:
        broadcasts.send(
            NoticeShown(
                chat_id=event.chat_id,
                automation_id=event.automation_id,
                agent_ids=event.agent_ids,
                text=event.text,
            )
        )
