"""The only writers of visitors' sessions, and of a widget's settings, icons and translations."""

from apps.widget.actions.letters import give_address, letters_for
from apps.widget.actions.messages import post_from_socket, post_message
from apps.widget.actions.offline import leave_offline_message
from apps.widget.actions.proofs import forget_used_proofs, new_challenge
from apps.widget.actions.sessions import end_session, note_told, note_use, revoke_visitor
from apps.widget.actions.visitors import (
    UPLOADS_AGAIN_S,
    OpenedSession,
    decline_rating,
    open_letter_session,
    open_session,
    rate_answer,
    rate_chat,
    require_unblocked,
    see_messages,
    tell_typing,
    upload_file,
)

__all__ = [
    "UPLOADS_AGAIN_S",
    "OpenedSession",
    "decline_rating",
    "end_session",
    "forget_used_proofs",
    "give_address",
    "leave_offline_message",
    "letters_for",
    "new_challenge",
    "note_told",
    "note_use",
    "open_letter_session",
    "open_session",
    "post_from_socket",
    "post_message",
    "rate_answer",
    "rate_chat",
    "require_unblocked",
    "revoke_visitor",
    "see_messages",
    "tell_typing",
    "upload_file",
]
