"""What an export of a widget has of its AI: settings, and assistants with the versions of their texts.

And which of its work is waited for before.
"""

from collections.abc import Iterator

from django.db.models.functions import Now

from apps.ai.models import AiSettings, Assistant, PersonaHistory, PersonaVersion, ReplyJob, Turn
from apps.core.portable import Table

# Of rows that stay.
_WISHES = ("wish_id", "cycle_id")


def exported_of_widget(widget_id: int) -> Iterator[Table]:
    """Credentials and external operators have secrets, so they are made anew; what was spent stays."""
    assistants = Assistant.objects.of(widget_id)
    yield Table(name="assistants", rows=assistants)
    yield Table(name="persona_versions", rows=PersonaVersion.objects.of(widget_id), without=_WISHES)
    history = PersonaHistory.objects.of(widget_id).filter(assistant_id__in=assistants.values("pk"))
    yield Table(name="persona_history", rows=history, without=_WISHES, refers={"assistant_id": "assistants"})
    yield Table(name="ai_settings", rows=AiSettings.objects.of(widget_id))


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Answers that are made now. That AI would speak later, should no person come in time, is not waited for."""
    return {
        "answers of AI": ReplyJob.objects.of(widget_id).filter(due_at__lte=Now()).count(),
        "turns of external operators": Turn.objects.of(widget_id).open().count(),
    }
