"""Invitations to chat over REST, and the widget's settings of them."""

from typing import Any

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import INVALID_INPUT
from apps.widget.actions import invitations as actions
from apps.widget.errors import TOO_MANY_INVITATIONS
from apps.widget.models import ChatInvitation
from apps.widget.querysets.effects import results_of
from apps.widget.querysets.settings import settings_of
from apps.widget.serializers.invitations import (
    ChatInvitationBody,
    ChatInvitationChanges,
    ChatInvitationQuery,
    ChatInvitationSerializer,
    InvitationResultsSerializer,
    InvitationSettingsBody,
    InvitationSettingsSerializer,
    ResultsQuery,
)

EXAMPLE = {
    "name": "Hesitates over prices",
    "texts": {"en": "Shall we help you to choose?", "ru": "Помочь с выбором?"},
    "buttons": [{"en": "Yes, please", "ru": "Да, помогите"}],
    "rule": {"page": ["/prices*"], "seconds": 30, "answering": "anyone"},
    "goal": {"event": "ordered"},
}


class ChatInvitationViewSet(ApiViewSet):
    target = ChatInvitation
    reads = ("widget:read",)
    writes = ("widget:write",)

    @operation(
        summary="List invitations to chat", filters=ChatInvitationQuery, answers=ChatInvitationSerializer, lists=True
    )
    def list(self, context: RequestContext) -> Page:
        """The widget's, newest first."""
        return context.page(ChatInvitation.objects.for_widget(context.widget_id).order_by("-id"))

    @operation(
        summary="Add an invitation to chat",
        takes=ChatInvitationBody,
        answers=ChatInvitationSerializer,
        status=201,
        problems=(TOO_MANY_INVITATIONS,),
        example=EXAMPLE,
    )
    def create(self, context: RequestContext) -> Answer:
        """A widget has 50 at most, 20 of them live. Each refusal of a rule is named by its path."""
        return actions.create_invitation(widget_id=context.widget_id, values=context.body)

    @operation(summary="Read an invitation to chat", answers=ChatInvitationSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """As visitors meet it where it is live."""
        return context.target

    @operation(
        summary="Change an invitation to chat",
        takes=ChatInvitationChanges,
        answers=ChatInvitationSerializer,
        problems=(TOO_MANY_INVITATIONS,),
        example={"state": "live"},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Other texts, buttons, `from`, rule, goal or holdout begin a new `round`: its figures begin at nothing."""
        actions.change_invitation(widget_id=context.widget_id, invitation_id=context.target_id, changes=context.body)
        return context.target

    @operation(summary="Delete an invitation to chat", status=204)
    def destroy(self, context: RequestContext) -> None:
        """Its figures go with it; the chats that began with it keep its name."""
        actions.delete_invitation(widget_id=context.widget_id, invitation_id=context.target_id)

    @operation(
        summary="Read an invitation's results",
        filters=ResultsQuery,
        answers=InvitationResultsSerializer,
    )
    def results(self, context: RequestContext) -> dict[str, Any]:
        """The figures of a round: whom it was shown, from whom it was held back, and who reached the goal."""
        invitation = ChatInvitation.objects.for_widget(context.widget_id).get_or_404(pk=context.target_id)
        round_ = context.filters.get("round", invitation.round)
        if round_ > invitation.round:
            raise INVALID_INPUT(errors={"round": ["There was no such round."]})
        return results_of(invitation, round_)


class InvitationSettingsViewSet(ApiViewSet):
    reads = ("widget:read",)
    writes = ("widget:write",)

    @operation(summary="Read the settings of invitations", answers=InvitationSettingsSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """They hold for all invitations of the widget."""
        return dict(settings_of(context.widget_id).invitations)

    @operation(
        summary="Change the settings of invitations",
        takes=InvitationSettingsBody,
        answers=InvitationSettingsSerializer,
        example={"per_visit": 2},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """`is_on` is the switch of all."""
        return actions.change_invitation_settings(widget_id=context.widget_id, changes=context.body)
