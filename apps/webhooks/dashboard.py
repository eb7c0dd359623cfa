"""The figures of deliveries on the cabinet's front page, and their queue on the page of the installation's health."""

from datetime import datetime

from django.db.models import Count, Min
from django.urls import reverse
from django.utils.translation import gettext

from apps.core.cabinet import Board, Dashboard, Figure, OverdueWork
from apps.webhooks.models import Delivery, Subscription
from apps.webhooks.rules import DeliveryStatus


def figures(board: Board) -> list[Figure]:
    log = f"{reverse('admin:webhooks_delivery_changelist')}?status__exact="
    deliveries = Delivery.objects.unscoped("narrowed to the account below").all()
    if board.widget_id is not None:
        own = Subscription.objects.for_widget(board.widget_id).values_list("pk", flat=True)
        deliveries = deliveries.to_subscription(*own)
    waiting = deliveries.filter(status=DeliveryStatus.PENDING)
    retried = waiting.filter(attempts__gt=0).count()
    failed = deliveries.filter(status=DeliveryStatus.FAILED, created_at__gte=board.window.start).count()
    return [
        Figure(
            title=gettext("Deliveries waiting"),
            value=str(waiting.count()),
            note=gettext("To be tried again: %(count)d") % {"count": retried},
            address=log + DeliveryStatus.PENDING,
            is_alarming=bool(retried),
            place="needs_you",
        ),
        Figure(
            title=gettext("Deliveries failed"),
            value=str(failed),
            note=gettext("They are not tried again by themselves."),
            address=log + DeliveryStatus.FAILED,
            is_alarming=bool(failed),
            place="needs_you",
        ),
    ]


def overdue(now: datetime) -> list[OverdueWork]:
    """The deliveries that are due and that no worker holds. Index: webhooks_delivery_queue."""
    pending = Delivery.objects.unscoped("the installation's queue").filter(status=DeliveryStatus.PENDING)
    due = pending.filter(due_at__lte=now).exclude(lease_until__gt=now)
    found = due.aggregate(count=Count("pk"), oldest=Min("due_at"))
    return [OverdueWork(title=gettext("Deliveries of webhooks"), count=found["count"], oldest=found["oldest"])]


DASHBOARD = Dashboard(figures=figures, overdue=overdue)
