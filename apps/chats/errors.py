"""The problems of chats and messages."""

from apps.core.problems import ProblemType

CHAT_IS_SPAM = ProblemType(
    "chat_is_spam",
    409,
    "The chat is marked as spam",
    "A spam chat takes no messages of agents and no state but `active`. Set it `active` first.",
)
CHAT_IS_TAKEN = ProblemType(
    "chat_is_taken",
    409,
    "The chat is another operator's",
    "Another operator took the chat first. Look at it again; to take it nevertheless, take it over from its owner.",
)
CHAT_IS_EMPTY = ProblemType(
    "chat_is_empty",
    409,
    "The chat has no messages",
    "A chat can be rated once it has a message.",
)
MESSAGE_NOT_FAILED = ProblemType(
    "message_not_failed",
    409,
    "The message has not failed",
    "Only a message that did not reach its messenger is sent again. Look at its `delivery`.",
)
NOT_YOURS = ProblemType(
    "not_yours",
    403,
    "The message is not yours",
    "An operator edits and deletes what they wrote in the console themselves; no other operator's, AI's or "
    "program's message.",
)
TOO_LATE = ProblemType(
    "too_late",
    409,
    "It is too late to change the message",
    "An own message is edited and deleted within 15 minutes. Write another one.",
)
MESSAGE_DELETED = ProblemType(
    "message_deleted",
    409,
    "The message is deleted",
    "A deleted message is not edited. Write another one.",
)
CHANNEL_CANNOT_EDIT = ProblemType(
    "channel_cannot_edit",
    409,
    "The chat's channel edits no messages",
    "A message that has left by mail, a custom channel or a messenger that takes no edits stays as it was sent. Write "
    "another one.",
)
CHANNEL_CANNOT_DELETE = ProblemType(
    "channel_cannot_delete",
    409,
    "The chat's channel deletes no messages",
    "A message that has left by mail, a custom channel or a messenger that deletes nothing is not called back.",
)
TYPING_TOO_OFTEN = ProblemType(
    "typing_too_often",
    429,
    "Typing was shown a moment ago",
    "Typing is shown once in 5 seconds for a chat, and lasts as long. Nothing else is limited by it. Send the next "
    "`start` after the seconds in `Retry-After`, while the operator still types.",
)
STORAGE_FAILED = ProblemType(
    "storage_failed",
    500,
    "The file could not be stored",
    "The storage of files failed and nothing was changed. Try again with the same idempotency key.",
)
ADDRESS_EXPIRED = ProblemType(
    "address_expired",
    403,
    "The address has expired",
    "Addresses of files are valid for an hour. Read the file or the message again for a new one.",
)
INTERNAL_ROOM = ProblemType(
    "internal_room",
    403,
    "The chat is one between colleagues",
    "Chats of an internal department have no transcript.",
)
ALREADY_JOINED = ProblemType(
    "already_joined",
    409,
    "One of the contacts is joined already",
    "There is one level: a contact that is joined to another, or has others joined to it, is not joined to a third. "
    "Undo that join, or join to the first contact.",
)
