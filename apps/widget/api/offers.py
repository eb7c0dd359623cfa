"""Invitations to chat in the browser: an offer of one, and its signals."""

from typing import Any

from django.conf import settings as installation
from django.http import HttpRequest

from apps.core.endpoints import addresses
from apps.core.endpoints.answers import JSON
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND
from apps.widget.actions.offers import OfferRequest, make_offer, note_signals
from apps.widget.actions.previews import is_preview_asked
from apps.widget.authentication import VisitorAuthenticator, require_budget
from apps.widget.models import ChatInvitation
from apps.widget.serializers.invitations import (
    InvitationOfferSerializer,
    OfferBody,
    SignalsBody,
)

_KEY = "6b1f0c9f4de2a1b87c5d3e2f1a0b9c8d"


class InvitationOfferViewSet(EndpointViewSet):
    """The calls of a page about its invitations. A session's token may go along."""

    authenticator = VisitorAuthenticator(needs_session=False, takes_session=True)
    target = ChatInvitation

    @operation(
        summary="Ask for an invitation to chat",
        takes=OfferBody,
        answers=InvitationOfferSerializer,
        problems=(NOT_FOUND,),
        example={"key": _KEY, "lang": "en"},
    )
    def ask(self, context: RequestContext) -> dict[str, Any]:
        """Whether the browser shows it now, with its words; else the first reason that applies. Its `key` is random,
        and its own; what is shown is offered once.

        An address has a quarter of the calls that visitors have. 404 for an unknown one, and for a draft.
        """
        body, request, caller = context.body, context.request, context.caller
        is_preview = is_preview_asked(context.widget_id, body.get("preview"))
        address = addresses.key_of(request)
        budget = require_budget(address, "offer", limit=max(1, installation.VISITOR_RATE_LIMIT // 4))
        wanted = OfferRequest(
            key=body["key"],
            contact=caller.known.contact if caller.known else None,
            address=address,
            lang=body["lang"],
            accepted=request.headers.get("Accept-Language", ""),
            branches=body.get("any"),
            is_asked_for=body["now"],
            is_preview=is_preview,
            people_are_known=budget.epoch is not None,  # without Redis nobody knows who is there
        )
        return make_offer(widget=caller.widget, invitation_id=context.target_id, request=wanted)

    @operation(
        summary="Tell what became of invitations",
        takes=SignalsBody,
        status=204,
        example={"key": _KEY, "signals": [{"kind": "opened", "offer_id": 4503599627370497}]},
    )
    def signal(self, context: RequestContext) -> None:
        """Notes that offers of this key were opened or dismissed, and goals that were reached. Unknown signals, and
        those that were told already, are passed over. A beacon's `text/plain` is read, too.
        """
        note_signals(widget_id=context.widget_id, key=context.body["key"], signals=context.body["signals"])

    def _read_body(self, request: HttpRequest, caller: Any, operation: Any) -> bytes:
        if operation.public_id == "invitation_offer_signal" and request.content_type == "text/plain":
            request.content_type = JSON
        return super()._read_body(request, caller, operation)
