"""The endpoints of the table that are not built yet. The list may only shrink: who builds one takes its row out, and
lowers AT_MOST."""

AT_MOST = 27

NOT_BUILT = (
    "GET /api/v1/ai/learning/settings",
    "GET /api/v1/ai/learning/kill-switch",
    "POST /api/v1/ai/learning/tune",
    "GET /api/v1/ai/learning/cycles",
    "GET /api/v1/ai/learning/history",
    "GET /api/v1/ai/learning/persona-versions",
    "GET /api/v1/ai/learning/persona-versions/{version}",
    "POST /api/v1/ai/learning/persona-versions/{version}/revert",
    "GET /api/v1/wishes",
    "POST /api/v1/wishes",
    "GET /api/v1/wishes/{id}",
    "GET /api/v1/wishes/{id}/preview",
    "POST /api/v1/wishes/{id}/approve",
    "POST /api/v1/wishes/{id}/reject",
    "POST /api/v1/wishes/{id}/revert",
    "GET /api/v1/support/tickets",
    "GET /api/v1/support/tickets/{number}",
    "POST /api/v1/support/tickets/{number}/close",
    "POST /api/v1/support/tickets/{number}/reopen",
    "GET /api/v1/support/chats",
    "GET /api/v1/support/chats/{id}",
    "GET /api/v1/support/chats/{id}/messages",
    "GET /api/v1/support/chats/{id}/messages/{message_id}/attachment",
    "POST /api/v1/support/chats/{id}/claim",
    "POST /api/v1/support/chats/{id}/release",
    "POST /api/v1/support/chats/{id}/reply",
    "GET /api/v1/support/actions/{id}",
)
