from __future__ import annotations

import factory

from apps.kb.models import Crawler, CrawlRun, Rule, Source, Upload
from apps.kb.rules.texts import digest_of
from tests.factories.accounts import WidgetFactory


class SourceFactory(factory.django.DjangoModelFactory[Source]):
    class Meta:
        model = Source
        django_get_or_create = ("widget", "ref")

    widget = factory.SubFactory(WidgetFactory)
    ref = "manual"
    type = "manual"


class RuleFactory(factory.django.DjangoModelFactory[Rule]):
    class Meta:
        model = Rule

    widget = factory.SelfAttribute("source.widget")
    source = factory.SubFactory(SourceFactory)
    content = factory.Sequence(lambda n: f"Rule {n} of the shop.")
    digest = factory.LazyAttribute(lambda rule: digest_of(rule.title, rule.content))

    title = ""


class UploadFactory(factory.django.DjangoModelFactory[Upload]):
    """A document that failed, so that nobody works on it; its file is not stored."""

    class Meta:
        model = Upload

    widget = factory.SubFactory(WidgetFactory)
    name = "prices.csv"
    size = 10
    content_type = "text/csv"
    storage_key = factory.Sequence(lambda n: f"kb/{n}")
    state = "failed"
    error_code = "unreadable"
    error_detail = "The file is damaged, or is not what it says it is."
    due_at = None


class CrawlerFactory(factory.django.DjangoModelFactory[Crawler]):
    class Meta:
        model = Crawler
        django_get_or_create = ("widget",)

    widget = factory.SubFactory(WidgetFactory)
    start_urls = factory.LazyFunction(lambda: ["https://shop.example/"])


class CrawlRunFactory(factory.django.DjangoModelFactory[CrawlRun]):
    """A run that has ended, so that nobody works on it."""

    class Meta:
        model = CrawlRun

    widget = factory.SubFactory(WidgetFactory)
    state = "done"
    trigger = "put"
    due_at = None
