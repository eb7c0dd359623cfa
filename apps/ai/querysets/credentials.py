"""Reads of vendors' keys, of alerts about them, and of usage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, ExpressionWrapper, OuterRef, Q
from django.db.models.functions import JSONObject

from apps.core.database.tenants import TenantQuerySet

if TYPE_CHECKING:
    from apps.ai.models import Alert, Credential, Usage  # noqa: F401 - named in the bases below


class UsageQuerySet(TenantQuerySet["Usage"]):
    """The requests to vendors for a widget."""

    def priced(self) -> Self:
        """The calls that have kept a price."""
        return self.filter(cost__isnull=False)

    def unpriced(self) -> Self:
        """The calls that took tokens, and whose price nobody had entered then."""
        return self.filter(Q(prompt_tokens__gt=0) | Q(completion_tokens__gt=0), cost__isnull=True)


class CredentialQuerySet(TenantQuerySet["Credential"]):
    def for_api(self) -> Self:
        """With what it holds, and with `links`: all the widget's credentials, as a chain of backups sees them."""
        links = self.model.objects.unscoped("each credential's widget").filter(widget_id=OuterRef("widget_id"))
        link = JSONObject(**{name: name for name in ("id", "backup_id", "is_active", "provider", "model")})
        return self.annotate(
            has_api_key=ExpressionWrapper(Q(api_key__isnull=False), output_field=BooleanField()),
            has_signing_secret=ExpressionWrapper(Q(signing_secret__isnull=False), output_field=BooleanField()),
            links=ArraySubquery(links.order_by("id").values(json=link)),
        )

    def active(self) -> Self:
        return self.filter(is_active=True)


class AlertQuerySet(TenantQuerySet["Alert"]):
    def open(self) -> Self:
        """The alerts that are not acknowledged. Index: ai_alert_open."""
        return self.filter(acknowledged_at__isnull=True)

    def in_state(self, state: str) -> Self:
        """The alerts in a state: `unacknowledged`, `acknowledged` or `all`."""
        states = {"all": Q(), "unacknowledged": Q(acknowledged_at=None), "acknowledged": ~Q(acknowledged_at=None)}
        return self.filter(states[state])
