"""The tables of the console in an export of a widget: canned replies, and the macros that name them."""

from collections.abc import Iterator

from apps.accounts.actions.import_fields import as_sent
from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.automations.export import macro_table
from apps.console.api.replies import ReplyBody
from apps.console.models import CannedReply
from apps.console.rules.translated_replies import translations_refusal


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    yield ExportTable(
        name="replies",
        rows=CannedReply.objects.for_widget(widget_id),
        checks={**as_sent(ReplyBody(), "shortcut", "body"), "translations": translations_refusal},
    )
    yield macro_table(widget_id)


EXPORT = WidgetExport(tables=exported_of_widget)
