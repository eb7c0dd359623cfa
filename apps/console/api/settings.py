"""How the widget's operators work."""

from apps.accounts.actions.settings import change_settings
from apps.chats.models import ConsoleSettings
from apps.chats.settings import SETTINGS, console_settings
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import MANAGERS_ONLY
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.viewsets import EndpointViewSet

# The kinds of attributes have an address of their own.
DeskSettingsBody = SETTINGS.body("DeskSettingsBody", "The settings to change.", without=("attribute_kinds",))
DeskSettingsSerializer = SETTINGS.serializer(
    "DeskSettingsSerializer", "How the widget's operators work.", without=("attribute_kinds",)
)


class DeskSettingsViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="Show the console's settings", answers=DeskSettingsSerializer)
    def retrieve(self, context: RequestContext) -> ConsoleSettings:
        """The settings tell what AI does beside operators, and when an absent owner's chats ring for all."""
        return console_settings(context.widget_id)

    @operation(
        summary="Change the console's settings",
        takes=DeskSettingsBody,
        answers=DeskSettingsSerializer,
        problems=(MANAGERS_ONLY,),
        example={"drafts": "waiting", "away_minutes": 30},
    )
    def partial_update(self, context: RequestContext) -> ConsoleSettings:
        """For owners and managers of the account. Settings that are not named stay."""
        if not context.caller.is_manager:
            raise MANAGERS_ONLY()
        row: ConsoleSettings = change_settings(SETTINGS, widget_id=context.widget_id, changes=context.body)
        return row
