"""Tests of external operators: one signed `delivery.test`, whose answer proves that the address knows the secret."""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import orjson
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.agents.errors import OPERATOR_REVOKED
from apps.ai.actions.external import locked_operator, record_move
from apps.ai.errors import DELIVERY_UNAVAILABLE, TEST_IN_FLIGHT
from apps.ai.models import ExternalOperator, OperatorHealth, ProbeTest
from apps.ai.rules import lifecycle, turn_states
from apps.ai.rules.actors import Actor
from apps.ai.rules.lifecycle import OperatorStanding
from apps.core import destinations
from apps.core.destinations import DeliveryOutcome, OutgoingEvent

# What went wrong, in the words of a test: nobody learns more of a network than that nobody was reached.
_ERRORS = {"timeout": "timeout", "tls_failed": "tls_failed", "bad_status": "bad_status"}


@transaction.atomic
def begin_test(*, widget_id: int, public_id: Any, actor: Actor) -> ProbeTest:
    """Queues a test of an operator's present address.

    Raises NOT_FOUND (404), OPERATOR_REVOKED, TEST_IN_FLIGHT (409), DELIVERY_UNAVAILABLE (503).
    """
    operator = locked_operator(widget_id, public_id)
    if operator.standing == OperatorStanding.REVOKED:
        raise OPERATOR_REVOKED()
    if not destinations.is_available():
        raise DELIVERY_UNAVAILABLE()
    if operator.tests.filter(status="queued").exists():
        raise TEST_IN_FLIGHT()
    test = ProbeTest.objects.create(
        operator=operator, url=operator.url, target=operator.target, challenge=lifecycle.new_challenge()
    )
    operator.last_test = test
    operator.save(update_fields=["last_test"])
    data = {
        "button_guid": operator.widget.guid,
        "operator_id": operator.agent_id,
        "operator_public_id": str(operator.public_id),
        "test_id": str(test.public_id),
        "challenge": test.challenge,
        "endpoint_url": test.url,
    }
    body = {"id": str(test.public_id), "type": turn_states.TEST, "data": data}
    event = OutgoingEvent(
        widget_id=widget_id,
        destination_ids=[operator.pk],
        event_id=test.public_id,
        event_type=turn_states.TEST,
        body=orjson.dumps(body).decode(),
        is_personal=False,
    )
    destinations.queue(destinations.kinds()[turn_states.TESTS], [event])
    record_move(operator, "test", operator.standing, operator.standing, actor)
    return test


def finish_tests(outcomes: Sequence[DeliveryOutcome]) -> None:
    """Writes what came of tests; a proof is of the operator's address, if that is still the one that was tested."""
    for outcome in outcomes:
        if outcome.status != "pending":
            _finish(outcome)


def _finish(outcome: DeliveryOutcome) -> None:
    queued = ProbeTest.objects.unscoped("of claimed deliveries").filter(
        public_id=UUID(outcome.event_id), status="queued"
    )
    test = queued.select_related("operator").first()
    if test is None:
        return
    is_delivered = outcome.status == "delivered"
    error: str | None
    if is_delivered:
        error = lifecycle.proof_refusal(_document(outcome.answer), test.challenge, test.operator.secrets)
    else:
        error = _ERRORS.get(outcome.reason or "", "unreachable")
    is_proved = is_delivered and error is None
    now = timezone.now()
    ProbeTest.objects.unscoped("of claimed deliveries").filter(pk=test.pk, status="queued").update(
        status="delivered" if is_delivered else "failed",
        challenge_ok=is_proved if is_delivered else None,
        response_status=outcome.response_status,
        error=error,
        duration_ms=outcome.milliseconds,
        finished_at=Now(),
    )
    health = OperatorHealth.objects.unscoped("of claimed deliveries").filter(operator_id=test.operator_id)
    if is_proved:
        proved = ExternalOperator.objects.unscoped("of claimed deliveries").filter(
            pk=test.operator_id, target=test.target
        )
        proved.exclude(standing=OperatorStanding.REVOKED).update(verified_at=Now(), updated_at=Now())
        health.update(consecutive_failures=0, degraded_until=None, last_delivered_at=now)
    elif is_delivered:
        health.update(last_delivered_at=now, last_error=error)
    else:
        health.update(last_failed_at=now, last_error=error)


def _document(answer: str) -> Any:
    """The answer as JSON; None if it is none. A long one is cut off, and is none."""
    try:
        return json.loads(answer)
    except (ValueError, RecursionError):
        return None
