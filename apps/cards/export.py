"""The unfinished work of cards before a widget leaves.

Nothing is exported: the new installation makes a new secret with the settings, and what is kept is asked for anew.
"""

from apps.accounts.actions.widget_export import WidgetExport
from apps.cards.models import CardAction


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    return {"buttons of cards": CardAction.objects.for_widget(widget_id).filter(due_at__isnull=False).count()}


EXPORT = WidgetExport(unfinished=unfinished_of_widget)
