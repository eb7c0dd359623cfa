"""How the widget's operators work."""

from rest_framework import serializers

from apps.chats.actions.desk import change_desk_settings, desk_settings
from apps.chats.models import DeskSettings
from apps.chats.rules.desk import DraftsMode, SummariesMode, TranslationMode, away_refusal
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import MANAGERS_ONLY
from apps.console.serializers.responses import DeskSettingsSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Boolean, Choice, Integer, PatchBody
from apps.core.endpoints.viewsets import EndpointViewSet


class DeskSettingsBody(PatchBody):
    """The settings to change."""

    drafts = Choice(required=False, choices=list(DraftsMode))
    past_answers = Boolean(required=False)
    summaries = Choice(required=False, choices=list(SummariesMode))
    translation = Choice(required=False, choices=list(TranslationMode))
    away_minutes = Integer(required=False)

    def validate_away_minutes(self, value: int) -> int:
        if refusal := away_refusal(value):
            raise serializers.ValidationError(refusal)
        return value


class DeskSettingsViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="Show the console's settings", answers=DeskSettingsSerializer)
    def retrieve(self, call: RequestContext) -> DeskSettings:
        """The settings tell what AI does beside operators, and when an absent owner's chats ring for all."""
        return desk_settings(call.widget_id)

    @operation(
        summary="Change the console's settings",
        takes=DeskSettingsBody,
        answers=DeskSettingsSerializer,
        problems=(MANAGERS_ONLY,),
        example={"drafts": "waiting", "away_minutes": 30},
    )
    def partial_update(self, call: RequestContext) -> DeskSettings:
        """For owners and managers of the account. Settings that are not named stay."""
        if not call.caller.is_manager:
            raise MANAGERS_ONLY()
        return change_desk_settings(widget_id=call.widget_id, changes=call.body)
