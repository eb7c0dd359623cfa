"""Request ids of the application: what they name is done once in 24 hours (docs/guides/application.md)."""

import hashlib
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Q, Value
from django.db.models.functions import Now

from apps.core import database
from apps.core.database.constraints import unique_or
from apps.support.errors import REQUEST_ID_REUSED, REQUEST_IN_PROGRESS
from apps.support.models import Binding, SignedRequest
from apps.support.querysets import REQUESTS_KEPT

# Longer than a turn may take.
LEASE = timedelta(seconds=60)


def digest_of(body: Mapping[str, Any]) -> bytes:
    """The digest of a body: of its members, in any order."""
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS | orjson.OPT_UTC_Z)).digest()


def answered_once(
    binding: Binding, endpoint: str, request_id: str, body: Mapping[str, Any], work: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """The answer of `work`, or that of the same body before, with `replayed` and without any work. In a transaction.

    Simultaneous requests of one id wait for the first. Raises REQUEST_ID_REUSED (409).
    """
    database.lock(f"signed-request:{binding.pk}:{endpoint}:{request_id}")
    digest = digest_of(body)
    mine = SignedRequest.objects.for_widget(binding.widget_id).filter(binding=binding)
    found = mine.named(endpoint, request_id).first()
    if found is not None:
        if bytes(found.digest) != digest:
            raise REQUEST_ID_REUSED()
        return {**orjson.loads(found.answer or "{}"), "replayed": True}
    answer = work()
    mine.filter(endpoint=endpoint, request_id=request_id).delete()
    SignedRequest.objects.create(
        binding=binding,
        endpoint=endpoint,
        request_id=request_id,
        digest=digest,
        answer=orjson.dumps(answer, option=orjson.OPT_UTC_Z).decode(),
    )
    return answer


def begin_once(binding: Binding, endpoint: str, request_id: str) -> SignedRequest:
    """Begins what answers once and is never repeated. Inside a transaction, which commits before the work.

    Raises REQUEST_ID_REUSED, REQUEST_IN_PROGRESS (409).
    """
    _forget_abandoned(binding, endpoint, request_id)
    refuse_if_used(binding, endpoint, request_id)
    with unique_or(REQUEST_IN_PROGRESS, "support_signedrequest_once"), transaction.atomic():
        return SignedRequest.objects.create(
            binding=binding, endpoint=endpoint, request_id=request_id, digest=b"", lease_until=Now() + Value(LEASE)
        )


def refuse_if_used(binding: Binding, endpoint: str, request_id: str) -> None:
    """Raises REQUEST_ID_REUSED, REQUEST_IN_PROGRESS (409) where the id has begun something that counts."""
    found = (
        SignedRequest.objects.for_widget(binding.widget_id).filter(binding=binding).named(endpoint, request_id).first()
    )
    if found is not None:
        raise REQUEST_IN_PROGRESS() if found.answer is None else REQUEST_ID_REUSED()


def _forget_abandoned(binding: Binding, endpoint: str, request_id: str) -> None:
    """Deletes the row of that name which counts no more: it is old, or its process died."""
    mine = SignedRequest.objects.for_widget(binding.widget_id).filter(
        binding=binding, endpoint=endpoint, request_id=request_id
    )
    abandoned = Q(answer__isnull=True, lease_until__lt=Now())
    mine.filter(abandoned | Q(created_at__lte=Now() - REQUESTS_KEPT)).delete()


def end_once(request: SignedRequest) -> None:
    """Notes that it was answered: its id names nothing else for 24 hours."""
    SignedRequest.objects.for_widget(request.binding.widget_id).filter(pk=request.pk).update(
        answer="", lease_until=None
    )


def free(request: SignedRequest) -> None:
    """Gives the id back of what was refused or failed."""
    SignedRequest.objects.for_widget(request.binding.widget_id).filter(pk=request.pk).delete()


def forget_old_requests() -> int:
    """Deletes the requests past their 24 hours; returns how many."""
    deleted, _ = (
        SignedRequest.objects.unscoped("every widget's rows").filter(created_at__lte=Now() - REQUESTS_KEPT).delete()
    )
    return deleted
