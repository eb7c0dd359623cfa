"""The periodic jobs for external operators: typing is shown, and old rows are deleted."""

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps.accounts.rules import Answerer
from apps.ai.actions.external import locked_operator
from apps.ai.models import ExternalOperator, Turn
from apps.ai.rules.turn_states import KEPT, TurnState
from apps.chats.broadcasts import OperatorTyping
from apps.chats.rules.typing import Typing
from apps.core.problems import Problem
from apps.core.redis import broadcasts

BATCH, MOST_TYPING = 1_000, 5_000


def show_typing() -> int:
    """Both sides see that an operator works on a turn that it has taken; returns on how many. Not in shadow mode.

    The sign ends by itself after some seconds: this runs every four.
    """
    taken = Turn.objects.unscoped("every widget's rows").filter(state=TurnState.DELIVERED.value, deadline_at__gt=Now())
    shown = taken.exclude(widget__answerers__contains=[Answerer.AI_IN_SHADOW]).order_by("pk")
    rows = list(shown.values_list("chat_id", "operator__agent__name")[:MOST_TYPING])
    for chat_id, name in rows:
        broadcasts.send(OperatorTyping(chat_id=chat_id, state=Typing.START, name=name, is_machine=True))
    return len(rows)


def put_away() -> None:
    """Erases old secrets whose rotation is over, and forgets turns that are older than KEPT. Harmless at any time."""
    begun = ExternalOperator.objects.unscoped("every widget's rows").filter(
        rotation_started_at__isnull=False, deleted_at=None
    )
    begun = begun.exclude(
        pk__in=ExternalOperator.objects.unscoped("every widget's rows").rotating(timezone.now()).values("pk")
    )
    for widget_id, public_id in begun.values_list("widget_id", "public_id"):
        with transaction.atomic():
            try:
                locked_operator(widget_id, public_id)
            except Problem:  # switched off or deleted meanwhile
                continue
    while True:
        with transaction.atomic():
            old = (
                Turn.objects.unscoped("every widget's rows")
                .filter(created_at__lt=Now() - KEPT)
                .order_by("created_at")
                .values("pk")[:BATCH]
            )
            forgotten = Turn.objects.unscoped("every widget's rows").filter(
                pk__in=old.select_for_update(skip_locked=True)
            )
            deleted, _ = forgotten.delete()
        if deleted < BATCH:
            return
