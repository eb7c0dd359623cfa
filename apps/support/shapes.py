"""What the integration and the answers to its calls look like on the wire."""

from typing import Any

from django.conf import settings

from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.core.endpoints.shapes import Computed, Json, Secret, Shape, Url

TURN_PATH = "/api/v1/ai/assistant/turn"


def turn_endpoint(_: Any) -> str:
    """The address of signed turns."""
    return settings.PUBLIC_URL + TURN_PATH


class IntegrationShape(Shape):
    """The binding of a company's application. Its signing secret is in the answer to its creation, and never again."""

    provider = Text(help_text="The driver that answers turns.")
    api_token_id = Integer(source="token_id", help_text="The only token that may sign calls.")
    turn_endpoint = Computed(Url(), columns=("provider",), from_=turn_endpoint)
    has_secret = Computed(Boolean(), columns=("token_id",), from_=lambda _: True)


class CreatedIntegrationShape(IntegrationShape):
    """An integration with its new signing secret."""

    signing_secret = Secret(source="secret", help_text="48 letters and digits. Store it: it is not shown again.")


class PlannedCallShape(Shape):
    """A call of an offered tool that the model asks for. The application decides, and runs it."""

    id = Text(help_text="For `tool_results`.")
    name = Text()
    arguments = Json(help_text="True to the tool's schema.")
    confirmation_required = Boolean(help_text="As the tool's `confirmation` said.")


class TokensShape(Shape):
    """The tokens that the answer took."""

    input_tokens = Integer()
    output_tokens = Integer()


class TurnShape(Shape):
    """A model's answer: a reply, or a plan of calls."""

    conversation_id = Text()
    request_id = Text()
    type = Choice(choices=["reply", "tool_plan"])
    reply = Text(allow_null=True, help_text="Null in most plans.")
    tool_calls = PlannedCallShape(many=True)
    model = Text()
    usage = TokensShape(allow_null=True)


class TranscriptionShape(Shape):
    """The words of a recording."""

    text = Text()


class SpokenShape(Shape):
    """A recording of a text."""

    audio_base64 = Text()
    mime_type = Text()
    format = Text()
