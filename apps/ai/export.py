"""The tables of the AI in an export of a widget: settings, and assistants with the versions of their texts.

Also the unfinished work that an export waits for.
"""

from collections.abc import Callable, Iterator, Sequence

from django.db.models.functions import Now

from apps.accounts.actions.import_fields import as_sent, at_most, refusal_by
from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.ai.api.settings import PhrasesBody
from apps.ai.models import AiSettings, Assistant, EvaluationCase, PersonaHistory, PersonaVersion, ReplyJob, Turn
from apps.ai.rules.configuration import MAX_PERSONA, MAX_SYSTEM_PROMPT
from apps.ai.rules.evaluations import MAX_JUDGE, MAX_PIECE, MAX_QUESTION, MAX_SOURCES, MAX_TEXTS
from apps.ai.rules.languages import LANGUAGES
from apps.ai.serializers.assistant_requests import AssistantBody
from apps.ai.settings import SETTINGS

# Of rows that stay.
_WISHES = ("wish_id", "cycle_id")
_OF_ASSISTANT = (
    *("name", "persona", "system_prompt", "temperature", "escalation_triggers", "greeting", "greeting_i18n"),
    *("quick_phrases", "quick_phrases_i18n", "provider", "model"),
)
_TEXTS = {"persona": at_most(MAX_PERSONA), "system_prompt": at_most(MAX_SYSTEM_PROMPT)}


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Credentials and external operators have secrets, so the new installation makes new ones; usage stays."""
    assistants = Assistant.objects.for_widget(widget_id)
    yield ExportTable(name="assistants", rows=assistants, checks=as_sent(AssistantBody(), *_OF_ASSISTANT))
    versions = PersonaVersion.objects.for_widget(widget_id)
    yield ExportTable(name="persona_versions", rows=versions, without=_WISHES, checks=_TEXTS)
    history = PersonaHistory.objects.for_widget(widget_id).filter(assistant_id__in=assistants.values("pk"))
    yield ExportTable(name="persona_history", rows=history, without=_WISHES, refers={"assistant_id": "assistants"})
    yield ExportTable(
        name="evaluation_cases",
        rows=EvaluationCase.objects.for_widget(widget_id),
        checks={
            "question": at_most(MAX_QUESTION),
            "must": _few_texts,
            "must_not": _few_texts,
            "piece": at_most(MAX_PIECE),
            "piece_ref": at_most(MAX_PIECE),
            "language": _one_of(LANGUAGES),
            "sources": _few_sources,
            "judge": at_most(MAX_JUDGE),
        },
        refers={"born_chat_id": "chats", "born_message_id": "messages"},
    )
    declared = SETTINGS.export(switches=("enabled_since",))
    yield ExportTable(
        name="ai_settings",
        rows=AiSettings.objects.for_widget(widget_id),
        **declared | {"checks": {**declared["checks"], "phrases": refusal_by(PhrasesBody())}},
    )


def _few_texts(texts: list[str]) -> str | None:
    return f"There are more than {MAX_TEXTS} texts." if len(texts) > MAX_TEXTS else None


def _few_sources(texts: list[str]) -> str | None:
    return f"There are more than {MAX_SOURCES} sources." if len(texts) > MAX_SOURCES else None


def _one_of(names: Sequence[str]) -> Callable[[str], str | None]:
    return lambda name: None if not name or name in names else "There is no such language."


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Answers that are made now. Answers that are due later, if no person comes in time, are not waited for."""
    return {
        "answers of AI": ReplyJob.objects.for_widget(widget_id).filter(due_at__lte=Now()).count(),
        "turns of external operators": Turn.objects.for_widget(widget_id).open().count(),
    }


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
