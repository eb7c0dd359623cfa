"""The payloads for external operators: the one declaration of each event's `data`, which OpenAPI shows."""

from typing import Annotated, Literal, TypedDict

from apps.core.payloads import Field

_GUID = "^[0-9a-f]{32}$"
_CAUSATION_ID = "5f0c8a1e-7a55-4a0c-9d0b-9f3f1a1c2b3d"
_PUBLIC_ID = "7c9e6679-7425-40de-944b-e07fc1f90ae7"


class EveryOperatorEvent(TypedDict):
    """The receiver of an event."""

    button_guid: Annotated[str, Field("The widget's guid.", "0d9f2b7c4e6a48135f7089abcdef1234", _GUID)]
    operator_id: Annotated[int, Field("The operator's agent id.", 9)]
    operator_public_id: Annotated[str, Field("The operator's public id.", _PUBLIC_ID)]


class EveryTurnEvent(EveryOperatorEvent):
    """The turn of an event."""

    room_id: Annotated[int, Field("The chat's id, to be sent back.", 7)]
    causation_id: Annotated[str, Field("Names the turn, to be sent back; good once.", _CAUSATION_ID)]


class OperatorsPresent(TypedDict):
    """Whether people are there."""

    state: Annotated[Literal["online", "offline", "unknown"], Field("Whether a person has a console open.", "online")]


class TurnChat(TypedDict):
    """The chat."""

    id: Annotated[int, Field("Its id.", 7)]
    channel: Annotated[str, Field("The channel's code.", "widget")]
    handling: Annotated[str, Field("The side that handled it so far.", "missed")]
    department_id: Annotated[int | None, Field("Its department.", 2)]
    created_at: Annotated[str, Field("Since when it is there.", "2026-11-25T08:30:00Z")]


class TurnContact(TypedDict):
    """The visitor who writes. More of them is in the API."""

    id: Annotated[str, Field("The contact's guid.", "f3c1a9d2b4e5f60718293a4b5c6d7e8f", _GUID)]
    name: Annotated[str | None, Field("As they gave it.", "Ivan")]


class TurnMessage(TypedDict):
    """A message, as `GET /v1/chats/{id}/messages` shows it."""

    id: Annotated[int, Field("Its id.", 42)]
    type: Annotated[str, Field("Its type.", "text")]
    body: Annotated[str, Field("As it was written.", "How much are roses?")]


class TurnCreated(EveryTurnEvent):
    """A visitor waits for an answer."""

    deadline_at: Annotated[str, Field("Until then a reply is good; then others answer.", "2026-11-25T08:32:00Z")]
    reply_url: Annotated[
        str, Field("The address to which the reply is posted.", "https://chat.example.com/api/v1/ai/replies")
    ]
    trigger: Annotated[
        Literal["message", "takeover"], Field("`takeover`: the visitor wrote to people, who did not come.", "message")
    ]
    locale: Annotated[str | None, Field("The language of the conversation.", "en")]
    operators: Annotated[OperatorsPresent, Field("Whether people are there.")]
    chat: Annotated[TurnChat, Field("The chat.")]
    contact: Annotated[TurnContact, Field("The visitor who writes.")]
    messages: Annotated[list[TurnMessage], Field("The messages to answer, oldest first.")]
    history: Annotated[list[TurnMessage], Field("The messages before, oldest first, 20 at most.")]


class TurnCancelled(EveryTurnEvent):
    """A turn that the endpoint had taken has ended without its reply."""

    reason: Annotated[Literal["human_took_over", "chat_closed", "expired"], Field("Why.", "human_took_over")]


class DeliveryTest(EveryOperatorEvent):
    """A test: answer 2xx with the JSON `{"challenge": "<the same>", "proof": "sha256=v1:<hex>"}`.

    The proof is the HMAC-SHA256 of the challenge; the key is the secret's text. A test that names another
    `endpoint_url` than your own was sent on to you by somebody else: refuse it.
    """

    test_id: Annotated[str, Field("The test's public id.", "0b8f2f0e-6c6a-4a39-9d57-3f0f5f5b9a51")]
    challenge: Annotated[str, Field("The challenge to prove.", "q0Vb9tqg3lTq2m8rJm5m1l7vG2Vw8k0mJbqgq5x8m1k")]
    endpoint_url: Annotated[str, Field("The address that is tested.", "https://bot.example.com/turns")]
