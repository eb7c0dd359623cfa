"""The tables of assists in an export of a widget: what chats are about, and the owner's tools."""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.import_fields import at_most
from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.agents.rules.choices import language_refusal
from apps.assists.models import ChatSummary, OwnTool
from apps.assists.rules.kinds import MAX_INSTRUCTION, names_refusal
from apps.assists.rules.summing import MAX_LINE, MOST_LINES, MOST_TAGS


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Drafts stay: they are a log of what was done here."""
    yield ExportTable(
        name="summaries",
        rows=ChatSummary.objects.for_widget(widget_id),
        without=("assist_id",),
        refers={"up_to_message_id": "messages"},
        checks={
            "wants": at_most(2 * MAX_LINE),
            "done": at_most(2 * MAX_LINE),
            "open": _lines_refusal,
            "promised": _lines_refusal,
            "language": language_refusal,
            "tags": lambda tags: _lines_refusal(tags) or ("Too many." if len(tags) > MOST_TAGS else None),
        },
    )
    yield ExportTable(
        name="own_tools",
        rows=OwnTool.objects.for_widget(widget_id),
        checks={"names": names_refusal, "instruction": at_most(MAX_INSTRUCTION)},
    )


def _lines_refusal(lines: Any) -> str | None:
    if not isinstance(lines, list) or len(lines) > MOST_LINES:
        return f"A list of at most {MOST_LINES} texts is expected."
    if not all(isinstance(line, str) and len(line) <= MAX_LINE for line in lines):
        return f"Texts of at most {MAX_LINE} characters are expected."
    return None


EXPORT = WidgetExport(tables=exported_of_widget)
