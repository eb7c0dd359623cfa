"""The serializers of the integration and the answers to its calls."""

from typing import Any

from django.conf import settings

from apps.core.endpoints.row_serializers import IntegerList, Json, MethodField, RowSerializer, Secret, Time, Url
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.support.rules.identities import LinkSource
from apps.support.rules.tickets import Category, CloseReason, TicketState

TURN_PATH = "/api/v1/ai/assistant/turn"


def turn_endpoint(_: Any) -> str:
    """The address of signed turns."""
    return settings.PUBLIC_URL + TURN_PATH


class IntegrationSerializer(RowSerializer):
    """The binding of a company's application. Its signing secret is in the answer to its creation, and never again."""

    provider = Text(help_text="The driver that answers turns.")
    api_token_id = Integer(source="token_id", help_text="The only token that may sign calls.")
    turn_endpoint = MethodField(Url(), columns=("provider",), from_=turn_endpoint)
    has_secret = MethodField(Boolean(), columns=("token_id",), from_=lambda _: True)


class CreatedIntegrationSerializer(IntegrationSerializer):
    """An integration with its new signing secret."""

    signing_secret = Secret(source="secret", help_text="48 letters and digits. Store it: it is not shown again.")


class PlannedCallSerializer(RowSerializer):
    """A call of an offered tool that the model asks for. The application decides, and runs it."""

    id = Text(help_text="For `tool_results`.")
    name = Text()
    arguments = Json(help_text="True to the tool's schema.")
    confirmation_required = Boolean(help_text="As the tool's `confirmation` said.")


class TokensSerializer(RowSerializer):
    """The tokens that the answer took."""

    input_tokens = Integer()
    output_tokens = Integer()


class TurnSerializer(RowSerializer):
    """A model's answer: a reply, or a plan of calls."""

    conversation_id = Text()
    request_id = Text()
    type = Choice(choices=["reply", "tool_plan"])
    reply = Text(allow_null=True, help_text="Null in most plans.")
    tool_calls = PlannedCallSerializer(many=True)
    model = Text()
    usage = TokensSerializer(allow_null=True)


class TranscriptionSerializer(RowSerializer):
    """The words of a recording."""

    text = Text()


class SpokenSerializer(RowSerializer):
    """A recording of a text."""

    audio_base64 = Text()
    mime_type = Text()
    format = Text()


class FiledTicketSerializer(RowSerializer):
    """The open ticket that holds what was filed."""

    number = Integer()
    state = Choice(choices=["open"])
    chat_id = Integer(help_text="The account's room.")
    message_id = Integer(help_text="The message of the request.")
    created = Boolean(help_text="Whether the ticket was opened by it.")
    reopened = Boolean(help_text="Whether `in_reply_to` was opened again by it.")
    replayed = Boolean(help_text="Whether this is the answer to the same request before: nothing was done.")


class TicketReplySerializer(RowSerializer):
    """A person's reply."""

    id = Integer()
    text = Text()
    at = Time()


class TicketStatusSerializer(RowSerializer):
    """A ticket as its customer may see it."""

    number = Integer()
    state = Choice(choices=[state.value for state in TicketState])
    close_reason = Choice(choices=[reason.value for reason in CloseReason], allow_null=True)
    category = Choice(choices=[category.value for category in Category], allow_null=True)
    subject = Text(allow_null=True)
    opened_at = Time()
    updated_at = Time()
    closed_at = Time(allow_null=True)
    replies = TicketReplySerializer(many=True)
    last_message_id = Integer(help_text="The next `after_message_id`.")
    has_more = Boolean()


class TicketStatusesSerializer(RowSerializer):
    """The tickets that were asked for."""

    tickets = TicketStatusSerializer(many=True)
    not_found = IntegerList(help_text="Numbers that are not the account's.")


class ClampedSerializer(RowSerializer):
    """Whether an end was later than it may be."""

    identity = Boolean()
    grant = Boolean()


class AccountLinkSerializer(RowSerializer):
    """The link that was made, and its expiry."""

    bound = Boolean()
    app_user_id = Text()
    chats = IntegerList()
    link_source = Choice(choices=[source.value for source in LinkSource])
    identity_expires_at = Time()
    grant_expires_at = Time()
    clamped = ClampedSerializer()
    replayed = Boolean()


class AccountRevocationSerializer(RowSerializer):
    """The link that was removed. Without anything, `bound` is false and stands alone."""

    bound = Boolean()
    chats = IntegerList(required=False)
    replayed = Boolean(required=False, help_text="True in the answer to the same request before.")
