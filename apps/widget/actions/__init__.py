"""The only writers of visitors' sessions, and of a widget's settings, icons and translations."""

from apps.widget.actions.offline_mail import leave_offline_message, mail_unseen_answers, read_stop_proof, stop_mails
from apps.widget.actions.proofs import forget_used_proofs, new_challenge
from apps.widget.actions.visitors import (
    UPLOADS_AGAIN_S,
    OpenedSession,
    open_session,
    post_from_socket,
    post_message,
    rate_chat,
    require_unblocked,
    revoke_visitor,
    see_messages,
    tell_typing,
    upload_file,
)

__all__ = [
    "UPLOADS_AGAIN_S",
    "OpenedSession",
    "forget_used_proofs",
    "leave_offline_message",
    "mail_unseen_answers",
    "new_challenge",
    "open_session",
    "post_from_socket",
    "post_message",
    "rate_chat",
    "read_stop_proof",
    "require_unblocked",
    "revoke_visitor",
    "see_messages",
    "stop_mails",
    "tell_typing",
    "upload_file",
]
