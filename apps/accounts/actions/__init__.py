"""Changes of accounts, users, widgets and tokens. A changed permission ends what processes have cached of it."""

from apps.accounts.actions.accounts import (
    DELETION_STATEMENT_S,
    DELETION_TRIES,
    HeldByLeftOutApp,
    change_profile,
    delete_account,
    open_account,
)
from apps.accounts.actions.housekeeping import forget_old_changes, forget_old_sessions
from apps.accounts.actions.permissions import end_cached_permissions
from apps.accounts.actions.tokens import (
    IssuedToken,
    OwnersScopes,
    UnknownScopes,
    issue_token,
    rename_token,
    revoke_token,
    revoke_tokens,
    store_token_uses,
)
from apps.accounts.actions.users import (
    LastOwner,
    PasswordReplaced,
    add_user,
    change_password,
    change_user,
    leave_account,
    suspend_person,
)
from apps.accounts.actions.widgets import add_widget, change_widget, set_answerer, set_api_enabled

__all__ = [
    "DELETION_STATEMENT_S",
    "DELETION_TRIES",
    "HeldByLeftOutApp",
    "IssuedToken",
    "LastOwner",
    "OwnersScopes",
    "PasswordReplaced",
    "UnknownScopes",
    "add_user",
    "add_widget",
    "change_password",
    "change_profile",
    "change_user",
    "change_widget",
    "delete_account",
    "end_cached_permissions",
    "forget_old_changes",
    "forget_old_sessions",
    "issue_token",
    "leave_account",
    "open_account",
    "rename_token",
    "revoke_token",
    "revoke_tokens",
    "set_answerer",
    "set_api_enabled",
    "store_token_uses",
    "suspend_person",
]
