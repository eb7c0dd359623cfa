"""The unfinished work of messengers before a widget leaves. Nothing is exported: each is connected again."""

from apps.accounts.actions.widget_export import WidgetExport
from apps.messengers.models import Inbound, OutboundMessage


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    """Messages that are not stored in their chats yet, and such as are not sent."""
    return {
        "messages from messengers": Inbound.objects.for_widget(widget_id).filter(handled_at=None).count(),
        "messages to messengers": OutboundMessage.objects.for_widget(widget_id).filter(done_at=None).count(),
    }


EXPORT = WidgetExport(unfinished=unfinished_of_widget)
