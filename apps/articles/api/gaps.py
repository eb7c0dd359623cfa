"""Questions in vain, drafts about them, and telling their visitors, over REST."""

from typing import Any

from django.utils import timezone

from apps.articles.actions.gaps import draft_about, gaps_of
from apps.articles.actions.telling import tell
from apps.articles.errors import NOT_PUBLISHED, TOO_MANY_ARTICLES
from apps.articles.models import Article
from apps.articles.querysets.actors import token_name
from apps.articles.serializers.articles import ArticleSerializer
from apps.articles.serializers.gaps import GapDraftBody, GapSerializer, GapsQuery, TellBody, TellingSerializer
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, WithStatus, operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import window_asked_for


class ArticleGapViewSet(ApiViewSet):
    # A topic or a search of the widget: the action looks for it there.
    shared_arguments = ("gap",)
    reads = ("ai:read",)
    writes = ("kb:write",)

    @operation(summary="List what was asked in vain", filters=GapsQuery, answers=GapSerializer, lists="whole")
    def list(self, context: RequestContext) -> Page:
        """Topics of chats and submitted searches that led nowhere, the most frequent first. The trailing 30 days unless
        told otherwise.
        """
        filters = context.filters
        found = gaps_of(
            widget_id=context.widget_id,
            window=window_asked_for(filters, now=timezone.now()),
            lang=filters.get("lang"),
            source=filters.get("source"),
            limit=filters["limit"],
        )
        rows = ({**gap._asdict(), "id": str(gap.id), "source": gap.id.source.value} for gap in found)
        return context.whole([{name: row[name] for name in GapSerializer().get_fields()} for row in rows])

    @operation(
        summary="Draft an article about it",
        takes=GapDraftBody,
        answers=ArticleSerializer,
        status=(201, 200),
        problems=(TOO_MANY_ARTICLES,),
        example={"lang": "en"},
    )
    def draft(self, context: RequestContext) -> Answer:
        """A draft of people's answers there, without personal data, under the questions. With a model, a worker
        writes it anew (`draft_state`), and names the facts that nothing proves (`unsupported`). Again it is the same
        article, with 200. A person publishes it.
        """
        article, is_new = draft_about(
            widget_id=context.widget_id,
            id_=context.path["gap"],
            lang=context.body.get("lang"),
            actor=token_name(context.widget_id, context.caller.token_id),
        )
        shown = Article.objects.for_widget(context.widget_id).for_api().get(pk=article.pk)
        return shown if is_new else WithStatus(200, shown)


class ArticleTellingViewSet(ApiViewSet):
    target = Article
    writes = ("messages:write",)

    @operation(
        summary="Tell who asked in vain",
        takes=TellBody,
        answers=TellingSerializer,
        status=202,
        problems=(NOT_PUBLISHED,),
        example={"agent_id": 2, "dry_run": True},
    )
    def tell(self, context: RequestContext) -> dict[str, Any]:
        """One message of that operator to each visitor who asked in vain for this article's answer, and still waits:
        their question, the title and the address, in their language; once a chat and article.
        """
        telling = tell(widget_id=context.widget_id, article_id=context.target_id, **context.body)
        left_out = {reason.value: count for reason, count in telling.left_out.items()}
        return {"queued": telling.queued, "left_out": left_out}
