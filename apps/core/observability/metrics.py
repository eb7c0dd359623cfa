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
OUTBOUND_WAITS_REFUSED = Counter("parley_outbound_waits_refused", "Calls refused: all places to wait in were held.")
STORAGE_ERRORS = Counter("parley_storage_errors", "What the storage of files did not keep, give or delete.")
LEASES = Counter("parley_leases", "Rows of queues that were worked on, by how that ended.", ["queue", "outcome"])
REPORTS = Histogram("parley_report_seconds", "How long a report took.")
LATE_S = (0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 3600)
TIMER_LATE = Histogram("parley_timer_late_seconds", "How late a chat's timer was told of.", buckets=LATE_S)
DECIDED_S = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
ROUTING = Histogram("parley_routing_seconds", "How long a decision of the router took.", buckets=DECIDED_S)
SLA = Counter("parley_sla", "Answer times that were warned of, or missed.", ["metric", "outcome"])
OFFERS = Counter("parley_offers", "Offers of chats to operators that have ended, by how.", ["outcome"])
INVITATIONS = Counter("parley_chat_invitations", "Invitations to chat, by what became of them.", ["outcome"])
ARTICLE_VIEWS = Counter("parley_article_views", "Articles shown to readers, by where.", ["place"])
ARTICLE_SEARCHES = Counter("parley_article_searches", "Searches in articles that were submitted.", ["place", "found"])
AUTOMATION_RUNS = Counter("parley_automation_runs", "Runs of automations, by how they ended.", ["state"])
# Of the process that has counted last: one job counts for all.
QUEUE_WAITING = Gauge("parley_queue_waiting", "Chats in the queues of all widgets.", multiprocess_mode="mostrecent")
QUEUE_OLDEST = Gauge("parley_queue_oldest_seconds", "How long the longest waits.", multiprocess_mode="mostrecent")
ESTIMATES = Counter("parley_queue_estimates", "Told waits that people ended, by whether the time held.", ["kept"])
MESSENGER_BLOCKED = Counter(
    "parley_messenger_blocked", "Messages from messengers that were dropped: their writer is blocked.", ["provider"]
)
MESSENGER_UNKNOWN = Counter(
    "parley_messenger_unknown", "Messages from messengers of a kind that is not known here.", ["provider"]
)
TURNS = Counter("parley_external_turns", "Turns of external operators that have ended, by how.", ["outcome"])
TURN_S = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
TURN_TAKEN = Histogram(
    "parley_external_turn_taken_seconds", "Time until an external operator's endpoint took a turn.", buckets=TURN_S
)
TURN_ANSWERED = Histogram(
    "parley_external_turn_answered_seconds", "Time until an external operator answered a turn.", buckets=TURN_S
)
NUDGES_DROPPED = Counter("parley_nudges_dropped", "Realtime broadcasts that were not published; sockets look.")
SANDBOX_ACTIVE = Gauge(
    "parley_sandbox_active",
    "Whether a layer of the kernel around the readers of foreign documents holds, as tried when the process started.",
    ["layer"],
    multiprocess_mode="min",
)
