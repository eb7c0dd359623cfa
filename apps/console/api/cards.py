"""Cards from the shop's own system, beside a chat."""

from typing import Any

from django.utils.translation import get_language

from apps.chats.models import Chat
from apps.console.authentication import SessionAuthenticator
from apps.console.querysets.page import HAS_CARDS
from apps.console.serializers.shop_cards import CardActionSerializer, ShopCardSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import WithStatus, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Query, Text, Uuid
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND


class CardsQuery(Query):
    """The card that is to be asked for again, whatever its age."""

    refresh = Text(required=False, max_length=40, help_text="A card's key.")


class CardActionBody(Body):
    """The button that was pressed. The same `client_id` is told to the shop once."""

    client_id = Uuid()
    action = Text(max_length=60)


class ShopCardViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Chat

    @operation(summary="List a chat's cards", filters=CardsQuery, answers=ShopCardSerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """The widget's cards as they are known now. The shop's program is asked for those that are due, by one call;
        the frame `cards.updated` brings what came of it.
        """
        if not HAS_CARDS:
            return context.whole([])
        from apps.cards.actions.reading import look_at_cards

        return context.whole(
            look_at_cards(
                widget_id=context.widget_id,
                chat_id=context.target_id,
                agent_id=context.caller.agent.pk,
                locale=_language(context),
                refresh=context.filters.get("refresh"),
            )
        )

    @operation(
        summary="Press a button of a card",
        takes=CardActionBody,
        answers=CardActionSerializer,
        status=(202, 200),
        example={"client_id": "0d0a3b63-7f2b-4f5b-9b0e-3c1f7a4f4d10", "action": "order.cancel"},
    )
    def press(self, context: RequestContext) -> WithStatus:
        """Tells the shop's program, once and within 10 seconds. A known `client_id` is answered 200.

        A button that the card has not is 404.
        """
        if not HAS_CARDS:
            raise NOT_FOUND()
        from apps.cards.actions.buttons import press_button

        pressed = press_button(
            agent=context.caller.agent,
            chat_id=context.target_id,
            key=context.path["key"],
            action=context.body["action"],
            client_id=context.body["client_id"],
            locale=_language(context),
        )
        return WithStatus(202 if pressed.is_new else 200, pressed.action)


def _language(context: RequestContext) -> Any:
    return context.caller.agent.user.language or (get_language() or "en")[:2]
