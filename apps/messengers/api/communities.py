"""Communities of VK over REST (specification, Endpoints, "Messengers, communities and ad cabinets")."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.serializers import Body, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.messengers.actions.communities import add_community, make_primary, remove_community
from apps.messengers.actions.connections import calls_quota
from apps.messengers.adapters.vk.communities import read_community
from apps.messengers.errors import (
    CALL_PROBLEMS,
    COMMUNITY_EXISTS,
    CREDENTIAL_REJECTED,
    PAID_PLAN_REQUIRED,
    PROVIDER_NOT_CONFIRMED,
    PROVIDER_UNREACHABLE,
)
from apps.messengers.models import Community
from apps.messengers.rules import providers as rules
from apps.messengers.rules.providers import token_refusal
from apps.messengers.serializers import CommunitySerializer

MAX_NAMED = 255


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}]})
class CommunityName(serializers.Field[Any, Any, Any, Any]):
    """The name of a community: an id, `club…`, a screen name, or a link."""

    def to_internal_value(self, data: Any) -> str:
        is_named = isinstance(data, str | int) and not isinstance(data, bool)
        community = read_community(data) if is_named and len(str(data)) <= MAX_NAMED else None
        if community is None:
            raise serializers.ValidationError("Must be a community's id, its name, or its link on vk.com.")
        return community


class CommunityBody(Body):
    """A community with its key."""

    token = Text(max_length=rules.MAX_TOKEN, help_text="The community's key. Never shown again.")
    community = CommunityName(help_text="Its id, `club…`, its screen name, or a link.")

    def validate_token(self, token: str) -> str:
        if refusal := token_refusal(token):
            raise serializers.ValidationError(refusal)
        return token


class CommunityViewSet(ApiViewSet):
    target = Community
    reads = ("messengers:read",)
    writes = ("messengers:write",)

    @operation(summary="List VK communities", answers=CommunitySerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The widget's communities, newest first, without their keys."""
        return context.page(Community.objects.for_widget(context.widget_id))

    @operation(
        summary="Connect a VK community",
        takes=CommunityBody,
        answers=CommunitySerializer,
        status=201,
        calls_out=True,
        limits=(calls_quota(),),
        problems=(
            CREDENTIAL_REJECTED,
            PAID_PLAN_REQUIRED,
            COMMUNITY_EXISTS,
            *CALL_PROBLEMS,
            PROVIDER_UNREACHABLE,
        ),
        example={"token": "vk1.a.example", "community": "https://vk.com/club1"},
    )
    def create(self, context: RequestContext) -> Answer:
        """VK is asked first whether the key manages the community; only then it is stored, and a callback server added:
        read `webhook`. The first community is the primary one.
        """
        return add_community(outbound=context.outbound, **context.body)

    @operation(summary="Make a VK community the primary one", answers=CommunitySerializer)
    def primary(self, context: RequestContext) -> Answer:
        """Visitors are sent to it from now on. Again it has no effect."""
        make_primary(widget_id=context.widget_id, community_id=context.target_id)
        return context.target

    @operation(
        summary="Remove a VK community",
        status=204,
        calls_out=True,
        limits=(calls_quota(),),
        problems=(*CALL_PROBLEMS, PROVIDER_NOT_CONFIRMED),
    )
    def destroy(self, context: RequestContext) -> None:
        """Removes the community once VK has confirmed that its callback server is gone; else it is a 502."""
        remove_community(community=context.target, outbound=context.outbound)
