"""The examination of a change before it is made: of a wish, and of a tuning cycle.

The test questions are asked with the very text that would be stored (`apps.ai.actions.evaluations`). A run of another
text, or of an assistant whose text has changed since, says nothing about it.
"""

from typing import Any

from apps.ai.actions.evaluation_gates import Examined, examined, is_asked, require_accepted
from apps.ai.actions.evaluations import AlreadyRunning, NoCases, start_evaluation
from apps.ai.models import Assistant, EvaluationRun
from apps.ai.questions import WishDraft
from apps.ai.rules.evaluations import ACTIVE, EvaluationState, RunCause, StopReason
from apps.core.problems import Problem
from apps.learning.actions.approvals import ApprovalPlan, preview
from apps.learning.errors import NOT_EXAMINED
from apps.learning.models import Cycle, Wish
from apps.learning.rules.patches import Texts


def draft_of_wish(widget_id: int, wish_id: int) -> WishDraft | None:
    """The draft that approving a wish would store (the hook `wish_draft`); None without such a wish."""
    wish = Wish.objects.for_widget(widget_id).filter(pk=wish_id).first()
    if wish is None:
        return None
    plan = preview(widget_id, wish)
    refusals = [": ".join(filter(None, refusal)) for refusal in plan.refusals]
    return WishDraft(wish.assistant_id, drafted(plan.after), refusals[0] if refusals else "")


def drafted(texts: Texts) -> dict[str, Any]:
    """The draft of a run for a text."""
    return texts._asdict()


def examination_of(wish: Wish, plan: ApprovalPlan) -> Examined | None:
    """The newest run of the text that the approval would store now; None without one."""
    runs = EvaluationRun.objects.for_widget(wish.widget_id).filter(assistant_id=wish.assistant_id, wish_id=wish.pk)
    same = runs.filter(persona_version=plan.base_version, draft=drafted(plan.after))
    run = same.order_by("-pk").first()
    return examined(run) if run is not None else None


def require_examined(wish: Wish, plan: ApprovalPlan, accept_lost: int | None) -> None:
    """Raises NOT_EXAMINED (409) where the test questions are to be asked first, and LOSES_CASES (409) as `apply` does;
    nothing where no question is active, or the gate is off."""
    if not is_asked(wish.widget_id, wish.assistant_id):
        return
    found = examination_of(wish, plan)
    if found is None or not found.is_done:
        raise NOT_EXAMINED()
    require_accepted(found, accept_lost)


class CycleStopped(Exception):
    """The test questions could not all be asked, for this reason (`StopReason`)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def examine_cycle(cycle: Cycle, assistant: Assistant, texts: Texts) -> Examined | None:
    """Starts the test questions with a cycle's text, first with the live one where no run ever came to its end.

    The run once it has finished, None while it is under way: ask again later. It costs the automatic share of the day's
    budget, and a worker that takes up a lost cycle finds the run. Raises CycleStopped; call it where `is_asked`.
    """
    runs = EvaluationRun.objects.for_widget(cycle.widget_id).filter(assistant_id=assistant.pk)
    own = runs.filter(cause=RunCause.CYCLE, queued_at__gte=cycle.queued_at).order_by("-pk")
    if not runs.finished().exists():
        _require_under_way(own.live().first(), assistant, None)
        return None
    draft = drafted(texts)
    run = own.filter(persona_version=cycle.base_version, draft=draft).first()
    if run is not None and run.state == EvaluationState.FINISHED:
        return examined(run)
    _require_under_way(run, assistant, draft)
    return None


def _require_under_way(run: EvaluationRun | None, assistant: Assistant, draft: dict[str, Any] | None) -> None:
    """Starts the run where there is none. Raises CycleStopped."""
    if run is not None:
        if run.state not in ACTIVE:
            raise CycleStopped(run.reason)
        return
    try:
        start_evaluation(assistant=assistant, cause=RunCause.CYCLE, draft=draft)
    except AlreadyRunning:
        return  # of somebody else: this one's turn comes
    except NoCases:
        raise CycleStopped(StopReason.CANCELLED) from None
    except Problem:
        raise CycleStopped(StopReason.NO_CREDENTIAL) from None
