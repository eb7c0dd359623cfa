"""Prometheus metrics, summed over all processes of a machine when PROMETHEUS_MULTIPROC_DIR is set."""

from prometheus_client import Counter, Gauge, Histogram

from apps.core.observability import figures

figures.keep_safely()

REQUESTS = Histogram(
    "parley_api_request_seconds",
    "API requests by operation and status.",
    ["operation", "status"],
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
REDIS_ERRORS = Counter("parley_redis_errors", "Questions to Redis without an answer, or answered with an error.")
RATE_LIMIT_FAILED_OPEN = Counter("parley_rate_limit_failed_open", "Requests let pass because Redis was away.")
EPOCH_NOT_TOLD = Counter("parley_auth_epoch_not_told", "Permission changes that Redis could not be told of.")
OUTBOUND_WAITS_REFUSED = Counter(
    "parley_outbound_waits_refused", "Calls refused because every place to wait for another host in was held."
)
STORAGE_ERRORS = Counter("parley_storage_errors", "What the storage of files did not keep, give or delete.")
LEASES = Counter("parley_leases", "Rows of queues that were worked on, by how that ended.", ["queue", "outcome"])
MESSENGER_BLOCKED = Counter(
    "parley_messenger_blocked",
    "Messages from messengers that were dropped because their writer is blocked.",
    ["provider"],
)
MESSENGER_UNKNOWN = Counter(
    "parley_messenger_unknown", "Messages from messengers of a kind that is not known here.", ["provider"]
)
TURNS = Counter("parley_external_turns", "Turns of external operators that have ended, by how.", ["outcome"])
TURN_TAKEN = Histogram(
    "parley_external_turn_taken_seconds",
    "Time until an external operator's endpoint took a turn.",
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300),
)
TURN_ANSWERED = Histogram(
    "parley_external_turn_answered_seconds",
    "Time until an external operator answered a turn.",
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300),
)
NUDGES_DROPPED = Counter(
    "parley_nudges_dropped", "Realtime broadcasts that were not published; sockets look by themselves."
)
SANDBOX_ACTIVE = Gauge(
    "parley_sandbox_active",
    "Whether a layer of the kernel around the readers of foreign documents holds, as tried when the process started.",
    ["layer"],
    multiprocess_mode="min",
)
