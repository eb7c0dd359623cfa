"""The only writers of visitors' sessions, and of a widget's settings, icons and translations."""

from apps.widget.actions.visitors import (
    UPLOADS_AGAIN_S,
    OpenedSession,
    leave_offline_message,
    open_session,
    post_from_socket,
    post_message,
    rate_chat,
    revoke_visitor,
    see_messages,
    tell_typing,
    upload_file,
)

__all__ = [
    "UPLOADS_AGAIN_S",
    "OpenedSession",
    "leave_offline_message",
    "open_session",
    "post_from_socket",
    "post_message",
    "rate_chat",
    "revoke_visitor",
    "see_messages",
    "tell_typing",
    "upload_file",
]
