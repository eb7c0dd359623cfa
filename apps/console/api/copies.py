"""Copies of the letters that answer a mailbox's chat."""

from typing import Any

from apps.chats.models import Chat
from apps.console.authentication import SessionAuthenticator
from apps.console.querysets.page import HAS_LETTERS
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.row_serializers import RowSerializer, TextList
from apps.core.endpoints.serializers import Body, Items, Text
from apps.core.endpoints.viewsets import EndpointViewSet


class CopiesBody(Body):
    """People who get a copy of the answers."""

    copies = Items(child=Text(max_length=254), max_length=10)


class CopiesSerializer(RowSerializer):
    """To whom a mailbox's chat is answered."""

    address = Text(allow_null=True, help_text="To whom answers go; null in a chat that is no mailbox's.")
    copies = TextList(help_text="The people who get a copy.")
    others = TextList(help_text="Others who wrote into the chat or were named in its e-mails, and may be given a copy.")


class ChatCopiesViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Chat

    @operation(summary="Get who gets a copy of a mailbox's answers", answers=CopiesSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """The copies of the addressee's last letter, as operators left them."""
        if not HAS_LETTERS:
            return {"address": None, "copies": [], "others": []}
        from apps.letters.actions.copies import copies_of

        return copies_of(widget_id=context.widget_id, chat_id=context.target_id)

    @operation(
        summary="Set who gets a copy of a mailbox's answers",
        takes=CopiesBody,
        answers=CopiesSerializer,
        example={"copies": []},
    )
    def update(self, context: RequestContext) -> dict[str, Any]:
        """Takes those who had part in the chat's e-mails alone; the addressee's next e-mail names its own copies."""
        if not HAS_LETTERS:
            return {"address": None, "copies": [], "others": []}
        from apps.letters.actions.copies import change_copies

        return change_copies(widget_id=context.widget_id, chat_id=context.target_id, copies=context.body["copies"])
