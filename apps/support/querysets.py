"""Named reads of the binding, its calls, tickets, identities and settings; each starts from the widget."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Self

from django.db.models.functions import Now

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.support.models import Binding, SignedRequest  # noqa: F401 - named in the bases below

REQUESTS_KEPT = timedelta(hours=24)


class BindingQuerySet(TenantQuerySet["Binding"]):
    """The one binding of a widget, if there is one."""


class SignedRequestQuerySet(TenantQuerySet["SignedRequest"]):
    """The requests of a widget's application. They are unique by support_signedrequest_once."""

    widget_path = "binding__widget_id"

    def named(self, endpoint: str, request_id: str) -> Self:
        """The one of that name, if it still counts."""
        kept = Now() - REQUESTS_KEPT
        return self.filter(endpoint=endpoint, request_id=request_id, created_at__gt=kept)
