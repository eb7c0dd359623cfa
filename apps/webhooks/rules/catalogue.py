"""The catalogue of events, and what subscriptions may name of it (specification, "Events")."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.chats.rules import DEFAULT_CLOSE_REASON
from apps.webhooks import payloads


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
        EventType(
            "message.updated",
            "an operator edits or deletes a message of theirs",
            payloads.MessageUpdated,
            is_frozen=False,
        ),
        EventType(
            "chat.queued",
            "a chat begins to wait for an operator of a routed department",
            payloads.ChatQueuedData,
            is_frozen=False,
        ),
        EventType(
            "chat.assigned",
            "an operator accepts a chat that was offered, or is given it by the router",
            payloads.ChatAssignedData,
            is_frozen=False,
        ),
        EventType(
            "sla.warning",
            "an answer is due soon: the share of its time that the settings name is used",
            payloads.SlaWarningData,
            is_frozen=False,
        ),
        EventType(
            "sla.breached",
            "an answer was due, and did not come in time",
            payloads.SlaBreachedData,
            is_frozen=False,
        ),
        EventType(
            "automation.fired",
            "an automation or a macro sends a webhook",
            payloads.AutomationFiredData,
            is_frozen=False,
        ),
        EventType(
            "questions.answered",
            "a visitor answers questions before a chat",
            payloads.QuestionsAnsweredData,
            is_frozen=False,
        ),
        EventType(
            "invitation.answered",
            "a visitor's message answers an invitation to chat",
            payloads.InvitationAnsweredData,
            is_frozen=False,
        ),
        EventType(
            "article.published",
            "readers see a version of an article's text",
            payloads.ArticlePublishedData,
            is_frozen=False,
        ),
        EventType(
            "article.unpublished",
            "readers see an article's text no longer: it is withdrawn or deleted",
            payloads.ArticleUnpublishedData,
            is_frozen=False,
        ),
        EventType(
            "article.rated",
            "a reader says whether an article helped, or says otherwise than before",
            payloads.ArticleRatedData,
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
