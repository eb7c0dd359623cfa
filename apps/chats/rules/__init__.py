"""The chat's states, its attribution, what may be posted into it, what may be known of a contact.

Pure: the time is an argument.
"""

from apps.chats.rules.attribution import (
    ATTRIBUTION_COLUMNS,
    AttributedOperator,
    Attribution,
    Handling,
    Handover,
    OperatorType,
)
from apps.chats.rules.files import MAX_FILE_BYTES, UNSENT_LIVES, file_name
from apps.chats.rules.keyboards import MAX_BUTTONS, MAX_LABEL, MAX_URL, ButtonStyle, label_refusal, link_refusal
from apps.chats.rules.messages import MAX_BODY_LENGTH, MessageType, SenderKind, Via, file_refusal, member_refusals
from apps.chats.rules.states import (
    DEFAULT_CLOSE_REASON,
    OPEN,
    SET_STATE,
    SWEEP_EVERY,
    MoveRefused,
    Status,
    Transition,
    changed_by,
    idle_since,
    is_closing,
    next_status,
)

__all__ = [
    "ATTRIBUTION_COLUMNS",
    "DEFAULT_CLOSE_REASON",
    "MAX_BODY_LENGTH",
    "MAX_BUTTONS",
    "MAX_FILE_BYTES",
    "MAX_LABEL",
    "MAX_URL",
    "OPEN",
    "SET_STATE",
    "SWEEP_EVERY",
    "UNSENT_LIVES",
    "AttributedOperator",
    "Attribution",
    "ButtonStyle",
    "Handling",
    "Handover",
    "MessageType",
    "MoveRefused",
    "OperatorType",
    "SenderKind",
    "Status",
    "Transition",
    "Via",
    "changed_by",
    "file_name",
    "file_refusal",
    "idle_since",
    "is_closing",
    "label_refusal",
    "link_refusal",
    "member_refusals",
    "next_status",
]
