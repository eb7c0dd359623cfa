"""The marketplace's templates, for the page that sets an assistant up."""

from collections.abc import Sequence

from apps.ai.actions.templates import AssistantTemplates
from apps.ai.models import Assistant
from apps.ai.rules.actors import Actor
from apps.learning.actions.marketplace import apply_template
from apps.learning.marketplace import in_language, templates


def choices(language: str) -> Sequence[tuple[str, str]]:
    return [(slug, in_language(slug, language).name) for slug in templates()]


def apply(widget_id: int, slug: str, language: str, actor: Actor) -> Assistant:
    return apply_template(widget_id=widget_id, template=in_language(slug, language), actor=actor)


TEMPLATES = AssistantTemplates(choices, apply)
