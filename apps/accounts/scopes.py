"""The scopes that this app declares: its own, and those of the parts of the product whose apps are still to come.

A part that gets its app takes its scopes there (CONTRIBUTING, "A new scope"). All 44 are grantable from the start, so
that a token issued today works with the endpoints of tomorrow.
"""

from apps.core.plugins import Scope

OWN = (
    Scope("account:read", "Account", "read the owning account's profile and all its legal entities"),
    Scope("account:write", "Account", "update the account's name, surname and phone only"),
    Scope("partners:read", "Account", "read partner and referral data"),
    Scope("partners:withdraw", "Account", "reserved: no operation uses it", sensitive=True, reserved=True),
)

TO_COME = (
    Scope("channels:read", "Channels", "read a custom channel and its status"),
    Scope("channels:write", "Channels", "deliver inbound messages of a custom channel"),
    Scope("channels:register", "Channels", "register a custom channel (installed apps only)", sensitive=True),
    Scope("messengers:read", "Channels", "read connected messengers, never their credentials"),
    Scope("messengers:write", "Channels", "connect and disconnect messengers: writes credentials", sensitive=True),
    Scope("responder:inject", "AI", "inject a reply as an external AI operator", sensitive=True),
    Scope("responder:escalate", "AI", "hand a chat off with such a reply", sensitive=True),
    Scope("ai:read", "AI", "read assistants, configuration, alerts, learning and wishes"),
    Scope("ai:write", "AI", "create and update assistants, settings, operators and prompts", sensitive=True),
    Scope("ai:credentials:write", "AI", "store credentials of model vendors; bind the integration", sensitive=True),
    Scope("ai:apply", "AI", "apply, tune and revert improvements of a live persona", sensitive=True),
    Scope("kb:read", "Knowledge base", "read knowledge-base rules and sources"),
    Scope("kb:write", "Knowledge base", "manage knowledge-base rules and sources"),
    Scope("billing:read", "Billing", "read this widget's billing records and the account's legal entities"),
    Scope("billing:write", "Billing", "create, update and delete the account's legal entities", sensitive=True),
    Scope("support:read", "Support agents", "read tickets, chats, messages and own audited actions"),
    Scope("support:reply", "Support agents", "answer a customer as the configured human operator", sensitive=True),
    Scope("support:write", "Support agents", "claim and release chats, close without replying, reopen tickets"),
    Scope("support:tickets:close", "Support agents", "close tickets, and nothing else"),
)
