"""Factories of the application's binding, and the application's side of a signed call."""

import secrets
import time

import factory

from apps.accounts import rules
from apps.accounts.models import ApiToken
from apps.support.models import Binding
from apps.support.rules.envelope import NONCE_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, signature_of
from tests.factories.accounts import ApiTokenFactory, WidgetFactory

SECRET = "s" * 48


class BindingFactory(factory.django.DjangoModelFactory[Binding]):
    class Meta:
        model = Binding
        django_get_or_create = ("widget",)

    widget = factory.SubFactory(WidgetFactory)
    token = factory.LazyAttribute(lambda binding: ApiTokenFactory.create(widget=binding.widget))
    provider = "openai"
    secret = SECRET


def bound(token: str) -> str:
    """Makes a token, given in plain text, the signer of its widget's application; returns the secret."""
    row = ApiToken.objects.get(digest=rules.digest(token))
    binding = BindingFactory.create(widget=row.widget, token=row)
    Binding.objects.filter(pk=binding.pk).update(token=row)
    return SECRET


def signed_headers(
    secret: str, method: str, target: str, body: bytes | str, *, at: float | None = None, nonce: str | None = None
) -> dict[str, str]:
    """The envelope of a call, signed now with a nonce of its own."""
    raw = body.encode() if isinstance(body, str) else body
    timestamp, nonce = str(int(time.time() if at is None else at)), nonce or secrets.token_urlsafe(24)
    signature = signature_of(secret, timestamp=timestamp, nonce=nonce, method=method, target=target, body=raw)
    return {TIMESTAMP_HEADER: timestamp, NONCE_HEADER: nonce, SIGNATURE_HEADER: signature}
