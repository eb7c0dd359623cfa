"""Tickets for the operator's websocket."""

from apps.console.actions.sign_in import issue_ticket
from apps.console.authentication import SessionAuthenticator
from apps.console.serializers.responses import TicketSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet


class TicketViewSet(EndpointViewSet):
    """The calls of a page of the console before it opens its socket."""

    authenticator = SessionAuthenticator()

    @operation(summary="Ask for a ticket", answers=TicketSerializer, adds_nothing=True)
    def create(self, context: RequestContext) -> dict[str, str]:
        """A ticket for `/ws/operator`, for the widget that the session works at: good once, for 60 seconds."""
        return {"ticket": issue_ticket(agent=context.caller.agent, session_key=context.caller.session_key)}
