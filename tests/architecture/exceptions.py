"""What the guards of this folder let pass, each with its reason. Every list may only shrink.

An entry that matches nothing any more fails: take it out. A read of a tenant's rows without their widget is not listed
here: it says why where it stands (`unscoped`, `apps/core/database/tenants.py`).
"""

# Files with SQL by hand, and the benchmark that asks for it: a name of `python -m bench --only`.
SQL_BY_HAND: dict[str, str] = {
    "apps/agents/actions/event_log.py": "post",
    "apps/ai/actions/endings.py": "post",
    "apps/ai/actions/jobs.py": "post",
    "apps/ai/actions/replies/records.py": "replies",
    "apps/ai/querysets/reply_context.py": "replies",
    "apps/articles/actions/words.py": "articles",
    "apps/articles/querysets/search.py": "articles",
    "apps/assists/actions/translating.py": "post",
    "apps/chats/actions/delivery.py": "messengers",
    "apps/chats/actions/posting.py": "post",
    "apps/chats/actions/sweep.py": "sweep",
    "apps/chats/actions/searches.py": "latencies",
    "apps/chats/actions/tallies.py": "latencies",
    "apps/chats/querysets/messages.py": "messages",
    "apps/chats/querysets/chats.py": "chats",
    "apps/chats/querysets/search.py": "latencies",
    "apps/chats/querysets/statistics.py": "latencies",
    "apps/chats/querysets/compiled.py": "timers",
    "apps/chats/querysets/transcripts.py": "transcript",
    "apps/core/endpoints/idempotency.py": "post",
    "apps/messengers/actions/conversations.py": "messengers",
    "apps/messengers/actions/outbound.py": "messengers",
    "apps/messengers/actions/outbox.py": "post",
    "apps/messengers/actions/receipts.py": "messengers",
    "apps/webhooks/actions/outbox.py": "post",
}

# Files with SQL by hand that no benchmark of `bench` asks for, and what does.
EVERY_CALL = "each of a visitor's calls, and every socket at its idle poll"
WITH_THE_MESSAGE = "what follows from a message is written by its statement"
EVERY_REPLY = "each reply of an AI operator asks it (`--only replies`)"
EACH_FIGURE = "every figure, group, list and file of reports is of one statement's rows"
EACH_UPDATE = "each update of a messenger asks it (`--only messengers`)"
RUNS_THEM = "runs the statements of others"
SQL_WITHOUT_BENCHMARK: dict[str, str] = {
    "apps/ai/actions/usage.py": EVERY_REPLY,
    "apps/chats/questions.py": "what apps answer in SQL, so that a larger statement may ask it, too",
    "apps/messengers/actions/inbound_peers.py": EACH_UPDATE,
    "apps/messengers/actions/provider_calls.py": "each update and each send of a messenger (`--only messengers`)",
    "apps/messengers/querysets.py": EACH_UPDATE,
    "apps/automations/actions/capture.py": WITH_THE_MESSAGE,
    "apps/automations/actions/trials.py": "a lock by a name",
    "apps/automations/actions/worker.py": "the database's clock, read once a chat's lock is held",
    "apps/accounts/actions/numbers.py": "the sequences, which have no model",
    "apps/cabinet/health.py": "what the database says of itself: its size and connections, which have no model",
    "apps/chats/actions/chatwoot.py": "a file of SQLite, into which an export is sorted",
    "apps/chats/actions/messages.py": EVERY_CALL,
    "apps/chats/actions/timers.py": "a timer is set or moved by one statement, under its chat's lock",
    "apps/chats/querysets/activities.py": "realtime processes read a chat's last step by it",
    "apps/chats/querysets/contacts.py": "a search of 1,000,000 contacts (docs/adr/0010)",
    "apps/chats/realtime/reads.py": EVERY_CALL,
    "apps/console/querysets/message_search.py": "the functions of a search, and the newest match of each chat",
    "apps/core/bus.py": RUNS_THEM,
    "apps/core/database/base.py": RUNS_THEM,
    "apps/core/management/commands/migrate.py": "the tables of an empty database, as pg_dump wrote them",
    "apps/core/files/storage.py": "the database's clock, and rows compared as a pair",
    "apps/demo/seeding.py": "a lock by a name",
    "apps/kb/querysets/retrieval.py": "three legs in one statement, ranked over their candidates alone",
    "apps/learning/actions/articles.py": "the first answer of people after each question: a lateral read",
    "apps/learning/actions/demand.py": "an occurrence and its topic are written by one statement",
    "apps/learning/actions/evidence.py": "the newest pairs of a talk: a lateral read of what was asked before",
    "apps/learning/actions/metrics.py": "both sides of a comparison by one statement",
    "apps/learning/actions/topics.py": "100,000 occurrences are grouped where they are",
    "apps/leases/claims.py": "the queue is one statement: what is due, a lease, its rows",
    "apps/leases/models.py": "a burst is put into one row by one statement; every lease ends by one",
    "apps/reports/actions/reports.py": "the memory in which a report is sorted, for its transaction",
    "apps/reports/querysets/lists.py": EACH_FIGURE,
    "apps/reports/querysets/money.py": EACH_FIGURE,
    "apps/reports/querysets/reports.py": EACH_FIGURE,
    "apps/reports/actions/episodes.py": "who is writing, as the locks tell: docs/adr/0030",
    "apps/reports/querysets/episodes.py": "the notes of chats, and what was written since, are one statement",
    "apps/routing/actions/clocks.py": "the chats of a widget's running clocks are queued by one statement",
    "apps/routing/actions/entering.py": "hundreds of chats enter the queue by one statement",
    "apps/routing/actions/looks.py": WITH_THE_MESSAGE,
    "apps/routing/actions/wakening.py": "a department's chats are queued by one statement",
    "apps/support/actions/envelopes.py": "each signed call: a nonce is used up, or was, in one statement",
    "apps/support/actions/facts.py": WITH_THE_MESSAGE,
    "apps/support/actions/interception.py": WITH_THE_MESSAGE,
    "apps/webhooks/actions/deliveries.py": "the queue is one statement: what is due, a lease, its rows",
    "apps/webhooks/actions/retention.py": "batches of a log that is never small",
    "apps/webhooks/destinations.py": "every claim of deliveries",
    "apps/letters/actions/mailbox_answers.py": WITH_THE_MESSAGE,
    "apps/letters/actions/answers.py": "over every widget, and of a chat no more than asked",
    "apps/widget/actions/translations.py": "locks, and how long they are waited for",
    "apps/widget/querysets/chats.py": EVERY_CALL,
    "apps/widget/querysets/visitors.py": EVERY_CALL,
    "apps/widget/querysets/settings.py": "whether the table is there",
}

# Querysets that write.
WRITING_QUERYSETS: dict[str, str] = {
    "apps/accounts/querysets.py": "Django's own commands make users through their manager",
}

# Entry points that write by themselves.
WRITING_ENTRY_POINTS: dict[str, str] = {
    "apps/accounts/management/commands/rotate_field_keys.py": "rewrites columns of any model, as no action could",
}
