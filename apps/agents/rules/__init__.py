"""The rules of operators' work, seats, invitations, names, avatars, and the texts of the event log. Pure."""

from apps.agents.rules.event_log import EVENT_CODES, UNKNOWN_EVENT, event_message, event_type
from apps.agents.rules.invitations import (
    INVITATION_LIVES,
    INVITATION_STATUSES,
    INVITATIONS_AN_HOUR,
    SECRET_BODY_LENGTH,
    SECRET_PREFIX,
    may_invite,
    new_secret,
    secret_digest,
)
from apps.agents.rules.people import (
    AVATAR_SIDE,
    MAX_AVATAR_BYTES,
    MAX_NAME,
    PRESENCE_LASTS_S,
    ROLES,
    STATUSES,
    TYPES,
    has_free_seat,
    machine_refusal,
    person_refusal,
    takes_seat,
)

__all__ = [
    "AVATAR_SIDE",
    "EVENT_CODES",
    "INVITATIONS_AN_HOUR",
    "INVITATION_LIVES",
    "INVITATION_STATUSES",
    "MAX_AVATAR_BYTES",
    "MAX_NAME",
    "PRESENCE_LASTS_S",
    "ROLES",
    "SECRET_BODY_LENGTH",
    "SECRET_PREFIX",
    "STATUSES",
    "TYPES",
    "UNKNOWN_EVENT",
    "event_message",
    "event_type",
    "has_free_seat",
    "machine_refusal",
    "may_invite",
    "new_secret",
    "person_refusal",
    "secret_digest",
    "takes_seat",
]
