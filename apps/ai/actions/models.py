"""The models that a credential may use, asked of its vendor."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import transaction

from apps.ai.actions.usage import FREE, vendor_call
from apps.ai.drivers import DRIVERS, Endpoint, Model, ProviderFailed, Quirks
from apps.ai.errors import CREDENTIAL_INACTIVE, PROVIDER_FAILURE, TOO_MANY_MODEL_LISTS
from apps.ai.models import Credential
from apps.ai.rules.configuration import endpoint_of
from apps.core.errors import PROVIDER_BUSY
from apps.core.quotas import Quota
from apps.egress import BulkheadFull, outbound_waits
from apps.egress.bulkhead import RETRY_AFTER_S
from apps.egress.call_budget import CallBudget

LISTINGS = Quota("ai_model_lists", 20, timedelta(hours=1), TOO_MANY_MODEL_LISTS)
SECONDS = 20.0


def models_of(*, widget_id: int, credential: Credential) -> list[Model]:
    """The models that a widget's credential may use, recommended ones first.

    Raises CREDENTIAL_INACTIVE (422); PROVIDER_BUSY and TOO_MANY_MODEL_LISTS (429) with `Retry-After`, the latter
    after 20 begun in an hour; PROVIDER_FAILURE (502).
    """
    if not credential.is_active:
        raise CREDENTIAL_INACTIVE()
    driver = DRIVERS[credential.provider]
    budget = CallBudget(operations=3, seconds=SECONDS)
    try:
        with outbound_waits.slot(widget_id):
            with transaction.atomic():
                LISTINGS.spend(widget_id)
            with vendor_call(
                widget_id=widget_id,
                credential_id=credential.pk,
                purpose="models",
                model="",
                estimate=FREE,
                budget=budget,
                requests=1,
            ) as asked:
                found = driver.models(endpoint(credential), budget=budget)
                asked.answered()
                return found
    except ProviderFailed as failure:
        raise PROVIDER_FAILURE(provider_reason=failure.reason) from None
    except BulkheadFull:
        raise PROVIDER_BUSY(headers={"Retry-After": str(RETRY_AFTER_S)}) from None


def endpoint(credential: Credential, model: str = "") -> Endpoint:
    """The address of a credential's calls, its secrets and time limit, and what is known of the model."""
    base_url = endpoint_of(credential.provider, credential.target).rstrip("/")
    quirks = Quirks.of(credential.learnt.get(model))
    return Endpoint(base_url, credential.api_key, credential.signing_secret or None, credential.timeout_s, quirks)


_MOST_MODELS = 20


@contextmanager
def remembering(endpoint: Endpoint, *, widget_id: int, credential_id: int, model: str) -> Iterator[None]:
    """Keeps with the credential what the block's calls found out of the model."""
    known = endpoint.quirks.as_json()
    try:
        yield
    finally:
        found = endpoint.quirks.as_json()
        if found != known:
            mine = Credential.objects.for_widget(widget_id).filter(pk=credential_id)
            learnt = {**(mine.values_list("learnt", flat=True).first() or {}), model: found}
            mine.update(learnt=dict(list(learnt.items())[-_MOST_MODELS:]))
