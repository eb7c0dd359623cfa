"""Improvement wishes over REST (specification, Endpoints, "Improvement wishes")."""

from typing import Any

from apps.ai.actions.personas import token_actor
from apps.ai.errors import LOSES_CASES
from apps.ai.rules.actors import Actor
from apps.ai.rules.evaluations import MAX_CASES
from apps.ai.serializers.requests import MAX_ID, Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Body, Choice, Integer, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.learning.actions.approvals import ApprovalPlan, preview
from apps.learning.actions.examining import examination_of
from apps.learning.actions.targets import target_of
from apps.learning.actions.wishes import approve_wish, reject_wish, revert_wish, submit_wish
from apps.learning.errors import (
    NO_ASSISTANT,
    NOT_EXAMINED,
    PATCH_REFUSED,
    PERSONA_CONFLICT,
    PREVIEW_OUTDATED,
    PROBATION_RUNNING,
    WISH_STATE,
)
from apps.learning.models import Wish
from apps.learning.rules import patches
from apps.learning.rules.probation import HOURS, MIN_CHATS
from apps.learning.rules.states import WishStatus
from apps.learning.serializers.requests import APPLY, MAX_WISH, MIN_WISH
from apps.learning.serializers.wishes import WishPreviewSerializer, WishRowSerializer, WishSerializer

MAX_REASON = 500


class WishBody(Body):
    """The change that the assistant should make."""

    text = Text(min_length=MIN_WISH, max_length=MAX_WISH)
    assistant_id = Id(required=False, help_text="Default: the widget's default assistant.")
    chat_id = Id(required=False, help_text="The chat that it is about.")


class ApprovalBody(Body):
    """The state that was seen before."""

    fingerprint = Text(required=False, max_length=64, help_text="The preview's: another one now is 409.")
    reason = Text(required=False, allow_blank=True, max_length=MAX_REASON)
    accept_lost = Integer(
        required=False,
        min_value=0,
        max_value=MAX_CASES,
        help_text="How many test questions the change loses, as seen in the preview.",
    )


class WishQuery(PageQuery):
    """The filters of the list."""

    status = Choice(required=False, choices=[one.value for one in WishStatus])
    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID)


class WishViewSet(ApiViewSet):
    target = Wish
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(summary="List wishes", filters=WishQuery, answers=WishRowSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first."""
        if (assistant_id := context.filters.get("assistant_id")) is not None:
            target_of(context.widget_id, assistant_id)
        return context.page(Wish.objects.for_widget(context.widget_id))

    @operation(
        summary="Submit a wish",
        takes=WishBody,
        answers=WishSerializer,
        status=201,
        problems=(NO_ASSISTANT, NOT_FOUND),
        example={"text": "Ask for the order number before answering about a delivery."},
    )
    def create(self, context: RequestContext) -> dict[str, Any]:
        """It changes nothing before a person approves it. While AI is on, a model drafts its patch."""
        return _shown(context, submit_wish(widget_id=context.widget_id, author=_actor(context), **context.body).pk)

    @operation(summary="Read a wish", answers=WishSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """With what became of it, oldest first."""
        return _shown(context)

    @operation(summary="Preview an approval", answers=WishPreviewSerializer)
    def preview(self, context: RequestContext) -> dict[str, Any]:
        """Computed of the live text: `after` is to the byte what an approval would store. Nothing is written."""
        wish: Wish = Wish.objects.for_widget(context.widget_id).get_or_404(pk=context.target_id)
        return shown_plan(wish, preview(context.widget_id, wish))

    @operation(
        summary="Approve a wish",
        scopes=APPLY,
        takes=ApprovalBody,
        answers=WishSerializer,
        problems=(
            WISH_STATE,
            NO_ASSISTANT,
            PROBATION_RUNNING,
            PREVIEW_OUTDATED,
            PATCH_REFUSED,
            NOT_EXAMINED,
            LOSES_CASES,
        ),
        example={"reason": "As we agreed on Monday."},
    )
    def approve(self, context: RequestContext) -> dict[str, Any]:
        """Rewrites the assistant's text, makes a version of it, and puts it on probation for 72 hours.

        Test questions, if there are any, are asked first: see `evaluation` of the preview.
        """
        approve_wish(widget_id=context.widget_id, wish_id=context.target_id, actor=_actor(context), **context.body)
        return _shown(context)

    @operation(summary="Reject a wish", answers=WishSerializer, problems=(WISH_STATE,))
    def reject(self, context: RequestContext) -> dict[str, Any]:
        """Declines it; nothing is applied."""
        reject_wish(widget_id=context.widget_id, wish_id=context.target_id, actor=_actor(context))
        return _shown(context)

    @operation(
        summary="Revert a wish",
        scopes=APPLY,
        answers=WishSerializer,
        problems=(WISH_STATE, NO_ASSISTANT, PERSONA_CONFLICT),
    )
    def revert(self, context: RequestContext) -> dict[str, Any]:
        """Brings the text before back. If it has changed since, only the wish's own steps are undone."""
        revert_wish(widget_id=context.widget_id, wish_id=context.target_id, actor=_actor(context))
        return _shown(context)


def _actor(context: RequestContext) -> Actor:
    return token_actor(context.widget_id, context.caller.token_id)


def _shown(context: RequestContext, wish_id: int | None = None) -> dict[str, Any]:
    return shown_wish(context.widget_id, context.target_id if wish_id is None else wish_id)


def shown_wish(widget_id: int, wish_id: int) -> dict[str, Any]:
    """A wish, whole. Raises NOT_FOUND (404)."""
    wish = Wish.objects.for_widget(widget_id).for_api().get_or_404(pk=wish_id)
    decisions = [
        {
            "at": one.at,
            "action": one.action,
            "actor": one.actor,
            "version": one.version,
            "reason": one.reason or None,
        }
        for one in wish.decisions.order_by("pk")
    ]
    return {**WishRowSerializer.show(wish), "decisions": decisions}


def shown_plan(wish: Wish, plan: ApprovalPlan) -> dict[str, Any]:
    """A preview."""
    found = examination_of(wish, plan)
    return {
        "wish_id": wish.pk,
        "applicable": not plan.refusals,
        "refusals": [{"rule": rule, "detail": detail} for rule, detail in plan.refusals],
        "source": plan.source,
        "patch": patches.dump(plan.changes),
        "base_version": plan.base_version,
        "before": plan.before._asdict(),
        "after": plan.after._asdict(),
        "fingerprint": plan.fingerprint,
        "probation": {"hours": HOURS, "min_chats": MIN_CHATS},
        "evaluation": found._asdict() if found is not None else None,
    }
