"""Templates on the wire."""

from typing import Any

from apps.ai.rules.configuration import effective_triggers
from apps.ai.rules.languages import LANGUAGES
from apps.core.endpoints.row_serializers import RowSerializer, TextList
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text
from apps.learning.marketplace import CATEGORIES, Template, templates


class TemplateRowSerializer(RowSerializer):
    """A template of the marketplace, as the list has it."""

    slug = Text()
    version = Integer()
    category = Choice(choices=list(CATEGORIES))
    name = Text()
    description = Text()
    locale = Choice(choices=list(LANGUAGES), help_text="The language of these texts.")
    locales = TextList(help_text="The languages that there are.")


class TemplateSerializer(TemplateRowSerializer):
    """A template of the marketplace, whole."""

    persona = Text()
    system_prompt = Text()
    escalation_triggers = TextList()
    effective_escalation_triggers = TextList(help_text="As an assistant made of it would have them.")
    greeting = Text()
    quick_phrases = TextList()
    temperature = Number()
    rag_enabled = Boolean()


def template_row(template: Template) -> dict[str, Any]:
    """A template in the list."""
    return {
        "slug": template.slug,
        "version": template.version,
        "category": template.category,
        "name": template.name,
        "description": template.description,
        "locale": template.language,
        "locales": sorted(templates()[template.slug]),
    }


def whole_template(template: Template) -> dict[str, Any]:
    """A template with all its texts."""
    return {
        **template_row(template),
        "persona": template.persona,
        "system_prompt": template.system_prompt,
        "escalation_triggers": list(template.triggers),
        "effective_escalation_triggers": effective_triggers(template.triggers),
        "greeting": template.greeting,
        "quick_phrases": list(template.quick_phrases),
        "temperature": template.temperature,
        "rag_enabled": template.rag_enabled,
    }
