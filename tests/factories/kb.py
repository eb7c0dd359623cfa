from __future__ import annotations

import factory

from apps.kb.models import Rule, Source
from apps.kb.rules.texts import digest_of
from tests.factories.accounts import WidgetFactory


class SourceFactory(factory.django.DjangoModelFactory[Source]):
    class Meta:
        model = Source

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
