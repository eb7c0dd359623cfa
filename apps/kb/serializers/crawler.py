"""The serializers of the crawler and its runs."""

from typing import Any

from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextList, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.kb.rules.crawling import RUN_DETAILS, CrawlRunState, RunError, Trigger
from apps.kb.serializers.uploads import ErrorSerializer


class CrawlerConfigSerializer(RowSerializer):
    """The crawled site, and how often it is crawled."""

    start_urls = TextList()
    max_pages = Integer()
    max_depth = Integer()
    include_paths = TextList()
    exclude_paths = TextList()
    use_sitemap = Boolean()
    recrawl_every_hours = Integer(allow_null=True)
    created_at = Time()
    updated_at = Time()
    next_run_at = Time(allow_null=True)


class CrawlPagesSerializer(RowSerializer):
    """How many pages came to what. `changed` counts new ones, too."""

    found = Integer()
    fetched = Integer()
    changed = Integer()
    unchanged = Integer()
    skipped = Integer()
    failed = Integer()
    removed = Integer()


class CrawlProblemSerializer(RowSerializer):
    """A page of which there are no rules, and why."""

    url = Text()
    reason = Text(
        help_text="`robots`, `noindex`, `off_host`, `too_deep`, `excluded`, `status_NNN`, `timeout`, `unreachable`, "
        "`blocked_address`, `too_large`, `not_text`, `empty`, `duplicate`, `redirects` or `login`."
    )


def error_of(code: str) -> dict[str, Any] | None:
    return {"code": code, "detail": RUN_DETAILS[RunError(code)]} if code else None


class CrawlRunSerializer(RowSerializer):
    """The run under way, else the last one."""

    json_columns = ("problems",)

    id = Integer()
    state = Choice(choices=[state.value for state in CrawlRunState])
    trigger = Choice(choices=[trigger.value for trigger in Trigger])
    queued_at = Time()
    started_at = Time(allow_null=True)
    finished_at = Time(allow_null=True)
    pages = CrawlPagesSerializer(source="*")
    rules_written = Integer()
    error = MethodField(ErrorSerializer(allow_null=True), columns=("error_code",), from_=error_of)
    problems = CrawlProblemSerializer(many=True, help_text="The first 50.")


class CrawlerSerializer(RowSerializer):
    """The crawler of the knowledge base, and its run."""

    config = CrawlerConfigSerializer(allow_null=True)
    run = CrawlRunSerializer(allow_null=True)
