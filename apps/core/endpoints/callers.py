"""The API's caller, as the base viewset sees it.

The accounts app says how a bearer token becomes a `Caller` (see `apps.accounts.authentication`); core only enforces.
"""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Caller:
    """An API token, resolved: it stands for exactly one widget and carries an explicit list of scopes.

    `is_moving`: the widget's account moves to another installation; every kind of caller says so (`viewsets.py`).
    """

    token_id: int
    widget_id: int
    widget_guid: str
    account_id: int
    scopes: frozenset[str]
    api_enabled: bool
    expires_at: datetime | None
    is_moving: bool = False
