"""Bodies that several entry points of the knowledge base take."""

from typing import Any

from django.utils.translation import gettext_noop
from rest_framework import serializers

from apps.core.endpoints.outbound_urls import OutboundUrl
from apps.core.endpoints.serializers import Body, Boolean, Integer, Items, Text
from apps.kb.rules import crawling


class StartUrl(OutboundUrl):
    """The start of a crawl: an address as every outbound one, without a fragment."""

    default_error_messages = {
        "fragment": gettext_noop("Must not have a fragment."),
        "long": gettext_noop("Is too long once it is encoded."),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=crawling.MAX_START_URL, **options)

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, str) and "#" in data:
            self.fail("fragment")
        found = super().to_internal_value(data)
        if len(found["target"]) > crawling.MAX_URL:
            self.fail("long")
        return found


class PathPrefix(Text):
    """The beginning of the paths of some pages."""

    default_error_messages = {"relative": "Must begin with /."}

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=crawling.MAX_PATH, **options)

    def to_internal_value(self, data: Any) -> Any:
        prefix = super().to_internal_value(data)
        if not prefix.startswith("/"):
            self.fail("relative")
        return prefix


def _paths(help_text: str) -> Items:
    return Items(child=PathPrefix(), required=False, default=list, max_length=crawling.MAX_PATHS, help_text=help_text)


class CrawlerBody(Body):
    """The whole configuration: what is left out takes its default."""

    start_urls = Items(
        child=StartUrl(),
        allow_empty=False,
        max_length=crawling.MAX_START_URLS,
        help_text="1 to 10 distinct https addresses; only their hosts are crawled.",
    )
    max_pages = Integer(
        required=False,
        default=crawling.DEFAULT_PAGES,
        min_value=1,
        max_value=crawling.MAX_PAGES,
        help_text="Pages fetched in a run.",
    )
    max_depth = Integer(
        required=False,
        default=crawling.DEFAULT_DEPTH,
        min_value=0,
        max_value=crawling.MAX_DEPTH,
        help_text="Links away from a start URL; a sitemap's pages are at 1.",
    )
    include_paths = _paths("Prefixes of paths, of which one must fit. Start URLs are always fetched.")
    exclude_paths = _paths("Prefixes of paths that are not fetched; they win.")
    use_sitemap = Boolean(required=False, default=True)
    recrawl_every_hours = Integer(
        required=False,
        allow_null=True,
        default=crawling.DEFAULT_HOURS,
        min_value=crawling.MIN_HOURS,
        max_value=crawling.MAX_HOURS,
        help_text="Null: never by itself.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        targets: set[str] = set()
        for position, found in enumerate(attrs["start_urls"]):
            if found["target"] in targets:
                raise serializers.ValidationError({"start_urls": {str(position): ["This is there twice."]}})
            targets.add(found["target"])
        return attrs | {"start_urls": [found["url"] for found in attrs["start_urls"]]}
