"""The scopes that this app declares."""

from django.utils.translation import gettext_noop as _

from apps.core.plugins import Scope

OWN = (
    Scope("account:read", _("Account"), _("read the owning account's profile and all its legal entities")),
    Scope("account:write", _("Account"), _("update the account's name, surname and phone only"), owners_only=True),
)
