"""The only writers of operators, invitations, departments and the event log."""

from apps.agents.actions.agents import dismiss, remove_agent, restore_agent, suspend_agent, update_profile
from apps.agents.actions.avatars import AVATAR_FORM, remove_avatar, store_avatar
from apps.agents.actions.breaks import set_on_break
from apps.agents.actions.event_log import LoggedEvent, events_cte, record_event
from apps.agents.actions.machines import bind_assistant, create_machine, set_machine_status
from apps.agents.actions.owners import make_owner
from apps.agents.actions.presence import begin_presence, end_presence, expire_presences, renew_presences

__all__ = [
    "AVATAR_FORM",
    "LoggedEvent",
    "begin_presence",
    "bind_assistant",
    "create_machine",
    "dismiss",
    "end_presence",
    "events_cte",
    "expire_presences",
    "make_owner",
    "record_event",
    "remove_agent",
    "remove_avatar",
    "renew_presences",
    "restore_agent",
    "set_machine_status",
    "set_on_break",
    "store_avatar",
    "suspend_agent",
    "update_profile",
]
