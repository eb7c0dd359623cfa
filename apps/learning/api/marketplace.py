"""The marketplace of templates over REST (specification, Endpoints, "AI configuration")."""

from typing import Any

from apps.ai.actions.personas import token_actor
from apps.ai.models import Assistant
from apps.ai.rules.languages import LANGUAGES
from apps.ai.serializers.assistants import AssistantSerializer
from apps.chats.questions import widget_language
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import NumberedPage, NumberedQuery
from apps.core.endpoints.serializers import Choice, Query
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import NOT_FOUND
from apps.learning.actions.marketplace import APPLIED, apply_template
from apps.learning.marketplace import CATEGORIES, Template, in_language, templates
from apps.learning.serializers.marketplace import (
    TemplateRowSerializer,
    TemplateSerializer,
    template_row,
    whole_template,
)

_LOCALE = "In which language; the widget's, if it is not said. A template that lacks it comes in English."


class TemplateQuery(Query):
    """In which language."""

    locale = Choice(required=False, choices=list(LANGUAGES), help_text=_LOCALE)


class TemplateListQuery(NumberedQuery):
    """The filters of the list of templates, and its language."""

    category = Choice(required=False, choices=list(CATEGORIES))
    locale = Choice(required=False, choices=list(LANGUAGES), help_text=_LOCALE)


class TemplateViewSet(ApiViewSet):
    shared_arguments = ("slug",)
    reads = ("ai:read",)
    writes = ("ai:write",)

    @operation(
        summary="List templates of assistants",
        filters=TemplateListQuery,
        answers=TemplateRowSerializer,
        lists="numbered",
    )
    def list(self, context: RequestContext) -> NumberedPage:
        """By name."""
        category = context.filters.get("category")
        found = [_in_language_of(context, slug) for slug in templates()]
        rows = [template_row(one) for one in found if category in (None, one.category)]
        return context.numbered(sorted(rows, key=lambda row: (row["name"], row["slug"])))

    @operation(
        summary="Read a template of an assistant",
        filters=TemplateQuery,
        answers=TemplateSerializer,
    )
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """All its texts, as an assistant made of it has them."""
        return whole_template(_named(context))

    @operation(
        summary="Make an assistant of a template",
        filters=TemplateQuery,
        answers=AssistantSerializer,
        status=201,
        limits=(APPLIED,),
    )
    def apply(self, context: RequestContext) -> Answer:
        """Adds an assistant; nothing existing changes, and twice makes two. It is the default one only if it is the
        widget's first.
        """
        actor = token_actor(context.widget_id, context.caller.token_id)
        made = apply_template(widget_id=context.widget_id, template=_named(context), actor=actor)
        return Assistant.objects.for_widget(context.widget_id).for_api().get(pk=made.pk)


def _named(context: RequestContext) -> Template:
    """The path's template. Raises NOT_FOUND (404)."""
    slug = context.path["slug"]
    if slug not in templates():
        raise NOT_FOUND("There is no such template.")
    return _in_language_of(context, slug)


def _in_language_of(context: RequestContext, slug: str) -> Template:
    return in_language(slug, context.filters.get("locale") or widget_language(context.widget_id))
