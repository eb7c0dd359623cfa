"""The only writers of operators, invitations, departments and the event log."""

from apps.agents.actions.agents import remove_agent, restore_agent, suspend_agent, update_profile
from apps.agents.actions.avatars import AVATAR_FORM, remove_avatar, store_avatar
from apps.agents.actions.event_log import LoggedEvent, events_cte, record_event
from apps.agents.actions.owners import make_owner

__all__ = [
    "AVATAR_FORM",
    "LoggedEvent",
    "events_cte",
    "make_owner",
    "record_event",
    "remove_agent",
    "remove_avatar",
    "restore_agent",
    "store_avatar",
    "suspend_agent",
    "update_profile",
]
