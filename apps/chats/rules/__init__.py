"""The chat's states, its attribution and what may be posted into it. Pure: the time is an argument."""

from apps.chats.rules.attribution import Attribution, Handling, Operator, OperatorType, after_human_answer
from apps.chats.rules.messages import MAX_BODY_LENGTH, MessageType, SenderKind
from apps.chats.rules.states import (
    DEFAULT_CLOSE_REASON,
    IDLE_AFTER,
    SET_STATE,
    SWEEP_EVERY,
    Mover,
    Refused,
    Status,
    idle_since,
    is_closing,
    moved_by,
    next_status,
)

__all__ = [
    "DEFAULT_CLOSE_REASON",
    "IDLE_AFTER",
    "MAX_BODY_LENGTH",
    "SET_STATE",
    "SWEEP_EVERY",
    "Attribution",
    "Handling",
    "MessageType",
    "Mover",
    "Operator",
    "OperatorType",
    "Refused",
    "SenderKind",
    "Status",
    "after_human_answer",
    "idle_since",
    "is_closing",
    "moved_by",
    "next_status",
]
