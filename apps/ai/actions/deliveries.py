"""The deliveries of turns to external operators, and their outcomes."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db.models.functions import Now
from django.utils import timezone

from apps.ai.actions.endings import close_turns
from apps.ai.models import OperatorEvent, OperatorHealth, Turn
from apps.ai.rules import turn_states
from apps.ai.rules.lifecycle import OperatorStanding
from apps.ai.rules.turn_states import OPEN, Ending, EventStatus, TurnState
from apps.core.destinations import DeliveryOutcome, Destination, PendingDelivery
from apps.core.observability import metrics
from apps.core.redis import wakeups

SHOW_TYPING = "apps.ai.tasks.show_typing"

_SPOKEN_TO = (OperatorStanding.ACTIVE, OperatorStanding.PAUSED)


def read_events(due: Sequence[PendingDelivery]) -> Mapping[int, Destination]:
    """The destinations of events of turns, signed as they were when they were queued.

    A turn is wanted until its deadline, and while it is open; its cancellation always. Nothing goes to an operator that
    was killed or revoked, or whose address is not proved.
    """
    rows = (
        OperatorEvent.objects.unscoped("of claimed deliveries")
        .pending()
        .filter(pk__in=[UUID(one.event_id) for one in due])
    )
    events = {str(event.pk): event for event in rows.select_related("operator", "turn")}
    found = {}
    for one in due:
        event = events.get(one.event_id)
        if event is not None and _is_wanted(event):
            found[one.id] = Destination(
                url=event.operator.target,
                secrets=_secrets(event),
                bearer=event.operator.bearer,
                headers={
                    "X-Service-Operator": str(event.operator.public_id),
                    "X-Service-Causation-Id": event.turn.causation_id,
                    "X-Service-Attempt": str(one.attempt),
                },
            )
    return found


def _is_wanted(event: OperatorEvent) -> bool:
    if event.operator.standing not in _SPOKEN_TO or event.operator.verified_at is None:
        return False
    if event.type == turn_states.CANCELLED:
        return True
    return event.turn.state in OPEN and timezone.now() < event.turn.deadline_at


def _secrets(event: OperatorEvent) -> tuple[str, ...]:
    """The secrets that were in force when it was queued: of the version then, and in an overlap of the one after it."""
    operator = event.operator
    by_version = {operator.secret_version: operator.secret, operator.secret_version - 1: operator.old_secret}
    versions = (event.secret_version, *((event.secret_version + 1,) if event.has_next else ()))
    return tuple(secret for version in versions if (secret := by_version.get(version)))


def take_outcomes(outcomes: Sequence[DeliveryOutcome]) -> None:
    """Writes what came of deliveries: a turn is taken, or ended where it will never arrive."""
    of = {UUID(one.event_id): one for one in outcomes if one.status != "pending"}
    events = {
        event.pk: event
        for event in OperatorEvent.objects.unscoped("of claimed deliveries").filter(pk__in=of).order_by("turn_id", "pk")
    }
    tried = {
        event.operator_id
        for event in OperatorEvent.objects.unscoped("of claimed deliveries").filter(
            pk__in=[UUID(o.event_id) for o in outcomes]
        )
    }
    for status in (EventStatus.DELIVERED, EventStatus.FAILED, EventStatus.DROPPED):
        ids = [pk for pk in events if _status(of[pk]) is status]
        if ids:
            waiting = OperatorEvent.objects.unscoped("of claimed deliveries").filter(pk__in=sorted(ids)).pending()
            waiting.update(status=status.value, finished_at=Now())
    created = [(event, of[pk]) for pk, event in events.items() if event.type == turn_states.CREATED]
    taken = [event.turn_id for event, outcome in created if outcome.status == "delivered"]
    if taken:
        queued = Turn.objects.unscoped("of claimed deliveries").filter(pk__in=taken, state=TurnState.QUEUED.value)
        for turn in queued.select_for_update(no_key=True).order_by("pk"):
            metrics.TURN_TAKEN.observe((timezone.now() - turn.created_at).total_seconds())
        queued.update(state=TurnState.DELIVERED.value, taken_at=Now())
        wakeups.after_commit(SHOW_TYPING)
    failed = [event.turn_id for event, outcome in created if outcome.status == "failed"]
    if failed:
        close_turns(Turn.objects.unscoped("of claimed deliveries").filter(pk__in=failed), ending=Ending.DELIVERY_FAILED)
    _note_health(outcomes, sorted(tried))


def _status(outcome: DeliveryOutcome) -> EventStatus:
    if outcome.status == "delivered":
        return EventStatus.DELIVERED
    return EventStatus.FAILED if outcome.status == "failed" else EventStatus.DROPPED


def _note_health(outcomes: Sequence[DeliveryOutcome], operator_ids: Sequence[int]) -> None:
    now = timezone.now()
    for operator_id in operator_ids:
        own = [one for one in outcomes if one.destination_id == operator_id and one.status != "skipped"]
        health = OperatorHealth.objects.unscoped("of claimed deliveries").filter(operator_id=operator_id)
        if any(one.status == "delivered" for one in own):
            health.update(last_delivered_at=now)
        bad = [one.reason for one in own if one.reason is not None]
        if bad:
            known = ("timeout", "tls_failed", "bad_status")
            health.update(last_failed_at=now, last_error=bad[-1] if bad[-1] in known else "unreachable")
