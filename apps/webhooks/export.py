"""The unfinished deliveries before a widget leaves.

Nothing is exported: the new installation makes new secrets, and logs stay.
"""

from apps.accounts.actions.widget_export import WidgetExport
from apps.webhooks.models import Delivery
from apps.webhooks.rules import DeliveryStatus


def unfinished_of_widget(widget_id: int) -> dict[str, int]:
    pending = Delivery.objects.for_widget(widget_id).filter(status=DeliveryStatus.PENDING.value)
    return {"events to deliver": pending.count()}


EXPORT = WidgetExport(unfinished=unfinished_of_widget)
