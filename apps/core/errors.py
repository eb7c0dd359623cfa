"""The problems that every endpoint shares (specification, "Errors")."""

from apps.core.problems import TIME, ProblemType, members_of


def _(text: str) -> str:
    """Marks a text to be translated where it is shown. Django's own mark needs settings, which a web process reads
    after this module.
    """
    return text


NOT_AUTHENTICATED = ProblemType(
    "not_authenticated",
    401,
    "Missing, invalid or expired token",
    "Send `Authorization: Bearer <API token>`. A token that was revoked, or is past its expiry, is refused at once; "
    "issue a new one in the cabinet.",
)
API_DISABLED = ProblemType(
    "api_disabled",
    403,
    "The API is switched off for this widget",
    "Issuing a token does not enable the API. Switch on “Allow widget API (JS and REST)” in the cabinet.",
)
MISSING_SCOPE = ProblemType(
    "missing_scope",
    403,
    "The token lacks the scope",
    "The operation needs a scope that this token does not carry. A token's scopes are chosen when it is issued.",
)
RATE_LIMITED = ProblemType(
    "rate_limited",
    429,
    "Too many requests",
    "The caller's budget of requests (a token's, a visitor's address') is used up: all of its calls are refused. "
    "Nothing was changed. Wait for the number of seconds in `Retry-After`; `X-RateLimit-Remaining` of each answer says "
    "how many are left. Limits of one operation have codes of their own.",
    for_people=_("Too many calls. Try again in a minute."),
    members={"retry_after": {"type": "number", "description": "Seconds to wait, in the frames of sockets alone."}},
)
OUTBOUND_BUSY = ProblemType(
    "outbound_busy",
    429,
    "Too many calls wait for other hosts",
    "As many of the widget's calls as may do so at a time wait for other hosts now (a file's, a receiver's, a mail "
    "server). Nothing was changed, and other calls are answered. Send it again after `Retry-After` seconds, with the "
    "same key.",
    for_people=_("Too much is called for this widget now. Try again in a second."),
)
MALFORMED_REQUEST = ProblemType(
    "malformed_request",
    400,
    "The request is not valid HTTP",
    "The request's first line, a header or the end of its body can't be understood, or its head is too long. Write "
    "other characters than ASCII in the address as `%` and two digits for each byte of their UTF-8.",
)
AI_BUDGET_EXHAUSTED = ProblemType(
    "ai_budget_exhausted",
    429,
    "The widget's AI tokens of the day are used up",
    "The call would cost more tokens than the widget may still spend today (UTC), so no model was asked and nothing "
    "was paid. Wait for the number of seconds in `Retry-After`, or have the widget's owner raise the limit in the "
    "cabinet.",
    for_people=_("The widget's AI tokens of today are used up. Raise the limit, or wait."),
)
NOT_FOUND = ProblemType(
    "not_found",
    404,
    "Not found",
    "There is no such address or object, or it belongs to another account: the two are never told apart.",
    for_people=_("It is not there any more."),
    members={"did_you_mean": {"type": "string", "description": "An address that is nearly the one called."}},
)
UNKNOWN_HOST = ProblemType(
    "unknown_host",
    400,
    "Unknown host",
    "The request's `Host` is none that this installation serves. Use the base URL that you were given.",
)
METHOD_NOT_ALLOWED = ProblemType(
    "method_not_allowed",
    405,
    "Method not allowed",
    "The address exists, the method does not. `Allow` lists those that do.",
)
NOT_ACCEPTABLE = ProblemType(
    "not_acceptable",
    406,
    "Not acceptable",
    "The answer is JSON; the request's `Accept` header allows none.",
)
BODY_TOO_LARGE = ProblemType(
    "body_too_large", 413, "The body is too large", "The request's body is over the operation's limit."
)
UNSUPPORTED_MEDIA_TYPE = ProblemType(
    "unsupported_media_type",
    415,
    "Unsupported media type",
    "Send the body as `Content-Type: application/json`, a file as `multipart/form-data`: in UTF-8, and without a "
    "`Content-Encoding`, as bodies are not decompressed.",
)
INVALID_JSON = ProblemType(
    "invalid_json",
    400,
    "The body is not valid JSON",
    "The body must be one JSON document in UTF-8, without a byte order mark, NaN or Infinity, nested at most 64 deep "
    "and of at most 10,000 values.",
)
INVALID_FORM = ProblemType(
    "invalid_form",
    400,
    "The body is not a valid multipart form",
    "The body must be a whole `multipart/form-data` document with the boundary that its `Content-Type` names.",
)
IDEMPOTENCY_KEY_REQUIRED = ProblemType(
    "idempotency_key_required",
    400,
    "The idempotency key is missing",
    "This write needs the header `X-Service-Idempotency-Key`. Use a new UUID for each new intent.",
)
INVALID_IDEMPOTENCY_KEY = ProblemType(
    "invalid_idempotency_key",
    400,
    "The idempotency key is malformed",
    "`X-Service-Idempotency-Key` is 1 to 255 visible ASCII characters, without spaces.",
)
# What every refusal of a used key tells of its first use.
USED_KEY_MEMBERS = {
    "first_used_at": TIME,
    "previous": members_of(
        operation={"type": ["string", "null"]},
        status={"type": ["integer", "null"]},
        id={},
        at={"type": ["string", "null"], "format": "date-time"},
    ),
    "same_request": {"type": ["boolean", "null"]},
}
IDEMPOTENCY_KEY_REUSED = ProblemType(
    "idempotency_key_reused",
    409,
    "The idempotency key was used before",
    "A write of the widget with this key was done in the last 24 hours, or is under way; keys count for the widget, "
    "whatever the token. `previous` says which operation it was, the status of its answer, the `id` of what it made or "
    "changed (null where that has none) and when the key was used; `same_request` whether it had this request's "
    "method, path and body. If so, the write is done: read the object, as the earlier answer is never repeated. If "
    "not, nothing of this request was done: send it with a new key. While the earlier write is under way, "
    "`previous.status` is null: ask again in a few seconds. `first_used_at` is `previous.at`, absent where it is null.",
    example_members={
        "previous": {
            "operation": "message_create",
            "status": 202,
            "id": 1042,
            "at": "2026-07-09T12:30:00.123456Z",
        },
        "same_request": True,
        "first_used_at": "2026-07-09T12:30:00.123456Z",
    },
    members=USED_KEY_MEMBERS,
)
INVALID_INPUT = ProblemType(
    "invalid_input",
    422,
    "Invalid input",
    "`errors` names each field that was refused, by its path, and says why. Nothing was changed. An "
    "address that “could not be reached” does not resolve or answer, or is private, loopback or "
    "link-local, where no outbound call may go; which of these it was is never told. For a receiver on a "
    "developer's own machine, or in the installation's own network, the service's administrator lists it "
    "in `EGRESS_ALLOW`, such as `EGRESS_ALLOW=127.0.0.1:9000`.",
    for_people=_("Something in the form can't be taken. Nothing was changed."),
    example_members={"errors": {"keyboard.buttons.0.url": ["Must be an absolute URL that starts with https://."]}},
)
UNEXPECTED_BODY = ProblemType(
    "unexpected_body",
    400,
    "A body is not allowed",
    "A GET of this address takes no body. Send what narrows it in the query string.",
)
DUPLICATE_MEMBER = ProblemType(
    "duplicate_member",
    422,
    "A member occurs twice",
    "An object in the body has two members of one name; which of them counts can't be known, so neither does.",
)
PROVIDER_BUSY = ProblemType(
    "provider_busy",
    429,
    "Too many calls wait for a provider",
    "As many of the widget's calls wait for a provider now as may. Try again after `Retry-After` seconds.",
    for_people=_("Too much is asked of the vendor now. Try again in a second."),
)
TRY_AGAIN = ProblemType(
    "try_again",
    503,
    "The service can't answer now",
    "The database is away or busy, the storage of files does not answer, or there is no room on a disk. Nothing was "
    "changed; try again after the seconds in `Retry-After`.",
    for_people=_("The service can't do it now. Try again in a minute."),
)
INTERNAL_ERROR = ProblemType(
    "internal_error",
    500,
    "Internal error",
    "The request failed on our side and nothing was changed. `X-Request-Id` finds it in the logs.",
)
