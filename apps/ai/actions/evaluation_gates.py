"""The gate of the examination: a change that loses a case waits for a person, where the owner has cases at all."""

from typing import NamedTuple

from apps.ai.errors import LOSES_CASES
from apps.ai.models import EvaluationCase, EvaluationRun
from apps.ai.rules.evaluations import EvaluationGate, EvaluationState
from apps.ai.settings import settings_of


class Examined(NamedTuple):
    """A run of a change: how far it is, and how many of its cases it has lost."""

    run_id: int
    state: str
    lost: int
    of: int

    @property
    def is_done(self) -> bool:
        return self.state == EvaluationState.FINISHED


def is_asked(widget_id: int, assistant_id: int) -> bool:
    """Whether a change of the assistant's text is to be examined before it is made: the gate asks, and there is a case
    that is switched on."""
    if settings_of(widget_id).evaluation_gate != EvaluationGate.ASK:
        return False
    return EvaluationCase.objects.for_widget(widget_id).asked_of(assistant_id).exists()


def examined(run: EvaluationRun) -> Examined:
    """The state of a run."""
    counted = EvaluationRun.objects.for_widget(run.widget_id).counted().get(pk=run.pk)
    return Examined(run.pk, counted.state, len(counted.lost), counted.cases)  # type: ignore[attr-defined]  # `counted`


def require_accepted(examined: Examined, accept_lost: int | None) -> None:
    """Raises LOSES_CASES (409) for a change that has lost cases, unless exactly so many are accepted."""
    if examined.lost and examined.lost != accept_lost:
        raise LOSES_CASES(lost=examined.lost, of=examined.of)
