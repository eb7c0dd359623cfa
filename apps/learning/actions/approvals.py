"""The result that approving a wish would have: one function for the preview, the examination and the approval."""

from collections.abc import Sequence
from typing import NamedTuple

from apps.ai.models import Assistant
from apps.learning.actions.probation import running_of
from apps.learning.actions.texts import texts_of
from apps.learning.models import Probation, Wish
from apps.learning.rules import guard_rails, patches
from apps.learning.rules.guard_rails import Breach
from apps.learning.rules.patches import Change, Texts
from apps.learning.rules.states import Draft, WishAction, may


class ApprovalPlan(NamedTuple):
    """The result that an approval would have now. `refusals` are all refusals of it, by rule."""

    source: str
    changes: Sequence[Change]
    base_version: int | None
    before: Texts
    after: Texts
    breach: Breach | None
    refusals: Sequence[tuple[str, str]]

    @property
    def fingerprint(self) -> str:
        return patches.fingerprint(self.base_version or 0, self.changes)


def planned(wish: Wish, assistant: Assistant | None, probation: Probation | None) -> ApprovalPlan:
    """The result that approving the wish would have on the assistant's present text. Reads nothing."""
    before = texts_of(assistant) if assistant else Texts("", "")
    base = assistant.persona_version if assistant else None
    is_model = bool(assistant and wish.draft == Draft.READY and wish.draft_base == base and wish.patch)
    changes = patches.load(wish.patch) if is_model else patches.literal(wish.text)  # type: ignore[arg-type]
    verdict = guard_rails.judged(before, changes, allowed=wish.text, is_literal=not is_model)
    refusals: list[tuple[str, str]] = []
    if not may(wish.status, WishAction.APPROVED):
        refusals.append(("wish_state", f"The wish is {wish.status}."))
    if assistant is None:
        refusals.append(("no_assistant", "Its assistant is gone."))
    elif probation is not None:
        refusals.append(("probation_running", f"Version {probation.version} is on probation."))
    if assistant is not None and verdict.breach is not None:
        refusals.append((verdict.breach.rule.value, verdict.breach.detail))
    after = before if refusals else verdict.after
    return ApprovalPlan("model" if is_model else "literal", changes, base, before, after, verdict.breach, refusals)


def preview(widget_id: int, wish: Wish) -> ApprovalPlan:
    """The result that approving the wish would have now. Writes nothing, and asks no model."""
    assistant = Assistant.objects.for_widget(widget_id).filter(pk=wish.assistant_id).first()
    return planned(wish, assistant, running_of(widget_id, wish.assistant_id))
