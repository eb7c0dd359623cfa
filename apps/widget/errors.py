"""The problems of the visitor's side."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

INVALID_VISITOR_TOKEN = ProblemType(
    "invalid_visitor_token",
    401,
    "Missing or invalid visitor token",
    "Send `Authorization: Visitor <visitor_token>` with the token that `POST …/sessions` gave. A token that was "
    "revoked, or belongs to another widget, is invalid; ask for a new session without it.",
)
ORIGIN_NOT_ALLOWED = ProblemType(
    "origin_not_allowed",
    403,
    "The widget may not be used on this page",
    "The widget's owner has listed the origins of the pages that may embed it, and this page's is not among them.",
)
PURGED_TOO_OFTEN = ProblemType(
    "purged_too_often",
    429,
    "The served widget was purged often enough in this minute",
    "A widget may be purged 6 times in any minute. Nothing else is limited by it; and no change needs it. Wait for the "
    "number of seconds in `Retry-After`.",
    for_people=_("That was done often enough in this minute. Try again in the next."),
)
UPLOADS_EXHAUSTED = ProblemType(
    "uploads_exhausted",
    429,
    "Enough was uploaded in 24 hours",
    "This visitor, or all visitors of the widget together, have uploaded as much in 24 hours as they may; `detail` "
    "says which. Messages without files go on. Try again after the seconds in `Retry-After`.",
)
VISITOR_BLOCKED = ProblemType(
    "visitor_blocked",
    403,
    "Messages from here are not taken at the moment",
    "The widget's operators have blocked this visitor, or the network that they call from. The chat can "
    "still be read. A block ends when its time is over, or when an operator lifts it.",
)
PROOF_REQUIRED = ProblemType(
    "proof_required",
    403,
    "A new visitor proves some work first",
    "Read `GET …/challenge`, find the number that it asks for, and send the session call again with the `proof`. A "
    "proof counts once, for this widget, and for 10 minutes. The widget does all this by itself, without a puzzle.",
)
NO_CHAT = ProblemType(
    "no_chat", 409, "The visitor has no chat yet", "The first message begins it. Nothing was changed."
)
AGENT_HANDLES_CHAT = ProblemType(
    "agent_handles_chat",
    409,
    "An agent handles the chat",
    "A person or a support agent handles the chat, so no code is asked for. The visitor may choose the assistant.",
)
WIDGET_ICONS_FULL = ProblemType(
    "widget_icons_full",
    409,
    "The widget has as many icons as it may",
    "A widget keeps 100 icons of its own. Delete one in the cabinet that no setting names.",
    for_people=_("The widget has as many icons as it may: delete one first."),
)
WIDGET_ICON_IN_USE = ProblemType(
    "widget_icon_in_use",
    409,
    "A setting names the icon",
    "Choose another icon in the widget's settings first.",
    for_people=_("A setting uses this icon: choose another one there first."),
)
WIDGET_ICON_STORAGE_FAILED = ProblemType(
    "widget_icon_storage_failed",
    502,
    "The icon could not be kept",
    "The storage of files refused it. Nothing was changed; the installation's logs say why.",
    for_people=_("The icon could not be stored. Try again."),
)
WIDGET_TRANSLATION_DISABLED = ProblemType(
    "widget_translation_disabled",
    422,
    "Automatic translation is switched off",
    "Switch `widget_auto_translate_custom_texts` on first. The idempotency key is free.",
    for_people=_("Translation by AI is switched off in the settings."),
)
WIDGET_TRANSLATION_CREDENTIAL_MISSING = ProblemType(
    "widget_translation_credential_missing",
    422,
    "There is no credential to translate with",
    "Translations need an active credential of a model that is the widget's own, with neither operator nor assistant. "
    "The idempotency key is free.",
    for_people=_("There is no AI key to translate with."),
)
WIDGET_TRANSLATION_STORE_UNAVAILABLE = ProblemType(
    "widget_translation_store_unavailable",
    503,
    "Translations can't be stored now",
    "The table of translations is missing, read-only or busy. Nothing was changed, and the idempotency key is free.",
)
WIDGET_TRANSLATION_BUDGET_UNAVAILABLE = ProblemType(
    "widget_translation_budget_unavailable",
    503,
    "The budget of translations can't be asked now",
    "Whether the hour has room is not known, so nothing was begun, and the idempotency key is free.",
)
WIDGET_TRANSLATION_RATE_LIMITED = ProblemType(
    "widget_translation_rate_limited",
    429,
    "The hour's translations are used up",
    "A widget may ask for 42 translations in any hour, and what is asked for is taken whole or not at all. Wait for "
    "the seconds in `Retry-After`; the idempotency key is free.",
    for_people=_("The translations of this hour are used up."),
)
NOT_A_MACHINES_MESSAGE = ProblemType(
    "not_a_machines_message",
    409,
    "A person wrote the message",
    "Feedback is about messages that have `ai: true`. For people there is the rating of the chat.",
)
INVALID_EMAIL = ProblemType(
    "invalid_email",
    422,
    "Not an e-mail address",
    "`errors` names the field. Nothing was changed.",
    example_members={"errors": {"email": ["This is no e-mail address."]}},
)
ANSWERS_REQUIRED = ProblemType(
    "answers_required",
    422,
    "The chat begins with questions that need an answer",
    "`errors` names the questions, `answers.<key>`. Read the config, ask them, and send the message again with "
    "`answers`. Nothing was stored.",
    example_members={"errors": {"answers.order": ["This question needs an answer."]}},
)
LETTER_OVER = ProblemType(
    "letter_over",
    410,
    "The e-mail's link has expired",
    "It is older than 30 days, the visitor gave another address since, or the chat is gone. A new chat can be begun.",
)
LETTER_SESSION = ProblemType(
    "letter_session",
    403,
    "A session of a letter's link may not do that",
    "A visitor who came by a letter's link writes, sends files, rates and types. The rest needs the session of "
    "their own browser.",
)
TOO_MANY_INVITATIONS = ProblemType(
    "too_many_invitations",
    409,
    "There are too many invitations to chat",
    "A widget has at most 50 invitations to chat, 20 of them live. Delete or pause one that is not needed.",
    for_people=_("A widget has at most 50 invitations to chat, 20 of them live. Delete or pause one."),
)
