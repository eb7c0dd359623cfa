"""The tables of the support desk in an export of a widget: settings, tickets, and the accounts of chats."""

from collections.abc import Iterator

from apps.accounts.actions.widget_export import ExportTable, WidgetExport
from apps.core.parsing.names import control_refusal
from apps.support.models import AppRoom, ClaimedMessage, SupportSettings, Ticket
from apps.support.settings import SETTINGS


def exported_of_widget(widget_id: int) -> Iterator[ExportTable]:
    """Tokens, the binding and proofs of identity are secrets, or rest on one."""
    yield ExportTable(
        name="support_settings",
        rows=SupportSettings.objects.for_widget(widget_id),
        **SETTINGS.export(),
    )
    yield ExportTable(
        name="tickets",
        rows=Ticket.objects.for_widget(widget_id),
        refers={"opening_message_id": "messages"},
        later=("duplicate_of_id",),
        checks={"subject": control_refusal},
    )
    yield ExportTable(name="app_rooms", rows=AppRoom.objects.for_widget(widget_id), checks={"user_id": control_refusal})


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """The visitors' messages with a mailbox or a code that are not handled yet."""
    return {"messages with codes": ClaimedMessage.objects.for_widget(widget_id).filter(due_at__isnull=False).count()}


EXPORT = WidgetExport(tables=exported_of_widget, unfinished=unfinished_of_widget)
