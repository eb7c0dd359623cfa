"""Binding a company's application to a widget, and unbinding it."""

from django.db import transaction

from apps.accounts.audit.records import record_secret
from apps.accounts.rules import random_base62
from apps.ai.actions.conversing import can_converse
from apps.ai.errors import CREDENTIAL_UNAVAILABLE
from apps.ai.models import Assistant
from apps.core.database.constraints import unique_or
from apps.core.errors import INVALID_INPUT
from apps.support.errors import INTEGRATION_EXISTS
from apps.support.models import Binding
from apps.support.rules.envelope import SECRET_LENGTH


@transaction.atomic
def bind(*, widget_id: int, token_id: int, provider: str, assistant_id: int | None = None) -> Binding:
    """Makes the token the only signer of the widget's application, with a new secret.

    Raises INVALID_INPUT (422) on an `assistant_id` that is not the widget's; CREDENTIAL_UNAVAILABLE (409) where nothing
    could answer with that provider; INTEGRATION_EXISTS (409), which must roll the transaction back.
    """
    if assistant_id is not None and not Assistant.objects.for_widget(widget_id).filter(pk=assistant_id).exists():
        raise INVALID_INPUT(errors={"assistant_id": ["There is no such assistant."]})
    if not can_converse(widget_id, provider, assistant_id):
        raise CREDENTIAL_UNAVAILABLE()
    with unique_or(INTEGRATION_EXISTS, "support_binding"):
        return Binding.objects.create(
            widget_id=widget_id,
            token_id=token_id,
            provider=provider,
            assistant_id=assistant_id,
            secret=random_base62(SECRET_LENGTH),
        )


@transaction.atomic
def unbind(*, widget_id: int) -> None:
    """Deletes the widget's binding: its secret is dead at once. Raises NOT_FOUND (404)."""
    Binding.objects.for_widget(widget_id).get_for_update().delete()


@transaction.atomic
def rotate(*, widget_id: int) -> str:
    """Gives the binding another secret, in plain text; the one before is dead at once. Raises NOT_FOUND (404)."""
    binding = Binding.objects.for_widget(widget_id).get_for_update()
    secret = binding.secret = random_base62(SECRET_LENGTH)
    binding.save(update_fields=["secret"])
    record_secret(binding, "secret", "replaced")
    return secret
