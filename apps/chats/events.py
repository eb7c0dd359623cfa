"""The events of chats. Guids and channel codes travel along, so that a handler needs no look-up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Literal, Protocol, Self

from apps.core.bus import DomainEvent

AuthorType = Literal["USER", "OPERATOR"]


class EventChat(Protocol):
    """A chat as its events need it: its row, or what posting reads of it."""

    @property
    def id(self) -> int: ...
    @property
    def widget_id(self) -> int: ...
    @property
    def widget_guid(self) -> str: ...
    @property
    def contact_guid(self) -> str: ...
    @property
    def channel(self) -> str: ...
    @property
    def answerers(self) -> tuple[str, ...]: ...
    @property
    def translated_to(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEvent(DomainEvent):
    """The base of what happens to a chat."""

    OF_CHAT: ClassVar = ("contact_guid", "channel", "answerers", "translated_to")

    widget_id: int
    widget_guid: str
    chat_id: int

    @classmethod
    def of(cls, chat: EventChat, **facts: Any) -> Self:
        """The event of that chat. Its own members are read off the chat, as far as the event has them; `facts` are
        the others.
        """
        known = {name: getattr(chat, name) for name in cls.OF_CHAT if name in cls.__dataclass_fields__}
        return cls(widget_id=chat.widget_id, widget_guid=chat.widget_guid, chat_id=chat.id, **known, **facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCreated(ChatEvent):
    """A first-time client's first message opened a chat."""

    contact_guid: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedContent:
    """A message's content as it is stored, its sender, and its origin in the sender's words."""

    type: str
    body: str
    markdown: str | None
    details: Mapping[str, Any] | None
    sender_kind: str
    agent_id: int | None
    sender_name: str
    origin: str | None
    via: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePosted(ChatEvent):
    """A message was stored, from a client or an operator. `said` is for who carries it on; a repr does not show it.

    `answerers`, here and below, are the kinds that answer the widget's visitors besides people (`accounts.rules`);
    `translated_to` are the languages in which operators read the chat; `read_for` has by app what its handlers asked to
    have read with the chat (the hook `read_with_chat`), which notes have not.
    """

    message_id: int
    contact_guid: str
    channel: str
    author_type: AuthorType
    is_internal: bool
    read_for: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    answerers: tuple[str, ...] = field(default=(), compare=False)
    translated_to: tuple[str, ...] = field(default=(), compare=False)
    said: PostedContent | None = field(default=None, repr=False, compare=False)

    @property
    def is_carried(self) -> bool:
        """Whether the chat's channel carries it to the visitor."""
        return self.author_type == "OPERATOR" and not self.is_internal


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationsWanted(DomainEvent):
    """Messages of a chat wait for their translations."""

    widget_id: int
    chat_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageChanged(ChatEvent):
    """An operator edited or deleted a message of theirs; the row has its new text by now."""

    message_id: int
    contact_guid: str
    channel: str
    is_internal: bool
    change: Literal["edited", "deleted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessagePosted(DomainEvent):
    """The service itself wrote into a chat. It is no word of either side: no webhook tells of it.

    `said` and `read_for` are the shop's word's, as in `MessagePosted`; any other message of the service stays in the
    thread.
    """

    widget_id: int
    chat_id: int
    message_id: int
    channel: str
    read_for: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    said: PostedContent | None = field(default=None, repr=False, compare=False)

    @property
    def is_carried(self) -> bool:
        """Whether the chat's channel carries it to the visitor."""
        return self.said is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationAnswered(ChatEvent):
    """A visitor answered an invitation to chat: their message is stored behind it."""

    contact_guid: str
    invitation_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatAccepted(ChatEvent):
    """An operator gave a chat its first answer."""

    contact_guid: str
    agent_id: int
    operator_type: Literal["human", "ai"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTaken(ChatEvent):
    """A person accepted a chat, or was assigned or given it; it may have been theirs already."""

    contact_guid: str
    agent_id: int
    answerers: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReturned(ChatEvent):
    """A person gave a chat back: it has no owner any more. `from_agent_id` did."""

    contact_guid: str
    from_agent_id: int
    answerers: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorityChanged(ChatEvent):
    """A chat has another priority; `before` is the former one."""

    before: str
    priority: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatTransferred(ChatEvent):
    """A chat was given to, or taken by, another person; `from_agent_id` owned it, else handled it, else None."""

    contact_guid: str
    channel: str
    from_agent_id: int | None
    to_agent_id: int
    author_type: AuthorType


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSentToDepartment(ChatEvent):
    """A chat was given to a department; it has no owner any more."""

    department_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRequested(ChatEvent):
    """A visitor is asked for a rating of their chat; `request_id` is the request, and `url` its link, if it has one."""

    channel: str
    request_id: int
    url: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingCreated(ChatEvent):
    """A visitor rated an episode of their chat for the first time. `agent_id` handled it, None when no operator did."""

    contact_guid: str
    channel: str
    agent_id: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChanged(ChatEvent):
    """A visitor replaced the rating of an episode by one of another value. `agent_id` handled it, or None."""

    contact_guid: str
    channel: str
    agent_id: int | None
    value_before: int
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OfflineMessagePosted(ChatEvent):
    """A visitor left a message by the offline form while no operator was connected.

    The rest is as they filled it in; Fields that they left empty are None.
    """

    message_id: int
    contact_guid: str
    name: str | None
    email: str | None
    phone: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionsAnswered(ChatEvent):
    """A visitor answered questions of the website's chat with a message: those of these keys."""

    contact_guid: str
    channel: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatClosed(ChatEvent):
    """A chat moved into `expired`, by whichever way."""

    reason: str
    answerers: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMarkedSpam(ChatEvent):
    """A chat moved into `spam`."""

    answerers: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMoved(ChatEvent):
    """A contact's chat goes on in another channel: the same chat, with all that is in it."""

    contact_guid: str
    from_channel: str
    to_channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatUpdated(DomainEvent):
    """A chat's state, owner, department or attribution changed, its rating, or what is known of its visitor.

    `changed` has the former and the new value of each of `FOLLOWED` that is another now.
    """

    FOLLOWED: ClassVar = frozenset(
        ("status", "agent_id", "department_id", "priority", "handed_over_at", "snoozed_at", "woken_at")
    )

    widget_id: int
    chat_id: int
    changed: Mapping[str, tuple[Any, Any]] = field(default_factory=dict, compare=False)

    @classmethod
    def followed(cls, before: Mapping[str, Any], after: Mapping[str, Any]) -> Mapping[str, tuple[Any, Any]]:
        """The chat's columns of `changed`, before and after."""
        names = cls.FOLLOWED & after.keys()
        return {name: (before[name], after[name]) for name in sorted(names) if before[name] != after[name]}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesSeen(DomainEvent):
    """One side saw the other side's messages, up to one of them."""

    widget_id: int
    chat_id: int
    message_id: int
    seen_by: AuthorType


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactUpdated(DomainEvent):
    """A contact was changed over the API or in the console; `changed_fields` name the members that differ now."""

    widget_id: int
    widget_guid: str
    contact_guid: str
    changed_fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactTagged(DomainEvent):
    """Tags were put on a contact who had not had them; `names` are these."""

    widget_id: int
    contact_id: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageQueuedAgain(DomainEvent):
    """A message that had failed on its way to a messenger is to be sent once more."""

    widget_id: int
    chat_id: int
    message_id: int
    contact_guid: str
    channel: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TimerDue(DomainEvent):
    """A moment that a chat waited for has come. The chat is locked; `as_of` is the handlers' now.

    A handler to its `kind` (`rules/timers.py`) does nothing if `anchor` is not the chat's any more.
    """

    widget_id: int
    chat_id: int
    kind: str
    key: str
    anchor: str
    as_of: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSettingsChanged(DomainEvent):
    """The settings of a widget's operators at work were changed: `changed_fields` name the columns."""

    widget_id: int
    changed_fields: tuple[str, ...]
