"""The API's contract: every endpoint, by method and path, with who may call it and what it may answer.

The matrix tests compare this table with what is routed, both ways. `success` and `errors` are the status codes that an
endpoint documents of its own; any may also answer 401, 403 and 429. Rows not built yet are listed in `not_built.py`.
"""

from dataclasses import dataclass
from typing import Literal

Auth = Literal["bearer", "bearer and signed envelope", "secret in the path", "visitor", "page", "session"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One row. `scopes`: any one of them lets a token in."""

    method: str
    path: str
    scopes: tuple[str, ...]
    success: tuple[int, ...]
    errors: tuple[int, ...]
    needs_key: bool
    auth: Auth


def row(
    method: str,
    path: str,
    scopes: str,
    success: str,
    errors: str = "",
    *,
    needs_key: bool = False,
    auth: Auth = "bearer",
) -> Endpoint:
    return Endpoint(method, path, tuple(scopes.split()), _codes(success), _codes(errors), needs_key, auth)


def _codes(text: str) -> tuple[int, ...]:
    return tuple(int(code) for code in text.split())


ENDPOINTS = (
    # Chats and messages
    row("GET", "/api/v1/chats", "chats:read", "200", "422"),
    row("GET", "/api/v1/chats/{id}", "chats:read", "200", "404"),
    row("POST", "/api/v1/chats/{id}/close", "chats:write", "200", "400 404 409 422", needs_key=True),
    row("POST", "/api/v1/chats/{id}/state", "chats:write", "200", "400 404 409 422", needs_key=True),
    row("POST", "/api/v1/chats/{id}/transfer", "chats:write", "202", "400 404 409 422", needs_key=True),
    row("POST", "/api/v1/chats/{id}/rate-request", "chats:write", "202", "400 404 409", needs_key=True),
    row("GET", "/api/v1/chats/{id}/messages", "messages:read", "200", "404 422"),
    row("POST", "/api/v1/chats/{id}/messages", "messages:write", "202", "400 404 409 422", needs_key=True),
    row("POST", "/api/v1/chats/{id}/typing", "messages:write", "202", "400 404 409 422", needs_key=True),
    row("POST", "/api/v1/chats/{id}/seen", "messages:write", "200", "400 404 409 422", needs_key=True),
    row("GET", "/api/v1/chats/{id}/transcript", "transcripts:read", "200", "403 404"),
    # Contacts and tags
    row("GET", "/api/v1/contacts", "contacts:read", "200"),
    row("GET", "/api/v1/contacts/{id}", "contacts:read", "200", "404"),
    row("PATCH", "/api/v1/contacts/{id}", "contacts:write", "200", "400 404 409 422", needs_key=True),
    row("GET", "/api/v1/tags", "tags:read", "200"),
    row("POST", "/api/v1/contacts/{id}/tags", "tags:write", "200", "400 404 409 422", needs_key=True),
    # Agents
    row("GET", "/api/v1/agents", "agents:read", "200", "404 422"),
    row("GET", "/api/v1/agents/{id}", "agents:read", "200", "404"),
    row("PATCH", "/api/v1/agents/{id}", "agents:write", "200", "400 404 409 422", needs_key=True),
    row("DELETE", "/api/v1/agents/{id}", "agents:write", "204", "404 409"),
    row("POST", "/api/v1/agents/{id}/suspend", "agents:write", "200", "400 404 409", needs_key=True),
    row("POST", "/api/v1/agents/{id}/restore", "agents:write", "200", "400 404 409", needs_key=True),
    row("POST", "/api/v1/agents/{id}/avatar", "agents:write", "201", "400 404 409 422 502", needs_key=True),
    row("DELETE", "/api/v1/agents/{id}/avatar", "agents:write", "204", "404"),
    row("GET", "/api/v1/agents/invitations", "agents:read", "200"),
    row("POST", "/api/v1/agents/invitations", "agents:write", "201", "400 409 422 429 502", needs_key=True),
    row("DELETE", "/api/v1/agents/invitations/{id}", "agents:write", "204", "404"),
    row("GET", "/api/v1/agents/stats", "stats:read", "200", "422"),
    row("GET", "/api/v1/agents/{id}/stats", "stats:read", "200", "404 422"),
    row("GET", "/api/v1/agents/{id}/events", "agents:events:read", "200", "404 422"),
    # Files
    row("GET", "/api/v1/files/{id}", "files:read", "302", "404"),
    row("POST", "/api/v1/files", "files:write", "201", "400 409 422 500", needs_key=True),
    # Statistics
    row("GET", "/api/v1/stats", "stats:read", "200", "422"),
    row("GET", "/api/v1/stats/channels", "stats:read", "200", "422"),
    row("GET", "/api/v1/stats/timeseries", "stats:read", "200", "422"),
    # Webhook subscriptions
    row("GET", "/api/v1/webhook-subscriptions", "webhooks:read", "200"),
    row("POST", "/api/v1/webhook-subscriptions", "webhooks:write", "201", "400 409 422", needs_key=True),
    row("GET", "/api/v1/webhook-subscriptions/{id}", "webhooks:read", "200", "404"),
    row("PATCH", "/api/v1/webhook-subscriptions/{id}", "webhooks:write", "200", "400 404 409 422", needs_key=True),
    row("DELETE", "/api/v1/webhook-subscriptions/{id}", "webhooks:write", "204", "404"),
    row(
        "POST",
        "/api/v1/webhook-subscriptions/{id}/redeliver",
        "webhooks:write",
        "202",
        "400 404 409 422",
        needs_key=True,
    ),
    row("GET", "/api/v1/webhook-subscriptions/{id}/deliveries", "webhooks:read", "200", "404 422"),
    row(
        "POST",
        "/api/v1/webhook-subscriptions/{id}/rotate-secret",
        "webhooks:write",
        "200",
        "400 404 409 422",
        needs_key=True,
    ),
    row("GET", "/api/v1/webhook-events", "webhooks:read", "200"),
    # AI replies (external AI operator callback)
    row("POST", "/api/v1/ai/replies", "responder:inject", "202", "403 404 409 422"),
    # Custom channels
    row("GET", "/api/v1/channels/{id}/status", "channels:read", "200", "404"),
    row("POST", "/api/v1/channels/{id}/messages", "channels:write", "202", "400 404 409 422", needs_key=True),
    row("GET", "/api/v1/channels/{id}", "channels:read", "200", "404"),
    # AI configuration
    row("GET", "/api/v1/ai/settings", "ai:read", "200"),
    row("PATCH", "/api/v1/ai/settings", "ai:write", "200", "400 409 415 422", needs_key=True),
    row("POST", "/api/v1/ai/settings/migrate", "ai:write", "200", "400 409", needs_key=True),
    row("GET", "/api/v1/ai/messages", "ai:read", "200"),
    row("PATCH", "/api/v1/ai/messages", "ai:write", "200", "400 409 415 422", needs_key=True),
    row("PUT", "/api/v1/ai/messages", "ai:write", "200", "400 409 415 422", needs_key=True),
    row("GET", "/api/v1/ai/assistants", "ai:read", "200"),
    row("POST", "/api/v1/ai/assistants", "ai:write", "201", "400 409 415 422", needs_key=True),
    row("GET", "/api/v1/ai/assistants/{id}", "ai:read", "200", "404"),
    row("PATCH", "/api/v1/ai/assistants/{id}", "ai:write", "200", "400 404 409 415 422", needs_key=True),
    row("DELETE", "/api/v1/ai/assistants/{id}", "ai:write", "204", "404 409"),
    row("GET", "/api/v1/ai/assistants/{id}/test", "ai:read", "200", "401 403 404 409 422 429 503"),
    row(
        "POST",
        "/api/v1/ai/assistants/{id}/test",
        "ai:write",
        "200",
        "400 404 409 413 415 422 429 502 503 504",
        needs_key=True,
    ),
    row("GET", "/api/v1/ai/credentials", "ai:read", "200"),
    row("POST", "/api/v1/ai/credentials", "ai:credentials:write", "201", "400 409 415 422", needs_key=True),
    row("PATCH", "/api/v1/ai/credentials/{id}", "ai:credentials:write", "200", "400 404 409 415 422", needs_key=True),
    row("GET", "/api/v1/ai/credentials/{id}/models", "ai:read", "200", "404 422 429 502"),
    row("GET", "/api/v1/ai/operators", "ai:read", "200"),
    row("POST", "/api/v1/ai/operators", "ai:write", "201", "400 409 415 422", needs_key=True),
    row("PATCH", "/api/v1/ai/operators/{id}", "ai:write", "200", "400 404 409 415 422", needs_key=True),
    row("DELETE", "/api/v1/ai/operators/{id}", "ai:write", "204", "404"),
    row("GET", "/api/v1/ai/alerts", "ai:read", "200", "422"),
    row("POST", "/api/v1/ai/alerts/acknowledge", "ai:write", "200", "400 409 415 422", needs_key=True),
    row("GET", "/api/v1/ai/demand-signals", "ai:read", "200", "422"),
    row("GET", "/api/v1/ai/marketplace/templates", "ai:read", "200", "422"),
    row("GET", "/api/v1/ai/marketplace/templates/{slug}", "ai:read", "200", "404 422"),
    row(
        "POST",
        "/api/v1/ai/marketplace/templates/{slug}/apply",
        "ai:write",
        "201",
        "400 404 409 422 429",
        needs_key=True,
    ),
    row("GET", "/api/v1/ai/assistant/integration", "ai:read", "200"),
    row("POST", "/api/v1/ai/assistant/integration", "ai:credentials:write", "201", "400 409 415 422", needs_key=True),
    row("DELETE", "/api/v1/ai/assistant/integration", "ai:credentials:write", "204", "404"),
    # Signed application-assistant endpoints
    row(
        "POST",
        "/api/v1/ai/assistant/turn",
        "ai:write",
        "200",
        "401 403 409 413 415 422 429 502 503",
        auth="bearer and signed envelope",
    ),
    row(
        "POST",
        "/api/v1/ai/assistant/speech-to-text",
        "ai:write",
        "200",
        "401 403 409 413 415 422 429 502 503",
        auth="bearer and signed envelope",
    ),
    row(
        "POST",
        "/api/v1/ai/assistant/text-to-speech",
        "ai:write",
        "200",
        "401 403 409 413 415 422 429 502 503",
        auth="bearer and signed envelope",
    ),
    row(
        "POST",
        "/api/v1/ai/assistant/tickets",
        "ai:write",
        "200",
        "401 403 404 409 413 415 422 429 503",
        auth="bearer and signed envelope",
    ),
    row(
        "POST",
        "/api/v1/ai/assistant/tickets/status",
        "ai:write",
        "200",
        "401 403 409 413 415 422 429 503",
        auth="bearer and signed envelope",
    ),
    row(
        "POST",
        "/api/v1/ai/assistant/account-link",
        "ai:write",
        "200",
        "401 403 404 409 413 415 422 429 503",
        auth="bearer and signed envelope",
    ),
    row(
        "POST",
        "/api/v1/ai/assistant/account-link/revoke",
        "ai:write",
        "200",
        "401 403 404 409 413 415 422 429 503",
        auth="bearer and signed envelope",
    ),
    # Widget settings
    row("GET", "/api/v1/widget/settings/schema", "widget:read", "200"),
    row("GET", "/api/v1/widget/settings", "widget:read", "200"),
    row("PATCH", "/api/v1/widget/settings", "widget:write", "200", "400 404 409 415 422", needs_key=True),
    row("GET", "/api/v1/widget/language", "widget:read", "200"),
    row("PUT", "/api/v1/widget/language", "widget:write", "200", "400 409 415 422", needs_key=True),
    row("GET", "/api/v1/widget/translations", "widget:read", "200"),
    row(
        "POST",
        "/api/v1/widget/translations/regenerate",
        "widget:write",
        "202",
        "400 409 415 422 429 503",
        needs_key=True,
    ),
    row("GET", "/api/v1/widget/skins", "widget:read", "200"),
    row("GET", "/api/v1/widget/icons", "widget:read", "200"),
    row("POST", "/api/v1/widget/icons", "widget:write", "201", "400 409 415 422", needs_key=True),
    row("GET", "/api/v1/widget/embed", "widget:read", "200"),
    row("POST", "/api/v1/widget/cache/purge", "widget:write", "200", "400 409 429", needs_key=True),
    # Account
    row("GET", "/api/v1/account", "account:read", "200", "404"),
    row("PATCH", "/api/v1/account", "account:write", "200", "400 404 409 415 422", needs_key=True),
    # Departments
    row("GET", "/api/v1/departments", "departments:read", "200"),
    row("POST", "/api/v1/departments", "departments:write", "201", "400 409 422", needs_key=True),
    row("GET", "/api/v1/departments/{id}", "departments:read", "200", "404"),
    row("PATCH", "/api/v1/departments/{id}", "departments:write", "200", "400 404 409 422", needs_key=True),
    row("DELETE", "/api/v1/departments/{id}", "departments:write", "204", "404"),
    row("PUT", "/api/v1/departments/{id}/agents", "departments:write", "200", "400 404 409 422", needs_key=True),
    row("PUT", "/api/v1/departments/{id}/schedule", "departments:write", "200", "400 404 409 422", needs_key=True),
    # Billing
    row("GET", "/api/v1/billing/balance", "billing:read", "200"),
    row("GET", "/api/v1/billing/transactions", "billing:read", "200", "422"),
    row("GET", "/api/v1/billing/transactions/{id}", "billing:read", "200", "404"),
    row("GET", "/api/v1/billing/subscriptions", "billing:read", "200", "422"),
    row("GET", "/api/v1/billing/subscriptions/{id}", "billing:read", "200", "404"),
    row("GET", "/api/v1/billing/invoices", "billing:read", "200", "422"),
    row("GET", "/api/v1/billing/invoices/{id}", "billing:read", "200", "404"),
    row("GET", "/api/v1/billing/entities", "billing:read", "200", "422"),
    row("GET", "/api/v1/billing/entities/{id}", "billing:read", "200", "404"),
    row("POST", "/api/v1/billing/entities", "billing:write", "201", "400 409 415 422 429", needs_key=True),
    row("PATCH", "/api/v1/billing/entities/{id}", "billing:write", "200", "400 404 409 415 422 429", needs_key=True),
    row("DELETE", "/api/v1/billing/entities/{id}", "billing:write", "204", "404 409 429"),
    # Messengers, communities and ad cabinets
    row("GET", "/api/v1/messengers", "messengers:read", "200"),
    row("GET", "/api/v1/messengers/{provider}", "messengers:read", "200", "404"),
    row("PUT", "/api/v1/messengers/{provider}", "messengers:write", "200", "400 404 409 415 422 429", needs_key=True),
    row("DELETE", "/api/v1/messengers/{provider}", "messengers:write", "204", "404 429"),
    row(
        "POST", "/api/v1/messengers/{provider}/verify", "messengers:write", "200", "400 404 409 422 429", needs_key=True
    ),
    row("GET", "/api/v1/messengers/vk/communities", "messengers:read", "200"),
    row(
        "POST",
        "/api/v1/messengers/vk/communities",
        "messengers:write",
        "201",
        "400 409 415 422 429 502",
        needs_key=True,
    ),
    row(
        "POST",
        "/api/v1/messengers/vk/communities/{id}/primary",
        "messengers:write",
        "200",
        "400 404 409 422",
        needs_key=True,
    ),
    row("DELETE", "/api/v1/messengers/vk/communities/{id}", "messengers:write", "204", "404 429 502"),
    row("GET", "/api/v1/messengers/av/cabinets", "messengers:read", "200"),
    row("GET", "/api/v1/messengers/av/cabinets/{id}", "messengers:read", "200", "404"),
    row(
        "PATCH", "/api/v1/messengers/av/cabinets/{id}", "messengers:write", "200", "400 404 409 415 422", needs_key=True
    ),
    row("DELETE", "/api/v1/messengers/av/cabinets/{id}", "messengers:write", "204", "404 429"),
    # Compat routes (legacy third-party wire format)
    row("POST", "/compat/legacy/bot/{token}", "", "200 202", "401 403 404 422", auth="secret in the path"),
    row("POST", "/compat/legacy/chat/{secret}", "", "202", "403 404 422", auth="secret in the path"),
    row("GET", "/compat/legacy/chat/{secret}/status", "", "200", "403 404", auth="secret in the path"),
    # Knowledge base
    row("GET", "/api/v1/kb/rules", "kb:read", "200", "400 422"),
    row("POST", "/api/v1/kb/rules", "kb:write", "201", "400 409 415 422 502", needs_key=True),
    row("DELETE", "/api/v1/kb/rules", "kb:write", "200", "422"),
    row("GET", "/api/v1/kb/rules/{id}", "kb:read", "200", "404"),
    row("PATCH", "/api/v1/kb/rules/{id}", "kb:write", "200", "400 404 409 415 422 502", needs_key=True),
    row("DELETE", "/api/v1/kb/rules/{id}", "kb:write", "204", "404"),
    row("GET", "/api/v1/kb/sources", "kb:read", "200", "400 422"),
    row("GET", "/api/v1/kb/search", "kb:read", "200", "404 422 502"),
    row("GET", "/api/v1/kb/crawler", "kb:read", "200"),
    row("PUT", "/api/v1/kb/crawler", "kb:write", "200", "400 409 415 422", needs_key=True),
    row("DELETE", "/api/v1/kb/crawler", "kb:write", "204", "409"),
    row("GET", "/api/v1/kb/uploads", "kb:read", "200"),
    row("POST", "/api/v1/kb/uploads", "kb:write", "202", "400 409 422", needs_key=True),
    row("GET", "/api/v1/kb/uploads/{id}", "kb:read", "200", "404"),
    row("DELETE", "/api/v1/kb/uploads/{id}", "kb:write", "200", "404 409"),
    row("GET", "/api/v1/kb/status", "kb:read", "200"),
    # Self-learning
    row("GET", "/api/v1/ai/learning/settings", "ai:read", "200", "422"),
    row("GET", "/api/v1/ai/learning/kill-switch", "ai:read", "200", "422"),
    row("POST", "/api/v1/ai/learning/tune", "ai:apply", "202", "400 409 422", needs_key=True),
    row("GET", "/api/v1/ai/learning/cycles", "ai:read", "200", "422"),
    row("GET", "/api/v1/ai/learning/history", "ai:read", "200", "404 422"),
    row("GET", "/api/v1/ai/learning/persona-versions", "ai:read", "200", "422"),
    row("GET", "/api/v1/ai/learning/persona-versions/{version}", "ai:read", "200", "404 422"),
    row(
        "POST",
        "/api/v1/ai/learning/persona-versions/{version}/revert",
        "ai:apply",
        "200",
        "400 404 409 415 422",
        needs_key=True,
    ),
    # Improvement wishes
    row("GET", "/api/v1/wishes", "ai:read", "200", "422"),
    row("POST", "/api/v1/wishes", "ai:write", "201", "400 404 409 415 422", needs_key=True),
    row("GET", "/api/v1/wishes/{id}", "ai:read", "200", "404 422"),
    row("GET", "/api/v1/wishes/{id}/preview", "ai:read", "200", "404 422"),
    row("POST", "/api/v1/wishes/{id}/approve", "ai:apply", "200", "400 404 409 415 422", needs_key=True),
    row("POST", "/api/v1/wishes/{id}/reject", "ai:write", "200", "400 404 409 422", needs_key=True),
    row("POST", "/api/v1/wishes/{id}/revert", "ai:apply", "200", "400 404 409 422", needs_key=True),
    # External operators
    row("GET", "/api/v1/external-operators", "agents:read", "200", "404"),
    row("GET", "/api/v1/external-operators/{public_id}", "agents:read", "200", "404"),
    row(
        "PATCH", "/api/v1/external-operators/{public_id}", "agents:write", "200", "400 404 409 415 422", needs_key=True
    ),
    row("DELETE", "/api/v1/external-operators/{public_id}", "agents:write", "204", "404 409"),
    row(
        "POST",
        "/api/v1/external-operators/{public_id}/tests",
        "agents:write",
        "202",
        "400 404 409 422 503",
        needs_key=True,
    ),
    row("GET", "/api/v1/external-operators/{public_id}/tests/{test_public_id}", "agents:read", "200", "404"),
    row(
        "POST",
        "/api/v1/external-operators/{public_id}/lifecycle",
        "agents:write",
        "200",
        "400 404 409 415 422",
        needs_key=True,
    ),
    row(
        "POST",
        "/api/v1/external-operators/{public_id}/force-drain",
        "agents:write",
        "200",
        "400 404 409 422",
        needs_key=True,
    ),
    # Support agents
    row("GET", "/api/v1/support/tickets", "support:read", "200", "403 422 503"),
    row("GET", "/api/v1/support/tickets/{number}", "support:read", "200", "404 503"),
    row(
        "POST",
        "/api/v1/support/tickets/{number}/close",
        "support:write support:tickets:close",
        "200",
        "400 404 409 413 415 422 429 503",
        needs_key=True,
    ),
    row(
        "POST",
        "/api/v1/support/tickets/{number}/reopen",
        "support:write",
        "200",
        "400 404 409 413 415 422 429 503",
        needs_key=True,
    ),
    row("GET", "/api/v1/support/chats", "support:read", "200", "422 503"),
    row("GET", "/api/v1/support/chats/{id}", "support:read", "200", "404 503"),
    row("GET", "/api/v1/support/chats/{id}/messages", "support:read", "200", "404 422 503"),
    row("GET", "/api/v1/support/chats/{id}/messages/{message_id}/attachment", "support:read", "200", "404 415 422 503"),
    row(
        "POST",
        "/api/v1/support/chats/{id}/claim",
        "support:write",
        "200",
        "400 404 409 413 415 422 503",
        needs_key=True,
    ),
    row(
        "POST",
        "/api/v1/support/chats/{id}/release",
        "support:write",
        "200",
        "400 404 409 413 415 422 503",
        needs_key=True,
    ),
    row(
        "POST",
        "/api/v1/support/chats/{id}/reply",
        "support:reply",
        "201 202",
        "400 404 409 413 415 422 429 503",
        needs_key=True,
    ),
    row("GET", "/api/v1/support/actions/{id}", "support:read", "200", "404 503"),
    # Custom channels
    row("POST", "/api/v1/channels", "channels:register", "201", "400 409 415 422", needs_key=True),
    # Partners
    row("GET", "/api/v1/partners", "partners:read", "200"),
)

# The visitor's side, which no token reaches: what a page may call ("page"), and what a visitor may.
VISITOR_ENDPOINTS = (
    row("GET", "/widget/{guid}/embed.js", "", "200 304", "403 404", auth="page"),
    row("GET", "/widget/{guid}/config", "", "200 304", "403 404 422", auth="page"),
    row("GET", "/widget/{guid}/challenge", "", "200", "403 404 422", auth="page"),
    row("POST", "/widget/{guid}/sessions", "", "201 200", "400 401 403 404 413 415 422", auth="page"),
    row("GET", "/widget/{guid}/messages", "", "200", "401 403 404 422", auth="visitor"),
    row("POST", "/widget/{guid}/messages", "", "201 200", "400 401 403 404 413 415 422", auth="visitor"),
    row("POST", "/widget/{guid}/offline", "", "201 200", "400 401 403 404 413 415 422", auth="visitor"),
    row("POST", "/widget/{guid}/files", "", "201", "400 401 403 404 415 422 500", auth="visitor"),
    row("POST", "/widget/{guid}/typing", "", "204", "400 401 403 404 413 415 422", auth="visitor"),
    row("POST", "/widget/{guid}/seen", "", "204", "400 401 403 404 413 415 422", auth="visitor"),
    row("POST", "/widget/{guid}/verification", "", "202", "400 401 403 404 409 413 415 422", auth="visitor"),
    row("POST", "/widget/{guid}/assistant", "", "202", "400 401 403 404 409 413 415 422", auth="visitor"),
    row("POST", "/widget/{guid}/rating", "", "201 200", "400 401 403 404 409 413 415 422", auth="visitor"),
)

# The operator's side, for the session of somebody who signed in at the console.
CONSOLE_ENDPOINTS = tuple(
    row(method, f"/console/{path}", "", success, f"401 403 {errors}", auth="session")
    for method, path, success, errors in (
        ("POST", "ticket", "200", "422"),
        ("PUT", "status", "200", "400 413 415 422"),
        ("GET", "push", "200", "422"),
        ("PUT", "push", "204", "400 413 415 422"),
        ("POST", "push", "204", "400 413 415 422"),
        ("GET", "inbox", "200", "422"),
        ("GET", "unanswered", "200", "422"),
        ("GET", "search", "200", "422"),
        ("GET", "chats/{id}", "200", "404 422"),
        ("GET", "chats/{id}/messages", "200", "404 422"),
        ("POST", "chats/{id}/accept", "200", "404 409 422"),
        ("POST", "chats/{id}/assign", "200", "400 404 409 413 415 422"),
        ("POST", "chats/{id}/transfer", "200", "400 404 409 413 415 422"),
        ("POST", "chats/{id}/close", "200", "400 404 409 413 415 422"),
        ("POST", "chats/{id}/state", "200", "400 404 409 413 415 422"),
        ("POST", "chats/{id}/rate-request", "202", "404 409 422"),
        ("POST", "chats/{id}/return", "200", "404 409 422"),
        ("POST", "chats/{id}/dealt-with", "200", "404 422"),
        ("POST", "messages/{id}/resend", "200", "404 409 422"),
        ("POST", "chats/{id}/block", "200", "400 404 413 415 422"),
        ("DELETE", "blocks/{id}", "204", "404 422"),
        ("POST", "chats/{id}/wishes", "201", "400 404 413 415 422"),
        ("POST", "files", "201", "400 415 422 500"),
        ("GET", "files/{id}", "302", "404 422"),
        ("PATCH", "contacts/{id}", "200", "400 404 413 415 422"),
        ("POST", "contacts/{id}/tags", "200", "400 404 413 415 422"),
        ("DELETE", "contacts/{id}/tags/{name}", "200", "404 422"),
        ("GET", "replies", "200", "422"),
        ("POST", "replies", "201", "400 413 415 422"),
        ("PATCH", "replies/{id}", "200", "400 404 413 415 422"),
        ("DELETE", "replies/{id}", "204", "404 422"),
    )
)
