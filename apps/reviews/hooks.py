"""An answer to another app: the work of the assists that score reviews."""

from apps.assists.actions.kinds import WorkOfKind
from apps.assists.questions import AssistHooks
from apps.assists.rules.kinds import AssistKind
from apps.reviews.actions.suggestions import keep_suggestion, suggest

TO_ASSISTS = AssistHooks(
    works={AssistKind.REVIEW: WorkOfKind(work=suggest, is_on=lambda desk: True, keeps=keep_suggestion)}
)
