"""Custom channels over REST (specification, Endpoints, "Custom channels")."""

from typing import Any

from rest_framework import serializers

from apps.chats.serializers.chats import PostedMessageSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, Raw, operation
from apps.core.endpoints.outbound_urls import OutboundUrl
from apps.core.endpoints.serializers import Body, Boolean, Choice, Text, validator_of
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.parsing.names import name_refusal
from apps.messengers import actions, querysets, rules
from apps.messengers.errors import CHANNEL_DISABLED
from apps.messengers.models import Channel
from apps.messengers.serializers import ChannelStatusSerializer, CustomChannelSerializer, RegisteredChannelSerializer


class CustomChannelBody(Body):
    """A new custom channel."""

    name = Text(max_length=rules.MAX_NAME, validators=[validator_of(name_refusal)], help_text="The name for operators.")
    outbound_url = OutboundUrl(
        source="*", help_text="The address of operators' messages: https, on a public address, at most 2048 characters."
    )
    is_active = Boolean(required=False, default=True)


class InboundMessageBody(Body):
    """A text, in the shape in which channels are sent theirs (`text`), or that of the API's messages (`body`)."""

    type = Choice(choices=["text"])
    text = Text(required=False, max_length=rules.MAX_TEXT_LENGTH)
    body = Text(required=False, max_length=rules.MAX_TEXT_LENGTH, help_text="The same as `text`: send one of the two.")
    id = Text(
        required=False,
        max_length=rules.MAX_EXTERNAL_ID,
        help_text="Your id of the message. Delivered again under this id, it is not stored again.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "text" in attrs and "body" in attrs:
            raise serializers.ValidationError({"body": ["Send the text as `text` or as `body`, not as both."]})
        if "text" not in attrs and "body" not in attrs:
            raise serializers.ValidationError({"text": ["This field is required."]})
        name = "text" if "text" in attrs else "body"
        if not attrs[name].strip():
            raise serializers.ValidationError({name: ["The message is empty."]})
        return {"text": attrs[name], "id": attrs.get("id")}


class InboundDeliveryBody(Body):
    """A message of a client who writes by the channel."""

    external_client_id = Text(max_length=rules.MAX_EXTERNAL_ID, help_text="The client's id, in your words.")
    external_channel_id = Text(
        max_length=rules.MAX_EXTERNAL_ID, help_text="By what they write, in your words; replies name it."
    )
    message = InboundMessageBody()


class CustomChannelViewSet(ApiViewSet):
    target = Channel
    reads = ("channels:read",)
    writes = ("channels:register",)

    @operation(
        summary="Register a custom channel",
        takes=CustomChannelBody,
        answers=RegisteredChannelSerializer,
        status=201,
        calls_out=True,
        example={"name": "Our app", "outbound_url": "https://chat.example.com/parley"},
    )
    def create(self, context: RequestContext) -> Channel:
        """Connects a messenger of your own.

        Operators' messages in its chats are posted to `outbound_url`, signed with the secret, which only this answer
        shows. The same secret stands in `/compat/legacy/chat/{secret}`.
        """
        with context.outbound.write():
            channel = actions.register_channel(widget_id=context.widget_id, **context.body)
            context.outbound.made(channel.pk)
            return channel

    @operation(summary="Read a custom channel", answers=CustomChannelSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """`is_active` is false while the channel is disabled; 404 says that it is gone."""
        return context.target

    @operation(
        summary="Ask whether an operator is online",
        answers=ChannelStatusSerializer,
        literal=True,
    )
    def status(self, context: RequestContext) -> Raw:
        """Whether an operator is online for the channel's messages; 0 while it is disabled."""
        is_online = context.target.is_active and querysets.is_online(context.widget_id)
        return Raw({"online": int(is_online)})

    @operation(
        scopes=("channels:write",),
        summary="Deliver an inbound message",
        takes=InboundDeliveryBody,
        answers=PostedMessageSerializer,
        status=202,
        problems=(CHANNEL_DISABLED,),
        example={
            "external_client_id": "client-4711",
            "external_channel_id": "our-app",
            "message": {"type": "text", "text": "Есть тюльпаны?"},
        },
    )
    def receive(self, context: RequestContext) -> dict[str, Any]:
        """Stores a client's message by the channel.

        The first message of an `external_client_id` makes a contact and a chat, whose `channel` is the channel's code.
        """
        message = context.body["message"]
        posted = actions.receive_message(
            channel=context.target,
            external_client_id=context.body["external_client_id"],
            external_channel_id=context.body["external_channel_id"],
            text=message["text"],
            message_id=message["id"],
        )
        return {"message_id": posted.id, "chat_id": posted.chat_id}
