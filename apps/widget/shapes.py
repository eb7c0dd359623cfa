"""What visitors are answered."""

from apps.chats.shapes import MessageShape
from apps.core.endpoints.serializers import Boolean, Integer, Text
from apps.core.endpoints.shapes import Secret, Shape, TextOrNull, Time, Url


class PresentOperatorShape(Shape):
    """An operator who is there to answer."""

    name = Text()
    avatar_url = Url(allow_null=True)


class SessionShape(Shape):
    """A visitor's session. The token is the visitor's alone; `messages` are the last that they may see."""

    visitor_token = Secret()
    contact_id = Text(min_length=32, max_length=32)
    chat_id = Integer(allow_null=True, help_text="Null before the first message.")
    online = Boolean(help_text="Whether an operator is there to answer.")
    present = PresentOperatorShape(many=True, help_text="Who is there to answer, the operator of the chat first.")
    messages = MessageShape(many=True)
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


class FeaturesShape(Shape):
    """Which of the optional calls this installation has."""

    rating = Boolean()
    offline_form = Boolean()
    files = Boolean()


class ConfigShape(Shape):
    """What the widget shows, in the visitor's language. `texts_url` is the module with its own texts."""

    guid = Text(min_length=32, max_length=32)
    language = Text()
    texts_url = Url()
    widget_name = Text()
    widget_signature = Text(allow_blank=True)
    widget_greeting = Text(allow_blank=True)
    widget_position = Text()
    widget_offset_x = Integer()
    widget_offset_y = Integer()
    widget_button_size = Integer()
    online = Boolean()
    operators = HeaderOperatorShape(many=True)
    realtime_url = Text()
    features = FeaturesShape()
