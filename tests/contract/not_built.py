"""The endpoints of the table that are not built yet. The list may only shrink: who builds one takes its row out, and
lowers AT_MOST."""

AT_MOST = 15

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
)
