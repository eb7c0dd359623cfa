from apps.core.problems import ProblemType

ASSISTANT_IN_USE = ProblemType(
    "assistant_in_use",
    409,
    "An AI operator runs the assistant",
    "The assistant can't be deleted while an AI operator that is not retired runs it; `operators` names them. Have "
    "them run another assistant, or retire them first.",
    example_members={"operators": [{"id": 7, "name": "Flora"}]},
)
CREDENTIAL_INACTIVE = ProblemType(
    "credential_inactive",
    422,
    "The credential is not active",
    "A vendor is asked with active credentials alone. Set `is_active` to true first.",
)
PROVIDER_FAILURE = ProblemType(
    "provider_failure",
    502,
    "The AI provider failed",
    "No credential that was to be used gave an answer. `provider_reason` says why: `timeout`, `unreachable`, "
    "`rejected_key`, `rate_limited`, `model_not_found`, `bad_answer` or `server_error`.",
    example_members={"provider_reason": "rejected_key"},
)
PROVIDER_BUSY = ProblemType(
    "provider_busy",
    429,
    "Too many calls wait for a provider",
    "Of the widget's calls, as many wait for a provider now as may. Try again after `Retry-After` seconds.",
)
