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
