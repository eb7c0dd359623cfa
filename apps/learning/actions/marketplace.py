"""Making an assistant out of a template of the marketplace."""

from datetime import timedelta

from django.db import transaction

from apps.ai.actions.assistants import create_assistant
from apps.ai.models import Assistant
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import PersonaCause
from apps.core.quotas import Quota
from apps.learning.errors import TOO_MANY_TEMPLATES
from apps.learning.marketplace import Template

APPLIED = Quota("learning.templates_applied", 5, timedelta(hours=1), TOO_MANY_TEMPLATES)


@transaction.atomic
def apply_template(*, widget_id: int, template: Template, actor: Actor) -> Assistant:
    """Adds an assistant with the template's texts; nothing existing changes, and twice makes two.

    Raises TOO_MANY_TEMPLATES (429) beyond five in any hour.
    """
    APPLIED.spend(widget_id)
    return create_assistant(
        widget_id=widget_id,
        actor=actor,
        cause=PersonaCause.TEMPLATE,
        summary=f"{template.slug}@{template.version} ({template.language})",
        name=template.name,
        persona=template.persona,
        system_prompt=template.system_prompt,
        escalation_triggers=list(template.triggers),
        greeting=template.greeting,
        quick_phrases=list(template.quick_phrases),
        temperature=template.temperature,
        rag_enabled=template.rag_enabled,
    )
