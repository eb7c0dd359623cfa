"""Writing the payee of the installation's invoices. Invoices that were issued before keep what they said."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.billing.models import Payee


@transaction.atomic
def write_payee(details: Mapping[str, Any]) -> Payee:
    """Stores those details, at first as the installation's one row."""
    payee, _is_new = Payee.objects.select_for_update(no_key=True).update_or_create(only=True, defaults=details)
    return payee
