"""Versions and history of assistants' texts over REST (specification, Endpoints, "Self-learning")."""

from typing import Any

from apps.ai.actions.personas import token_actor
from apps.ai.errors import PERSONA_CHANGED
from apps.ai.models import PersonaHistory, PersonaVersion
from apps.ai.rules.configuration import PersonaAction
from apps.ai.serializers.requests import MAX_ID, Id
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Body, Choice, QueryInteger, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.learning.actions.targets import target_of
from apps.learning.actions.versions import revert_to, version_named
from apps.learning.errors import ALREADY_LIVE
from apps.learning.serializers.learning import HistorySerializer, VersionRowSerializer, VersionSerializer
from apps.learning.serializers.requests import APPLY, WHOSE, TargetQuery

MAX_REASON = 500


class TargetPageQuery(PageQuery):
    """The assistant whose text it is."""

    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID, help_text=WHOSE)


class HistoryQuery(PageQuery):
    """The filters of the history; without an assistant it is the whole widget's."""

    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID)
    action = Choice(required=False, choices=[one.value for one in PersonaAction])


class RevertBody(Body):
    """Why, and what is live as far as the caller knows."""

    reason = Text(required=False, allow_blank=True, max_length=MAX_REASON)
    expected_live_version = Id(required=False, help_text="Another one is 409.")


class PersonaVersionViewSet(ApiViewSet):
    shared_arguments = ("version",)
    reads = ("ai:read",)
    writes = APPLY

    @operation(
        summary="List the versions of an assistant's text",
        filters=TargetPageQuery,
        answers=VersionRowSerializer,
        lists=True,
    )
    def list(self, context: RequestContext) -> Page:
        """Newest first; the highest is live."""
        assistant = target_of(context.widget_id, context.filters.pop("assistant_id", None))
        versions = PersonaVersion.objects.for_widget(context.widget_id).filter(assistant=assistant)
        return context.page(versions.order_by("-version"))

    @operation(summary="Read a version of an assistant's text", filters=TargetQuery, answers=VersionSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """With its text, to the byte, and that of the version before."""
        assistant = target_of(context.widget_id, context.filters.get("assistant_id"), is_path=True)
        return shown_version(version_named(assistant, context.path["version"]))

    @operation(
        summary="Make an earlier version live again",
        filters=TargetQuery,
        takes=RevertBody,
        answers=VersionSerializer,
        problems=(ALREADY_LIVE, PERSONA_CHANGED),
        example={"reason": "It began to promise discounts.", "expected_live_version": 7},
    )
    def revert(self, context: RequestContext) -> dict[str, Any]:
        """Its text becomes a new version, the highest. A probation that runs ends by it, and its wish is reverted."""
        assistant = target_of(context.widget_id, context.filters.get("assistant_id"), is_path=True)
        if assistant is None:
            raise NOT_FOUND()
        made = revert_to(
            widget_id=context.widget_id,
            assistant_id=assistant.pk,
            version=context.path["version"],
            actor=token_actor(context.widget_id, context.caller.token_id),
            reason=context.body.get("reason", ""),
            expected=context.body.get("expected_live_version"),
        )
        return shown_version(version_named(made.assistant, made.version))


class HistoryViewSet(ApiViewSet):
    reads = ("ai:read",)

    @operation(
        summary="Read the history of assistants' texts",
        filters=HistoryQuery,
        answers=HistorySerializer,
        lists=True,
        problems=(NOT_FOUND,),
    )
    def list(self, context: RequestContext) -> Page:
        """The changes of texts with their authors and reasons, newest first.

        It is append-only, and outlives the assistants.
        """
        if (assistant_id := context.filters.get("assistant_id")) is not None:
            target_of(context.widget_id, assistant_id, is_path=True)
        return context.page(PersonaHistory.objects.for_widget(context.widget_id).order_by("-at", "-id"))


def shown_version(version: PersonaVersion) -> dict[str, Any]:
    """A version, whole; its assistant is read along."""
    before = PersonaVersion.objects.for_widget(version.assistant.widget_id).filter(
        assistant_id=version.assistant_id, version=version.version - 1
    )
    previous = before.values("version", "persona", "system_prompt").first()
    row = VersionRowSerializer.show(version)
    texts = {"persona": version.persona, "system_prompt": version.system_prompt}
    return {**row, **texts, "patch": version.patch, "previous": previous}
