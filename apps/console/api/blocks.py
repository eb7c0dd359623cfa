"""Blocks of visitors, which are made at a chat (`chats.py`)."""

from apps.chats import actions
from apps.chats.models import Block
from apps.console.authentication import SessionAuthenticator
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet


class ConsoleBlockViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()
    target = Block

    @operation(summary="Lift a block", status=204)
    def destroy(self, context: RequestContext) -> None:
        """Ends the block at once, for everyone it covered."""
        actions.lift_block(widget_id=context.widget_id, block_id=context.target_id)
