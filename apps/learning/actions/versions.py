"""Making an earlier text of an assistant live again."""

from django.db import transaction

from apps.ai.errors import PERSONA_CHANGED
from apps.ai.models import Assistant, PersonaVersion
from apps.ai.rules.actors import Actor
from apps.ai.rules.configuration import PersonaCause
from apps.core.errors import NOT_FOUND
from apps.learning.actions.probation import cancel, decide, running_of
from apps.learning.actions.texts import rewrite, texts_of
from apps.learning.errors import ALREADY_LIVE
from apps.learning.models import Wish
from apps.learning.rules.states import WishAction, WishStatus


def version_named(assistant: Assistant | None, version: int) -> PersonaVersion:
    """A version of the assistant. Raises NOT_FOUND (404), also without an assistant."""
    if assistant is None:
        raise NOT_FOUND()
    return (
        PersonaVersion.objects.for_widget(assistant.widget_id)
        .select_related("assistant")
        .get_or_404("There is no such version.", assistant_id=assistant.pk, version=version)
    )


@transaction.atomic
def revert_to(
    *, widget_id: int, assistant_id: int, version: int, actor: Actor, reason: str = "", expected: int | None = None
) -> PersonaVersion:
    """Makes the text of that version the next one; what was on probation is reverted by it.

    Raises NOT_FOUND (404), ALREADY_LIVE (409), PERSONA_CHANGED (409) where another version than `expected` is live.
    """
    assistant = Assistant.objects.for_widget(widget_id).get_for_update(pk=assistant_id)
    old = version_named(assistant, version)
    if expected is not None and expected != assistant.persona_version:
        raise PERSONA_CHANGED()
    if version == assistant.persona_version:
        raise ALREADY_LIVE()
    probation = running_of(widget_id, assistant_id)
    if probation is not None:
        cancel(probation)
    made = rewrite(assistant, texts_of(old), actor=actor, cause=PersonaCause.REVERT, restores=version, reason=reason)
    if probation is not None and probation.wish_id is not None:
        wish = Wish.objects.for_widget(widget_id).get_for_update(pk=probation.wish_id)
        decide(wish, WishStatus.REVERTED, WishAction.REVERTED, actor=actor, version=made.version, reason=reason)
    return made
