"""The serializers of operators' answers, over HTTP and in the frames of their sockets."""

from apps.agents.rules.absence import BreakReason
from apps.chats.rules import Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.blocks import Blocked, kind_of
from apps.chats.rules.edits import MessageChange
from apps.chats.rules.ringing import RingsFor
from apps.chats.rules.translations import LanguageSource
from apps.chats.serializers.chats import ChatSerializer
from apps.chats.serializers.contacts import ContactSerializer
from apps.chats.serializers.files import FileReferenceSerializer
from apps.console.serializers.offers import (
    DueAnswerSerializer,
    DueSerializer,
    RowOfferSerializer,
    StandingOfferSerializer,
)
from apps.core.endpoints.row_serializers import Json, MethodField, RowSerializer, TextList, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text


class FormerTextSerializer(RowSerializer):
    """A message as it was before its operator edited or deleted it."""

    change = Choice(choices=list(MessageChange))
    body = Text(allow_blank=True)
    markdown = Text(allow_null=True)
    file = FileReferenceSerializer(source="details.file", allow_null=True)
    agent_id = Integer(allow_null=True, help_text="The operator who changed it.")
    at = Time(help_text="When it was changed.")

    json_columns = ("details",)


class TicketSerializer(RowSerializer):
    """The right to open one socket, once, within 60 seconds."""

    ticket = Text()


class LetterFileSerializer(RowSerializer):
    """A file of a letter."""

    name = Text()
    size = Integer()
    content_type = Text()


class LetterSerializer(RowSerializer):
    """A letter as it came."""

    # `from` is a word of the language.
    locals()["from"] = Text()
    to = TextList()
    cc = TextList()
    subject = Text(allow_blank=True)
    at = Time(help_text="When it came.")
    proof = Choice(choices=["pass", "fail", "none"])
    text = Text(allow_blank=True)
    html = Text(allow_null=True, help_text="Its markup, without scripts, styles, pictures and forms.")
    files = LetterFileSerializer(many=True)
    raw = Text(help_text="The address of the letter as it came, good for an hour.")


class MarkSerializer(RowSerializer):
    """A support mark on a chat: an open ticket, a ticket that is left to people, a lease."""

    kind = Choice(choices=["ticket", "held", "lease"])
    about = Text(help_text="The ticket's number, or the name of the agent that works on the chat.")
    until = Time(allow_null=True, help_text="When a lease ends by itself; null of a ticket.")


class SnoozeSerializer(RowSerializer):
    """Until when a chat is snoozed, by whom, and since when."""

    until = Time(allow_null=True, help_text="Null: until the visitor writes.")
    by = Integer(allow_null=True, help_text="The operator's id.")
    at = Time()


class InboxRowSerializer(ChatSerializer):
    """The inbox's own columns of a chat."""

    version = Integer(help_text="Grows with every change: of two rows of a chat, the one with the larger is newer.")
    closed_at = Time(allow_null=True, help_text="Since when it is expired; null for a chat in any other state.")
    handed_over_at = Time(allow_null=True, help_text="Since when it waits for a person, after AI's handover.")
    handover_reason = TextOrNull(help_text="Why it was handed over: a slug of the machine that did it.")
    waits_since = Time(
        allow_null=True,
        help_text=(
            "Since when the visitor waits for an answer, though the chat may be closed by now; null if nobody waits."
        ),
    )
    rings_for = Choice(
        choices=list(RingsFor),
        help_text="The operators that it rings for: its owner; the one that it is offered to; all, where there is none "
        "or they are away, or an answer time is missed; the queue of its department, where it waits for a place; "
        "nobody while nobody waits, or it is snoozed.",
    )
    snooze = SnoozeSerializer(
        source="*", prefix="snooze_", absent_without="at", allow_null=True, help_text="Null unless it is snoozed."
    )
    offer: "RowSerializer" = StandingOfferSerializer(
        source="*", prefix="offer_", absent_without="agent_id", allow_null=True, help_text="The offer that stands."
    )
    sla: "RowSerializer" = DueSerializer(
        source="*", prefix="sla_", allow_null=True, help_text="The answer time that is due first."
    )
    back_since = Time(allow_null=True, help_text="Since when it is back from its snooze, until a person writes.")
    is_unread = Boolean(help_text="The last visible message is the visitor's, and no operator has seen it.")


class MatchSerializer(RowSerializer):
    """A message in which it was said, and what stands around it."""

    message_id = Integer()
    excerpt = Text()


class InboxChatSerializer(InboxRowSerializer):
    """A chat as operators see it in their list."""

    offer = RowOfferSerializer(
        allow_null=True, help_text="The offer that stands: the chat rings for this operator alone."
    )
    place = Integer(allow_null=True, help_text="Its place in the queue of its department, from 1; null outside of it.")
    sla = DueAnswerSerializer(allow_null=True, help_text="The answer time that is due first.")
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


class VisitorPresenceSerializer(RowSerializer):
    """Whether the visitor looks at a page with the widget."""

    state = Choice(choices=["here", "left", "unknown"])
    since = Time(allow_null=True, help_text="When they left; null while they are here, or nobody knows.")


class ReachSerializer(RowSerializer):
    """How the next answer reaches the visitor."""

    by = Choice(choices=["here", "mail", "messenger", "push", "nothing"])
    address = Text(allow_null=True, help_text="The address that e-mails go to, or would go to, whole.")
    minutes = Integer(allow_null=True, help_text="Until a letter goes about what is unseen, or would be written now.")
    proven = Boolean(help_text="A letter came from the address, a code, or it is the owner's word.")
    reason = Choice(
        choices=["no_address", "off", "not_asked", "no_server", "dead", "stopped", "no_sign"],
        allow_null=True,
        help_text="Why nothing goes.",
    )
    detail = Text(allow_null=True, help_text="The mail server's words about a dead address.")
    copies = Integer(help_text="How many others get a copy, in a mailbox's chat.")


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
    presence = VisitorPresenceSerializer()


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
    comment = TextOrNull(
        help_text="The actor's comment; of a rating its value, of a handover its reason, of an automation its name."
    )
    run_id = Integer(allow_null=True, help_text="The run of an automation or macro; null for any other step.")
    version = Integer(allow_null=True, help_text="The automation's version that acted.")
    after_message_id = Integer(help_text="The message after which it stands, 0 for none.")
    at = Time()


class AnswerSourceSerializer(RowSerializer):
    """A piece of knowledge that an answer rests on."""

    ref = Text()
    title = Text()
    url = TextOrNull()
    score = Number(required=False, help_text="How well it fits the question; answers of before have none.")


class RestsOnSerializer(RowSerializer):
    """The knowledge of an AI operator's answer, and what the visitor thought of it."""

    message_id = Integer()
    sources = AnswerSourceSerializer(many=True)
    helpful = Boolean(allow_null=True, help_text="The visitor's thumb under it: up, down, or null for none.")


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
    answers = RestsOnSerializer(
        many=True, help_text="The newest answers that rest on knowledge, or that the visitor rated, oldest first."
    )


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


class CardSummarySerializer(RowSerializer):
    """A summary of a chat, up to one of its messages."""

    id = Integer(help_text="The assist that made it.")
    wants = Text()
    done = Text(allow_blank=True)
    open = TextList()
    promised = TextList()
    language = Text()
    up_to_message_id = Integer()
    at = Time()


# A program's ear is no part of the card.
LANGUAGE_SOURCES = [source for source in LanguageSource if source is not LanguageSource.HEARD]


class CardTranslationSerializer(RowSerializer):
    """The translation of a chat."""

    on = Boolean()
    is_offered = Boolean(help_text="The caller does not read the visitor's language, and a model can be asked.")
    is_possible = Boolean(help_text="A model can be asked: the caller may switch it on, whatever the language.")
    visitor_language = Text(help_text="The language's code.")
    # `from` is a word of the language.
    locals()["from"] = Choice(choices=LANGUAGE_SOURCES, help_text="How the visitor's language is known.")
    to = TextList(help_text="The languages that operators read it in.")


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
    reach = ReachSerializer()
    summary = CardSummarySerializer(allow_null=True, help_text="The newest summary that a model made.")
    suggested_tags = TextList(help_text="Tags in use that fit the chat, and that the contact lacks.")
    translation = CardTranslationSerializer()
    questions = Json(
        help_text="The questions that the visitor answered in words, by key: `{label: {lang: text}, values: {value: "
        "{lang: text}}}`."
    )
    operators = Json(help_text="The names of AI and external operators that the chat's row names, by id.")


class ChatWithCardSerializer(RowSerializer):
    """A chat with its card."""

    chat = InboxChatSerializer()
    card = CardSerializer()


class StatusSerializer(RowSerializer):
    """Whether the operator is at work."""

    status = Choice(choices=["active", "relaxation"])


class NoticeLettersSerializer(RowSerializer):
    """Whether e-mails wake the operator when a visitor waits and nobody is there; whether the weekly letter comes."""

    waiting = Boolean()
    weekly = Boolean(help_text="The figures of the week, each Monday; for owners and managers.")
    quiet = Json(
        allow_null=True,
        help_text="`{from, to, zone}`, such as 22:00, 07:00, Europe/Moscow; null: never quiet. "
        "A zone of null is the widget's.",
    )


class BreakSerializer(RowSerializer):
    """The break of an operator."""

    reason = Choice(choices=list(BreakReason), help_text="They took it, or they missed too many offers in a row.")
    since = Time(allow_null=True, help_text="The beginning is unknown if null.")
    note = Text(allow_blank=True, help_text="Their words for colleagues.")
    pass_on = Boolean(help_text="The visitors who wait for them go on to others at once.")


class MeSerializer(RowSerializer):
    """The caller's own choices."""

    # `break` is a word of the language.
    locals()["break"] = BreakSerializer(allow_null=True, help_text="The break is null while the caller is at work.")
    letters = NoticeLettersSerializer()
    reads = TextList(help_text="Codes of the languages that they read, best first; at first the console's.")
    show_translation = Boolean(help_text="A translation is shown to them before it goes.")
    next_after_close = Boolean(help_text="After closing, the next chat of the view is opened.")
    formatting = Boolean(help_text="Marks in what they write are sent as formatting.")


class PushKeySerializer(RowSerializer):
    """The key with which a browser subscribes to push messages."""

    subscribe_with = Text(help_text="The `applicationServerKey`: a point of P-256, uncompressed, in base64url.")


class WishOfOperatorSerializer(RowSerializer):
    """A wish that an operator has submitted: whose text it is about, and that it waits for its approval."""

    id = Integer()
    chat_id = Integer()
    assistant_id = Integer()
    status = Text(help_text="`submitted`.")
