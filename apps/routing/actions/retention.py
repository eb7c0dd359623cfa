"""Clocks, offers and the tallies of told times live for 90 days, the first two as long as their chat at most."""

from datetime import datetime, timedelta

from django.db.models import Q

from apps.routing.models import Assignment, EstimateTally, SlaClock, ToldEstimate

KEPT = timedelta(days=90)
BATCH = 5_000


def forget_old(*, as_of: datetime) -> int:
    """Deletes a batch of the oldest of them that are over; returns how many. Harmless when run twice at once.

    Clocks that nobody ended go as well: a resolution whose episode ended by silence stays paused.
    """
    clocks = SlaClock.objects.unscoped("every widget's rows").filter(since__lt=as_of - KEPT)
    over = clocks.filter(Q(ended_at__isnull=False) | Q(running_since=None))
    offers = Assignment.objects.unscoped("every widget's rows").filter(given_at__lt=as_of - KEPT, outcome__isnull=False)
    old = list(over.values_list("pk", flat=True)[:BATCH]), list(offers.values_list("pk", flat=True)[:BATCH])
    gone, _ = SlaClock.objects.unscoped("every widget's old rows").filter(pk__in=old[0]).delete()
    given, _ = Assignment.objects.unscoped("every widget's old rows").filter(pk__in=old[1]).delete()
    tallies = EstimateTally.objects.unscoped("every widget's rows").filter(day__lt=(as_of - KEPT).date())
    told = ToldEstimate.objects.unscoped("every widget's rows").filter(told_at__lt=as_of - KEPT)
    return gone + given + tallies.delete()[0] + told.delete()[0]
