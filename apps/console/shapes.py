"""The serializers of operators' answers, over HTTP and in the frames of their sockets."""

from apps.chats.rules import Status
from apps.chats.rules.blocks import Blocked, kind_of
from apps.chats.rules.steps import StepKind
from apps.chats.shapes import ChatShape
from apps.chats.shapes.contacts import ContactShape
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.core.endpoints.shapes import Computed, Shape, TextOrNull, Time


class TicketShape(Shape):
    """The right to open one socket, once, within 60 seconds."""

    ticket = Text()


class MarkShape(Shape):
    """A support mark on a chat: an open ticket, a ticket that is left to people, a lease."""

    kind = Choice(choices=["ticket", "held", "lease"])
    about = Text(help_text="The ticket's number, or the name of the agent that works on the chat.")
    until = Time(allow_null=True, help_text="When a lease ends by itself; null of a ticket.")


class InboxRowShape(ChatShape):
    """The inbox's own columns of a chat."""

    version = Integer(help_text="Grows with every change: of two rows of a chat, the one with the larger is newer.")
    closed_at = Time(allow_null=True, help_text="Since when it is expired; null for a chat in any other state.")
    handed_over_at = Time(allow_null=True, help_text="Since when it waits for a person, after a machine's handover.")
    handover_reason = TextOrNull(help_text="Why it was handed over: a slug of the machine that did it.")
    waits_since = Time(
        allow_null=True,
        help_text=(
            "Since when the visitor waits for an answer, though the chat may be closed by now; null if nobody waits."
        ),
    )
    is_unread = Boolean(help_text="The last visible message is the visitor's, and no operator has seen it.")


class MatchShape(Shape):
    """A message in which it was said, and what stands around it."""

    message_id = Integer()
    excerpt = Text()


class InboxChatShape(InboxRowShape):
    """A chat as operators see it in their list."""

    marks = MarkShape(many=True)


class FoundChatShape(InboxChatShape):
    """A chat that a search has found."""

    matched = MatchShape(
        allow_null=True,
        help_text="The newest message that says it; null for a chat found by who the visitor is.",
    )


class ElsewhereShape(Shape):
    """How many visitors wait at another widget of the operator's."""

    guid = Text()
    name = Text()
    unanswered = Integer()


class VisitedPageShape(Shape):
    """A page that a visitor came to, and when."""

    url = Text()
    at = Time()


class VisitorShape(Shape):
    """The visitor's page, origin and browser, as far as their channel tells."""

    page_url = TextOrNull()
    lang = TextOrNull()
    last_seen_at = Time()
    browser = TextOrNull(help_text="Such as `Firefox 133`.")
    system = TextOrNull(help_text="Such as `Android 15`.")
    referrer = TextOrNull(help_text="The page from which they came to the first one of the visit.")
    time_zone = TextOrNull(help_text="The browser's, as it names it, unchecked.")
    address = TextOrNull(help_text="The IP address they came from last; of IPv6 the network of 64 bits.")
    pages = VisitedPageShape(many=True, help_text="The last pages of the visit, oldest first.")
    user_id = TextOrNull(help_text="Their id at the website, which that has proved.")


class OtherChatShape(Shape):
    """A chat that the same visitor has in another channel."""

    id = Integer()
    status = Choice(choices=list(Status))
    channel = Text()
    created_at = Time()
    last_message_at = Time(allow_null=True)


class CardRatingShape(Shape):
    """Whether the visitor is asked for a rating, and the one they gave."""

    requested_at = Time(allow_null=True)
    value = Integer(allow_null=True)
    comment = TextOrNull()
    rated_at = Time(allow_null=True)


class StepShape(Shape):
    """An event of a chat between two messages."""

    id = Integer()
    kind = Choice(choices=list(StepKind))
    agent_id = Integer(
        allow_null=True, help_text="The agent who did it; null for the visitor, and for calls of the API."
    )
    to_agent_id = Integer(allow_null=True)
    department_id = Integer(allow_null=True)
    comment = TextOrNull(help_text="The actor's comment; of a rating its value, of a handover its reason.")
    after_message_id = Integer(help_text="The message after which it stands, 0 for none.")
    at = Time()


class AnswerSourceShape(Shape):
    """A piece of knowledge that an answer rests on."""

    ref = Text()
    title = Text()
    url = TextOrNull()


class RestsOnShape(Shape):
    """The knowledge of an AI operator's answer."""

    message_id = Integer()
    sources = AnswerSourceShape(many=True)


class WaitsForShape(Shape):
    """An external operator that was asked, and has not answered yet."""

    name = Text()
    since = Time()
    until = Time(help_text="Then others answer.")


class AnsweringShape(Shape):
    """The AI's part in a chat."""

    mode = Choice(
        choices=["ai", "waiting", "offline", "person"],
        help_text="The side that answers: AI; people, whom it has called; both, while those are away; a person.",
    )
    is_shadow = Boolean(help_text="The AI's answers become notes.")
    looks_at = Time(allow_null=True, help_text="When AI looks at the chat next, and answers if it is still unanswered.")
    waits_for = WaitsForShape(allow_null=True, help_text="The external operator whose answer is waited for.")
    answers = RestsOnShape(many=True, help_text="The newest answers that rest on knowledge, oldest first.")


class BlockShape(Shape):
    """A visitor, or a network, from which nothing is taken."""

    id = Integer()
    what = Computed(
        Choice(choices=list(Blocked)),
        columns=("network",),
        from_=kind_of,
    )
    network = Computed(
        TextOrNull(help_text="Null where a contact is blocked."),
        columns=("network",),
        from_=lambda network: network or None,
    )
    reason = Text()
    until = Time(allow_null=True, help_text="Null: until it is lifted.")


class CardShape(Shape):
    """The visitor's card beside a chat."""

    contact = ContactShape()
    visitor = VisitorShape(allow_null=True)
    blocks = BlockShape(many=True, help_text="In force: of the contact, and of the address they came from last.")
    rating = CardRatingShape()
    other_chats = OtherChatShape(many=True, help_text="The same visitor's other chats, the latest first.")
    steps = StepShape(many=True, help_text="The newest that happened to the chat, oldest first.")
    seen_by_visitor = Integer(help_text="The last message that the visitor has seen; 0 for none.")
    answering = AnsweringShape(allow_null=True, help_text="Null where AI is switched off.")


class ChatWithCardShape(Shape):
    """A chat with its card."""

    chat = InboxChatShape()
    card = CardShape()


class StatusShape(Shape):
    """Whether the operator is at work."""

    status = Choice(choices=["active", "relaxation"])


class PushKeyShape(Shape):
    """The key with which a browser subscribes to push messages."""

    subscribe_with = Text(help_text="The `applicationServerKey`: a point of P-256, uncompressed, in base64url.")


class ReplyShape(Shape):
    """A canned reply."""

    id = Integer()
    shortcut = Text()
    body = Text()
    is_shared = Computed(
        Boolean(help_text="It is the widget's: every operator of it uses and changes it."),
        columns=("agent_id",),
        from_=lambda agent_id: agent_id is None,
    )
    is_mine = Computed(
        Boolean(help_text="It is the caller's own."), columns=("agent_id",), from_=lambda agent_id: agent_id is not None
    )


class WishOfOperatorShape(Shape):
    """A wish that an operator has submitted: whose text it is about, and that it waits for its approval."""

    id = Integer()
    chat_id = Integer()
    assistant_id = Integer()
    status = Text(help_text="`submitted`.")
