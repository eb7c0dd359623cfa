"""The figures of an invitation's round."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from django.db.models import Count, F, Func, Min, Q, TextField, Value
from django.db.models.functions import Cast, Coalesce, TruncDate
from django.utils import timezone

from apps.widget.models import ChatInvitation, InvitationOffer
from apps.widget.rules.effects import ENOUGH, effect, rate
from apps.widget.rules.invitations import KEPT

_MARKS = ("dismissed", "opened", "answered")
_COUNTS = {"offers": Count("pk"), **{name: Count(f"{name}_at") for name in (*_MARKS, "converted")}}
# A visitor is their contact, else their browser.
_HEX = Func(F("key_digest"), Value("hex"), function="encode", output_field=TextField())
_VISITOR = Coalesce(Cast("contact_id", TextField()), _HEX)


def results_of(invitation: ChatInvitation, round_: int) -> dict[str, Any]:
    """The figures of a round, of the offers that are kept: in all, by day (UTC), and their effect.

    Index: widget_offer_figures.
    """
    of_round = InvitationOffer.objects.for_widget(invitation.widget_id).filter(invitation=invitation, round=round_)
    offers = of_round.filter(created_at__gt=timezone.now() - KEPT)
    days: dict[Any, dict[str, Any]] = {}
    by_day = offers.annotate(day=TruncDate("created_at", tzinfo=UTC)).values("day", "is_held").order_by("day")
    for found in by_day.annotate(**_COUNTS):
        _add(days.setdefault(found["day"], {"day": found["day"].isoformat(), **_nothing()}), found)
    enrolled = {False: (0, 0), True: (0, 0)}
    visitors = Count(_VISITOR, distinct=True)
    converted = Count(_VISITOR, distinct=True, filter=Q(converted_at__isnull=False))
    for is_held, *counts in (
        offers.order_by()
        .values("is_held")
        .annotate(converted=converted, visitors=visitors)
        .values_list("is_held", "converted", "visitors")
    ):
        enrolled[is_held] = (counts[0], counts[1])
    whole = {name: sum(each[name] for each in days.values()) for name in ("shown", "held", *_MARKS)}
    found_effect = effect(enrolled[False], enrolled[True])
    is_present = round_ == invitation.round
    return {
        "round": round_,
        "since": invitation.round_since if is_present else of_round.aggregate(first=Min("created_at"))["first"],
        **whole,
        "converted": {"shown": enrolled[False][0], "held": enrolled[True][0]},
        "rate": {"shown": rate(*enrolled[False]), "held": rate(*enrolled[True])},
        "effect": found_effect and found_effect._asdict(),
        "is_enough": min(enrolled[False][1], enrolled[True][1]) >= ENOUGH,
        "days": list(days.values()),
    }


def _nothing() -> dict[str, Any]:
    return {"shown": 0, "held": 0, **dict.fromkeys(_MARKS, 0), "converted": {"shown": 0, "held": 0}}


def _add(day: dict[str, Any], found: Mapping[str, Any]) -> None:
    """Adds the counts of one group to its day."""
    arm = "held" if found["is_held"] else "shown"
    day[arm] += found["offers"]
    day["converted"][arm] += found["converted"]
    for name in _MARKS:
        day[name] += found[name]
