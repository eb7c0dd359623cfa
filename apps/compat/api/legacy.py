"""The compat routes (specification, Endpoints, "Compat routes")."""

from typing import Any

from django.http import HttpResponse

from apps.chats.serializers.chats import PostedMessageSerializer
from apps.compat import actions, querysets
from apps.compat.authentication import BotAuthenticator, ChannelAuthenticator, require_scope
from apps.compat.errors import CHAT_TAKES_NONE, NOBODY_TO_SEND_AS
from apps.compat.rules import SCOPES, BotEvent
from apps.compat.serializers import responses
from apps.compat.serializers.requests import LegacyBotBody, LegacyChannelBody
from apps.compat.serializers.responses import LegacyBotAnswerSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import WithStatus, operation
from apps.core.endpoints.serializers import AnyQuery
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND

PLAIN_TEXT = "text/plain; charset=utf-8"


class LegacyBotViewSet(EndpointViewSet):
    """The calls of a bot of the other platform."""

    authenticator = BotAuthenticator()

    @operation(
        summary="Let a bot write, hand over or ask for a rating",
        filters=AnyQuery,
        takes=LegacyBotBody,
        answers=LegacyBotAnswerSerializer,
        status=(202, 200),
        problems=(NOT_FOUND, CHAT_TAKES_NONE, NOBODY_TO_SEND_AS),
        example={"message_type": "BOT_MESSAGE", "chat_id": "7", "message": {"type": "TEXT", "text": "Здравствуйте!"}},
    )
    def receive(self, context: RequestContext) -> WithStatus:
        """`BOT_MESSAGE` sends a message as the chat's agent, or as the widget's owner (scope `messages:write`).
        `INVITE_AGENT` gives the chat to a random agent who is online, in a routed department to the one before the
        others who has a place, and is answered 200 `no_agent_online` while there is none; `INIT_RATE` asks the visitor
        for a rating (both: scope `chats:write`).

        The token in the path is an API token. Ids are numbers or strings; members that are not named here don't count.
        """
        asked = context.body
        event: BotEvent = asked["event"]
        require_scope(context.caller, SCOPES[event])
        where = {"widget_id": context.widget_id, "chat_id": asked["chat_id"]}
        answer: dict[str, Any] = {"chat_id": asked["chat_id"], "message_id": None, "agent_id": None}
        if event is BotEvent.MESSAGE:
            posted, sender_id = actions.send_bot_message(content=asked["message"], **where)
            return WithStatus(202, {"status": responses.SENT, **answer, "message_id": posted.id, "agent_id": sender_id})
        if event is BotEvent.RATE:
            actions.ask_for_rating(**where)
            return WithStatus(202, {"status": responses.RATING_REQUESTED, **answer})
        agent_id = actions.invite_agent(**where)
        if agent_id is None:
            return WithStatus(200, {"status": responses.NO_AGENT_ONLINE, **answer})
        return WithStatus(202, {"status": responses.TRANSFERRED, **answer, "agent_id": agent_id})


class LegacyChannelViewSet(EndpointViewSet):
    """The calls of a custom channel's own side, with the channel's secret in the path."""

    authenticator = ChannelAuthenticator()

    @operation(
        summary="Deliver a client's message by a channel",
        filters=AnyQuery,
        takes=LegacyChannelBody,
        answers=PostedMessageSerializer,
        status=202,
        example={
            "sender": {"id": "client-4711"},
            "recipient": {"id": "our-app"},
            "message": {"type": "text", "text": "Есть тюльпаны?"},
        },
    )
    def receive(self, context: RequestContext) -> dict[str, Any]:
        """Stores a text of the visitor `sender.id`; their first one makes a contact and a chat.

        Ids are numbers or strings; `recipient` is optional, and members that are not named here don't count.
        """
        posted = actions.receive_message(channel=context.caller, body=context.body)
        return {"message_id": posted.id, "chat_id": posted.chat_id}

    @operation(summary="Ask whether an operator is online", filters=AnyQuery, media_type=PLAIN_TEXT)
    def status(self, context: RequestContext) -> HttpResponse:
        """`1` while an agent is there to answer, else `0`: this one character, no JSON."""
        return HttpResponse("1" if querysets.is_online(context.caller) else "0", content_type=PLAIN_TEXT)
