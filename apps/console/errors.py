"""The problems of the operator's side."""

from apps.core.problems import ProblemType

NOT_SIGNED_IN = ProblemType(
    "not_signed_in",
    401,
    "Not signed in",
    "The call needs the session of an operator who has signed in at `/console/login/`.",
)
CSRF_FAILED = ProblemType(
    "csrf_failed",
    403,
    "The request does not come from the console",
    "A write needs the header `X-CSRFToken` with the value of the cookie `csrftoken`, and comes from a page of this "
    "installation.",
)
NOT_AN_OPERATOR = ProblemType(
    "not_an_operator",
    403,
    "The person is no operator",
    "The person is no operator of any widget, or was suspended in all of them.",
)
INVALID_TICKET = ProblemType(
    "invalid_ticket",
    401,
    "Invalid ticket",
    "A ticket opens one socket, once, within 60 seconds, and only while the session that it was asked for stands. Ask "
    "for another one with `POST /console/ticket`.",
)
TOO_MANY_CHATS = ProblemType(
    "too_many_chats",
    409,
    "Too many chats are open",
    "A tab of the console has at most 20 chats open at once. Leave one first, with the frame `chat.leave`.",
)
