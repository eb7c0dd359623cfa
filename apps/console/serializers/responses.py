"""The serializers of operators' answers, over HTTP and in the frames of their sockets."""

from apps.chats.rules import Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.blocks import Blocked, kind_of
from apps.chats.serializers.chats import ChatSerializer
from apps.chats.serializers.contacts import ContactSerializer
from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text


class TicketSerializer(RowSerializer):
    """The right to open one socket, once, within 60 seconds."""

    ticket = Text()


class MarkSerializer(RowSerializer):
    """A support mark on a chat: an open ticket, a ticket that is left to people, a lease."""

    kind = Choice(choices=["ticket", "held", "lease"])
    about = Text(help_text="The ticket's number, or the name of the agent that works on the chat.")
    until = Time(allow_null=True, help_text="When a lease ends by itself; null of a ticket.")


class InboxRowSerializer(ChatSerializer):
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


class MatchSerializer(RowSerializer):
    """A message in which it was said, and what stands around it."""

    message_id = Integer()
    excerpt = Text()


class InboxChatSerializer(InboxRowSerializer):
    """A chat as operators see it in their list."""

    marks = MarkSerializer(many=True)


class FoundChatSerializer(InboxChatSerializer):
    """A chat that a search has found."""

    matched = MatchSerializer(
        allow_null=True,
        help_text="The newest message that says it; null for a chat found by who the visitor is.",
    )


class ElsewhereSerializer(RowSerializer):
    """How many visitors wait at another widget of the operator's."""

    guid = Text()
    name = Text()
    unanswered = Integer()


class VisitedPageSerializer(RowSerializer):
    """A page that a visitor came to, and when."""

    url = Text()
    at = Time()


class VisitorSerializer(RowSerializer):
    """The visitor's page, origin and browser, as far as their channel tells."""

    page_url = TextOrNull()
    lang = TextOrNull()
    last_seen_at = Time()
    browser = TextOrNull(help_text="Such as `Firefox 133`.")
    system = TextOrNull(help_text="Such as `Android 15`.")
    referrer = TextOrNull(help_text="The page from which they came to the first one of the visit.")
    time_zone = TextOrNull(help_text="The browser's, as it names it, unchecked.")
    address = TextOrNull(help_text="The IP address they came from last; of IPv6 the network of 64 bits.")
    pages = VisitedPageSerializer(many=True, help_text="The last pages of the visit, oldest first.")
    user_id = TextOrNull(help_text="Their id at the website, which that has proved.")


class OtherChatSerializer(RowSerializer):
    """A chat that the same visitor has in another channel."""

    id = Integer()
    status = Choice(choices=list(Status))
    channel = Text()
    created_at = Time()
    last_message_at = Time(allow_null=True)


class CardRatingSerializer(RowSerializer):
    """Whether the visitor is asked for a rating, and the one they gave."""

    requested_at = Time(allow_null=True)
    value = Integer(allow_null=True)
    comment = TextOrNull()
    rated_at = Time(allow_null=True)


class StepSerializer(RowSerializer):
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


class AnswerSourceSerializer(RowSerializer):
    """A piece of knowledge that an answer rests on."""

    ref = Text()
    title = Text()
    url = TextOrNull()


class RestsOnSerializer(RowSerializer):
    """The knowledge of an AI operator's answer."""

    message_id = Integer()
    sources = AnswerSourceSerializer(many=True)


class WaitsForSerializer(RowSerializer):
    """An external operator that was asked, and has not answered yet."""

    name = Text()
    since = Time()
    until = Time(help_text="Then others answer.")


class AnsweringSerializer(RowSerializer):
    """The AI's part in a chat."""

    mode = Choice(
        choices=["ai", "waiting", "offline", "person"],
        help_text="The side that answers: AI; people, whom it has called; both, while those are away; a person.",
    )
    is_shadow = Boolean(help_text="The AI's answers become notes.")
    looks_at = Time(allow_null=True, help_text="When AI looks at the chat next, and answers if it is still unanswered.")
    waits_for = WaitsForSerializer(allow_null=True, help_text="The external operator whose answer is waited for.")
    answers = RestsOnSerializer(many=True, help_text="The newest answers that rest on knowledge, oldest first.")


class BlockSerializer(RowSerializer):
    """A visitor, or a network, from which nothing is taken."""

    id = Integer()
    what = MethodField(
        Choice(choices=list(Blocked)),
        columns=("network",),
        from_=kind_of,
    )
    network = MethodField(
        TextOrNull(help_text="Null where a contact is blocked."),
        columns=("network",),
        from_=lambda network: network or None,
    )
    reason = Text()
    until = Time(allow_null=True, help_text="Null: until it is lifted.")


class CardSerializer(RowSerializer):
    """The visitor's card beside a chat."""

    contact = ContactSerializer()
    visitor = VisitorSerializer(allow_null=True)
    blocks = BlockSerializer(many=True, help_text="In force: of the contact, and of the address they came from last.")
    rating = CardRatingSerializer()
    other_chats = OtherChatSerializer(many=True, help_text="The same visitor's other chats, the latest first.")
    steps = StepSerializer(many=True, help_text="The newest that happened to the chat, oldest first.")
    seen_by_visitor = Integer(help_text="The last message that the visitor has seen; 0 for none.")
    answering = AnsweringSerializer(allow_null=True, help_text="Null where AI is switched off.")


class ChatWithCardSerializer(RowSerializer):
    """A chat with its card."""

    chat = InboxChatSerializer()
    card = CardSerializer()


class StatusSerializer(RowSerializer):
    """Whether the operator is at work."""

    status = Choice(choices=["active", "relaxation"])


class PushKeySerializer(RowSerializer):
    """The key with which a browser subscribes to push messages."""

    subscribe_with = Text(help_text="The `applicationServerKey`: a point of P-256, uncompressed, in base64url.")


class ReplySerializer(RowSerializer):
    """A canned reply."""

    id = Integer()
    shortcut = Text()
    body = Text()
    is_shared = MethodField(
        Boolean(help_text="It is the widget's: every operator of it uses and changes it."),
        columns=("agent_id",),
        from_=lambda agent_id: agent_id is None,
    )
    is_mine = MethodField(
        Boolean(help_text="It is the caller's own."), columns=("agent_id",), from_=lambda agent_id: agent_id is not None
    )


class WishOfOperatorSerializer(RowSerializer):
    """A wish that an operator has submitted: whose text it is about, and that it waits for its approval."""

    id = Integer()
    chat_id = Integer()
    assistant_id = Integer()
    status = Text(help_text="`submitted`.")
