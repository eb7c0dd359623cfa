"""Test questions of an assistant, and runs of them, over REST."""

from typing import Any

from rest_framework.exceptions import ValidationError

from apps.ai.actions.evaluation_cases import add_case, change_case, delete_case, require_assistant
from apps.ai.actions.evaluation_drafts import DRAFTED, put_live
from apps.ai.actions.evaluation_requests import request_evaluation
from apps.ai.actions.personas import token_actor
from apps.ai.errors import (
    AMBIGUOUS_OPERATOR,
    CREDENTIAL_UNAVAILABLE,
    EVALUATION_RUNNING,
    LOSES_CASES,
    NO_CASES,
    NOTHING_TO_APPLY,
    PERSONA_CHANGED,
    TOO_MANY_CASES,
)
from apps.ai.models import EvaluationCase, EvaluationResult, EvaluationRun
from apps.ai.rules import evaluations as rules
from apps.ai.rules.languages import LANGUAGES
from apps.ai.serializers.assistant_requests import AssistantBody, cleared
from apps.ai.serializers.evaluations import (
    EvaluationCaseSerializer,
    EvaluationResultSerializer,
    EvaluationRunSerializer,
    EvaluationWithResultsSerializer,
)
from apps.ai.serializers.requests import MAX_ID, Distinct, Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Body, Boolean, Choice, Integer, PatchBody, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet


class _Texts(Distinct):
    """Texts that an answer must or must not have."""

    def __init__(self, **options: Any) -> None:
        super().__init__(child=Text(max_length=rules.MAX_TEXT), max_length=rules.MAX_TEXTS, required=False, **options)


class EvaluationCaseBody(Body):
    """A new test question: `question`, or `from_message_id` in its place."""

    question = Text(required=False, max_length=rules.MAX_QUESTION)
    from_message_id = Id(
        required=False, help_text="A message: the visitor's words that it answers are the question, redacted."
    )
    assistant_id = Id(required=False, allow_null=True, help_text="Null: every assistant is asked it.")
    language = Choice(required=False, allow_null=True, choices=LANGUAGES)
    expects = Choice(required=False, choices=[one.value for one in rules.CaseOutcome])
    must = _Texts(help_text="A bar between texts means that one of them is enough.")
    must_not = _Texts()
    sources = Distinct(
        required=False,
        child=Text(max_length=rules.MAX_SOURCE),
        max_length=rules.MAX_SOURCES,
        help_text="Titles or addresses; each must be among the answer's sources.",
    )
    judge = Text(
        required=False,
        allow_null=True,
        allow_blank=True,
        max_length=rules.MAX_JUDGE,
        help_text="A criterion that a model judges, once all other checks hold.",
    )
    is_active = Boolean(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("question" in attrs) == ("from_message_id" in attrs):
            raise ValidationError({"question": ["Send this, or `from_message_id` in its place."]})
        return attrs


class EvaluationCaseChangesBody(PatchBody):
    """The changes of a test question."""

    of = EvaluationCaseBody
    without = ("from_message_id",)


class EvaluationCaseQuery(PageQuery):
    """The filter of test questions."""

    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID)


class EvaluationCaseViewSet(ApiViewSet):
    target = EvaluationCase
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="List test questions", filters=EvaluationCaseQuery, answers=EvaluationCaseSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first; with `assistant_id`, those of that assistant alone."""
        require_assistant(context.widget_id, context.filters.get("assistant_id"))
        return context.page(EvaluationCase.objects.for_widget(context.widget_id).order_by("-id"))

    @operation(
        summary="Add a test question",
        takes=EvaluationCaseBody,
        answers=EvaluationCaseSerializer,
        status=201,
        problems=(TOO_MANY_CASES,),
        example={"question": "What does a rose cost?", "must": ["90"], "language": "en"},
    )
    def create(self, context: RequestContext) -> Answer:
        """It is asked of the assistant, or of every one, in each run. A widget has 200 at most."""
        return add_case(widget_id=context.widget_id, **_kept(context.body))

    @operation(summary="Read a test question", answers=EvaluationCaseSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """With where it was made."""
        return context.target

    @operation(
        summary="Change a test question",
        takes=EvaluationCaseChangesBody,
        answers=EvaluationCaseSerializer,
        example={"is_active": False},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """Results of earlier runs stay as they were."""
        change_case(widget_id=context.widget_id, case_id=context.target_id, changes=_kept(context.body))
        return context.target

    @operation(summary="Delete a test question", status=204)
    def destroy(self, context: RequestContext) -> None:
        """Its results in earlier runs stay."""
        delete_case(widget_id=context.widget_id, case_id=context.target_id)


def _kept(members: dict[str, Any]) -> dict[str, Any]:
    """The members as they are stored: none is an empty text."""
    return {name: "" if value is None and name != "assistant_id" else value for name, value in members.items()}


class DraftBody(PatchBody):
    """The members of an assistant that are asked in place of its own: one at least."""

    of = AssistantBody
    without = tuple(name for name in AssistantBody().get_fields() if name not in DRAFTED)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise ValidationError(["One member at least."])
        return attrs


class EvaluationBody(Body):
    """The assistant that is asked, and the change that it is asked with, if any."""

    assistant_id = Id()
    draft = DraftBody(required=False)
    wish_id = Id(required=False, help_text="A wish: it is asked with the text that its approval would store.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "draft" in attrs and "wish_id" in attrs:
            raise ValidationError({"wish_id": ["Send this or `draft`, not both."]})
        return attrs


class ApplyingBody(Body):
    """The number of cases that may be lost."""

    accept_lost = Integer(
        required=False, min_value=0, max_value=rules.MAX_CASES, help_text="How many cases the draft loses, as seen."
    )


class EvaluationQuery(PageQuery):
    """The filter of runs."""

    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID)


class EvaluationViewSet(ApiViewSet):
    target = EvaluationRun
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="List evaluations", filters=EvaluationQuery, answers=EvaluationRunSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """The runs of the test questions, newest first. The last 30 of an assistant are kept."""
        require_assistant(context.widget_id, context.filters.get("assistant_id"))
        return context.page(EvaluationRun.objects.for_widget(context.widget_id).order_by("-id"))

    @operation(
        summary="Start an evaluation",
        takes=EvaluationBody,
        answers=EvaluationRunSerializer,
        status=202,
        problems=(NO_CASES, EVALUATION_RUNNING, CREDENTIAL_UNAVAILABLE, AMBIGUOUS_OPERATOR),
        example={"assistant_id": 7, "draft": {"persona": "You are Flora. A rose costs 90."}},
    )
    def create(self, context: RequestContext) -> dict[str, Any]:
        """Each test question is asked as a visitor would ask it, with paid calls, in the background.

        With `draft` or `wish_id` the assistant is asked as it would be; visitors are answered as before. No chat is
        made. The end of the day's budget is left to visitors.
        """
        body = dict(context.body)
        if "draft" in body:
            body["draft"] = cleared(body["draft"])
        run = request_evaluation(widget_id=context.widget_id, **body)
        return _shown(context.widget_id, run.pk)

    @operation(summary="Read an evaluation", answers=EvaluationWithResultsSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """With the result of each case so far."""
        results = EvaluationResult.objects.for_widget(context.widget_id).filter(run_id=context.target_id)
        shown = [EvaluationResultSerializer.show(result) for result in results.order_by("pk")]
        return {**_shown(context.widget_id, context.target_id), "results": shown}

    @operation(
        summary="Put an examined draft live",
        scopes=("ai:apply",),
        takes=ApplyingBody,
        answers=EvaluationRunSerializer,
        problems=(NOTHING_TO_APPLY, PERSONA_CHANGED, LOSES_CASES),
        example={"accept_lost": 2},
    )
    def apply(self, context: RequestContext) -> dict[str, Any]:
        """Gives the assistant the draft of a finished run. One that loses cases asks for `accept_lost`."""
        put_live(
            widget_id=context.widget_id,
            run_id=context.target_id,
            actor=token_actor(context.widget_id, context.caller.token_id),
            accept_lost=context.body.get("accept_lost"),
        )
        return _shown(context.widget_id, context.target_id)


def _shown(widget_id: int, run_id: int) -> dict[str, Any]:
    return EvaluationRunSerializer.show(EvaluationRun.objects.for_widget(widget_id).for_api().get_or_404(pk=run_id))
