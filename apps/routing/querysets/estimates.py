"""The waits that people ended lately, by which the rest of another one is estimated; and the told times that held."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, OuterRef, Subquery, Sum

from apps.chats.models import Chat, Message
from apps.chats.rules import SenderKind
from apps.routing.models import Assignment, EstimateTally
from apps.routing.rules.estimates import A_DAY, FIGURES_DAYS, EndedWait, EstimateFigure
from apps.routing.rules.reasons import OfferOutcome
from apps.routing.rules.settings import MAX_ACCEPT_SECONDS

MOST_WAITS = 500  # of a department: the newest are looked at
BY_A_PERSON = (OfferOutcome.ACCEPTED, OfferOutcome.ASSIGNED, OfferOutcome.TAKEN)


def ended_waits(widget_id: int, department_id: int | None, now: datetime) -> list[EndedWait]:
    """The routed waits of a department that a person's answer ended within a day. Index: routing_assignment_old."""
    of_rows = Message.objects.unscoped("of the row's own chat").filter(chat=OuterRef("chat"))
    spoken = _by_people(of_rows).filter(created_at__gt=OuterRef("waits_since"))
    given = Assignment.objects.for_widget(widget_id).filter(
        department_id=department_id,
        given_at__gt=now - A_DAY - timedelta(seconds=MAX_ACCEPT_SECONDS),
        outcome__in=BY_A_PERSON,
    )
    answered = given.annotate(
        answered_at=Subquery(spoken.order_by("pk").values("created_at")[:1], output_field=DateTimeField())
    )
    rows = answered.order_by("-given_at").values_list("chat", "waits_since", "answered_at")[:MOST_WAITS]
    waits: dict[tuple[int, datetime], datetime] = {
        (chat_id, since): at for chat_id, since, at in rows if at is not None
    }
    return [EndedWait((now - at).total_seconds(), (at - since).total_seconds()) for (_, since), at in waits.items()]


def answered_by_person(chat: Chat, since: datetime) -> datetime | None:
    """When a person's words have ended a chat's wait that began then; None where none have."""
    spoken = _by_people(Message.objects.for_widget(chat.widget_id).filter(chat=chat))
    found: datetime | None = (
        spoken.filter(created_at__gt=since).order_by("pk").values_list("created_at", flat=True).first()
    )
    return found


def estimate_figures(widget_id: int, now: datetime) -> dict[int | None, EstimateFigure]:
    """The told times of the last FIGURES_DAYS by department, None for chats without one; those that have some.

    Index: routing_estimates_of_day.
    """
    tallies = EstimateTally.objects.for_widget(widget_id).filter(day__gt=now.date() - timedelta(days=FIGURES_DAYS))
    rows = tallies.order_by().values_list("department_id").annotate(Sum("count"), Sum("kept"))
    return {department_id: EstimateFigure(count, kept) for department_id, count, kept in rows}


def _by_people(messages: Any) -> Any:
    """The ones among these messages that end a wait, as a person's answer."""
    return messages.filter(sender_kind=SenderKind.AGENT, is_internal=False)
