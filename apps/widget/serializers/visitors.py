"""The serializers of visitors' answers."""

from typing import Any

from apps.chats.serializers.chats import MessageSerializer
from apps.core.endpoints.row_serializers import Json, RowSerializer, Secret, TextList, TextOrNull, Time, Url
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.widget.rules.fields import SERVED
from apps.widget.serializers.questions import ServedQuestionsSerializer
from apps.widget.serializers.settings import shown_field


class PresentOperatorSerializer(RowSerializer):
    """An operator who is there to answer."""

    name = Text()
    avatar_url = Url(allow_null=True)


class VisitorStepSerializer(RowSerializer):
    """An event of the chat between two messages."""

    id = Integer()
    kind = Choice(choices=["joined", "closed", "reopened"])
    name = TextOrNull(help_text="The person who did it; null where the widget shows no names.")
    after_message_id = Integer(help_text="The message after which it stands, 0 for none.")
    at = Time()


class ChallengeSerializer(RowSerializer):
    """A challenge for a new visitor's proof of work, in the form of ALTCHA."""

    algorithm = Choice(choices=["SHA-256"])
    challenge = Text()
    maxnumber = Integer()
    salt = Text()
    signature = Text()


class SessionLettersSerializer(RowSerializer):
    """Whether answers that the visitor has not seen are mailed, and where."""

    mode = Choice(choices=["off", "ask", "on"])
    address = Text(allow_null=True, help_text="Masked unless the visitor told it here.")
    state = Choice(choices=["will", "none", "stopped", "dead"])


class GivenAddressSerializer(RowSerializer):
    """The e-mails of a session."""

    letters = SessionLettersSerializer()


class ServedLettersSerializer(RowSerializer):
    """Whether the widget mails answers that nobody has seen; `ask`: to those who ask for it."""

    mode = Choice(choices=["off", "ask", "on"])


class ExpectedWaitSerializer(RowSerializer):
    """How long such visitors waited for a person lately, from now on, in minutes."""

    from_min = Integer()
    to_min = Integer()


class QueuePlaceSerializer(RowSerializer):
    """The place in the queue of the department."""

    place = Integer()
    of = Integer()
    expects = ExpectedWaitSerializer(allow_null=True, help_text="Null where too little is known, or over an hour.")


class SessionSerializer(RowSerializer):
    """A visitor's session. The token is the visitor's alone; `messages` are the last that they may see."""

    visitor_token = Secret()
    contact_id = Text(min_length=32, max_length=32)
    chat_id = Integer(allow_null=True, help_text="Null before the first message.")
    online = Boolean(help_text="Whether an operator is there to answer.")
    present = PresentOperatorSerializer(
        many=True, help_text="The operators who can answer, the operator of the chat first."
    )
    messages = MessageSerializer(many=True)
    steps = VisitorStepSerializer(many=True, help_text="The newest of the chat, oldest first.")
    letters = SessionLettersSerializer()
    queue = QueuePlaceSerializer(
        allow_null=True, help_text="The place while the visitor waits in a queue whose places are told."
    )
    known_answers = TextList(
        required=False,
        help_text="The keys of the questions that are not asked: the page told it, the contact has it, or it was "
        "answered lately. Absent where nothing is asked.",
    )
    realtime_url = Text()


class VisibleMessagesSerializer(RowSerializer):
    """Messages of the visitor's chat."""

    data = MessageSerializer(many=True)  # type: ignore[assignment]


class RatingSerializer(RowSerializer):
    """A rating as its visitor is shown it."""

    value = Integer()
    comment = TextOrNull()
    rated_at = Time()


class HeaderOperatorSerializer(RowSerializer):
    """An operator whom the widget shows, whether online or not."""

    name = Text()
    avatar_url = Url(allow_null=True)


class VerificationSerializer(RowSerializer):
    """The chat waits for the proof of the visitor's mailbox."""

    chat_id = Integer()
    email_requested = Boolean()


class ChosenAssistantSerializer(RowSerializer):
    """The chat that the assistant may answer."""

    chat_id = Integer()


class ContinuationSerializer(RowSerializer):
    """A link into a messenger, which carries the visitor's chat there once."""

    url = Text()


class FeaturesSerializer(RowSerializer):
    """The optional calls that the widget offers."""

    rating = Boolean()
    offline_form = Boolean()
    files = Boolean()


class SupportedLanguageSerializer(RowSerializer):
    """A language that visitors may choose, by its own name."""

    code = Text()
    name = Text()


class ServedIconSerializer(RowSerializer):
    """The launcher's icon: a preset's path in 24 × 24, or an own one's addresses."""

    path = Text(allow_null=True)
    url = Url(allow_null=True)
    still_url = Url(allow_null=True, help_text="Its first frame, for those who want no motion.")


class ServedProfilesSerializer(RowSerializer):
    """The overrides by device; an icon is resolved as the config's own."""

    desktop = Json()
    mobile = Json()


class ThemeSerializer(RowSerializer):
    """Colours by name, in both schemes."""

    light = Json()
    dark = Json()


class ServedDepartmentSerializer(RowSerializer):
    """A department that takes visitors' chats."""

    id = Integer()
    name = Text()
    open = Boolean()


class ServedAiOperatorSerializer(RowSerializer):
    """The AI operator who greets."""

    id = Integer()
    name = Text()
    avatar_url = Url(allow_null=True)


class ServedAiSerializer(RowSerializer):
    """How AI greets a visitor, and what may be asked at a click."""

    greeting = Text(allow_null=True)
    quick_phrases = TextList()
    operator = ServedAiOperatorSerializer()


class ServedProofSerializer(RowSerializer):
    """The texts for a visitor who may prove their mailbox."""

    ask = Text()
    code = Text()


class ServedMessengerSerializer(RowSerializer):
    """A messenger in which the widget's owner can be written to."""

    code = Text()
    url = Url()
    name = Text(help_text="The messenger's name.")
    picture = Text(help_text="Drawn in a square of 24: the `d` of an SVG path.")
    continues = Boolean(help_text="Whether a chat can be carried over (`POST …/continue`).")


class RatingFormSerializer(RowSerializer):
    """The form that asks for a rating."""

    scale = Choice(choices=["stars", "faces", "thumbs"], help_text="`thumbs` gives 5 and 1, the others 1 to 5.")
    question = Text()
    thanks = Text()
    comment = Choice(choices=["never", "low", "always"], help_text="When the visitor is asked for words, too.")
    low = Integer(help_text="Up to which value a rating is low.")


_BASE: dict[str, Any] = {each.name: shown_field(each) for each in SERVED}


class ServedHelpSerializer(RowSerializer):
    """The articles in the chat."""

    mode = Choice(choices=["search", "suggest"], help_text="`suggest`: also while the first message is written.")
    url = Url(allow_null=True, help_text="The help center; null where it is not public.")


ConfigSerializer: Any = type(
    "ConfigSerializer",
    (RowSerializer,),
    {
        "__doc__": "The widget's config, in the visitor's language. `texts_url` is the module with its own texts. Apps "
        "may add members of their own.",
        "__module__": __name__,
        "guid": Text(min_length=32, max_length=32),
        "language": Text(),
        "direction": Choice(choices=["ltr", "rtl"]),
        "languages": SupportedLanguageSerializer(many=True),
        "texts_url": Url(),
        "texts": Json(help_text="The texts of the closed widget."),
        "widget_name": Text(),
        "widget_signature": Text(allow_null=True),
        "widget_greeting": Text(allow_null=True),
        **_BASE,
        "device_profiles": ServedProfilesSerializer(allow_null=True),
        "theme": ThemeSerializer(),
        "icon": ServedIconSerializer(),
        "operators_display_mode": Text(),
        "operators": HeaderOperatorSerializer(many=True),
        "departments": ServedDepartmentSerializer(many=True),
        "online": Boolean(),
        "back_at": Time(allow_null=True, help_text="When a department opens next, while all of them are closed."),
        "closed_text": Text(
            allow_null=True, help_text="The owner's text of a holiday that is today, while all are closed."
        ),
        "mail_answers": Boolean(
            help_text="Whether visitors are asked to have answers mailed (`letters.mode` is `ask`)."
        ),
        "letters": ServedLettersSerializer(),
        "features": FeaturesSerializer(),
        "rating_form": RatingFormSerializer(required=False, help_text="Absent if the app is left out."),
        "ai": ServedAiSerializer(allow_null=True, help_text="Null while no AI operator answers visitors."),
        "ai_disclosure": Text(
            required=False,
            help_text="The sentence to show before the first message that has `ai`. Absent while AI is off and the "
            "owner has no wording of it.",
        ),
        "messengers": ServedMessengerSerializer(many=True, required=False, help_text="Absent if the app is left out."),
        "email_codes": ServedProofSerializer(
            required=False, help_text="Present if visitors may prove their mailbox by a code."
        ),
        "api_enabled": Boolean(help_text="Whether the page may call the widget's API."),
        "identity": Boolean(help_text="Whether a visitor's identity can be proved."),
        "realtime_url": Text(),
        "invitations": Boolean(
            required=False, help_text="True where an invitation to chat is live; else the member is absent."
        ),
        "widget_cookie_domain": Text(
            required=False,
            help_text="The site's domain, where its subdomains share a visitor; else the member is absent.",
        ),
        "help": ServedHelpSerializer(required=False, help_text="The articles in the chat; absent where it shows none."),
        "questions": ServedQuestionsSerializer(
            required=False, help_text="The questions as a chat begins; absent where nothing is asked."
        ),
    },
)
