"""Signed turns over REST (specification, Endpoints, "Signed application-assistant endpoints")."""

import re
from typing import Any

from rest_framework import serializers

from apps.ai.errors import PROVIDER_FAILURE
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Body, Boolean, Choice, Items, Text
from apps.core.errors import AI_BUDGET_EXHAUSTED
from apps.support.actions.application_turns import STARTS, take_turn
from apps.support.authentication import SignedViewSet
from apps.support.errors import (
    ASSISTANT_BUSY,
    ASSISTANT_UNAVAILABLE,
    INVALID_PLAN,
    REQUEST_ID_REUSED,
    REQUEST_IN_PROGRESS,
)
from apps.support.rules import application_turns as rules
from apps.support.rules.schemas import schema_refusals
from apps.support.serializers.application import TurnSerializer
from apps.support.serializers.requests import Context, JsonObject, OwnId, SpokenText


class ToolName(Text):
    """The name of a tool."""

    default_error_messages = {"form": "Must be a small letter, then up to 63 small letters, digits and `_`."}

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not re.fullmatch(rules.TOOL_NAME, text):
            self.fail("form")
        return text


class ToolCallBody(Body):
    """A call of an earlier plan."""

    id = Text(max_length=128)
    name = ToolName()
    arguments = JsonObject()
    confirmation_required = Boolean(required=False, help_text="As the plan had it; it says nothing here.")


class TurnMessageBody(Body):
    """One message of the conversation. An assistant's with `tool_calls` may have no content, or an empty one."""

    role = Choice(choices=["user", "assistant"])
    content = SpokenText(required=False, allow_null=True, allow_blank=True, max_length=rules.MAX_CONTENT)
    tool_calls = Items(required=False, child=ToolCallBody(), allow_empty=False, max_length=rules.MAX_CALLS)


class ToolBody(Body):
    """A tool that the application offers."""

    name = ToolName()
    description = SpokenText(max_length=rules.MAX_TOOL_DESCRIPTION)
    parameters = JsonObject(
        help_text="A JSON Schema of an object, without `$ref` and `pattern`, nested at most 8 deep."
    )
    confirmation = Boolean(required=False, default=False, help_text="Comes back as `confirmation_required`.")

    def validate_parameters(self, schema: Any) -> Any:
        refusals = schema_refusals(schema)
        if not refusals and schema.get("type") != "object":
            refusals = {"type": "Must be `object`."}
        if refusals:
            raise serializers.ValidationError({path: [text] for path, text in list(refusals.items())[:20]})
        return schema


class ToolResultBody(Body):
    """The result of a tool call of the last message."""

    call_id = Text(max_length=128)
    content = serializers.JSONField(allow_null=True, help_text="Any JSON, null too.")
    is_error = Boolean(required=False)


class TurnBody(Body):
    """A conversation, and the tools that its next answer may ask for."""

    conversation_id = OwnId()
    request_id = OwnId(help_text="Answers once in 24 hours.")
    messages = Items(child=TurnMessageBody(), allow_empty=False, max_length=rules.MAX_MESSAGES)
    context = Context(help_text="The application's facts of its user; at most 16 KiB.")  # type: ignore[assignment]
    tools = Items(child=ToolBody(), max_length=rules.MAX_TOOLS)
    tool_results = Items(required=False, child=ToolResultBody(), allow_empty=False, max_length=rules.MAX_CALLS)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        refusals = rules.conversation_refusals(attrs["messages"], attrs.get("tool_results", ()))
        names = [tool["name"] for tool in attrs["tools"]]
        if len(set(names)) < len(names):
            refusals["tools"] = "Each tool has a name of its own."
        if refusals:
            raise serializers.ValidationError({path: [text] for path, text in refusals.items()})
        return attrs


class TurnViewSet(SignedViewSet):
    @operation(
        summary="Take a turn of the assistant",
        takes=TurnBody,
        answers=TurnSerializer,
        calls_out=True,
        max_body=256 * 1024,
        problems=(
            *(REQUEST_ID_REUSED, REQUEST_IN_PROGRESS, AI_BUDGET_EXHAUSTED),
            *(PROVIDER_FAILURE, INVALID_PLAN, ASSISTANT_UNAVAILABLE, ASSISTANT_BUSY),
        ),
        limits=(STARTS,),
        example={
            "conversation_id": "c-17",
            "request_id": "c-17.4",
            "messages": [{"role": "user", "content": "Where is my order?"}],
            "context": {"plan": "pro"},
            "tools": [
                {
                    "name": "find_order",
                    "description": "Finds the user's newest order.",
                    "parameters": {"type": "object", "properties": {"number": {"type": "string"}}},
                }
            ],
        },
    )
    def create(self, context: RequestContext) -> Answer:
        """A validated reply, or a plan of calls of the offered tools, which are never run here. History,
        authorisation, confirmation and execution stay with the application; nothing of the talk is stored.
        """
        return take_turn(binding=self.binding(context), outbound=context.outbound, **context.body)
