"""The payload of each event: the one declaration of its `data`, which `handlers.py` writes and OpenAPI shows.

While the service runs they are plain dictionaries; the type checker and tests see to it that they are as declared
(`core/payloads.py`).
"""

from typing import Annotated, Literal, TypedDict

from apps.core.payloads import Field

_GUID = "^[0-9a-f]{32}$"
_CLIENT = Field("The contact's guid.", "f3c1a9d2b4e5f60718293a4b5c6d7e8f", _GUID)
_AUTHOR = "The side that did it: the visitor's (`USER`) or the operators' (`OPERATOR`)."

ArticleId = Annotated[int, Field("The article's id, as in `/v1/articles`.", 12)]
ArticleLanguage = Annotated[str, Field("The language of the text.", "en")]
ChatId = Annotated[int, Field("The chat's id.", 7)]
MessageId = Annotated[int, Field("The message's id.", 42)]
ClientGuid = Annotated[str, _CLIENT]
Author = Annotated[Literal["USER", "OPERATOR"], Field(_AUTHOR, "USER")]
Source = Annotated[str, Field("The channel's code.", "widget")]
OperatorId = Annotated[int, Field("The agent's id.", 3)]


class EveryEvent(TypedDict):
    """The fields that every event's data has beside its own."""

    button_guid: Annotated[str, Field("The widget's guid.", "0d9f2b7c4e6a48135f7089abcdef1234", _GUID)]


class MessageCreated(TypedDict):
    """Ids only: neither the text, nor what kind of message it is."""

    chat_id: ChatId
    message_id: MessageId
    client_id: ClientGuid
    author_type: Author
    source: Source


class MessageUpdated(MessageCreated):
    """The members of `message.created`, and the change that was made to the message."""

    change: Annotated[Literal["edited", "deleted"], Field("The change that was made to the message.", "edited")]


class ChatCreatedData(TypedDict):
    """The chat and its contact."""

    chat_id: ChatId
    client_id: ClientGuid
    source: Source


class ChatTransferredData(TypedDict):
    """The agents before and after the transfer."""

    chat_id: ChatId
    client_guid: ClientGuid
    from_operator_id: Annotated[int | None, Field("The agent who had it; null if it had no owner.", 3)]
    to_operator_id: Annotated[int, Field("The agent who has it now.", 4)]
    author_type: Author
    source: Source


class ChatClosedData(TypedDict):
    """The chat, and why it was closed."""

    chat_id: ChatId
    reason: Annotated[str, Field("`expired`, or what the caller who closed it gave as the reason.", "expired")]


class RatingCreatedData(TypedDict):
    """A rating was given; its value is not told."""

    chat_client_id: ClientGuid
    operator_id: Annotated[int | None, Field("The agent who handled the chat; null if none did.", 3)]
    author_type: Author
    source: Source


class AgentOnline(TypedDict):
    """The agent who came online."""

    operator_id: OperatorId


class AgentOffline(TypedDict):
    """The agent who went offline."""

    operator_id: OperatorId


class ChatAcceptedData(TypedDict):
    """The agent who answers, and the visitor."""

    chat_id: ChatId
    operator_id: OperatorId
    operator_type: Annotated[Literal["human", "ai"], Field("Whether a person or the AI operator answers.", "human")]
    client_id: ClientGuid


class OfflineMessageCreated(TypedDict):
    """Alone of all, it carries what the visitor filled in."""

    chat_id: ChatId
    client_id: ClientGuid
    message_id: MessageId
    name: Annotated[str | None, Field("As the visitor gave it; null if they did not.", "Olga")]
    email: Annotated[str | None, Field("As the visitor gave it; null if they did not.", "olga@shop.example")]
    phone: Annotated[str | None, Field("As the visitor gave it; null if they did not.", "+1 555 0100")]


class ContactUpdatedData(TypedDict):
    """The names of what changed, and none of it."""

    client_id: ClientGuid
    changed_fields: Annotated[list[str], Field("Names of the contact's members.", ["name", "attributes"])]


DepartmentId = Annotated[int | None, Field("The chat's department; null without one.", 2)]
ChatPriority = Annotated[Literal["low", "normal", "high", "urgent"], Field("The chat's priority.", "normal")]


class ChatQueuedData(TypedDict):
    """The chat that waits for an operator, and its department."""

    chat_id: ChatId
    client_id: ClientGuid
    department_id: DepartmentId
    priority: ChatPriority


class ChatAssignedData(TypedDict):
    """The agent whose chat it is by the router."""

    chat_id: ChatId
    client_id: ClientGuid
    operator_id: OperatorId
    department_id: DepartmentId
    outcome: Annotated[
        Literal["accepted", "assigned"], Field("They accepted the offer, or were given it at once.", "accepted")
    ]


class AnswerTimeData(TypedDict):
    """The answer that is due, and whose chat it is."""

    chat_id: ChatId
    client_id: ClientGuid
    metric: Annotated[
        Literal["first_reply", "next_reply", "resolution"], Field("The answer time that it is about.", "first_reply")
    ]
    due_at: Annotated[str, Field("When it is, or was, due (UTC).", "2027-01-15T10:30:00.000000Z")]
    department_id: DepartmentId
    operator_id: Annotated[int | None, Field("The agent who owns the chat; null: nobody does.", 3)]
    priority: ChatPriority


class SlaWarningData(AnswerTimeData):
    """The answer that is due, and whose chat it is."""


class SlaBreachedData(AnswerTimeData):
    """The answer that was due, and whose chat it is."""


class AutomationFiredData(TypedDict):
    """The run of an automation, or of a macro, that sent it."""

    chat_id: ChatId
    client_id: ClientGuid
    automation_id: Annotated[int | None, Field("The automation's id; null for a macro.", 5)]
    version: Annotated[int | None, Field("The automation's version that acted; null for a macro.", 2)]
    name: Annotated[str, Field("The name that the act gives it.", "refund-asked")]
    run_id: Annotated[int, Field("The run's id, as in `/v1/automation-runs`.", 77)]


class QuestionsAnsweredData(TypedDict):
    """The chat whose visitor answered, and which questions; the answers are the chat's."""

    chat_id: ChatId
    client_id: ClientGuid
    keys: Annotated[list[str], Field("The questions' keys; what was answered has the chat.", ["topic", "order"])]
    source: Source


class ArticlePublishedData(TypedDict):
    """The article's text that readers see now."""

    article_id: ArticleId
    lang: ArticleLanguage
    version: Annotated[int, Field("The version that readers see.", 3)]


class ArticleUnpublishedData(TypedDict):
    """The article's text that readers see no longer."""

    article_id: ArticleId
    lang: ArticleLanguage
    version: Annotated[int, Field("The version that readers saw last.", 3)]


class ArticleRatedData(TypedDict):
    """The article's text, and a reader's voice about it."""

    article_id: ArticleId
    lang: ArticleLanguage
    helpful: Annotated[bool, Field("Whether it helped.", True)]


class InvitationAnsweredData(TypedDict):
    """The invitation, and the chat that it began."""

    invitation_id: Annotated[int, Field("The invitation's id, as in `/v1/chat-invitations`.", 4)]
    chat_id: ChatId
    client_id: ClientGuid
