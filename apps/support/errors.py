"""The problems of the application's calls and of the support desk (specification, "Errors")."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ID, STRING, TIME, ProblemType, items_of, members_of

INTEGRATION_EXISTS = ProblemType(
    "integration_exists",
    409,
    "The widget has an integration already",
    "A widget has one integration. To rotate its secret, or to bind another token, delete it and make a new one.",
    for_people=_("The widget has an application of its own already."),
)
TOKEN_NOT_BOUND = ProblemType(
    "token_not_bound",
    403,
    "The token is not bound",
    "Only the token that made the widget's integration (`POST /v1/ai/assistant/integration`) may call this address. "
    "There is no integration, or another token is its signer.",
)
SIGNATURE_REQUIRED = ProblemType(
    "signature_required",
    401,
    "The call is not signed",
    "Send `X-Service-Timestamp`, `X-Service-Nonce` and `X-Service-Signature`. The guide “Your own application” says "
    "what is signed, with samples.",
)
INVALID_NONCE = ProblemType(
    "invalid_nonce",
    401,
    "The nonce is malformed",
    "`X-Service-Nonce` is 16 to 128 letters, digits, `_` and `-`. Use a new random one for each call.",
)
STALE_TIMESTAMP = ProblemType(
    "stale_timestamp",
    401,
    "The timestamp is too far off",
    "`X-Service-Timestamp` is the current time in unix seconds, and at most 300 seconds off ours. Set your clock.",
)
INVALID_SIGNATURE = ProblemType(
    "invalid_signature",
    401,
    "The signature is wrong",
    "`X-Service-Signature` is `sha256=v1:` and the lowercase hex HMAC-SHA256, keyed by the signing secret, of five "
    "lines: timestamp, nonce, method, path with query as it is sent, and the hex SHA-256 of the raw body. "
    "The guide “Your own application” has samples, and an example with its signature.",
)
NONCE_REUSED = ProblemType(
    "nonce_reused",
    409,
    "The nonce was used before",
    "A nonce is used up by the first call whose signature is right, whatever its answer. Sign each call again.",
)
REQUEST_ID_REUSED = ProblemType(
    "request_id_reused",
    409,
    "The request id was used before",
    "A `request_id` names one request in 24 hours. A turn answers once; of the other calls the same body again "
    "gives the same answer, and another body is refused.",
)
REQUEST_IN_PROGRESS = ProblemType(
    "request_in_progress",
    409,
    "The request is under way",
    "A call with this `request_id` has not ended yet. Wait for its answer.",
)
ASSISTANT_RATE_LIMITED = ProblemType(
    "assistant_rate_limited",
    429,
    "Too many calls of the application",
    "The widget's limit for calls of this kind in any minute is used up; of tickets, an account's in any hour. Nothing "
    "was started. Try again after `Retry-After` seconds.",
)
INVALID_PLAN = ProblemType(
    "invalid_plan",
    502,
    "The model gave no valid answer",
    "Twice the model asked for a tool that was not offered, gave arguments that break their schema, or said nothing. "
    "The same `request_id` may be used again.",
)
ASSISTANT_UNAVAILABLE = ProblemType(
    "assistant_unavailable",
    503,
    "Nothing can answer",
    "The integration has no active credential any more. Store one (`POST /v1/ai/credentials`), or bind again.",
)
ASSISTANT_BUSY = ProblemType(
    "assistant_busy",
    503,
    "As many calls wait for providers as may",
    "Nothing was started and nothing was paid. Try again in a moment.",
)
SPEECH_UNSUPPORTED = ProblemType(
    "speech_unsupported",
    422,
    "The bound provider has no speech",
    "Speech needs an integration whose provider is `openai`.",
)
AUDIO_TOO_LARGE = ProblemType(
    "audio_too_large",
    413,
    "The recording is too large",
    "A recording has at most 6 MiB, decoded.",
)
UNSUPPORTED_CONTRACT = ProblemType(
    "unsupported_contract",
    422,
    "The contract is not supported",
    "`contract` names the form of the body; the address takes one. The API's documentation says which.",
)
CHAT_BOUND_TO_OTHER_ACCOUNT = ProblemType(
    "chat_bound_to_other_account",
    409,
    "The chat is another account's",
    "A chat of the target has a live identity of another account. Nothing was changed, of none of its chats. Revoke "
    "that one first, or wait until it lapses.",
)
CHAT_NOT_LINKABLE = ProblemType(
    "chat_not_linkable",
    409,
    "The chat is an application's room",
    "The chat holds an account's tickets: its account is the one that files them, and it can't be linked.",
)
TARGET_NOT_SUPPORTED_YET = ProblemType(
    "target_not_supported_yet",
    422,
    "The target is not supported yet",
    "A messenger's user can't be a target. Name a chat, a ticket or a widget's visitor.",
)
TICKET_NOT_OPEN = ProblemType(
    "ticket_not_open",
    409,
    "The ticket is closed",
    "Only an open ticket can be closed. Read it to see who closed it, and why.",
    for_people=_("The ticket is closed."),
)
TICKET_NOT_CLOSED = ProblemType(
    "ticket_not_closed",
    409,
    "The ticket is open",
    "Only a closed ticket can be opened again.",
    for_people=_("The ticket is open."),
)
REOPEN_WINDOW_PASSED = ProblemType(
    "reopen_window_passed",
    409,
    "The ticket was closed too long ago",
    "A ticket can be opened again within 7 days of its closing.",
    for_people=_("The ticket was closed too long ago to be opened again."),
)
CHAT_HAS_OPEN_TICKET = ProblemType(
    "chat_has_open_ticket",
    409,
    "The chat has another open ticket",
    "A chat has one open ticket at a time; the one that is open now takes its place.",
    for_people=_("The chat has another open ticket."),
)
SUPPORT_API_DISABLED = ProblemType(
    "support_api_disabled",
    503,
    "The support desk is off",
    "The owner has not enabled the support desk of this widget, or has taken every token off it.",
)
TOKEN_NOT_ALLOWED = ProblemType(
    "token_not_allowed",
    403,
    "The token may not use the support desk",
    "Only tokens that the owner lists may. The owner adds one in the cabinet, at the desk's settings.",
)
IP_NOT_ALLOWED = ProblemType(
    "ip_not_allowed",
    403,
    "The address may not use the support desk",
    "The owner lists the addresses and networks that may. A list without a readable entry admits no address.",
)
SUPPORT_OPERATOR_NOT_CONFIGURED = ProblemType(
    "support_operator_not_configured",
    503,
    "The support desk has no operator",
    "Answers are sent under the name of a person of the widget, whom the owner chooses. There is none, or they are "
    "suspended.",
)
AGENT_REQUIRED = ProblemType(
    "agent_required",
    400,
    "The agent's name is missing",
    "A write needs the header `X-Service-Agent`: who or what does it.",
)
INVALID_AGENT = ProblemType(
    "invalid_agent",
    400,
    "The agent's name is malformed",
    "`X-Service-Agent` is 1 to 48 small letters, digits and `_.-`, the first a letter or digit.",
)
CHAT_CLAIMED = ProblemType(
    "chat_claimed",
    409,
    "An agent works on the chat",
    "A lease of the chat is live: `lease` says whose, and until when. Send its `claim_id`, or wait.",
    example_members={"lease": {"agent": "flora", "expires_at": "2026-11-21T10:45:00Z"}},
    members={"lease": members_of(agent=STRING, expires_at=TIME)},
)
CLAIM_LOST = ProblemType(
    "claim_lost",
    409,
    "The lease is not this one",
    "The chat has no live lease of that `claim_id`: it ended, was given back, or is another's.",
)
CHAT_UNAVAILABLE = ProblemType(
    "chat_unavailable", 409, "The chat can't be answered", "The chat is spam: an answer would not be delivered."
)
CHANNEL_UNSUPPORTED = ProblemType(
    "channel_unsupported",
    409,
    "The channel is not one of the desk's",
    "The owner lets agents answer in some channels alone; `delivery` of a chat is null where they may not.",
)
CHAT_CHANGED = ProblemType(
    "chat_changed",
    409,
    "A new message came in",
    "The chat has a newer message than `expected_last_message_id`. Read from `last_message_id` on, and answer to all.",
    example_members={"last_message_id": 4711},
    members={"last_message_id": ID},
)
ROOM_REPLY_LIMIT = ProblemType(
    "room_reply_limit",
    429,
    "Too many answers in the chat",
    "The owner lets agents send so many answers to a chat in 30 minutes. Try again after `Retry-After` seconds.",
)
SUPPORT_RATE_LIMITED = ProblemType(
    "support_rate_limited",
    429,
    "Too many answers of the token",
    "The token's answers in 10 minutes or in a day are used up. Try again after `Retry-After` seconds.",
)
LINK_NOT_ALLOWED = ProblemType(
    "link_not_allowed",
    422,
    "The text has a link that is not the owner's",
    "`offending` names what a messenger or the widget would turn into a link; `allowed` is what may be sent.",
    example_members={
        "offending": [{"token": "evil.example", "kind": "domain", "view": "text"}],
        "allowed": {"hosts": ["shop.example"], "links": [], "app_store": None, "ipv4": [], "handles": [], "emails": []},
    },
    members={
        "offending": items_of(members_of(token=STRING, kind=STRING, view=STRING)),
        "allowed": members_of(
            hosts=items_of(STRING),
            links=items_of(STRING),
            app_store=members_of(
                null=True, app_store_id={"type": ["string", "null"]}, play_package={"type": ["string", "null"]}
            ),
            ipv4=items_of(STRING),
            handles=items_of(STRING),
            emails=items_of(STRING),
        ),
    },
)
GUARD_ERROR = ProblemType("guard_error", 422, "The text could not be checked", "Shorten it: it has too many links.")
FORBIDDEN_WHITESPACE = ProblemType(
    "forbidden_whitespace",
    422,
    "The text has white space that can't be sent",
    "Tab, form feed, U+0085, U+2028 and U+2029 can't be sent. Use spaces and line feeds.",
)
FORBIDDEN_CHARACTERS = ProblemType(
    "forbidden_characters",
    422,
    "The text has invisible characters",
    "Control and invisible characters, and variation selectors but those of emoji, can't be sent.",
)
TEXT_NOT_PLAIN = ProblemType(
    "text_not_plain",
    422,
    "The text is not plain",
    "An answer is plain text: no JSON document, HTML, links of Markdown, or `[KEY_…]` markers.",
)
ATTACHMENT_UNSUPPORTED = ProblemType(
    "attachment_unsupported",
    415,
    "The attachment is of no readable kind",
    "Pictures, texts and documents are handed out; archives, programs, SVG, HTML, sound and video are not.",
)
ATTACHMENT_UNREADABLE = ProblemType(
    "attachment_unreadable",
    422,
    "The attachment can't be read",
    "The file is broken, encrypted, or would take more to read than a document may.",
)
