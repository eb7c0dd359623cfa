"""The serializers of visitors' answers."""

from typing import Any

from apps.chats.shapes import MessageShape
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.core.endpoints.shapes import Json, Secret, Shape, TextList, TextOrNull, Time, Url
from apps.widget.rules.fields import SERVED
from apps.widget.shapes.settings import shown_field


class PresentOperatorShape(Shape):
    """An operator who is there to answer."""

    name = Text()
    avatar_url = Url(allow_null=True)


class VisitorStepShape(Shape):
    """An event of the chat between two messages."""

    id = Integer()
    kind = Choice(choices=["joined", "closed", "reopened"])
    name = TextOrNull(help_text="The person who did it; null where the widget shows no names.")
    after_message_id = Integer(help_text="The message after which it stands, 0 for none.")
    at = Time()


class ChallengeShape(Shape):
    """A challenge for a new visitor's proof of work, in the form of ALTCHA."""

    algorithm = Choice(choices=["SHA-256"])
    challenge = Text()
    maxnumber = Integer()
    salt = Text()
    signature = Text()


class SessionShape(Shape):
    """A visitor's session. The token is the visitor's alone; `messages` are the last that they may see."""

    visitor_token = Secret()
    contact_id = Text(min_length=32, max_length=32)
    chat_id = Integer(allow_null=True, help_text="Null before the first message.")
    online = Boolean(help_text="Whether an operator is there to answer.")
    present = PresentOperatorShape(many=True, help_text="The operators who can answer, the operator of the chat first.")
    messages = MessageShape(many=True)
    steps = VisitorStepShape(many=True, help_text="The newest of the chat, oldest first.")
    realtime_url = Text()


class VisibleMessagesShape(Shape):
    """Messages of the visitor's chat."""

    data = MessageShape(many=True)  # type: ignore[assignment]


class RatingShape(Shape):
    """A rating as its visitor is shown it."""

    value = Integer()
    comment = TextOrNull()
    rated_at = Time()


class HeaderOperatorShape(Shape):
    """An operator whom the widget shows, whether online or not."""

    name = Text()
    avatar_url = Url(allow_null=True)


class VerificationShape(Shape):
    """The chat waits for the proof of the visitor's mailbox."""

    chat_id = Integer()
    email_requested = Boolean()


class ChosenAssistantShape(Shape):
    """The chat that the assistant may answer."""

    chat_id = Integer()


class FeaturesShape(Shape):
    """The optional calls that the widget offers."""

    rating = Boolean()
    offline_form = Boolean()
    files = Boolean()


class SupportedLanguageShape(Shape):
    """A language that visitors may choose, by its own name."""

    code = Text()
    name = Text()


class ServedIconShape(Shape):
    """The launcher's icon: a preset's path in 24 × 24, or an own one's addresses."""

    path = Text(allow_null=True)
    url = Url(allow_null=True)
    still_url = Url(allow_null=True, help_text="Its first frame, for those who want no motion.")


class ServedProfilesShape(Shape):
    """The overrides by device; an icon is resolved as the config's own."""

    desktop = Json()
    mobile = Json()


class ThemeShape(Shape):
    """Colours by name, in both schemes."""

    light = Json()
    dark = Json()


class ServedDepartmentShape(Shape):
    """A department that takes visitors' chats."""

    id = Integer()
    name = Text()
    open = Boolean()


class ServedAiOperatorShape(Shape):
    """The AI operator who greets."""

    id = Integer()
    name = Text()
    avatar_url = Url(allow_null=True)


class ServedAiShape(Shape):
    """How AI greets a visitor, and what may be asked at a click."""

    greeting = Text(allow_null=True)
    quick_phrases = TextList()
    operator = ServedAiOperatorShape()


class ServedProofShape(Shape):
    """The texts for a visitor who may prove their mailbox."""

    ask = Text()
    code = Text()


class ServedMessengerShape(Shape):
    """A messenger in which the widget's owner can be written to."""

    code = Text()
    url = Url()


_BASE: dict[str, Any] = {each.name: shown_field(each) for each in SERVED}

ConfigShape: Any = type(
    "ConfigShape",
    (Shape,),
    {
        "__doc__": "The widget's config, in the visitor's language. `texts_url` is the module with its own texts. Apps "
        "may add members of their own.",
        "__module__": __name__,
        "guid": Text(min_length=32, max_length=32),
        "language": Text(),
        "direction": Choice(choices=["ltr", "rtl"]),
        "languages": SupportedLanguageShape(many=True),
        "texts_url": Url(),
        "texts": Json(help_text="The texts of the closed widget."),
        "widget_name": Text(),
        "widget_signature": Text(allow_null=True),
        "widget_greeting": Text(allow_null=True),
        **_BASE,
        "device_profiles": ServedProfilesShape(allow_null=True),
        "theme": ThemeShape(),
        "icon": ServedIconShape(),
        "operators_display_mode": Text(),
        "operators": HeaderOperatorShape(many=True),
        "departments": ServedDepartmentShape(many=True),
        "online": Boolean(),
        "back_at": Time(allow_null=True, help_text="When a department opens next, while all of them are closed."),
        "mail_answers": Boolean(help_text="Whether visitors may have answers mailed that they have not seen."),
        "features": FeaturesShape(),
        "ai": ServedAiShape(allow_null=True, help_text="Null while no AI operator answers visitors."),
        "messengers": ServedMessengerShape(many=True, required=False, help_text="Absent if the app is left out."),
        "email_codes": ServedProofShape(
            required=False, help_text="Present if visitors may prove their mailbox by a code."
        ),
        "api_enabled": Boolean(help_text="Whether the page may call the widget's API."),
        "identity": Boolean(help_text="Whether a visitor's identity can be proved."),
        "realtime_url": Text(),
    },
)
