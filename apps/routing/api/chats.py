"""The standing of a chat over REST, and sending it to a department."""

from typing import Any

from django.utils import timezone

from apps.chats.actions import transfer_chat_to_department
from apps.chats.errors import CHAT_IS_SPAM
from apps.chats.models import Chat
from apps.chats.serializers.chats import ChatSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.viewsets import ApiViewSet
from apps.routing.querysets.chats import chat_routing
from apps.routing.serializers import ChatRoutingSerializer, RouteBody


class ChatRoutingViewSet(ApiViewSet):
    target = Chat
    reads = ("chats:read",)
    writes = ("chats:write",)

    @operation(summary="Read where a chat stands", answers=ChatRoutingSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """For whom it rings, its place in the queue, the offer that stands, and the last 20 offers with their ends."""
        return chat_routing(context.widget_id, context.target_id, timezone.now())

    @operation(
        summary="Send a chat to a department",
        takes=RouteBody,
        answers=ChatSerializer,
        status=202,
        problems=(CHAT_IS_SPAM,),
        example={"department_id": 1},
    )
    def route(self, context: RequestContext) -> Answer:
        """It has no owner until an operator takes it, as by the console's transfer; an unknown department is 404."""
        transfer_chat_to_department(
            widget_id=context.widget_id, chat_id=context.target_id, department_id=context.body["department_id"]
        )
        return context.target
