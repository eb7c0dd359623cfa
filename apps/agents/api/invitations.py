"""Invitations over REST (specification, Endpoints, "Agents")."""

from typing import Any

from django.core.validators import validate_email
from django.utils.translation import get_language_from_request
from rest_framework import serializers

from apps.accounts.audit.trail import by_token
from apps.agents.actions.invitations import SENT, invite, revoke_invitation
from apps.agents.errors import (
    ALREADY_AN_AGENT,
    ALREADY_INVITED,
    INVITATION_LIMIT_REACHED,
    MAIL_FAILED,
    SEAT_LIMIT_REACHED,
)
from apps.agents.models import Invitation
from apps.agents.serializers.responses import InvitationSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Text
from apps.core.endpoints.viewsets import ApiViewSet


class MailAddress(Text):
    """An e-mail address that a mail can be sent to: in front of the `@`, visible ASCII characters."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=254, validators=[validate_email], **options)

    def to_internal_value(self, data: Any) -> str:
        address = super().to_internal_value(data)
        if not address.isprintable() or " " in address:
            raise serializers.ValidationError("Spaces and control characters are not allowed.")
        return address


class InvitationBody(Body):
    """The invited address."""

    email = MailAddress(help_text="Gets a mail with a link, which works once and for 7 days.")


class InvitationViewSet(ApiViewSet):
    target = Invitation
    reads = ("agents:read",)
    writes = ("agents:write",)

    @operation(summary="List invitations", answers=InvitationSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's invitations, newest first, whatever has become of them."""
        return context.page(Invitation.objects.for_widget(context.widget_id).order_by("-id"))

    @operation(
        summary="Invite a human agent",
        takes=InvitationBody,
        answers=InvitationSerializer,
        status=201,
        problems=(
            SEAT_LIMIT_REACHED,
            ALREADY_INVITED,
            ALREADY_AN_AGENT,
            INVITATION_LIMIT_REACHED,
            MAIL_FAILED,
        ),
        limits=(SENT,),
        calls_out=True,
        example={"email": "nina@shop.example"},
    )
    def create(self, context: RequestContext) -> Invitation:
        """Sends a mail with a link.

        The person who follows it chooses a name and a password, and is a human agent of the widget.

        Free seats must outnumber the pending invitations. At most 10 are sent in any hour. The mail goes out before
        anything is stored: when it can't be sent, there is no invitation. It is written in the language that
        `Accept-Language` prefers among ar, de, el, en, es, ru and zh; else in English.
        """
        language = get_language_from_request(context.request)
        with by_token(context.caller.token_id):
            return invite(email=context.body["email"], language=language, outbound=context.outbound)

    @operation(summary="Revoke an invitation", status=204)
    def destroy(self, context: RequestContext) -> None:
        """Its link is dead at once. An invitation that is no longer pending (accepted, revoked, expired) is 404.

        A person who has accepted an invitation stays an agent: see suspending and deleting agents.
        """
        with by_token(context.caller.token_id):
            revoke_invitation(context.target)
