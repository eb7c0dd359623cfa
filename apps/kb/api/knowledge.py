"""Rules over REST (specification, Endpoints, "Knowledge base")."""

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import READ_ONLY, Body, Choice, PatchBody, Query, Text
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.errors import AI_BUDGET_EXHAUSTED, PROVIDER_BUSY
from apps.kb.actions.documents import delete_own_source
from apps.kb.actions.writing import change_rule, create_rule, delete_rule
from apps.kb.authentication import BodilessAuthenticator
from apps.kb.errors import KB_EMBED_PROVIDER_FAILED, KB_FULL, KB_READ_ONLY_FIELD, RULE_OF_ARTICLE
from apps.kb.models import Rule
from apps.kb.rules.texts import MAX_CONTENT, MAX_DOC_ID, MAX_SOURCE_REF, doc_id_refusal, is_blank
from apps.kb.serializers.rules import SOURCE_TYPES, DeletedSourceSerializer, RuleSerializer

_WRITING = (KB_READ_ONLY_FIELD, KB_EMBED_PROVIDER_FAILED, PROVIDER_BUSY, AI_BUDGET_EXHAUSTED)


READ_ONLY_MEMBERS = frozenset(RuleSerializer().fields) - {"content", "doc_id"}


class RuleBody(Body):
    """A rule by hand."""

    content = Text(max_length=MAX_CONTENT)
    doc_id = Text(required=False, allow_null=True, max_length=MAX_DOC_ID)

    def validate_content(self, content: str) -> str:
        if is_blank(content):
            raise ValidationError("This text shows nothing.")
        return content

    def validate_doc_id(self, doc_id: str | None) -> str | None:
        if doc_id is not None and (refusal := doc_id_refusal(doc_id)):
            raise ValidationError(refusal)
        return doc_id

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        return super().to_internal_value(_without_read_only(data))


class RuleChanges(PatchBody):
    """The changes of a rule. `doc_id: null` clears it."""

    of = RuleBody

    validate_content = RuleBody.validate_content
    validate_doc_id = RuleBody.validate_doc_id

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        return super().to_internal_value(_without_read_only(data))


def _without_read_only(data: Any) -> Any:
    """Raises KB_READ_ONLY_FIELD (422), naming each member of a rule that can't be written."""
    sent = [name for name in data if name in READ_ONLY_MEMBERS] if isinstance(data, Mapping) else []
    if sent:
        raise KB_READ_ONLY_FIELD(errors={name: [READ_ONLY] for name in sent})
    return data


class RuleQuery(PageQuery):
    """The filters of the list of rules, together."""

    doc_id = Text(required=False, max_length=MAX_DOC_ID)
    source_ref = Text(required=False, source="source__ref", max_length=MAX_SOURCE_REF)
    source_type = Choice(required=False, source="source__type", choices=SOURCE_TYPES)
    q = Text(
        required=False,
        source="content__icontains",
        min_length=2,
        max_length=100,
        help_text="Part of `content`, literally, in any case.",
    )


class SourceRefQuery(Query):
    """The source."""

    source_ref = Text(max_length=MAX_SOURCE_REF)


class RulesViewSet(ApiViewSet):
    authenticator = BodilessAuthenticator()
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(summary="List rules", answers=RuleSerializer, lists=True, filters=RuleQuery)
    def list(self, context: RequestContext) -> Page:
        """Newest first."""
        return context.page(Rule.objects.for_widget(context.widget_id))

    @operation(
        summary="Write a rule by hand",
        takes=RuleBody,
        answers=RuleSerializer,
        status=201,
        calls_out=True,
        problems=(*_WRITING, KB_FULL),
        example={"content": "Delivery within the city costs 300 roubles.", "doc_id": "faq"},
    )
    def create(self, context: RequestContext) -> Answer:
        """It is embedded before the answer, once for each key. When the provider fails, nothing is stored, and the
        same key may be used again. Without a credential that embeds it is found by its text alone.
        """
        return create_rule(**context.body, outbound=context.outbound)

    @operation(
        summary="Delete every rule of a source",
        filters=SourceRefQuery,
        answers=DeletedSourceSerializer,
        problems=(RULE_OF_ARTICLE,),
    )
    def destroy(self, context: RequestContext) -> dict[str, Any]:
        """An unknown source deletes nothing and answers 0. A page's rules come back when it is crawled next; an
        article's go when it is unpublished.
        """
        source_ref = context.filters["source_ref"]
        deleted = delete_own_source(widget_id=context.widget_id, source_ref=source_ref)
        return {"source_ref": source_ref, "deleted": deleted}


class RuleViewSet(ApiViewSet):
    target = Rule
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(summary="Read a rule", answers=RuleSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """`regenerates` says whether its source regenerates itself."""
        return context.target

    @operation(
        summary="Change a rule",
        takes=RuleChanges,
        answers=RuleSerializer,
        calls_out=True,
        problems=(*_WRITING, RULE_OF_ARTICLE),
        example={"content": "Delivery within the city costs 350 roubles."},
    )
    def partial_update(self, context: RequestContext) -> Answer:
        """A new `content` is embedded before the answer.

        `doc_id` moves a rule by hand to the source of that name; equal values change nothing, and no provider is
        called.
        """
        return change_rule(rule_id=context.target_id, changes=context.body, outbound=context.outbound)

    @operation(summary="Delete a rule", status=204, problems=(RULE_OF_ARTICLE,))
    def destroy(self, context: RequestContext) -> None:
        """A page's rule comes back when it is crawled next."""
        delete_rule(widget_id=context.widget_id, rule_id=context.target_id)
