"""The cards of deliveries on the cabinet's front page."""

from django.urls import reverse
from django.utils.translation import gettext

from apps.core.cabinet import Board, Card, Dashboard
from apps.webhooks.models import Delivery, Subscription
from apps.webhooks.rules import DeliveryStatus


def cards(board: Board) -> list[Card]:
    log = f"{reverse('admin:webhooks_delivery_changelist')}?status__exact="
    deliveries = Delivery.objects.unscoped("narrowed to the account below").all()
    if board.widget_id is not None:
        own = Subscription.objects.for_widget(board.widget_id).values_list("pk", flat=True)
        deliveries = deliveries.to_subscription(*own)
    waiting = deliveries.filter(status=DeliveryStatus.PENDING)
    retried = waiting.filter(attempts__gt=0).count()
    failed = deliveries.filter(status=DeliveryStatus.FAILED, created_at__gte=board.window.start).count()
    return [
        Card(
            title=gettext("Deliveries waiting"),
            figure=str(waiting.count()),
            note=gettext("To be tried again: %(count)d") % {"count": retried},
            address=log + DeliveryStatus.PENDING,
            is_alarming=bool(retried),
        ),
        Card(
            title=gettext("Deliveries failed"),
            figure=str(failed),
            note=gettext("They are not tried again by themselves."),
            address=log + DeliveryStatus.FAILED,
            is_alarming=bool(failed),
        ),
    ]


DASHBOARD = Dashboard(cards=cards)
