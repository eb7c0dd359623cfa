"""An operator's wish for a better answer of the assistant."""

from typing import TYPE_CHECKING, Any

from django.apps import apps as django_apps

from apps.chats.models import Chat
from apps.console.authentication import SessionAuthenticator
from apps.console.rules.limits import MAX_WISH, MIN_WISH
from apps.console.serializers.requests import ObjectId
from apps.console.serializers.responses import WishOfOperatorSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Text
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND

if TYPE_CHECKING:
    from apps.learning.actions.wishes import WishTaken


class OperatorsWishBody(Body):
    """The answer that the assistant should have given, and where."""

    text = Text(min_length=MIN_WISH, max_length=MAX_WISH)
    message_id = ObjectId(required=False, help_text="The answer that it is about. The wish is for who wrote it.")


class OperatorsWishViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Chat

    @operation(
        summary="Say what the assistant should have done",
        takes=OperatorsWishBody,
        answers=WishOfOperatorSerializer,
        status=201,
        example={"text": "Name the delivery's price before asking for the address.", "message_id": 7},
    )
    def create(self, context: RequestContext) -> dict[str, Any]:
        """A wish with its chat. Every operator may say it: it changes nothing before the account approves it.

        Without an assistant it is 404.
        """
        wish = _submitted(context)
        if wish is None:
            raise NOT_FOUND("There is no assistant whose text could be changed.")
        return {**wish._asdict(), "chat_id": context.target_id}


def _submitted(context: RequestContext) -> "WishTaken | None":
    """None where there is no assistant, or no app that learns."""
    if not django_apps.is_installed("apps.learning"):
        return None
    from apps.learning.actions.wishes import wish_of_person

    return wish_of_person(
        widget_id=context.widget_id,
        user_id=context.caller.agent.user_id,
        text=context.body["text"],
        chat_id=context.target_id,
        message_id=context.body.get("message_id"),
    )
