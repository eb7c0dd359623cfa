"""The tables of letters in an export of a widget: no rights, so that old reply addresses end with a move."""

from collections.abc import Iterator
from typing import Any

from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.core.parsing.names import control_refusal
from apps.letters.models import Address, GatherJob, InLetter, LetterSettings, OutLetter
from apps.letters.rules.mailboxes import LetterKind
from apps.letters.settings import SETTINGS

_IN_CHATS = (LetterKind.MESSAGE, LetterKind.NOTE)
# Of mailboxes and threads, which stay, or of the letter's reading.
_STAYS = ("mailbox_id", "thread_id", "envelope_sender", "key", "reason", "pictures", "results", "tries", "shown")


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Settings, which addresses are proven, dead or stopped, and the letters in chats with their raw forms. Threads and
    letters that were sent stay: they rest on rights.
    """
    yield ExportTable(
        name="letter_settings",
        rows=LetterSettings.objects.for_widget(widget_id),
        # Without `since` nobody is written to about chats from before.
        **SETTINGS.export(switches=("since",)),
    )
    yield ExportTable(
        name="letter_addresses", rows=Address.objects.for_widget(widget_id), checks={"email": control_refusal}
    )
    yield ExportTable(
        name="letters_in",
        rows=InLetter.objects.for_widget(widget_id).filter(kind__in=_IN_CHATS, message__isnull=False),
        without=_STAYS,
        stored=("raw_key",),
        checks={"sender": control_refusal, "recipients": _addresses_refusal, "copies": _addresses_refusal},
        row_refusals=_letter_refusals,
    )


def _addresses_refusal(addresses: list[str]) -> str | None:
    return next(filter(None, map(control_refusal, addresses)), None)


def _letter_refusals(row: dict[str, Any]) -> dict[str, str]:
    """Only what came, and was read: nothing of an export is read as a letter that has just come."""
    found: dict[str, str] = {}
    if row.get("kind") not in list(_IN_CHATS):
        found["kind"] = "Only letters in chats are expected."
    for name in ("message_id", "handled_at"):
        if row.get(name) is None:
            found[name] = "It may not be null."
    return found


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
