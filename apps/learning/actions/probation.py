"""Probations: begun by a change, watched by its figures, ended once: kept, rolled back or cancelled.

The lock of the assistant's row is held for an end, so a review and a person at once end it once.
"""

import logging
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from apps.ai.actions import alerts
from apps.ai.actions.personas import note_persona
from apps.ai.models import Assistant
from apps.ai.rules.actors import SYSTEM, Actor
from apps.ai.rules.configuration import PersonaAction, PersonaCause
from apps.learning.actions.metrics import metrics_between
from apps.learning.actions.texts import rewrite, texts_of, version_of
from apps.learning.labels import TEXT_ROLLED_BACK
from apps.learning.models import Cycle, Probation, Wish, WishDecision
from apps.learning.rules.probation import BASELINE, LASTS, Metrics, is_worse
from apps.learning.rules.states import ProbationKind, ProbationState, WishAction, WishStatus

logger = logging.getLogger(__name__)

EDITED_BY_HAND = "edited_by_hand"


def begin(
    assistant: Assistant, *, base_version: int, wish: Wish | None = None, cycle: Cycle | None = None, at: datetime
) -> Probation:
    """Puts the live version of a locked assistant on probation."""
    kind = ProbationKind.CYCLE if wish is None else ProbationKind.WISH
    baseline = metrics_between(
        widget_id=assistant.widget_id,
        assistant_id=assistant.pk,
        version=base_version,
        start=at - BASELINE,
        end=at,
    )
    return Probation.objects.create(
        widget_id=assistant.widget_id,
        assistant_id=assistant.pk,
        kind=kind,
        wish=wish,
        cycle=cycle,
        version=assistant.persona_version,
        base_version=base_version,
        started_at=at,
        ends_at=at + LASTS,
        baseline=baseline.told(),
        current=Metrics().told(),
    )


def running_of(widget_id: int, assistant_id: int) -> Probation | None:
    """The assistant's probation that runs."""
    return Probation.objects.for_widget(widget_id).running().filter(assistant_id=assistant_id).first()


def cancel(probation: Probation, *, now: datetime | None = None) -> None:
    """Ends a probation without a verdict. The assistant is locked."""
    _end(probation, ProbationState.CANCELLED, now or timezone.now())


def _end(probation: Probation, state: ProbationState, now: datetime) -> None:
    probation.state, probation.ended_at = state, now
    probation.save(update_fields=["state", "ended_at", "baseline", "current"])


def decide(wish: Wish, status: WishStatus, action: WishAction, *, actor: Actor, **told: Any) -> None:
    """Moves a locked wish on, and writes who did."""
    wish.status, wish.updated_at = status, timezone.now()
    wish.save(update_fields=["status", "updated_at", "version", "base_version", "applied_patch"])
    WishDecision.objects.create(wish=wish, action=action, actor=actor._asdict(), **told)


def ended_by_hand(*, widget_id: int, assistant_id: int, actor: Actor) -> None:
    """Ends a probation after a person wrote the text by hand: the text is theirs now, and kept."""
    probation = running_of(widget_id, assistant_id)
    if probation is None:
        return
    cancel(probation)
    if probation.wish_id is not None:
        wish = Wish.objects.for_widget(widget_id).get_for_update(pk=probation.wish_id)
        decide(wish, WishStatus.KEPT, WishAction.KEPT, actor=actor, version=probation.version, reason=EDITED_BY_HAND)


def review_probations(*, as_of: datetime) -> int:
    """Looks at every probation that runs; returns how many ended. Harmless when run twice at once."""
    ended = 0
    for widget_id, pk in (
        Probation.objects.unscoped("every widget's rows").running().order_by("pk").values_list("widget_id", "pk")
    ):
        try:
            ended += _review(widget_id, pk, as_of)
        except Exception:
            logger.exception("the probation %s could not be reviewed", pk)
    return ended


@transaction.atomic
def _review(widget_id: int, pk: int, as_of: datetime) -> bool:
    assistant_id = Probation.objects.for_widget(widget_id).get(pk=pk).assistant_id
    assistants = Assistant.objects.for_widget(widget_id).filter(pk=assistant_id)
    assistant = assistants.select_for_update(no_key=True).first()
    probation = Probation.objects.for_widget(widget_id).running().filter(pk=pk).select_for_update().first()
    if probation is None:
        return False
    if assistant is None:
        _keep(probation, as_of)
        return True
    both = {"widget_id": widget_id, "assistant_id": assistant.pk}
    since = probation.started_at
    baseline = metrics_between(**both, version=probation.base_version, start=since - BASELINE, end=since)
    current = metrics_between(**both, version=probation.version, start=since, end=max(since, as_of))
    probation.baseline, probation.current = baseline.told(), current.told()
    if is_worse(current, baseline):
        _roll_back(probation, assistant, as_of)
        return True
    if as_of >= probation.ends_at:
        _keep(probation, as_of)
        return True
    probation.save(update_fields=["baseline", "current"])
    return False


def _keep(probation: Probation, now: datetime) -> None:
    _end(probation, ProbationState.KEPT, now)
    note_persona(
        probation.assistant_id,
        widget_id=probation.widget_id,
        action=PersonaAction.KEPT,
        actor=SYSTEM,
        from_version=probation.version,
        to_version=probation.version,
        wish_id=probation.wish_id,
        cycle_id=probation.cycle_id,
        metrics={"baseline": probation.baseline, "current": probation.current},
    )
    if probation.wish_id is not None:
        wish = Wish.objects.for_widget(probation.widget_id).get_for_update(pk=probation.wish_id)
        decide(wish, WishStatus.KEPT, WishAction.KEPT, actor=SYSTEM, version=probation.version)


def _roll_back(probation: Probation, assistant: Assistant, now: datetime) -> None:
    _end(probation, ProbationState.ROLLED_BACK, now)
    base = version_of(assistant, probation.base_version)
    made = rewrite(
        assistant,
        texts_of(base),
        actor=SYSTEM,
        cause=PersonaCause.ROLLBACK,
        restores=base.version,
        wish_id=probation.wish_id,
        cycle_id=probation.cycle_id,
        metrics={"baseline": probation.baseline, "current": probation.current},
    )
    if probation.wish_id is not None:
        wish = Wish.objects.for_widget(probation.widget_id).get_for_update(pk=probation.wish_id)
        decide(wish, WishStatus.REVERTED, WishAction.ROLLED_BACK, actor=SYSTEM, version=made.version)
    alerts.report(probation.widget_id, "learning_rolled_back", TEXT_ROLLED_BACK, assistant_id=assistant.pk)
