"""The problems of the operator's side."""

from apps.core.problems import STRING, ProblemType, items_of, members_of

TEXT_OR_NULL = {"type": ["string", "null"]}

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
MANAGERS_ONLY = ProblemType(
    "managers_only",
    403,
    "For owners and managers",
    "Owners and managers of the account change what counts for all operators of the widget.",
)
TRANSLATION_DIFFERS = ProblemType(
    "translation_differs",
    422,
    "The translation says something else",
    "A number, price, date, time, link or code of one text is not in the other: `differs` says which. Nothing is "
    "sent: correct the translation, or send the words as they were written.",
    example_members={"differs": [{"kind": "money", "source": "1 500 ₽", "text": "1 600 ₽"}]},
    members={"differs": items_of(members_of(kind=STRING, source=TEXT_OR_NULL, text=TEXT_OR_NULL))},
)
TRANSLATION_UNAVAILABLE = ProblemType(
    "translation_unavailable",
    409,
    "No model can be asked for translations",
    "The widget has no credential that can be used, or its settings have switched translation off "
    "(`GET /console/settings`).",
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
