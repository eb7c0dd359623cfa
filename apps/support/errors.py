"""The problems of the application's calls and of the support desk (specification, "Errors")."""

from apps.core.problems import ProblemType

INTEGRATION_EXISTS = ProblemType(
    "integration_exists",
    409,
    "The widget has an integration already",
    "A widget has one integration. To rotate its secret, or to bind another token, delete it and make a new one.",
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
    "`manage.py sign_call` prints a call that is right.",
)
NONCE_REUSED = ProblemType(
    "nonce_reused",
    409,
    "The nonce was used before",
    "A nonce is used up by the first call whose signature is right, whatever its answer. Sign each call anew.",
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
    "The integration has no active credential any more. Store one (`POST /v1/ai/credentials`), or bind anew.",
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
)
TICKET_NOT_CLOSED = ProblemType(
    "ticket_not_closed", 409, "The ticket is open", "Only a closed ticket can be opened again."
)
REOPEN_WINDOW_PASSED = ProblemType(
    "reopen_window_passed",
    409,
    "The ticket was closed too long ago",
    "A ticket can be opened again within 7 days of its closing.",
)
CHAT_HAS_OPEN_TICKET = ProblemType(
    "chat_has_open_ticket",
    409,
    "The chat has another open ticket",
    "A chat has one open ticket at a time; the one that is open now takes its place.",
)
