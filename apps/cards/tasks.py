"""Entry points of cards' background work."""

from celery import shared_task
from django.utils.translation import gettext_noop as _

from apps.cards.actions import buttons, reading
from apps.cards.models import CardAction, ChatCards
from apps.leases import Queue

CARDS_QUEUE = Queue(
    model=ChatCards,
    title=_("cards that are asked for"),
    work=reading.work,
    waits=(5,),
    in_flight=8,
    in_flight_each=4,
    lease_s=20,
)
ACTIONS_QUEUE = Queue(
    model=CardAction,
    title=_("buttons of cards"),
    work=buttons.work,
    given_up=buttons.given_up,
    in_flight=4,
    in_flight_each=2,
    lease_s=30,
)


@shared_task(ignore_result=True)
def forget_old_cards() -> None:
    """Deletes what was kept of cards for 24 hours."""
    reading.forget_old()
