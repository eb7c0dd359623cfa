"""The kinds of contacts' attributes."""

from typing import Any

from rest_framework import serializers

from apps.accounts.actions.settings import change_settings
from apps.chats.rules.attribute_kinds import AttributeKind, declarations_refusal
from apps.chats.rules.contacts import MAX_ATTRIBUTES
from apps.chats.settings import SETTINGS, console_settings
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import MANAGERS_ONLY
from apps.console.serializers.people import AttributeKindsSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Choice, Items, Text
from apps.core.endpoints.viewsets import EndpointViewSet


class DeclaredAttributeBody(Body):
    """An attribute and its kind."""

    key = Text(min_length=1)
    kind = Choice(choices=list(AttributeKind))
    choices = Items(child=Text(), required=False, default=list, help_text="The values of a `choice`, 1 to 50.")


class AttributeKindsBody(Body):
    """All declared attributes, in the order in which they are shown."""

    attributes = Items(child=DeclaredAttributeBody(), max_length=MAX_ATTRIBUTES)

    def validate_attributes(self, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if refusal := declarations_refusal(found):
            raise serializers.ValidationError(refusal)
        return found


class AttributeKindViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="Show the kinds of attributes", answers=AttributeKindsSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Operators edit a declared attribute by its kind; the API takes any scalar."""
        return {"attributes": console_settings(context.widget_id).attribute_kinds}

    @operation(
        summary="Declare the kinds of attributes",
        takes=AttributeKindsBody,
        answers=AttributeKindsSerializer,
        problems=(MANAGERS_ONLY,),
        example={"attributes": [{"key": "plan", "kind": "choice", "choices": ["free", "pro"]}]},
    )
    def update(self, context: RequestContext) -> dict[str, Any]:
        """In place of all that were declared. For owners and managers of the account; values stay as they are."""
        if not context.caller.is_manager:
            raise MANAGERS_ONLY()
        changes = {"attribute_kinds": context.body["attributes"]}
        return {"attributes": change_settings(SETTINGS, widget_id=context.widget_id, changes=changes).attribute_kinds}
