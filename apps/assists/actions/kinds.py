"""Every kind of assist: its work, what stores its result, and whether a widget's settings let it be asked for."""

from collections.abc import Callable
from dataclasses import dataclass

from apps.assists.actions.drafting import draft
from apps.assists.actions.rewriting import rewrite
from apps.assists.actions.runs import AssistWork
from apps.assists.actions.summing import keep_summary, summarise
from apps.assists.actions.translating import translate
from apps.assists.models import Assist
from apps.assists.questions import work_elsewhere
from apps.assists.rules.kinds import AssistKind
from apps.assists.rules.results import AssistResult
from apps.chats.models import ConsoleSettings
from apps.chats.rules.console_settings import DraftsMode, SummariesMode, TranslationMode


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkOfKind:
    """A kind. `keeps` stores more than the assist's own row, in the transaction that ends the job."""

    work: AssistWork
    is_on: Callable[[ConsoleSettings], bool]
    keeps: Callable[[Assist, AssistResult], None] | None = None


WORK_OF_KINDS: dict[AssistKind, WorkOfKind] = {
    AssistKind.DRAFT: WorkOfKind(work=draft, is_on=lambda desk: desk.drafts != DraftsMode.OFF),
    AssistKind.REWRITE: WorkOfKind(work=rewrite, is_on=lambda desk: True),
    AssistKind.SUMMARY: WorkOfKind(
        work=summarise, is_on=lambda desk: desk.summaries != SummariesMode.OFF, keeps=keep_summary
    ),
    AssistKind.TRANSLATION: WorkOfKind(work=translate, is_on=lambda desk: desk.translation != TranslationMode.OFF),
}
"""By kind. A kind that is not here cannot be asked for by operators."""


def work_of(kind: AssistKind) -> WorkOfKind | None:
    """The work of a kind; None where nobody does it."""
    return WORK_OF_KINDS.get(kind) or work_elsewhere(kind)


def kinds_on(desk: ConsoleSettings) -> list[AssistKind]:
    """The kinds that a widget's settings let operators ask for."""
    return [kind for kind, of_kind in WORK_OF_KINDS.items() if of_kind.is_on(desk)]
