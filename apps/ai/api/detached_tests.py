"""The detached test of an assistant over REST (specification, Endpoints, "Detached test input rules")."""

import re
from typing import Any

from rest_framework import serializers

from apps.ai.actions.testing import LIMITS, STARTS, inspect, run_test
from apps.ai.errors import (
    ADMISSION_UNAVAILABLE,
    AMBIGUOUS_OPERATOR,
    ASSISTANT_NOT_FOUND,
    CREDENTIAL_UNAVAILABLE,
    IDEMPOTENCY_REUSED,
    OPERATOR_NOT_FOUND,
    PROVIDER_FAILURE,
    TEST_BUDGET_EXHAUSTED,
    TEST_RATE_LIMITED,
    TEST_UNAVAILABLE,
    UNSUPPORTED_TRANSPORT,
)
from apps.ai.models import Assistant
from apps.ai.rules.languages import LANGUAGES
from apps.ai.serializers.assistants import InspectionSerializer, TestResultSerializer
from apps.ai.serializers.requests import MAX_ID, Id
from apps.core.endpoints.bodies import has_body
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.idempotency import KeyRules
from apps.core.endpoints.operations import operation
from apps.core.endpoints.serializers import Body, Choice, Items, Query, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import AI_BUDGET_EXHAUSTED, INVALID_INPUT, TRY_AGAIN

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class SpokenLine(Text):
    """A message's text: not blank, and no control character but tab, line feed and carriage return."""

    default_error_messages = {"control": "Control characters are not allowed."}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LIMITS["question_characters"], **options)

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not text.strip():
            self.fail("blank")
        if _CONTROL.search(text):
            self.fail("control")
        return text


class HistoryItemBody(Body):
    """One message before the question."""

    role = Choice(choices=["user", "assistant"])
    content = SpokenLine()


class TestBody(Body):
    """A question to an assistant, and what was said before it. There are no overrides of the configuration."""

    __test__ = False  # pytest, too, looks for names that begin so

    question = SpokenLine()
    history = Items(required=False, child=HistoryItemBody(), max_length=LIMITS["history_items"])
    operator_id = Id(
        required=False, help_text="The operator that would speak; needed if several operators run the assistant."
    )
    locale = Choice(required=False, choices=list(LANGUAGES), help_text="The question's language, unless it is sent.")
    operators = Choice(
        required=False,
        choices=["online", "offline", "unknown"],
        help_text="Whether people are there; presence is read, unless it is sent.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        total = len(attrs["question"]) + sum(len(item["content"]) for item in attrs.get("history", ()))
        if total > LIMITS["total_characters"]:
            message = f"Question and history have {total} characters; {LIMITS['total_characters']} are allowed."
            raise serializers.ValidationError({"history": [message]})
        return attrs


class CanonicalId(Text):
    """A positive whole number in a query string, without a sign or leading zeros."""

    default_error_messages = {"canonical": "Must be a positive whole number without leading zeros."}

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        if not re.fullmatch(r"[1-9][0-9]{0,18}", text) or int(text) > MAX_ID:
            self.fail("canonical")
        return int(text)


class InspectionQuery(Query):
    """The operator that would speak."""

    operator_id = CanonicalId(required=False)


MAX_QUERY = 128

KEYS = KeyRules(
    longest=64,
    reused=IDEMPOTENCY_REUSED,
    kept_after=(PROVIDER_FAILURE, TEST_BUDGET_EXHAUSTED),
)
_NOT_RESOLVED = (OPERATOR_NOT_FOUND, UNSUPPORTED_TRANSPORT, AMBIGUOUS_OPERATOR, CREDENTIAL_UNAVAILABLE)


class AssistantTestViewSet(ApiViewSet):
    target = Assistant
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(
        summary="Inspect what a test of an assistant would use",
        filters=InspectionQuery,
        answers=InspectionSerializer,
        missing=ASSISTANT_NOT_FOUND,
        problems=(*_NOT_RESOLVED, TRY_AGAIN),
    )
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Free: no provider is called, and it counts as no test. A disabled assistant can be inspected."""
        if len(context.request.META.get("QUERY_STRING", "")) > MAX_QUERY:
            raise INVALID_INPUT(errors={"operator_id": [f"The query has at most {MAX_QUERY} bytes."]})
        if has_body(context.request):
            raise INVALID_INPUT(errors={"": ["A body is not allowed."]})
        return inspect(assistant=_assistant(context), operator_id=context.filters.get("operator_id"))

    @operation(
        summary="Test an assistant",
        takes=TestBody,
        answers=TestResultSerializer,
        missing=ASSISTANT_NOT_FOUND,
        calls_out=True,
        key=KEYS,
        max_body=LIMITS["body_bytes"],
        limits=(STARTS,),
        problems=(
            *_NOT_RESOLVED,
            AI_BUDGET_EXHAUSTED,
            TEST_RATE_LIMITED,
            PROVIDER_FAILURE,
            ADMISSION_UNAVAILABLE,
            TEST_UNAVAILABLE,
            TEST_BUDGET_EXHAUSTED,
        ),
        example={"question": "How much is delivery?", "operators": "offline"},
    )
    def create(self, context: RequestContext) -> dict[str, Any]:
        """A real, paid call with the stored configuration, and a simulated answer: no chat is made, no event is sent.

        A disabled assistant can be tested. The key stays used for 24 hours, also after a provider's failure.
        """
        return run_test(assistant=_assistant(context), outbound=context.outbound, **context.body)


def _assistant(context: RequestContext) -> Assistant:
    """The path's assistant. Raises ASSISTANT_NOT_FOUND (404)."""
    context.require_target()
    return Assistant.objects.for_widget(context.widget_id).get_or_404(pk=context.target_id)
