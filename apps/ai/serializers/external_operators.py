"""The serializers of external operators, their tests and their replies."""

from datetime import datetime
from typing import Any

from apps.ai.rules.lifecycle import ROTATING, STATES, Fallback, Rotation, state_of
from apps.core.endpoints.row_serializers import IntegerList, MethodField, RowSerializer, Secret, Time, Url
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text

TEST_STATES = ("queued", "delivered", "failed")
TEST_ERRORS = ("unreachable", "timeout", "tls_failed", "bad_status", "no_echo", "no_proof")
REPLY_OUTCOMES = ("message", "handoff", "message_and_handoff")
REPLY_REASONS = ("requested", "marker", "empty_content", "safety_floor")


class ProbeTestSerializer(RowSerializer):
    """A synthetic `delivery.test`, and what came of it."""

    public_id = Text()
    operator_public_id = Text(source="operator.public_id")
    status = Choice(choices=TEST_STATES)
    challenge_ok = Boolean(
        allow_null=True, help_text="Whether the endpoint proved that it knows the secret. Null: no 2xx came."
    )
    endpoint_url = Url(source="url", help_text="The address that was asked.")
    response_status = Integer(allow_null=True)
    error = Choice(choices=TEST_ERRORS, allow_null=True)
    duration_ms = Integer(allow_null=True)
    created_at = Time()
    finished_at = Time(allow_null=True)


class RotationSerializer(RowSerializer):
    """A rotation of the signing secret that is under way."""

    phase = Choice(choices=["overlap", "draining"])
    started_at = Time()
    overlap_ends_at = Time()
    undelivered = Integer(help_text="Events that wait still and are signed by the old secret.")
    resumes_to = Choice(choices=["active", "paused"])


class OperatorQueueSerializer(RowSerializer):
    """The events and turns that wait for an operator."""

    undelivered = Integer(help_text="Events, tests apart, that the endpoint has not taken yet.")
    awaiting_reply = Integer(help_text="Open turns.")


class HealthSerializer(RowSerializer):
    """How the endpoint does."""

    state = Choice(choices=["ok", "degraded"])
    consecutive_failures = Integer(help_text="Turns in a row that ended without an answer.")
    degraded_until = Time(allow_null=True)
    last_delivered_at = Time(allow_null=True)
    last_failed_at = Time(allow_null=True)
    last_error = Choice(choices=[*TEST_ERRORS, "no_reply"], allow_null=True)


def rotation_of(started_at: datetime | None, overlap_ends_at: datetime | None, waiting: int) -> Rotation | None:
    """The rotation of a row's columns, under way or over; None where none has begun."""
    if started_at is None or overlap_ends_at is None:
        return None
    return Rotation(started_at, overlap_ends_at, waiting)


def _state(standing: str, started_at: Any, overlap_ends_at: Any, waiting: int, now: datetime) -> str:
    return state_of(standing, rotation_of(started_at, overlap_ends_at, waiting), now)


def _rotation(
    standing: str, started_at: Any, overlap_ends_at: Any, waiting: int, now: datetime
) -> dict[str, Any] | None:
    rotation = rotation_of(started_at, overlap_ends_at, waiting)
    phase = rotation.phase(now) if rotation else None
    if rotation is None or phase is None:
        return None
    return {
        "phase": phase,
        "started_at": rotation.started_at,
        "overlap_ends_at": rotation.overlap_ends_at,
        "undelivered": rotation.old_undelivered,
        "resumes_to": standing,
    }


def _state_changed_at(changed_at: datetime, *rotation: Any) -> datetime:
    """When it became what it is; of a rotation that is over by itself, when its overlap ended."""
    standing, started_at, overlap_ends_at, waiting, now = rotation
    over = started_at is not None and _state(standing, started_at, overlap_ends_at, waiting, now) != ROTATING
    return max(changed_at, overlap_ends_at) if over else changed_at


def _health(failures: int, degraded_until: datetime | None, delivered: Any, failed: Any, error: Any) -> dict[str, Any]:
    return {
        "state": "ok" if degraded_until is None else "degraded",
        "consecutive_failures": failures,
        "degraded_until": degraded_until,
        "last_delivered_at": delivered,
        "last_failed_at": failed,
        "last_error": error,
    }


_ROTATION = ("standing", "rotation_started_at", "overlap_ends_at", "old_undelivered", "read_at")
_HEALTH = ("consecutive_failures", "degraded_until", "last_delivered_at", "last_failed_at", "last_error")


class ExternalOperatorSerializer(RowSerializer):
    """A customer's own program that answers visitors. Its secret and its bearer credential are never shown."""

    public_id = Text()
    agent_id = Integer(help_text="The operator that it is among the widget's agents.")
    name = Text(source="agent.name")
    endpoint_url = Url(source="url", help_text="The address to which turns are posted.")
    state = MethodField(Choice(choices=STATES), columns=_ROTATION, from_=_state)
    verified = MethodField(
        Boolean(help_text="Whether the present URL has proved that it knows the operator's secret."),
        columns=("verified_at",),
        from_=lambda at: at is not None,
    )
    verified_at = Time(allow_null=True)
    has_secret = Boolean()
    has_bearer = Boolean()
    requires_signed_replies = Boolean()
    answers_by_person = Boolean(
        help_text="A person writes its replies, says the cabinet: its messages are not marked `ai`. False at first."
    )
    reply_timeout_sec = Integer()
    fallback = Choice(choices=[one.value for one in Fallback], help_text="The outcome of a turn without an answer.")
    department_ids = IntegerList(source="departments")
    rotation = MethodField(RotationSerializer(allow_null=True), columns=_ROTATION, from_=_rotation)
    queue = OperatorQueueSerializer(source="*")
    health = MethodField(HealthSerializer(), columns=[f"health__{name}" for name in _HEALTH], from_=_health)
    last_test = ProbeTestSerializer(allow_null=True)
    created_at = Time()
    updated_at = Time()
    state_changed_at = MethodField(Time(), columns=("state_changed_at", *_ROTATION), from_=_state_changed_at)


class MovedOperatorSerializer(ExternalOperatorSerializer):
    """An external operator after a move of its lifecycle."""

    signing_secret = Secret(required=False, help_text="Only where the move was `rotate`, and only here.")


class DrainedOperatorSerializer(ExternalOperatorSerializer):
    """An external operator whose rotation was ended."""

    abandoned = Integer(help_text="Events that will not be delivered.")


class AiReplySerializer(RowSerializer):
    """The outcome of a reply; it is stored."""

    causation_id = Text()
    room_id = Integer()
    outcome = Choice(choices=REPLY_OUTCOMES)
    handoff_reason = Choice(choices=REPLY_REASONS, allow_null=True)
    message_id = Integer(allow_null=True, help_text="The text's, or the phrase's that stands for it; else null.")
    visible = Boolean(help_text="Whether the visitor sees that message.")
