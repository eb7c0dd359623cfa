"""The scopes that this app declares: its own, and those of the parts of the product whose apps are still to come.

A part that gets its app takes its scopes there (CONTRIBUTING, "A new scope"). All 44 are grantable from the start, so
that a token issued today works with the endpoints of tomorrow.
"""

from django.utils.translation import gettext_noop as _

from apps.core.plugins import Scope

OWN = (
    Scope("account:read", _("Account"), _("read the owning account's profile and all its legal entities")),
    Scope("account:write", _("Account"), _("update the account's name, surname and phone only"), owners_only=True),
)

TO_COME = (
    Scope("responder:inject", _("AI"), _("inject a reply as an external AI operator"), sensitive=True),
    Scope("responder:escalate", _("AI"), _("hand a chat off with such a reply"), sensitive=True),
)
