"""The crawler over REST (specification, Endpoints, "Knowledge base")."""

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Choice, Query
from apps.core.endpoints.viewsets import ApiViewSet
from apps.kb.actions.crawler import delete_crawler, replace_crawler
from apps.kb.errors import KB_CRAWL_RUNNING
from apps.kb.models import Crawler, CrawlRun
from apps.kb.serializers.crawler import CrawlerConfigSerializer, CrawlerSerializer, CrawlRunSerializer
from apps.kb.serializers.requests import CrawlerBody


class DeleteCrawlerQuery(Query):
    """The fate of the rules."""

    rules = Choice(
        required=False, default="keep", choices=["keep", "delete"], help_text="Kept rules no longer regenerate."
    )


def crawler_answer(widget_id: int) -> Answer:
    """The configuration and the run, null where there is none."""
    crawler = Crawler.objects.for_widget(widget_id).first()
    run = CrawlRun.objects.for_widget(widget_id).order_by("-id").first()
    return {
        "config": None if crawler is None else CrawlerConfigSerializer.show(crawler),
        "run": None if run is None else CrawlRunSerializer.show(run),
    }


class CrawlerViewSet(ApiViewSet):
    reads = ("kb:read",)
    writes = ("kb:write",)

    @operation(summary="Read the crawler", answers=CrawlerSerializer)
    def retrieve(self, context: RequestContext) -> Answer:
        """The configuration, and the run under way, else the last one; each null where there is none."""
        return crawler_answer(context.widget_id)

    @operation(
        summary="Replace the crawler's configuration",
        takes=CrawlerBody,
        answers=CrawlerSerializer,
        problems=(KB_CRAWL_RUNNING,),
        calls_out=True,
        example={"start_urls": ["https://shop.example/"], "exclude_paths": ["/cart"], "max_pages": 500},
    )
    def update(self, context: RequestContext) -> Answer:
        """Replaces the configuration whole, and queues a crawl; one that is queued already stays. While a crawl runs it
        is a 409.

        A crawl keeps to the hosts of the start URLs and to robots.txt (group `ParleyBot`, else `*`). It runs no
        scripts.
        """
        with context.outbound.write():
            replace_crawler(widget_id=context.widget_id, values=context.body)
        return crawler_answer(context.widget_id)

    @operation(summary="Remove the crawler", filters=DeleteCrawlerQuery, status=204, problems=(KB_CRAWL_RUNNING,))
    def destroy(self, context: RequestContext) -> None:
        """Removes the configuration, if there is one, and cancels a queued crawl. While a crawl runs it is a 409."""
        delete_crawler(widget_id=context.widget_id, delete_rules=context.filters["rules"] == "delete")
