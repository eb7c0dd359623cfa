"""Operators over REST (specification, Endpoints, "Agents")."""

from apps.accounts.audit.trail import by_token
from apps.agents import actions, presence, rules
from apps.agents.errors import (
    AI_OPERATOR_PROTECTED,
    AVATAR_STORAGE_FAILED,
    OPERATOR_NOT_VERIFIED,
    OPERATOR_REVOKED,
    OWNER_PROTECTED,
    SEAT_LIMIT_REACHED,
)
from apps.agents.models import Agent, AgentEvent, Department
from apps.agents.serializers.responses import AgentEventSerializer, AgentSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Boolean, Choice, PatchBody, QueryFlag, QueryInteger
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND


class AgentListQuery(PageQuery):
    """The filters of the list of operators."""

    online = QueryFlag(
        required=False,
        source="is_online",
        help_text="Live presence, not the stored status. While that can't be known, every operator counts as offline.",
    )
    type = Choice(required=False, choices=rules.TYPES)
    department_id = QueryInteger(
        required=False, source="departments", help_text="A department that the widget does not have is 404."
    )
    status = Choice(required=False, choices=rules.STATUSES, help_text="Without it, banned agents are left out.")


class AgentBody(PatchBody):
    """The member of an operator that can be changed. The others that an answer has are refused as read-only."""

    show_in_header = Boolean(help_text="Whether the widget shows them in its header.")


class AgentEventQuery(PageQuery):
    """The filter of an event log."""

    type = Choice(required=False, choices=[*rules.EVENT_CODES, rules.UNKNOWN_EVENT])


class AgentViewSet(ApiViewSet):
    target = Agent
    reads = ("agents:read",)
    writes = ("agents:write",)

    @operation(
        summary="List agents",
        filters=AgentListQuery,
        answers=AgentSerializer,
        lists=True,
        problems=(NOT_FOUND,),
    )
    def list(self, context: RequestContext) -> Page:
        """The widget's operators, newest first: people, AI and webhook ones; banned ones only with `status=banned`."""
        if (department_id := context.filters.get("departments")) is not None:
            Department.objects.for_widget(context.widget_id).get_or_404(pk=department_id)
        rows = (
            Agent.objects.for_widget(context.widget_id)
            .with_presence(presence.online_agents(context.widget_id))
            .order_by("-id")
        )
        return context.page(rows if "status" in context.filters else rows.not_banned())

    @operation(summary="Read an agent", answers=AgentSerializer)
    def retrieve(self, context: RequestContext) -> Agent:
        """One operator of the widget, banned or not."""
        return _shown(context)

    @operation(
        summary="Update an agent",
        takes=AgentBody,
        answers=AgentSerializer,
        example={"show_in_header": False},
    )
    def partial_update(self, context: RequestContext) -> Agent:
        """Shows an operator in the widget's header, or not. Nothing else of an operator can be changed here."""
        actions.update_profile(widget_id=context.widget_id, agent_id=context.target_id, changes=context.body)
        return _shown(context)

    @operation(
        summary="Remove an agent",
        status=204,
        problems=(OWNER_PROTECTED, AI_OPERATOR_PROTECTED),
    )
    def destroy(self, context: RequestContext) -> None:
        """A soft delete: the agent is banned and the seat is free; chats, ratings and the event log can be read. An
        external operator is killed by it.

        Refused for the owner and for an AI operator. A banned agent stays so.
        """
        with by_token(context.caller.token_id):
            actions.remove_agent(widget_id=context.widget_id, agent_id=context.target_id)

    @operation(
        summary="Suspend an agent",
        answers=AgentSerializer,
        problems=(OWNER_PROTECTED,),
    )
    def suspend(self, context: RequestContext) -> Agent:
        """Bans an operator, whose seat is free then; an AI operator is retired, an external one killed. Refused for
        the owner.

        Suspending one who is banned has no effect.
        """
        with by_token(context.caller.token_id):
            actions.suspend_agent(widget_id=context.widget_id, agent_id=context.target_id)
        return _shown(context)

    @operation(
        summary="Restore an agent",
        answers=AgentSerializer,
        problems=(SEAT_LIMIT_REACHED, OPERATOR_REVOKED, OPERATOR_NOT_VERIFIED),
    )
    def restore(self, context: RequestContext) -> Agent:
        """Makes a banned operator `active` again. A person needs a free seat; AI and webhook operators take none.
        An external operator is activated, if its address is proved and it is not revoked.

        Restoring one who is not banned has no effect.
        """
        with by_token(context.caller.token_id):
            actions.restore_agent(widget_id=context.widget_id, agent_id=context.target_id)
        return _shown(context)

    @operation(
        summary="Set an agent's avatar",
        upload=actions.AVATAR_FORM,
        answers=AgentSerializer,
        status=201,
        problems=(AVATAR_STORAGE_FAILED,),
        calls_out=True,
    )
    def set_avatar(self, context: RequestContext) -> Agent:
        """A JPEG, PNG, GIF or WebP picture of at most 2,048 KB (2,097,152 bytes) and 25 million pixels.

        Its type is detected from its content. It is encoded again as WebP that fits into 512 × 512 pixels, without
        metadata; of an animation the first frame is kept.
        """
        assert context.upload is not None and context.lock is not None  # noqa: S101, PT018 - it takes nothing else
        context.require_target()
        actions.store_avatar(
            widget_id=context.widget_id, agent_id=context.target_id, upload=context.upload, lock=context.lock
        )
        return _shown(context)

    @operation(summary="Remove an agent's avatar", status=204)
    def remove_avatar(self, context: RequestContext) -> None:
        """404, too, when the agent has none."""
        actions.remove_avatar(widget_id=context.widget_id, agent_id=context.target_id)


class AgentEventViewSet(ApiViewSet):
    target = Agent
    reads = ("agents:events:read",)

    @operation(
        summary="List an agent's events",
        filters=AgentEventQuery,
        answers=AgentEventSerializer,
        lists=True,
    )
    def list(self, context: RequestContext) -> Page:
        """The event log of an operator, newest first; also of a banned one."""
        rows = AgentEvent.objects.for_widget(context.widget_id).filter(agent_id=context.target_id).order_by("-id")
        if type_ := context.filters.pop("type", None):
            rows = rows.of_type(type_)
        return context.page(rows)


def _shown(context: RequestContext) -> Agent:
    """The path's operator as the serializer shows them, read from the database again. Raises NOT_FOUND (404)."""
    online_ids = presence.online_agents(context.widget_id)
    return (
        Agent.objects.for_widget(context.widget_id).with_presence(online_ids).for_api().get_or_404(pk=context.target_id)
    )
