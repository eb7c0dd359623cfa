"""The catalogue of events, the bodies and signatures of deliveries, and when a delivery is tried again. Pure.

Specification: "Events", "Webhook signature verification".
"""

import hmac
import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

import orjson

from apps.chats.rules import DEFAULT_CLOSE_REASON
from apps.webhooks import payloads

if TYPE_CHECKING:
    from apps.core.destinations import Failure


@dataclass(frozen=True, slots=True)
class EventType:
    """A row of the catalogue. `is_live` says whether it is enabled platform-wide until its switch is used."""

    name: str
    fires_when: str
    data: type[Any]
    legacy_name: str | None = None
    is_live: bool = False
    is_frozen: bool = True

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of what its `data` carries, besides `button_guid`."""
        return tuple(self.data.__annotations__)


# Ids and discriminators only; offline_message.created alone carries what the visitor filled in. The first seven names
# are frozen.
CATALOGUE: Mapping[str, EventType] = {
    event.name: event
    for event in (
        EventType(
            "message.created",
            "a chat message is stored, from a client or an agent",
            payloads.MessageCreated,
            is_live=True,
        ),
        EventType("chat.created", "a new chat is created for a first-time client", payloads.ChatCreatedData),
        EventType(
            "chat.transferred",
            "a chat is transferred between agents",
            payloads.ChatTransferredData,
            legacy_name="chat_updated",
        ),
        EventType(
            "chat.closed",
            "a chat is closed, or becomes expired by itself",
            payloads.ChatClosedData,
            legacy_name="chat_finished",
        ),
        EventType(
            "rating.created",
            "a client submits a rating for the first time",
            payloads.RatingCreatedData,
        ),
        EventType("agent.online", "an agent's socket connects", payloads.AgentOnline),
        EventType("agent.offline", "an agent's last socket disconnects", payloads.AgentOffline),
        EventType(
            "chat.accepted",
            "an operator answers a chat that nobody had answered",
            payloads.ChatAcceptedData,
            legacy_name="chat_accepted",
            is_frozen=False,
        ),
        EventType(
            "offline_message.created",
            "a client submits the offline form while no operator is connected",
            payloads.OfflineMessageCreated,
            legacy_name="offline_message",
            is_frozen=False,
        ),
        EventType(
            "contact.updated",
            "a contact is updated over the API or in the console",
            payloads.ContactUpdatedData,
            legacy_name="client_updated",
            is_frozen=False,
        ),
    )
}

NATIVE_NAMES: tuple[str, ...] = tuple(CATALOGUE)
LEGACY_NAMES: Mapping[str, str] = {event.legacy_name: name for name, event in CATALOGUE.items() if event.legacy_name}

# The kind of destination that subscriptions are (`core.destinations`).
SUBSCRIPTIONS = "subscription"


def is_personal(event_type: str, data: Mapping[str, Any]) -> bool:
    """Whether an event's body may hold personal data, and is encrypted at rest.

    A visitor's form does; so may a caller's own words for why a chat was closed.
    """
    in_own_words: bool = data.get("reason", DEFAULT_CLOSE_REASON) != DEFAULT_CLOSE_REASON
    return event_type == "offline_message.created" or (event_type == "chat.closed" and in_own_words)


def catalogue(*, enabled: Collection[str]) -> list[dict[str, Any]]:
    """A row for each name of both vocabularies, the native ones first; `enabled` are native names.

    A legacy name is enabled with its native event, and is none of the seven frozen ones.
    """
    native = [("native", event.name, event) for event in CATALOGUE.values()]
    legacy = [("legacy", name, CATALOGUE[of]) for name, of in LEGACY_NAMES.items()]
    return [
        {
            "name": name,
            "vocabulary": vocabulary,
            "enabled": event.name in enabled,
            "frozen": vocabulary == "native" and event.is_frozen,
            "triggered_by": event.fires_when,
        }
        for vocabulary, name, event in (*native, *legacy)
    ]


def native_name(name: str) -> str:
    """The catalogue's name of an event, of a name of either vocabulary."""
    return LEGACY_NAMES.get(name, name)


def disabled_events(events: Sequence[str], enabled: Collection[str]) -> list[str]:
    """The subscription's events that are not enabled platform-wide; `enabled` are native names."""
    return [name for name in events if native_name(name) not in enabled]


def subscribable_names(*, is_legacy_compat: bool) -> tuple[str, ...]:
    """The names that a subscription of either vocabulary may list (specification, "Legacy compatibility")."""
    return tuple(LEGACY_NAMES) if is_legacy_compat else NATIVE_NAMES


def events_refusals(events: Sequence[str], *, is_legacy_compat: bool) -> dict[str, str]:
    """Why the events of a subscription can't be those, by their dotted paths; empty when they can."""
    known = subscribable_names(is_legacy_compat=is_legacy_compat)
    vocabulary = "legacy" if is_legacy_compat else "native"
    refusals: dict[str, str] = {}
    for index, name in enumerate(events):
        if name not in known:
            refusals[f"events.{index}"] = f"There is no {vocabulary} event of this name. Known are: {', '.join(known)}."
        elif name in events[:index]:
            refusals[f"events.{index}"] = "The event is listed twice."
    return refusals


def vocabulary_refusal(*, is_legacy_compat: bool) -> str:
    """Why a subscription can't change to that vocabulary without new events."""
    vocabulary, other = ("legacy", "native") if is_legacy_compat else ("native", "legacy")
    known = ", ".join(subscribable_names(is_legacy_compat=is_legacy_compat))
    return f"Its events are {other} ones: send the {vocabulary} events that it is to have. Known are: {known}."


# --- Bodies -----------------------------------------------------------------------------------------------------------


def native_body(event_id: UUID, event_type: str, data: Mapping[str, Any], *, widget_guid: str) -> str:
    """The JSON text `{id, type, data}` of an event, built once and sent as these very bytes at every attempt."""
    document = {"id": str(event_id), "type": event_type, "data": {**data, "button_guid": widget_guid}}
    return orjson.dumps(document).decode()


def legacy_body(native: str) -> str:
    """The legacy envelope of the same event, always the same text for the same event.

    `event_name, widget_id, chat_id, agent {id}`, then the native fields under their own names.
    """
    document = orjson.loads(native)
    data: dict[str, Any] = document["data"]
    widget_guid = data.pop("button_guid")
    envelope: dict[str, Any] = {"event_name": CATALOGUE[document["type"]].legacy_name, "widget_id": widget_guid}
    if "chat_id" in data:
        envelope["chat_id"] = data["chat_id"]
    agent_id = data.get("operator_id", data.get("to_operator_id"))
    if agent_id is not None:
        envelope["agent"] = {"id": agent_id}
    return orjson.dumps({**envelope, **data}).decode()


def wire_name(event_type: str, *, is_legacy: bool) -> str:
    """The value of `X-Service-Event`: the event's name in the receiver's vocabulary."""
    return (CATALOGUE[event_type].legacy_name or event_type) if is_legacy else event_type


# --- Secrets and signatures -------------------------------------------------------------------------------------------

SECRET_PREFIX = "whsec_"  # noqa: S105 - what a generated secret begins with
MIN_SECRET_LENGTH, MAX_SECRET_LENGTH = 16, 255


def new_secret() -> str:
    """A fresh signing secret: `whsec_` and 256 random bits."""
    return SECRET_PREFIX + secrets.token_urlsafe(32)


def signature(secret: bytes, body: bytes) -> str:
    """The value of `X-Service-Signature`: HMAC-SHA256 of the raw body, in lowercase hex."""
    return "sha256=v1:" + hmac.digest(secret, body, "sha256").hex()


# --- Attempts ---------------------------------------------------------------------------------------------------------

MAX_ATTEMPTS = 4
MAX_WAIT_S = 60
# A crash eats no attempt, but a delivery that takes its worker down with it must not do so for ever.
MAX_CLAIMS = 20


class DeliveryStatus(StrEnum):
    """The status of a delivery; all but PENDING are final."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    SKIPPED = "skipped"


def wait_after(attempt: int) -> int:
    """Seconds between attempt number `attempt` (from 1) and the next: min(60, 2^attempt * 5)."""
    return int(min(MAX_WAIT_S, 2**attempt * 5))


@dataclass(frozen=True, slots=True)
class AttemptVerdict:
    """The outcome of a claimed delivery, and the new state of its row."""

    status: DeliveryStatus
    made_attempt: bool
    gives_back: bool = False
    wait_s: int = 0
    response_status: int | None = None
    error: str = ""
    reason: "Failure | None" = None


# Why a call got no answer, in the words of `egress`, where an outcome tells it apart.
_TOLD_APART: "Mapping[str, Failure]" = {"timeout": "timeout", "tls": "tls_failed"}


def call_failure(egress_reason: str) -> "Failure":
    """The failure of a call that `egress` refused, or that got no answer."""
    return _TOLD_APART.get(egress_reason, "unreachable")


def after_answer(status: int, *, attempts_before: int, of: int = MAX_ATTEMPTS) -> AttemptVerdict:
    """The verdict on an answer: 2xx is delivered; anything else, a redirect too, has used up one attempt of `of`."""
    if 200 <= status < 300:
        return AttemptVerdict(DeliveryStatus.DELIVERED, made_attempt=True, response_status=status)
    return _after_failure(f"The receiver answered {status}.", "bad_status", status, attempts_before, of)


def after_no_answer(error: str, reason: "Failure", *, attempts_before: int, of: int = MAX_ATTEMPTS) -> AttemptVerdict:
    """The verdict on a transport error or a timeout: one attempt of `of` is used up."""
    return _after_failure(error, reason, None, attempts_before, of)


def failed_for_good(error: str, reason: "Failure") -> AttemptVerdict:
    """The verdict on a delivery that can't be made at all: no attempt helps."""
    return AttemptVerdict(DeliveryStatus.FAILED, made_attempt=False, error=error, reason=reason)


# Its destination is gone or inactive, or the event type is switched off.
SKIPPED = AttemptVerdict(DeliveryStatus.SKIPPED, made_attempt=False)
# Not tried after all: as if it had not been claimed.
GIVEN_BACK = AttemptVerdict(DeliveryStatus.PENDING, made_attempt=False, gives_back=True)


def _after_failure(
    error: str, reason: "Failure", response_status: int | None, attempts_before: int, of: int
) -> AttemptVerdict:
    attempt = attempts_before + 1
    is_last = attempt >= of
    return AttemptVerdict(
        DeliveryStatus.FAILED if is_last else DeliveryStatus.PENDING,
        made_attempt=True,
        wait_s=0 if is_last else wait_after(attempt),
        response_status=response_status,
        error=error,
        reason=reason,
    )


class Irredeliverable(StrEnum):
    """Why a delivery is not sent again."""

    UNDER_WAY = "under_way"
    NO_RECEIVER = "no_receiver"
    INACTIVE = "inactive"
    SENT_AS_LEGACY = "sent_as_legacy"
    NO_LEGACY_NAME = "no_legacy_name"
    SWITCHED_OFF = "switched_off"


def redelivery_refusal(
    *,
    status: str,
    event_type: str,
    is_legacy: bool,
    is_active: bool | None,
    is_legacy_compat: bool | None,
    enabled: Collection[str],
) -> Irredeliverable | None:
    """Why a delivery can't be sent again; None when it can (specification, "Retry and redelivery", 5 and 6).

    `is_legacy`: it was sent in the legacy envelope. `is_active` and `is_legacy_compat` are its subscription's now, None
    where that is gone; `enabled` are the native names of the event types that are enabled platform-wide.

    If the specification is silent, a delivery that would only be dropped again is refused: its subscription is not
    active, or its event type is switched off; a delivery under way is sent anyhow.
    """
    if is_active is None:
        return Irredeliverable.NO_RECEIVER
    if status == DeliveryStatus.PENDING:
        return Irredeliverable.UNDER_WAY
    if is_legacy:
        return Irredeliverable.SENT_AS_LEGACY
    if not is_active:
        return Irredeliverable.INACTIVE
    if is_legacy_compat and CATALOGUE[event_type].legacy_name is None:
        return Irredeliverable.NO_LEGACY_NAME
    if event_type not in enabled:
        return Irredeliverable.SWITCHED_OFF
    return None
