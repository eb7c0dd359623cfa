"""The tables of letters in an export of a widget: no rights, so that old reply addresses end with a move."""

from collections.abc import Iterator
from functools import partial

from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.core.parsing.names import control_refusal
from apps.letters.actions.settings import refusal_of
from apps.letters.models import Address, GatherJob, InLetter, LetterSettings, OutLetter


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Settings, and which addresses are proven, dead or stopped. Threads and letters stay: they rest on rights."""
    yield ExportTable(
        name="letter_settings",
        rows=LetterSettings.objects.for_widget(widget_id),
        checks={name: partial(refusal_of, name) for name in ("answers", "site", "shop_address")},
        switches=("since",),  # without it nobody is written to about chats from before
    )
    yield ExportTable(
        name="letter_addresses", rows=Address.objects.for_widget(widget_id), checks={"email": control_refusal}
    )


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    queued = OutLetter.objects.for_widget(widget_id).filter(state=OutLetter.State.QUEUED)
    waiting = InLetter.objects.for_widget(widget_id).filter(handled_at=None)
    gathering = GatherJob.objects.for_widget(widget_id).filter(due_at__isnull=False)
    return {
        "letters": queued.count(),
        "answers that gather": gathering.count(),
        "letters that came in": waiting.count(),
    }


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
