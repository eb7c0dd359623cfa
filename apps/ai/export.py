"""The tables of the AI in an export of a widget: settings, and assistants with the versions of their texts.

Also the unfinished work that an export waits for.
"""

from collections.abc import Iterator

from django.db.models.functions import Now

from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.ai.models import AiSettings, Assistant, PersonaHistory, PersonaVersion, ReplyJob, Turn

# Of rows that stay.
_WISHES = ("wish_id", "cycle_id")


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Credentials and external operators have secrets, so the new installation makes new ones; usage stays."""
    assistants = Assistant.objects.for_widget(widget_id)
    yield ExportTable(name="assistants", rows=assistants)
    yield ExportTable(name="persona_versions", rows=PersonaVersion.objects.for_widget(widget_id), without=_WISHES)
    history = PersonaHistory.objects.for_widget(widget_id).filter(assistant_id__in=assistants.values("pk"))
    yield ExportTable(name="persona_history", rows=history, without=_WISHES, refers={"assistant_id": "assistants"})
    yield ExportTable(name="ai_settings", rows=AiSettings.objects.for_widget(widget_id))


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Answers that are made now. Answers that are due later, if no person comes in time, are not waited for."""
    return {
        "answers of AI": ReplyJob.objects.for_widget(widget_id).filter(due_at__lte=Now()).count(),
        "turns of external operators": Turn.objects.for_widget(widget_id).open().count(),
    }


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
