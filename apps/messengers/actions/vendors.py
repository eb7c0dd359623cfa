"""The vendors' own settings, for the whole installation: where they are called, and what they share with us."""

from typing import Any

from django.db import transaction

from apps.egress import vet
from apps.messengers.actions.accounts import ensure_app
from apps.messengers.models import VendorSettings
from apps.messengers.rules.providers import Updates


def change_vendor(*, provider: str, changes: dict[str, Any]) -> VendorSettings:
    """Changes what is named: `base` (vetted), `updates`, `app_secret`, `client_id`, `client_secret`; in force at once.

    Raises InvalidUrl and EgressRefused for a base that may not be called.
    """
    if changes.get("base"):
        changes = {**changes, "base": vet(changes["base"]).url.rstrip("/")}
    with transaction.atomic():
        row, _ = VendorSettings.objects.select_for_update().get_or_create(provider=provider)
        for name, value in changes.items():
            setattr(row, name, value)
        row.save()
    return ensure_app(provider) or row


def reset_vendor(*, provider: str) -> VendorSettings:
    """Forgets all settings of a vendor. The address at which its app delivers stays, as the vendor calls it."""
    rows, blank = VendorSettings.objects.filter(pk=provider), VendorSettings(provider=provider, updates=Updates.AUTO)
    rows.filter(app_digest__isnull=True).delete()
    names = ("base", "updates", "app_secret", "client_id", "client_secret")
    rows.update(**{name: getattr(blank, name) for name in names})
    return rows.first() or blank
