"""A chat's messages over REST (specification, Endpoints, "Chats and messages")."""

from typing import Any

from rest_framework.exceptions import ValidationError

from apps.chats import actions, querysets
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.models import Chat, Message
from apps.chats.rules import MAX_BODY_LENGTH, MAX_URL, MessageType, Via, member_refusals
from apps.chats.serializers.chats import PostedMessageSerializer, SentMessageSerializer
from apps.chats.serializers.requests import KeyboardBody, WindowQuery, checked_link
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Choice, Integer, Number, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet


class MessageListQuery(WindowQuery):
    """`from` and `to` bound the message's creation; `after_id` goes on after a message instead."""

    after_id = QueryInteger(
        source="id__gt",
        required=False,
        min_value=0,
        max_value=2**63 - 1,
        help_text="Only messages after the one with this id, oldest first; 0 is all. Not with `from` or `to`.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "id__gt" in attrs and not attrs.keys().isdisjoint(("created_at__gte", "created_at__lt")):
            raise ValidationError({"after_id": ["Send an `after_id`, or `from` and `to`, not both."]})
        return super().validate(attrs)


class FileReferenceBody(Body):
    """A file of the widget, by its id."""

    id = Integer(min_value=1)


class PlaceBody(Body):
    """A place as it is kept, in degrees."""

    lat = Number(min_value=-90, max_value=90)
    lng = Number(min_value=-180, max_value=180)


class CoordsBody(Body):
    """A place, in degrees: `lat` and `lng`, or the same as `latitude` and `longitude`."""

    lat = Number(required=False, min_value=-90, max_value=90)
    lng = Number(required=False, min_value=-180, max_value=180)
    latitude = Number(required=False, min_value=-90, max_value=90, help_text="The same as `lat`.")
    longitude = Number(required=False, min_value=-180, max_value=180, help_text="The same as `lng`.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        short, long = ("lat", "lng"), ("latitude", "longitude")
        if not attrs.keys().isdisjoint(short) and not attrs.keys().isdisjoint(long):
            told = next(name for name in long if name in attrs)
            raise ValidationError({told: ["Send `lat` and `lng`, or `latitude` and `longitude`, not both."]})
        names = short if attrs.keys().isdisjoint(long) else long
        if missing := [name for name in names if name not in attrs]:
            raise ValidationError({name: ["This field is required."] for name in missing})
        return dict(zip(short, (attrs[name] for name in names), strict=True))


class StickerBody(Body):
    """A sticker: its id, and where its picture is."""

    id = Text(min_length=1, max_length=64)
    url = Text(required=False, max_length=MAX_URL, help_text="An absolute https URL.")

    def validate_url(self, value: str) -> str:
        return checked_link(value)


class MessageBody(Body):
    """A message to send as an agent. `file`, `coords`, `sticker` and `keyboard` belong to the types of those names."""

    type = Choice(choices=list(MessageType))
    body = Text(
        required=False, allow_blank=True, max_length=MAX_BODY_LENGTH, help_text="Required for `text` and `keyboard`."
    )
    markdown = Text(required=False, max_length=MAX_BODY_LENGTH, help_text="The text again, as Markdown.")
    file = FileReferenceBody(required=False, help_text="Required for `image` and `file`.")
    coords = CoordsBody(required=False, help_text="Required for `location`.")
    sticker = StickerBody(required=False, help_text="Required for `sticker`.")
    keyboard = KeyboardBody(required=False, help_text="Required for `keyboard`.")
    origin = Text(required=False, min_length=1, max_length=64, help_text="The message's origin, in your words.")
    agent_id = Integer(
        required=False, min_value=1, help_text="The human agent who sends; required while the chat has no owner."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if refusals := member_refusals(MessageType(attrs["type"]), attrs):
            raise ValidationError({name: [text] for name, text in refusals.items()})
        return attrs


def content_of(body: dict[str, Any]) -> dict[str, Any]:
    """A validated MessageBody as the `content` of the action."""
    content: dict[str, Any] = {name: body[name] for name in ("type", "body", "markdown", "origin") if name in body}
    if "file" in body:
        content["file_id"] = body["file"]["id"]
    details = {name: body[name] for name in ("coords", "sticker", "keyboard") if name in body}
    return {**content, "details": details or None}


class MessageViewSet(ApiViewSet):
    target = Chat
    reads = ("messages:read",)
    writes = ("messages:write",)

    @operation(
        summary="List a chat's messages",
        filters=MessageListQuery,
        answers=SentMessageSerializer,
        lists=True,
    )
    def list(self, context: RequestContext) -> Page:
        """The chat's messages, newest first; with `after_id` what came after that message, oldest first.

        Paging with `after_id` never skips a message: within a chat, a message that is stored later has the larger id.
        Operators' notes to each other are among the messages, as an agent's: the list is for operators and must not be
        shown to visitors. A transcript has no notes.
        """
        if "id__gt" in context.filters:
            return context.page(
                Message.objects.for_widget(context.widget_id).filter(chat_id=context.target_id).order_by("id")
            )
        found = querysets.message_page(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            filters=context.filters,
            after=context.after,
            limit=context.limit,
        )
        return context.page(found)

    @operation(
        summary="Send a message",
        takes=MessageBody,
        answers=PostedMessageSerializer,
        status=202,
        problems=(CHAT_IS_SPAM,),
        takes_lock=True,
        example={"type": "text", "body": "Здравствуйте! How can we help?", "agent_id": 1},
    )
    def create(self, context: RequestContext) -> dict[str, Any]:
        """Sends a message as a human agent. When it is answered the message is stored; an expired chat is active again.

        The first reply accepts the chat, and makes the agent its owner when it has none. A `file` names a file of
        `POST /files` by its id: `{"id": 5}`; an `image` must be a picture. A keyboard has 1 to 7 buttons; one that is
        invalid refuses the message.
        """
        posted = actions.post_agent_message(
            widget_id=context.widget_id,
            chat_id=context.target_id,
            agent_id=context.body.get("agent_id"),
            content=content_of(context.body),
            lock=context.lock,
            via=Via.API,
        )
        return {"message_id": posted.id, "chat_id": posted.chat_id}
